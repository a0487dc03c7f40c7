// Package help is the surface of the command line: which commands stand in front, which
// came later and have an older name, and the pages that say so, at any width.
//
// A Sheet is made for a tree of commands and a width. Overview is what "ken --help" and
// ":help" show, All every command, Topic those of one subject with some words on it, and
// Command one in full. What a command does is taken from the command; here stands only
// where it belongs.
//
// # Laws
//
//   - No line is wider than the terminal, unless it is one word or a command that is to be
//     typed, which stand whole.
//   - Every command that is not hidden stands in All once. A hidden one is an older name,
//     which stands there beside the newer one, or no business of people's.
//   - An older name and what it is now do the same, to the byte: see Respell.
//
// # Reasons
//
// An older name is never taken away and runs the same code. A flag that stands for an older name is respelled
// before the line is parsed, so that both are the same whatever their other flags are. One command with the flags
// of both would need rules for which flags go together; aliases of the library are shown and cannot stand for a
// command with a flag; deprecation notices would scold scripts for what costs nobody anything.
package help
