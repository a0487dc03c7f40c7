// Package followup tells whether a question goes on with one before it: "and how do I
// do that on staging?" It knows a few English words, and nothing of what was meant.
//
// # Laws
//
//   - The answer is a function of the texts alone.
//   - A question that begins with no word that goes on, that refers to nothing, and
//     has words of its own goes on with nothing.
package followup
