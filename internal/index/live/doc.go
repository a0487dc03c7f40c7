// Package live keeps a derived index of a person's memory and conversations, so
// that a question costs neither reading them nor folding them. All of it is in a
// cache directory that may be deleted at any time: what is missing, stale, damaged
// or of another version is passed over, the question is answered from the files
// themselves, and Rebuild makes the index anew behind the answer.
//
// # What is kept
//
// For the memory one segment: the active items that were true when it was made,
// with what the fold of all logs reported besides (problems, what is forgotten). It
// names the files that it was made from by their stamps. If only the log of this
// device grew since, and only by lines that state something or forget one thing,
// these are taken into account without reading the others; after any other change
// all of it is read. Which items are true changes with time: the segment says
// until when it may be believed.
//
// For the conversations several segments, each of whole conversations. One that
// was written to is read from its file, until the next segment has it.
//
// # What must not come back
//
// Forgotten knows the turns that taught something that was forgotten, and those that
// repeat it. Neither list, search nor export has them.
//
// # Laws
//
//   - Search over what Memory and Sessions give finds what it finds over all
//     that the files say, in the same order, with the same scores.
//   - No text is kept. A text comes from its line, and if the line is not the one
//     that was indexed, from reading everything again.
//   - An index is never needed: no fault of it is an error.
package live
