// Package edit changes one value in the text of a TOML file and leaves every
// other byte alone: comments, order, blank lines, indentation, line ends. It
// knows TOML and no settings; whether a key or a value makes sense is the
// business of package config.
//
// # Laws
//
//   - After Set, key has the value and every other key the one that it had.
//   - After Unset, neither key nor anything below it is in the file, and every
//     other key is as it was.
//   - Unset takes back what Set put in, byte for byte, where the key was not there before, nor
//     an empty table for it.
//   - Lines that do not hold the key are not touched; at most a line, or a
//     table with its header, comes or goes.
//
// # Caveats
//
// A text that is not TOML is refused: where its lines end cannot be known. One
// that is TOML by its form and wrong by its meaning (a key set twice, a table
// opened twice) may come out no better than it went in.
//
// A new key goes behind the line that has it commented out, if there is one,
// so that a file of commented defaults fills up in its own order; else behind
// the last key of its table.
package edit
