// Package safety says to people and programs how much a command line could do, what
// would happen with one that nobody typed, and what was said beforehand about such lines.
//
// # Laws
//
//   - A command line, and every word of one, is what it was: what acts on a terminal, or
//     does not show itself, is written out for a person.
package safety
