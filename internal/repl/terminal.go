package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"ken/internal/ask"
	"ken/internal/repl/edit"
	"ken/internal/termsafe"
	"ken/internal/wrap"
)

// MaxInput is the longest line that is read, in bytes: 1 MiB. What follows up
// to the line's end is dropped, and the reader gets ErrTooLong.
const MaxInput = 1 << 20

var (
	// ErrInterrupted says that Ctrl-C ended the reading of a line.
	ErrInterrupted = errors.New("interrupted")
	// ErrTooLong says that a line was longer than MaxInput.
	ErrTooLong = fmt.Errorf("the line is longer than %d bytes", MaxInput)
	// ErrNoTerminal says that a question could not be asked.
	ErrNoTerminal = errors.New("nobody to ask: not a terminal")
)

// A Terminal is where a person types and reads, or a script in their place.
type Terminal struct {
	In io.Reader
	// Typed is read for lines instead of In, if there is one.
	Typed io.Reader
	Out   io.Writer // answers
	Err   io.Writer // prompts, status, warnings
	// Asks reports whether a person is there: In and Err are a terminal.
	Asks bool
	// Lines says that the terminal hands over whole lines alone, and shows no more than what is appended.
	Lines bool
	// ASCII reports that the terminal shows no more than that: ken's own signs are of it.
	ASCII bool
	// Interrupts delivers Ctrl-C; nil if it ends the process as usual.
	Interrupts <-chan os.Signal
	// Editor reads what is typed, all of it; nil if lines are read as the
	// system's terminal edits them.
	Editor Editor
	// Paint puts the colours into a prompt that is printed without an editor; nil: none.
	Paint func(prompt string) string

	lines   chan line
	pending bool // a read is under way whose line nobody has taken
	begun   bool // the first line was read
	unasked bool // a question could not be asked since the last line
	reader  *bufio.Reader
	pasted  *joiner
	kept    []line // was typed before a question, and is read next

	watching sync.Mutex
	watch    *watch // nil: nobody wants to know of a key
}

type line struct {
	text string
	err  error
}

// An Editor reads from a terminal on which a person can edit. Its errors are
// those of Terminal.ReadLine, and those of package edit that mean the same.
type Editor interface {
	// ReadLine reads a line, which may have line ends inside.
	ReadLine(ctx context.Context, prompt string) (string, error)
	// Ask reads the answer to a question.
	Ask(ctx context.Context, question string) (string, error)
	// Lend gives the terminal to somebody else until back is called.
	Lend() (back func())
}

// Lend returns the terminal to a program as it was when ken began, until back is
// called.
func (t *Terminal) Lend() (back func()) {
	if t.Editor != nil {
		watched, mode := t.Aside(), t.Editor.Lend()
		return func() { mode(); watched() }
	}
	if m, ok := t.Typed.(marking); ok {
		return m.Lend()
	}
	return func() {}
}

// edited reads with the editor.
func (t *Terminal) edited(ctx context.Context, read func(context.Context, string) (string, error), prompt string) (string, error) {
	ctx, stop := t.Interruptible(ctx) // Ctrl-C is a key there, but others can send the signal
	defer stop()
	text, err := read(ctx, prompt)
	switch {
	case errors.Is(err, edit.ErrInterrupted):
		return text, ErrInterrupted
	case errors.Is(err, edit.ErrTooLong):
		return "", ErrTooLong
	}
	return text, err
}

// EndLine ends the line on which something was asked, where that was not ended
// by Enter. An editor does so itself.
func (t *Terminal) EndLine() {
	if t.Editor == nil {
		fmt.Fprintln(t.Err)
	}
}

// ReadLine prints prompt if a person is there, and returns the next line
// without its end. Errors: io.EOF at the end of input, ErrInterrupted with what had
// been typed as far as that is known, ErrTooLong, or
// that of ctx.
func (t *Terminal) ReadLine(ctx context.Context, prompt string) (string, error) {
	if t.Editor != nil {
		return t.edited(ctx, t.Editor.ReadLine, prompt)
	}
	if t.Asks && prompt != "" {
		if t.Paint != nil {
			prompt = t.Paint(prompt)
		}
		if _, err := io.WriteString(t.Err, prompt); err != nil {
			return "", err
		}
	}
	if len(t.kept) > 0 {
		l := t.kept[0]
		t.kept = t.kept[1:]
		return l.text, l.err
	}
	return t.next(ctx)
}

