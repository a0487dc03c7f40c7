// Package find is how commands search: in the memory, in conversations and in the
// command lines that were run; and how a person says with words which memory they
// mean. What a score is made of is package index's business, what a hit looks like
// package view's.
//
// # Caveats
//
// A Library is what there was when it was opened. In it no text comes back that
// was forgotten, by whatever way it was kept.
package find
