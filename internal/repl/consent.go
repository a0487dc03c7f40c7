package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"ken/internal/ask"
	"ken/internal/termsafe"
	"ken/internal/wrap"
)

// quiet is how long no key may have come before a question is put that must not be answered by accident.
const quiet = 250 * time.Millisecond

// Put asks a question of ken's, one key of which answers it, and gives the answer. interrupted says that it was
// Ctrl-C. Without a person the error is ErrNoTerminal; others are those of the terminal and that of ctx.
//
// Nobody can answer it without having seen it: it is put only once no key came for a while; what was
// typed until then answers nothing and is the next line's. What keys come to is the business of package ask. Where the
// terminal hands over whole lines, a line answers.
func (t *Terminal) Put(ctx context.Context, q ask.Question) (a ask.Answer, interrupted bool, err error) {
	if !t.Asks {
		t.unasked = true
		return "", false, ErrNoTerminal
	}
	tty, ok := t.In.(*os.File)
	if !ok || t.Lines || t.pending || !timesKeys || !term.IsTerminal(int(tty.Fd())) {
		return t.putLine(ctx, q)
	}
	defer t.Aside()()
	inner, stop := t.Interruptible(ctx) // Ctrl-C is a key there, but others can send the signal
	defer stop()
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return "", false, fmt.Errorf("ask for a key: %w", err)
	}
	a, left, ahead, err := t.putKeys(inner, tty, q)
	if err = errors.Join(err, term.Restore(int(tty.Fd()), old)); err != nil {
		_, _ = io.WriteString(tty, "\n") // the error is told
	}
	if e, ok := t.Editor.(interface{ Ahead([]byte) }); ok && len(ahead) > 0 && a != ask.Stop {
		e.Ahead(ahead)
	}
	if ctx.Err() == nil && errors.Is(err, ErrInterrupted) {
		return ask.Stop, true, nil
	}
	return a, left, err
}

// putKeys puts a question on a terminal that is raw, and reads keys until they answer it.
func (t *Terminal) putKeys(ctx context.Context, tty *os.File, q ask.Question) (a ask.Answer, left bool, ahead []byte, err error) {
	ahead, over, err := drain(ctx, tty, quiet)
	if err != nil || over {
		return ask.Stop, over, nil, err
	}
	show := func(text string) error {
		_, err := io.WriteString(tty, strings.ReplaceAll(text, "\n", "\r\n"))
		return err
	}
	shown := wrap.Question(tty, t.signs(termsafe.Clean(q.Text())))
	if err := show(shown); err != nil {
		return "", false, ahead, err
	}
	r, buf := ask.Read(q), make([]byte, 4096)
	for {
		wait, forever := r.Pause()
		if forever {
			wait = -1
		}
		n, over, err := arrived(ctx, tty, buf, wait)
		switch {
		case err != nil:
			return "", false, ahead, err
		case over:
			return ask.Stop, false, nil, nil
		case n > 0:
			if err := show(r.Keys(buf[:n])); err != nil {
				return "", false, ahead, err
			}
			continue
		}
		after := r.End()
		o, a, note := r.Paused()
		if note != "" {
			after += wrap.Note(tty, "", t.signs(note)) + "\n"
		}
		switch o {
		case ask.Waits:
			continue
		case ask.Again:
			after += shown
		case ask.Answered:
		}
		if err := show(after); err != nil || o == ask.Answered {
			return a, r.Left(), ahead, err
		}
	}
}

// putLine is Put where lines answer. A line that others follow at once was pasted, and is no answer.
func (t *Terminal) putLine(ctx context.Context, q ask.Question) (a ask.Answer, interrupted bool, err error) {
	const tries = 2
	for i := range tries {
		line, err := t.Ask(ctx, termsafe.Clean(q.Text()))
		switch {
		case errors.Is(err, ErrInterrupted), errors.Is(err, io.EOF):
			t.EndLine()
			return ask.Stop, errors.Is(err, ErrInterrupted), nil
		case err != nil:
			return "", false, err
		}
		more, err := t.follows(ctx)
		if err != nil {
			return "", false, err
		}
		if a, ok := q.Of(line); ok && !more {
			return a, false, nil
		}
		if i+1 == tries {
			break
		}
		t.say("", "that is no answer; type one of these, and Enter")
	}
	t.say("", "that is no answer either: no")
	return ask.Stop, false, nil
}

