// Package risk says how much a command line could do: safe, caution or danger, and
// because of which of its words.
//
// A verdict comes from the syntax tree of the line and from nothing else: no model
// is asked, no file is read, and what memory holds can only raise it (Rule).
//
// The letters of the line count as well: Judge reports what hides something from a reader
// (hidden.go). A path is judged by its name (path.go).
//
// # Laws
//
//   - Judge of a line that holds another is never below Judge of the other:
//     risk(a; b) >= max(risk a, risk b), and risk(wrapper a) >= risk(a).
//   - What cannot be parsed is never safe.
//   - The level is the highest of the reasons; a safe line has none.
package risk
