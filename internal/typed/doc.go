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
package typed
