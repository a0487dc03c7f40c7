// Package queue says to people and programs what waits for a person, or was refused:
// whole, with what a yes would change.
//
// # Laws
//
//   - Nothing of what a person decides on is cut from a Card, and what is invisible in it
//     is written out.
package queue
