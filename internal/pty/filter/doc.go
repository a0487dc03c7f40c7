// Package filter stands between a command on a live terminal and the terminal of
// the person who looks at it: everything passes as it came, but for the few
// sequences by which a program could write or read the clipboard, or have the
// terminal type on the person's behalf a text that the program chose.
//
// # What goes
//
//   - The clipboard: OSC 52, 5522, and the copying of OSC 1337.
//   - Reports of what a program can have set itself: title and icon label (CSI 20 t
//     and 21 t), settings (DECRQSS, DECRQTSR, DECRQPSR), fonts (OSC 50), variables
//     (OSC 1337), the sums of what is on the screen (DECRQCRA), and the answerback
//     (ENQ).
//   - Keys that are to send something else (DECUDK).
//
// The same inside what tmux and screen are asked to pass on, in 7-bit and 8-bit
// spellings, and with control characters in between, which terminals overlook.
//
// # What stays
//
// Everything else, bytes that are no text included. Questions whose answer is
// the terminal's own, its kind, its size, its colours, where the cursor is, are
// asked and answered: editors and shells wait for that.
//
// Before the first title that a program sets, the one that was there is laid on
// the terminal's stack of titles, so that it can be taken from it afterwards.
//
// # Laws
//
//   - The pieces in which an output arrives do not matter.
//   - At most MaxHeld bytes are held back; what is dropped is not kept.
//   - An output without such a sequence, and without a title, comes out byte for byte.
package filter
