// Package docket says what waits for a person's yes or no, and what an answer writes
// to the memory and to the review queue. It is pure: the engine reads and writes.
//
// # Laws
//
//   - A proposal gets one yes, however many give it: the lines of the memory, as they
//     stand under its lock, decide.
//   - What is written by a yes has the origin that the proposal has.
//   - An answer that cannot be followed keeps no other from being followed.
package docket
