package wrap

import (
	"bytes"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

const (
	// unknown is how many cells a terminal has that does not say it.
	unknown = 80
	// least is the narrowest that is laid out for.
	least = 20
)

// Of is how many cells a line of w has; 0, no limit, where w is no terminal.
func Of(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	wide, _, err := term.GetSize(int(f.Fd()))
	if err != nil || wide <= 0 {
		return unknown
	}
	return max(wide, least)
}

// Note is a line behind a prefix, which says who speaks ("[ken] ", "ken: error: "), for
// w: what is continued stands below what is said. Without a prefix it is a row of a list.
func Note(w io.Writer, prefix, line string) string {
	who, _, _ := strings.Cut(strings.TrimLeft(prefix, " "), " ")
	if who == "" {
		return List(w, prefix+line)
	}
	return Text(prefix+line, Of(w), len(who)+1)
}

// List is a text of several lines for w: rows, names, helps.
func List(w io.Writer, text string) string { return Rows(text, Of(w)) }

// Question is a question for w; the blank at its end stays, behind which the answer is
// typed.
func Question(w io.Writer, question string) string {
	text := strings.TrimRight(question, " ")
	return Text(text, Of(w)-(len(question)-len(text)), 2) + question[len(text):]
}

// A Writer is a terminal on which lines that come in pieces are laid out as Rows, each
// once it is known whole. What is no terminal gets them as they come.
type Writer struct {
	w    io.Writer
	held []byte
}

// NewWriter returns a Writer on w. Flush must be called in the end.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer.
func (x *Writer) Write(p []byte) (int, error) {
	if Of(x.w) == 0 {
		return x.w.Write(p)
	}
	x.held = append(x.held, p...)
	n := bytes.LastIndexByte(x.held, '\n')
	if n < 0 {
		return len(p), nil
	}
	_, err := io.WriteString(x.w, List(x.w, string(x.held[:n]))+"\n")
	x.held = append(x.held[:0], x.held[n+1:]...)
	return len(p), err
}

// Flush writes a last line that has no end.
func (x *Writer) Flush() error {
	if len(x.held) == 0 {
		return nil
	}
	_, err := io.WriteString(x.w, List(x.w, string(x.held)))
	x.held = nil
	return err
}