// follows drops what comes right behind a line on a terminal, and reports whether there was something.
func (t *Terminal) follows(ctx context.Context) (more bool, err error) {
	tty, ok := t.In.(*os.File)
	if !ok || !term.IsTerminal(int(tty.Fd())) {
		return false, nil
	}
	if t.reader != nil && t.reader.Buffered() > 0 {
		_, err := t.reader.Discard(t.reader.Buffered())
		more = err == nil
	}
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return more, fmt.Errorf("ask: %w", err)
	}
	typed, _, err := drain(ctx, tty, ask.Behind)
	return more || len(typed) > 0, errors.Join(err, term.Restore(int(tty.Fd()), old))
}

// askEdited asks a question that a line answers, on the terminal of an editor. Like a
// key, a line that was typed before the question stood there is ahead and answers
// nothing. The line begins with begin, to be edited. Ctrl-C and Ctrl-D are ErrInterrupted.
func askEdited(ctx context.Context, tty *os.File, question, begin string) (text string, ahead []byte, err error) {
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return "", nil, fmt.Errorf("ask: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(int(tty.Fd()), old)) }()
	ahead, over, err := drain(ctx, tty, quiet)
	if err != nil {
		return "", ahead, err
	}
	if over {
		return "", nil, ErrInterrupted
	}
	before, prompt := "", question
	if i := strings.LastIndexByte(question, '\n'); i >= 0 { // the library thinks that a prompt is one row
		before, prompt = question[:i+1], question[i+1:]
	}
	if _, err := io.WriteString(tty, strings.ReplaceAll(before, "\n", "\r\n")); err != nil {
		return "", ahead, err
	}
	line := term.NewTerminal(&typist{ctx, tty, []byte(termsafe.Line(begin))}, prompt)
	if wide, high, err := term.GetSize(int(tty.Fd())); err == nil && wide > 0 {
		_ = line.SetSize(wide, high) // else it is 80 columns wide
	}
	text, err = line.ReadLine()
	if errors.Is(err, io.EOF) {
		err = ErrInterrupted
	}
	if err != nil {
		_, _ = io.WriteString(tty, "\r\n")
	}
	return text, ahead, err
}

// A typist is a terminal whose reading ends with ctx.
type typist struct {
	ctx   context.Context
	tty   *os.File
	begin []byte // what is there as if it had been typed
}

// Read implements io.Reader. The error is the cause of ctx, or that of the terminal.
func (t *typist) Read(p []byte) (int, error) {
	if len(t.begin) > 0 {
		n := copy(p, t.begin)
		t.begin = t.begin[n:]
		return n, nil
	}
	if err := await(t.ctx, t.tty); err != nil {
		return 0, err
	}
	return t.tty.Read(p)
}

// Write implements io.Writer.
func (t *typist) Write(p []byte) (int, error) { return t.tty.Write(p) }

// hold takes what was typed before a question into the lines that are read next, so
// that it answers nothing.
func (t *Terminal) hold(ctx context.Context, tty *os.File) error {
	for t.pending { // a read is under way: what it brings was typed by now
		select {
		case l := <-t.lines:
			t.pending = false
			t.kept = append(t.kept, l)
		case <-time.After(quiet):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	typed, over, err := drain(ctx, tty, quiet)
	if err = errors.Join(err, term.Restore(int(tty.Fd()), old)); err != nil {
		return err
	}
	if over {
		return ErrInterrupted
	}
	for text := range strings.Lines(strings.ReplaceAll(string(typed), "\r", "\n")) {
		if whole, ok := strings.CutSuffix(text, "\n"); ok { // what was begun is gone: it is no line
			t.kept = append(t.kept, line{text: whole})
		}
	}
	return nil
}
