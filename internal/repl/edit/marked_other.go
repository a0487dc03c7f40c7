//go:build !linux && !darwin

package edit

import (
	"io"
	"os"
)

// PasteBegin and PasteEnd stand around what was pasted, where a terminal marks that.
const (
	PasteBegin = "\x1b[200~"
	PasteEnd   = pasteEnd
)

// A Marked is a terminal that marks what is pasted. There is none on this system.
type Marked struct{ io.Reader }

// OpenMarked says that nothing is marked.
func OpenMarked(Options, []byte) (*Marked, error) { return nil, ErrUnable }

// After returns what comes from a terminal.
func After(tty *os.File, _ []byte) io.Reader { return tty }

// Reading does nothing.
func (*Marked) Reading() (done func()) { return func() {} }

// Lend does nothing.
func (*Marked) Lend() (back func()) { return func() {} }

// Close does nothing.
func (*Marked) Close() {}
