// Package view says what memories, lines of history, sessions, turns, settings
// and the findings of a check look like: to a program, as JSON shapes that are
// part of the public contract, and to a person, as text. It does no I/O and reads
// no clock, so that every face shows the same thing the same way.
//
// The JSON shapes use the names of the files' own fields, spell defaults out,
// and add a reference that other commands accept.
//
// # Laws
//
//   - Text from here is safe on a terminal: what it quotes was cleaned part by
//     part, so that no part can take another with it.
//   - A shape never changes the meaning of a field that it has; it may get more.
//   - Times are RFC 3339 in UTC, to the second; a time that is not known is
//     left out of JSON and is "-" for a person.
//
// # Caveats
//
// JSON made of these shapes holds texts as they stand, escape sequences
// included: whoever prints it passes it through termsafe.JSONSafe.
package view
