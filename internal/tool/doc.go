// Package tool says what a model is offered to act with, and what came of it.
//
// A Spec describes one tool, a Set those that a conversation offers. A model's call is read by
// Set.Read, which forgives the names and shapes that models are known to mistake; what it
// would do is an Act, which is judged and asked about as a whole before anything happens; what
// came of it is a Result, cut to the room that there is.
//
// Nothing here acts, asks or prints: package agent/loop does, by way of package runner.
//
// # Laws
//
//   - Every call has a result, whatever becomes of it.
//   - A call that cannot be read does nothing.
//   - A Result never takes more tokens than it was given.
package tool
