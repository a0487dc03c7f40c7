// Package rehearsal says what a command changed that ran over a layer of its own (package sandbox, Layer), and makes it so in
// the project, or leaves the project as it is.
//
// A Stage has the directories of the layer. When the command is over, Changes reads them against the project: what it
// made, changed and removed, by bytes, mode and kind. Apply does that to the project, each step as an act that package undo
// takes back.
//
// # Laws
//
//   - Nothing of the project is touched but by Apply.
//   - Apply does all or nothing. What does not hold any more what was shown is not touched, and then nothing is.
//   - What cannot be done with every byte and bit, or not be taken back, is not applied: a Change says why.
//
// # Caveats
//
// Times alone are no change, and attributes beside the mode do not come along. Between the look at a file and its new
// name lies the moment that package swap tells of.
package rehearsal
