package repl

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
)

// left is what readKey returns for Ctrl-C, Ctrl-D and Escape.
const left = -1

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
				return left, nil
			case (r.b >= 'A' || r.b == '?') && strings.ContainsRune(keys, key):
				return key, nil
			}
		}
	}
}
