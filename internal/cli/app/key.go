package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/termsafe"
)

// Origin is where what this run writes comes from: the person, unless KEN_ORIGIN
// says that ken runs in the lane of a model or a tool. Whoever could set it could
// also write the files; it is there so that honest tools are what they are. A
// value that is no origin counts as the least trusted one.
func (a *App) Origin() memory.Origin {
	name := strings.TrimSpace(a.Env.Getenv("KEN_ORIGIN"))
	switch o := memory.Origin(termsafe.Line(name)); {
	case name == "" || o == memory.OriginUser:
		return ""
	case o.Rank() <= memory.OriginExternal.Rank():
		return o
	}
	return memory.OriginExternal
}

// Key asks a question that one key answers, one of keys in either case; 0 stands
// for Enter, and for Escape, a closed terminal and Ctrl-C it is 'q'. Other keys
// are passed over. Without a person the error is repl.ErrNoTerminal.
func (a *App) Key(ctx context.Context, question, keys string) (rune, error) {
	tty, done, err := a.terminal()
	if err != nil {
		return 0, err
	}
	defer done()
	// Raw before the question is seen, so that the answer finds it so.
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return 0, fmt.Errorf("ask for a key: %w", err)
	}
	var key rune
	if _, err = io.WriteString(tty, question); err == nil {
		key, err = readKey(ctx, tty, strings.ToLower(keys))
	}
	err = errors.Join(err, term.Restore(int(tty.Fd()), old))
	shown := ""
	if key != 0 {
		shown = string(key)
	}
	_, werr := io.WriteString(tty, shown+"\n")
	return key, errors.Join(err, werr)
}

// readKey waits for one of keys. A read cannot be taken back: if ctx ends first,
// the program is about to end as well.
func readKey(ctx context.Context, tty *os.File, keys string) (rune, error) {
	type read struct {
		b   byte
		err error
	}
	for {
		got := make(chan read, 1)
		go func() {
			var b [1]byte
			_, err := tty.Read(b[:])
			got <- read{b[0], err}
		}()
		select {
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case r := <-got:
			key := rune(r.b | 0x20) // as a small letter
			switch {
			case errors.Is(r.err, io.EOF):
				return 'q', nil
			case r.err != nil:
				return 0, r.err
			case r.b == '\r' || r.b == '\n':
				return 0, nil
			case r.b == 3 || r.b == 4 || r.b == 27:
				return 'q', nil
			case r.b >= 'A' && strings.ContainsRune(keys, key):
				return key, nil
			}
		}
	}
}

// terminal is where questions are asked, as a file.
func (a *App) terminal() (tty *os.File, done func(), err error) {
	if a.Shell != nil {
		t := a.Shell.Terminal()
		f, ok := t.In.(*os.File)
		if !t.Asks || !ok {
			return nil, nil, repl.ErrNoTerminal
		}
		return f, func() {}, nil
	}
	f, err := openTerminal()
	if err != nil {
		return nil, nil, repl.ErrNoTerminal
	}
	return f, func() { _ = f.Close() }, nil // nothing is lost with it
}

// AskLine asks a question that a line answers; an empty one where there is no
// answer, as after Ctrl-C.
func (a *App) AskLine(ctx context.Context, question string) (string, error) {
	t := &repl.Terminal{}
	if a.Shell != nil {
		t = a.Shell.Terminal()
	} else {
		tty, err := openTerminal()
		if err != nil {
			return "", repl.ErrNoTerminal
		}
		defer func() { _ = tty.Close() }() // nothing is lost with it
		t.In, t.Out, t.Err, t.Asks = tty, tty, tty, true
	}
	line, err := t.Ask(ctx, question)
	if errors.Is(err, repl.ErrInterrupted) || errors.Is(err, io.EOF) {
		return "", nil
	}
	return strings.TrimSpace(line), err
}
