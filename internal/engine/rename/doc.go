// Package rename changes the text of lines of a log so that nothing else comes to mean
// anything else. A line without a number is named by its bytes: with other bytes it
// has another name, and whatever names it has to follow.
//
// # Laws
//
//   - A line that is not changed, and names none that gets another name, keeps its
//     bytes; no line is taken away or moved.
//   - What was not in force before is not afterwards. Where a name cannot follow, in
//     a log that is not ours to write, a line that forgets is added.
package rename
