// Package edit reads a line on a terminal on which a line can be edited: with the
// keys of readline and the person's inputrc, a history that several shells share,
// completion, several lines, and blocks that were pasted.
//
// The editing is the library's. It takes all that a terminal sends for keys and asks
// at each key where the cursor is. So between it and the terminal stands a pump,
// which separates keys from what was pasted and from what the terminal says on its own:
// a pasted block arrives whole and submits nothing, a half character costs itself, and
// an answer that never comes does not stop the typing.
//
// # Laws
//
//   - What was typed or pasted is in the line, or in the one after it. Nothing of it
//     is lost, also when it was typed while an answer streamed.
//   - A pasted block is text, whatever it holds: only the person's own Enter sends it.
//   - Whoever gets the terminal next (a command, the system after a signal, the shell
//     that started ken) finds it as it was found.
//
// # Caveats
//
// The library reads standard input and writes standard output itself, through
// variables of package os, so there is one Editor at a time.
//
// # Reasons
//
// The library has the keys, keymaps and inputrc that people know; an editor of our own would first have to learn
// vi, macros and kill rings. But an unasked report of the cursor stopped it for good, keys that came in one read
// with such a report were dropped, every key cost a round trip to the terminal, and pasted text ran line by line
// where inputrc leaves bracketed paste off. The pump mends these.
package edit
