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

	"ken/internal/termsafe"
)

const (
	// quiet is how long no key may have come before a question that must not be
	// answered by accident is asked.
	quiet = 250 * time.Millisecond
	// apart is how long after a key nothing may come: what comes in one piece was
	// pasted, or typed as a word, and answers nothing.
	apart = 30 * time.Millisecond
)

// Key asks a question on a terminal that one key answers, one of keys in either case;
// 0 stands for Enter, and for Escape, a closed terminal and Ctrl-C it is 'q'. Other
// keys are passed over.
//
// Nobody can answer it without having seen it: it is asked only once no key came for a
// while; what was typed until then answers nothing and is ahead. A key that others
// follow at once, as in a paste, is no answer either: the question is asked again.
func Key(ctx context.Context, tty *os.File, question, keys string) (key rune, ahead []byte, err error) {
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return 0, nil, fmt.Errorf("ask for a key: %w", err)
	}
	key, ahead, err = freshKey(ctx, tty, strings.ReplaceAll(question, "\n", "\r\n"), strings.ToLower(keys))
	err = errors.Join(err, term.Restore(int(tty.Fd()), old))
	shown := ""
	switch {
	case key == left: // a key that is on no keyboard's legend is not echoed as one
		key, shown = 'q', "^C"
	case key != 0 && err == nil:
		shown = string(key)
	}
	_, werr := io.WriteString(tty, shown+"\n")
	return key, ahead, errors.Join(err, werr)
}

func freshKey(ctx context.Context, tty *os.File, question, keys string) (key rune, ahead []byte, err error) {
	ahead, over, err := drain(ctx, tty, quiet)
	if err != nil || over {
		return 'q', nil, err
	}
	for {
		if _, err := io.WriteString(tty, question); err != nil {
			return 0, ahead, err
		}
		key, err := readKey(ctx, tty, keys)
		if err != nil {
			return 0, ahead, err
		}
		more, over, err := drain(ctx, tty, apart)
		switch {
		case err != nil:
			return 0, ahead, err
		case key == left:
			return left, ahead, nil
		case over || key == 'q':
			return 'q', ahead, nil
		case len(more) == 0:
			return key, ahead, nil
		}
		if _, over, err = drain(ctx, tty, quiet); over || err != nil {
			return 'q', ahead, err
		}
		if _, err := io.WriteString(tty, "\r\n(one key alone, please)\r\n"); err != nil {
			return 0, ahead, err
		}
	}
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
