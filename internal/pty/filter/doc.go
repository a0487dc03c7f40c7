// Package filter stands between a command on a live terminal and the terminal of
// the person who looks at it: text and what moves the cursor passes as it came. Of the
// strings that ask more of a terminal (OSC, DCS, APC) only known kinds pass, since every
// terminal adds its own: by them a program could write or read the clipboard, save and
// read files, or have the terminal type on the person's behalf a text that the program chose.
//
// # Strings that pass
//
//   - OSC: titles, the directory, links, colours and questions for them, the pointer's
//     shape, sizes of text, marks of shells (133, 633), a progress bar (9;4), and of 1337
//     marks, the cursor's shape, cells, badges, and files that are shown where they come.
//   - DCS: sixel pictures, what a terminal can do (XTGETTCAP), output that is held
//     together, and what tmux is asked to pass on, which is filtered again.
//   - APC: pictures of kitty's protocol, the bytes of which come along.
//
// # What goes
//
//   - All other strings, whole.
//   - What is for a printer (CSI i).
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
// All that is no string, bytes that are no text included. Questions whose answer is
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
