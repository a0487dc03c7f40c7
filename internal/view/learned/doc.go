// Package learned has the shapes of what is learned, as JSON and as text: a look back and what it found, what waits for the person or
// was refused, what memories come to, the rules in force and what a change of them comes to, skills and what a draft of one is made of.
//
// # Laws
//
//   - Nothing of what a person decides on is cut from a Card, and what is invisible in it is written out.
package learned