// next reads a line that is typed from now on.
func (t *Terminal) next(ctx context.Context) (string, error) {
	if t.reader == nil {
		in := t.In
		if t.Typed != nil {
			in = t.Typed
		}
		t.reader, t.lines = bufio.NewReaderSize(in, 64<<10), make(chan line, 1)
		t.pasted = &joiner{marks: t.Typed != nil, open: func() {
			t.say("ken: hint: ", "what was pasted has no end yet; Ctrl-C drops it")
		}}
	}
	if !t.pending {
		t.pending = true
		go func() {
			text, err := t.pasted.read(t.reader)
			t.lines <- line{text, err}
		}()
	}
	if m, ok := t.Typed.(marking); ok {
		defer m.Reading()()
	}
	select {
	case l := <-t.lines:
		t.pending = false
		if !t.begun { // an editor may have put a mark of its encoding there
			l.text, t.begun = strings.TrimPrefix(l.text, "\ufeff"), true
		}
		return l.text, l.err
	case <-t.Interrupts:
		t.pasted.drop.Store(true)
		return "", ErrInterrupted
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// readLine reads up to a line end in bounded memory. A last line without an
// end counts.
func readLine(r *bufio.Reader) (string, error) {
	var b strings.Builder
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || b.Len()+len(part) > MaxInput+2; !long {
			b.Write(part)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || b.Len() == 0 && !long):
			return "", err
		}
		text := strings.TrimSuffix(strings.TrimSuffix(b.String(), "\n"), "\r")
		if long || len(text) > MaxInput {
			return "", ErrTooLong
		}
		return text, nil
	}
}

// Ask asks a question that can be answered with anything. What was typed before the
// question stood there is no answer: it is the next line's. Ctrl-C is
// ErrInterrupted, and without a person the answer is ErrNoTerminal. Other errors are
// those of ReadLine.
func (t *Terminal) Ask(ctx context.Context, question string) (string, error) {
	return t.AskFrom(ctx, question, "")
}

// AskFrom is Ask for an answer that begins with a text, which the person changes; where
// lines cannot be edited it is shown, and an empty answer keeps it.
func (t *Terminal) AskFrom(ctx context.Context, question, begin string) (string, error) {
	if !t.Asks {
		t.unasked = true
		return "", ErrNoTerminal
	}
	defer t.Aside()()
	tty, ok := t.In.(*os.File)
	ok = ok && term.IsTerminal(int(tty.Fd()))
	edits := ok && (t.Editor != nil || begin != "" && t.Typed == nil && !t.Lines)
	if begin != "" && !edits {
		question = "it says: " + termsafe.Line(begin) + "\nanew (Enter keeps it) " + question
	}
	question = wrap.Question(t.Err, t.signs(question))
	switch {
	case edits:
		ctx, stop := t.Interruptible(ctx) // Ctrl-C is a key there, but others can send the signal
		defer stop()
		text, ahead, err := askEdited(ctx, tty, question, begin)
		if e, ok := t.Editor.(interface{ Ahead([]byte) }); ok && len(ahead) > 0 {
			e.Ahead(ahead)
		}
		return text, err
	case t.Editor != nil:
		return t.edited(ctx, t.Editor.Ask, question)
	case ok:
		if err := t.hold(ctx, tty); err != nil {
			return "", err
		}
	}
	if _, err := io.WriteString(t.Err, question); err != nil {
		return "", err
	}
	text, err := t.next(ctx)
	if err == nil && strings.TrimSpace(text) == "" {
		text = begin
	}
	return text, err
}

// Confirm puts a question that yes or no answers, as Put does. Without a person the answer is ErrNoTerminal: silence
// is never a yes.
func (t *Terminal) Confirm(ctx context.Context, asks string) (bool, error) {
	a, _, err := t.Put(ctx, ask.Confirm(asks))
	return a == ask.Yes, err
}

// Unasked notes that something was refused since nobody can be asked.
func (t *Terminal) Unasked() { t.unasked = true }

// takeAnswer reports whether line, the one after a question that could not be asked,
// is what somebody wrote to answer it. Silence was no already, and it is no question to
// a model.
func (t *Terminal) takeAnswer(line string) bool {
	was := t.unasked
	t.unasked = false
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "n", "no", "a", "all", "none", "":
		return was
	}
	return false
}

// say prints a line of the shell's own behind a prefix. A terminal that takes no more is
// told of by the next prompt.
func (t *Terminal) say(prefix, line string) {
	_, _ = io.WriteString(t.Err, wrap.Note(t.Err, prefix, t.signs(line))+"\n")
}

// signs is a text of ken's with signs that the terminal shows.
func (t *Terminal) signs(text string) string {
	if t.ASCII {
		return termsafe.ASCII(text)
	}
	return text
}

// Interruptible returns a context that Ctrl-C cancels, with ErrInterrupted as
// the cause, for as long as stop has not been called.
func (t *Terminal) Interruptible(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if t.Interrupts == nil {
		return ctx, func() { cancel(nil) }
	}
	done := make(chan struct{})
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		select {
		case <-t.Interrupts:
			cancel(ErrInterrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		close(done)
		<-finished
		cancel(nil)
	}
}
