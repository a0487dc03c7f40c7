// Package files reads, lists and searches files for a model, and plans and makes changes of them.
// It asks nobody and decides nothing: each target comes with how much could be done there and why
// (Target.Risk), each change with the difference that a person is to see before (Change.Diff). Texts
// for the model are as they stand in files, neither cleaned nor masked.
//
// # Where a path leads
//
// A path is judged by where it really is: links resolved, and the project known by the identity of
// its directory, whatever case or other name the path has. What is not known to be inside is outside.
//
// # What comes back
//
// A refusal (Refused) is a text that a model can use; every other error is one of the system's.
package files
