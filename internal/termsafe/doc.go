// Package termsafe makes text that ken did not write itself safe to show on a
// terminal, and safe to keep: what a model, a tool, a document or a memory says
// may hold escape sequences that move the cursor, write the clipboard, answer
// on the reader's behalf, or hide one text behind another.
//
// The rule is an allow-list: printable text, newline and tab pass; a control
// sequence is removed whole, its payload with it, wherever the text was cut
// into chunks. Clean does one text, a Cleaner a stream, a Writer an io.Writer.
// Line makes a one-line view, Visible shows what Clean would hide, JSONSafe
// escapes it inside JSON without changing the data, Cut fits text to a width.
//
// # Laws
//
//   - What comes out is valid UTF-8 with no control character but newline and
//     tab, so no ESC and no C1 control.
//   - Cleaning is idempotent, and the chunks a text arrives in do not matter:
//     the outputs of Write and Flush together are Clean of the inputs together.
//   - Text without controls and without misplaced invisible characters comes
//     out as it went in, without an allocation.
//
// # What goes and what stays
//
// Sequences: CSI, OSC, DCS, APC, PM, SOS and two-character escapes, written
// with ESC, with a C1 character (U+0080..U+009F) or with its single raw byte.
// A string ends at ST; OSC at BEL too; CAN and SUB end anything; an ESC inside
// begins the next sequence. Other control characters are dropped, except that a
// run of CR, with the LF that may follow it, is one newline: a carriage return
// never overwrites. U+2028 and U+2029 are newlines as well. Invalid UTF-8
// becomes U+FFFD, as do noncharacters.
//
// Invisible characters stay only where they have a job: ZWJ between emoji and,
// with ZWNJ, after a letter of a script that joins its letters; one variation
// selector after a character that has variants; the tags of the flags of
// England, Scotland and Wales; direction marks on a line that has right-to-left
// letters. All others (zero-width spaces, direction overrides and isolates,
// tags, fillers, soft hyphens) are removed.
//
// # Caveats
//
// A string sequence (OSC, DCS, ...) that has not ended after MaxSequence bytes,
// or at the end of the text, ends with the line on which it began: its payload goes,
// and what stands on the lines behind is text, so that an unfinished OSC cannot swallow an answer.
// Until then its text is held back. A longer CSI is dropped up to that length.
//
// Look-alike letters are text; judging them is not this package's business.
package termsafe
