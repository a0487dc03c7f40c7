// Package search holds the commands that find what is remembered and what was
// said: recall, and `ken sessions`, the conversations of the past, listed, searched,
// shown and exported; and import, which takes in what other programs kept:
// conversations to be searched, and memories to be reviewed. What is done in a live
// conversation is package chat's business.
//
// An export leaves out what was forgotten; a list and a page of turns show what the
// file says.
package search
