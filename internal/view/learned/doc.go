// Package learned has the shapes of what is learned, as JSON and as text: a look back and what it found, what waits for the person or
// was refused, what memories come to, the rules in force and what a change of them comes to, skills and what a draft of one is made of.
//
// # Laws
//
//   - Nothing of what a person decides on is cut from a Card or a Batch, and what is invisible in it is written out.
//   - A Batch answers nothing by itself, and one that cannot be read whole answers nothing at all.
package learned
