// Package typed is the form of the file of what was typed at the prompt.
//
// An entry is a line: a line end inside is written \n, a backslash \\. A line before it
// may say where it was typed: a control sequence that no terminal and no earlier ken
// shows, which holds one object,
//
//	ESC ]ken; {"dir":"~/tea","scope":"repo:github.com/me/tea"} BEL
//
// escaped as an entry is. It holds for the next line only. A reader that knows nothing of
// it takes the sequence out, as out of every line of the file, and has an empty entry left,
// which is none.
//
// # Reasons
//
// The place of a line stands on a line before it, as a control sequence. An older ken cleans such sequences away
// and takes the line for none. In the line of the entry itself it would keep an older ken from erasing that entry,
// which compares whole lines. A file beside the history would name entries by a place that changes, or by a sum
// that gives a short text away. It holds for one line only, because several shells write. Host, time and exit code
// are not kept: nothing here asks for them.
package typed
