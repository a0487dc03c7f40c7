package edit

import (
	"context"
	"errors"
	"os"
)

var (
	// ErrInterrupted says that Ctrl-C, or the key for cancel, ended the reading.
	ErrInterrupted = errors.New("interrupted")
	// ErrTooLong says that a line was longer than Options.Limit. It stands in the
	// editor again when the next one is read.
	ErrTooLong = errors.New("the line is too long")
	// ErrUnable says that lines cannot be edited on this terminal; why, the error that
	// wraps it says.
	ErrUnable = errors.New("no line editing")
)

// Options are what an Editor is made of. Functions that are nil do nothing.
type Options struct {
	In, Out *os.File  // the terminal; they must be standard input and output
	Input   **os.File // the variable os.Stdin: the library looks there
	Output  **os.File // the variable os.Stdout: the library writes there; used with Plain
	Term    string    // the variable TERM
	Plain   bool      // no colours
	ASCII   bool      // the terminal shows no more than ASCII: what is cut ends in a sign of it
	// Paint puts the colours into a prompt, which stay as wide as they were; nil: none.
	Paint func(prompt string) string
	Limit int // of a line, in bytes

	// Keys are what the person wants keys to do: a sequence as in inputrc, and
	// an action. Actions are the commands of the library and those of Actions.
	Keys map[string]string
	// History is what was entered before; nil for none.
	History *History
	// Here says where the person stands, as a typed.Where has it, each time that a line is
	// to be read; nil: nobody knows.
	Here func() (dir, scope string)
	// More reports whether a line that Enter was pressed on goes on in another one.
	More func(text string) bool
	// Complete says what can stand where the cursor is, a byte of line. It gets
	// no more of the line than there is up to it.
	Complete func(line string) Completion
	// Suggest says whether an entry of the history that begins like the line may be shown
	// behind it, in grey; nil: none is.
	Suggest func(entry string) bool
	// Edit lets the person change a text in the editor of their choice.
	Edit func(ctx context.Context, text string) (string, error)
}

// A Completion is what can stand where the cursor is.
type Completion struct {
	From  int    // byte of the line at which the word begins
	Words []Word // in the order in which they are offered
}

// A Word can stand on a line, with what it stands for in a few words. Text is all
// of it, as it has to be typed, with the blank behind it if it is whole. Neither
// has control characters.
type Word struct{ Text, About string }

// Actions returns what keys can do beside the commands of the library.
func Actions() []string { return []string{"auto", "cancel", "newline", "none", "suspend"} }
