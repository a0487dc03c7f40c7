// Package value reads the JSON of other programs: values of any size cut out of a
// stream, and objects of which nobody promised anything.
//
// # Laws
//
//   - Every byte of a value belongs to one Piece, and no Piece is longer than
//     MaxPiece: a file of any length is read in bounded memory.
//   - A value that is damaged inside its brackets costs itself alone. One whose
//     brackets do not close costs what follows, and is told.
package value
