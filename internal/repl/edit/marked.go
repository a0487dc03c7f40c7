//go:build linux || darwin

package edit

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// PasteBegin and PasteEnd stand around what was pasted, where a terminal marks that.
const (
	PasteBegin = "\x1b[200~"
	PasteEnd   = pasteEnd
)

// A Marked is a terminal that cannot be edited on, and whose lines the system
// edits. It marks what is pasted while a line is read.
type Marked struct {
	screen *screen
	in     io.Reader
	block  bool // the last mark that was read begins a block
}

// OpenMarked has the terminal of Options.In and Out mark what is pasted, if it is one
// that knows how. typed is what Open read of it.
func OpenMarked(o Options, typed []byte) (*Marked, error) {
	if o.In == nil || o.Out == nil || o.Term == "" || o.Term == "dumb" || !term.IsTerminal(int(o.In.Fd())) || !term.IsTerminal(int(o.Out.Fd())) {
		return nil, fmt.Errorf("%w: nor does the terminal mark what is pasted", ErrUnable)
	}
	s, err := newScreen(int(o.In.Fd()), o.Out, func() {})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnable, err)
	}
	return &Marked{screen: s, in: After(o.In, typed)}, nil
}

// After returns what comes from a terminal behind what Open read of it, whose Enter was not
// turned into a line end.
func After(tty *os.File, typed []byte) io.Reader {
	return io.MultiReader(strings.NewReader(strings.ReplaceAll(string(typed), "\r", "\n")), WithoutReports(tty))
}

// Reading has what is pasted marked until done is called.
func (m *Marked) Reading() (done func()) {
	m.screen.set(marked)
	return func() { m.screen.set(usual) }
}

// Lend returns the terminal to somebody else as it was found, until back is called.
func (m *Marked) Lend() (back func()) {
	was := m.screen.set(usual)
	return func() { m.screen.set(was) }
}

// Close gives the terminal back for good.
func (m *Marked) Close() { m.screen.close() }

// Read implements io.Reader. Ctrl-Z stops ken, and what was begun of a line is gone
// then, as the system would have it: nobody looks after a terminal that marks what is
// pasted for a program that is stopped.
func (m *Marked) Read(b []byte) (int, error) {
	for {
		n, err := m.in.Read(b)
		got := b[:n]
		if from, to := bytes.LastIndex(got, []byte(PasteBegin)), bytes.LastIndex(got, []byte(PasteEnd)); from != to {
			m.block = from > to
		}
		if m.block || n == 0 || got[n-1] != suspendKey || err != nil {
			return n, err
		}
		m.screen.stop()
		if n = bytes.LastIndexByte(got, '\n') + 1; n > 0 {
			return n, nil
		}
	}
}

// suspendKey is Ctrl-Z, which ends what is read while the terminal is in the mode marked.
const suspendKey = 0x1a

// marks changes t to bring Ctrl-Z to who reads.
func marks(t *unix.Termios) {
	if t.Lflag&unix.ISIG != 0 && t.Cc[unix.VSUSP] == suspendKey {
		t.Cc[unix.VSUSP], t.Cc[unix.VEOL] = noKey, suspendKey
	}
}
