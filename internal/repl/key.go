package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Key asks a question on a terminal that one key answers, one of keys in either
// case; 0 stands for Enter, and for Escape, a closed terminal and Ctrl-C it is 'q'.
// Other keys are passed over.
func Key(ctx context.Context, tty *os.File, question, keys string) (rune, error) {
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
			case (r.b >= 'A' || r.b == '?') && strings.ContainsRune(keys, key):
				return key, nil
			}
		}
	}
}
