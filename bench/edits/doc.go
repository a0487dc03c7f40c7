// Package edits measures how package tool/edit replaces what a model quoted badly: edits are
// made up in real files of programs and papers, quoted in one way of many, and what came of
// each is compared with what was meant.
//
// An edit is right, or wrong in nothing but the indentation of new lines, or refused, or
// wrong. Wrong must be none: a refusal costs a model one more step, a wrong edit a file.
package edits
