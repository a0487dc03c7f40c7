// Package run is how command lines are run at the terminal: the person's own between
// rules, those that an answer offers after a question, and one in the lane of a model with
// its question (package runner judges, notes and runs it). The command safety shows what
// the person has said about command lines beforehand, how to take it back, and what
// would happen with a line. What tools changed in files is named, shown and taken back
// here as well: what may be, and how, is package undo's.
//
// # Laws
//
//   - What a model offers runs in the person's own lane, on their terminal, and only
//     after a key that was pressed while the question stood there, or by what the
//     person said beforehand (package gate).
//   - What is shown before a question is the whole line, with everything in it that
//     does not show itself written out.
//   - Where nobody can be asked, in the lane of a model or a tool too, what would be
//     asked does not run.
package run
