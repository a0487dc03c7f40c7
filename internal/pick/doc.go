// Package pick is what a person's words mean: which memories, turns and conversations, by reference, by text, by filter, and
// what becomes of memories beside which a new one hardly holds. It asks nobody: where a person has to say which is meant, it
// returns what there is to choose from, and reads their answer. The search itself is package app's.
//
// # Laws
//
//   - An answer that names anything else than what was offered names nothing.
//   - A selector that names nothing, or matches nothing, is an error and touches nothing.
package pick
