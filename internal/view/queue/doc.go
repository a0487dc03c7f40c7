// Package queue says to people and programs what waits for a person, or was refused:
// whole, with what a yes would change.
//
// # Laws
//
//   - Nothing of what a person decides on is cut from a Card or a Batch, and what is invisible in it
//     is written out.
//   - A Batch answers nothing by itself, and one that cannot be read whole answers nothing at all.
package queue
