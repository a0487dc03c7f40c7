// Package search holds the commands that find what is remembered and what was
// said, and that take in transcripts of other programs to be searched.
package search
