// Package search holds the commands that find what is remembered and what was
// said, and that take in what other programs kept: conversations to be searched,
// and memories to be reviewed.
package search
