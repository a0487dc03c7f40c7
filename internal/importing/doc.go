// Package importing brings in what other assistants and programs kept. What they remember is suggested, and waits for the
// person; conversations become sessions that can be searched and are never memory. Package foreign knows the formats; this
// package finds the files, says where each one holds, writes, and takes it back.
//
// # Laws
//
//   - Nothing that an import writes is in force: a person decides on each suggestion.
//   - Importing again adds nothing twice.
//   - A part that cannot be read is left out and told by its line; the rest is taken.
//   - A dry run writes nothing.
//   - Undo touches only what that import wrote, and of that nothing that was decided on or added to since.
package importing
