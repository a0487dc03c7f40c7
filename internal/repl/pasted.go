package repl

import (
	"bufio"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"ken/internal/repl/edit"
	"ken/internal/termsafe"
)

// marking is a terminal on which lines cannot be edited, and that marks what is pasted.
type marking interface {
	// Reading has it do so until done is called.
	Reading() (done func())
	// Lend gives it to somebody else until back is called.
	Lend() (back func())
}

// hurry is how soon the lines of a pasted block follow one another.
const hurry = time.Second

// A joiner joins the lines of what was pasted, as the marks of the terminal tell it: a
// block is one message with what is typed around it, and the person's own Enter ends it.
type joiner struct {
	marks bool        // what is read may have some
	open  func()      // is called when a person waits and the block has no end
	drop  atomic.Bool // the block that is being read
}

// read reads a message. Errors are those of readLine.
func (j *joiner) read(r *bufio.Reader) (string, error) {
	var b strings.Builder
	block, long, told, gone := false, false, false, false
	for {
		var late atomic.Bool
		timer := time.AfterFunc(hurry, func() { late.Store(true) })
		text, err := readLine(r)
		timer.Stop()
		if !j.marks {
			return text, err
		}
		slow := late.Load()
		if j.drop.Swap(false) && block { // Ctrl-C: what comes with it is of the block as well
			gone = true
		}
		if gone && slow {
			b.Reset()
			block, long, told, gone = false, false, false, false
		}
		switch {
		case errors.Is(err, ErrTooLong) && block:
			long = true
			continue
		case err != nil:
			return "", err
		}
		plain, open, marked := cutMarks(text, block)
		if long = long || b.Len()+len(plain) > MaxInput; !long {
			b.WriteString(plain)
		}
		was := block
		if block = open; block {
			if was && slow && !told {
				j.open()
				told = true
			}
			b.WriteByte('\n')
			continue
		}
		switch {
		case gone:
			b.Reset()
			long, told, gone = false, false, false
			continue
		case long:
			return "", ErrTooLong
		case was || marked:
			return strings.TrimRight(termsafe.Clean(b.String()), "\n"), nil
		}
		return b.String(), nil
	}
}

// cutMarks cuts the marks of what was pasted out of a line. open says that a block goes
// on behind it, as one did before it if block is true.
func cutMarks(text string, block bool) (plain string, open, marked bool) {
	var b strings.Builder
	for {
		i, j := strings.Index(text, edit.PasteBegin), strings.Index(text, edit.PasteEnd)
		switch {
		case i < 0 && j < 0:
			b.WriteString(text)
			return b.String(), block, marked
		case j < 0 || i >= 0 && i < j:
			b.WriteString(text[:i])
			text, block = text[i+len(edit.PasteBegin):], true
		default:
			b.WriteString(text[:j])
			text, block = text[j+len(edit.PasteEnd):], false
		}
		marked = true
	}
}
