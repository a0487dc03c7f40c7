// Package scrub takes texts out of session files. A turn that says what is to go
// keeps its line, its number, its role and its time, and says "[erased]"; of a
// header or an event each string goes that says it. All other lines keep every
// byte, and the file its time, so that the newest conversation stays the newest.
//
// # Laws
//
//   - Afterwards no line of the file holds a text that the rule knows.
//   - No line is added or removed, and no turn gets another number.
//   - Scrubbing again changes nothing.
//
// # Caveats
//
// The id of a session and the name of its file are names, not texts: they stay,
// whatever they say.
package scrub
