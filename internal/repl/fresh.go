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
)

const (
	// quiet is how long no key may have come before a question that must not be
	// answered by accident is asked.
	quiet = 250 * time.Millisecond
	// apart is how long after a key nothing may come: what comes in one piece was
	// pasted, or typed as a word, and answers nothing.
	apart = 30 * time.Millisecond
)

// FreshKey is Key for a question that nobody may answer without having seen it. It is
// asked only once no key came for a while; what was typed until then answers nothing
// and is ahead. A key that others follow at once, as in a paste, is no answer either:
// the question is asked again. Ctrl-C, Escape and a closed terminal are 'q' as ever.
func FreshKey(ctx context.Context, tty *os.File, question, keys string) (key rune, ahead []byte, err error) {
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return 0, nil, fmt.Errorf("ask for a key: %w", err)
	}
	key, ahead, err = freshKey(ctx, tty, question, strings.ToLower(keys))
	err = errors.Join(err, term.Restore(int(tty.Fd()), old))
	shown := ""
	if key != 0 && err == nil {
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
