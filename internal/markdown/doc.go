// Package markdown reads the markdown of an answer: a Writer shows it on a terminal while the
// answer is being written, and Read makes blocks of it for other faces.
//
// A Writer prints each thing once and never goes back to it: no cursor is moved
// and nothing is erased, so what was shown can be scrolled, copied and recorded.
// Prose appears as it comes. What cannot be shown before it is known whole is held
// back: emphasis, code and links inside a line until they close, lines of code
// until they end, a table until it ends, a word near the right edge until it is
// known to fit.
//
// # Laws
//
//   - How a text is cut into pieces does not change a byte of what is shown.
//   - No visible character is lost or moved but marks that were understood, and
//     those stay where styles are not allowed; a fence of code is a rule. What is
//     not understood is shown as it came: 2*3*4, **/*.go, snake_case and an unclosed backtick.
//   - The only control sequences that come out are the Writer's own SGR ones;
//     text is cleaned before anything else is done with it.
//   - A line of the text is a line on the screen, or several: a line end that the
//     model wrote is never taken out.
//   - Time grows with the text and memory does not.
//   - No line of code is broken or cut, and nothing stands in front of it but the
//     indentation of the list, or the bar of the quote, that it stands in.
//
// # Caveats
//
// A heading underlined with = or - is shown as it came: when the underline comes,
// the heading has been printed. Tables are those whose lines begin with a bar: any line could be the head of one
// without, until the next has come, and every line of prose would have to be held, or drawn anew once it is known.
// The rows of a paragraph may have scrolled by then, or been wrapped anew by a window that grew, and what is
// recorded (script, tmux, a log) would have them twice.
// A word longer than what a line has left may be broken by the terminal if it
// began far from the edge.
//
// # Blocks
//
// For faces that are no terminal Read makes blocks of a text that is whole, by the same
// rules: what is a list on one face is a list on the others. They make of blocks what they
// show, and escape it themselves.
//
// What would be held back for longer than some hundred bytes (lines of code and
// tables: some thousand) is shown as text.
//
// # Reasons
//
// No library lays out answers or colours them. Renderers of markdown want the whole text, and rendering anew with
// each token costs the square of the length. lipgloss 2.0.6 would add 1.7 MB, 14 modules and .5 ms at every start,
// and a second opinion on how wide a character is. Links that can be clicked (OSC 8) are not written: a person
// reads the address before they follow it. The sixteen colours of the terminal are enough, and they follow its
// theme.
package markdown
