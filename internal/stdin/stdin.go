package stdin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/term"
)

const (
	// MaxBytes is the most that is taken: 8 MiB, far above what any model
	// reads and below what would hurt to hold.
	MaxBytes = 8 << 20
	// Silence is how long a pipe may stay silent if it is not needed.
	Silence = 3 * time.Second
	// notice is when the waiting is reported: later than a program next door takes
	// to begin writing, sooner than a person wonders.
	notice = 300 * time.Millisecond
)

var (
	// ErrClosed says that standard input is needed and closed.
	ErrClosed = errors.New("standard input is closed")
	// ErrTooLong says that there is more than MaxBytes.
	ErrTooLong = fmt.Errorf("standard input is longer than %d bytes", MaxBytes)
)

// A Need says how much depends on what standard input holds.
type Need int

// How much depends on it.
const (
	// Extra: it goes with what is there already. A terminal and a closed input
	// are empty, and a pipe that stays silent is given up on.
	Extra Need = iota
	// Needed: without it there is nothing. A pipe is read to its end; a
	// terminal is empty all the same, since nobody was asked to type.
	Needed
	// Demanded: the person asked for it by name. A terminal is read as well.
	Demanded
)

// A Reader reads standard input once.
type Reader struct {
	File *os.File
	// Waiting is called when a silent pipe is being waited for, with how long
	// that may last in all; nil: nobody is.
	Waiting func(atMost time.Duration)
	// GaveUp is called when a pipe stayed silent for so long; nil: it is not.
	GaveUp func()

	silence, notice time.Duration // 0: the constants
}

// Text returns all of standard input, or "" if nothing is to be had. Errors:
// ErrClosed, ErrTooLong, the cause of ctx, or that of reading.
func (r Reader) Text(ctx context.Context, need Need) (string, error) {
	stat, err := r.File.Stat()
	switch {
	case err != nil && need == Extra:
		return "", nil // closed: there is nothing to read
	case err != nil:
		return "", ErrClosed
	case need != Demanded && term.IsTerminal(int(r.File.Fd())):
		return "", nil
	}
	pipe := stat.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0
	if need == Extra && pipe {
		return r.waitForPipe(ctx)
	}
	got := start(r.File, nil)
	select {
	case g := <-got:
		return g.text, g.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// waitForPipe waits for the first byte, but not for ever, and then to the end.
func (r Reader) waitForPipe(ctx context.Context) (string, error) {
	first := make(chan struct{})
	got := start(r.File, first)
	silence := orDefault(r.silence, Silence)
	tell := time.NewTimer(orDefault(r.notice, notice))
	defer tell.Stop()
	limit := time.NewTimer(silence)
	defer limit.Stop()
	for {
		select {
		case g := <-got:
			return g.text, g.err
		case <-first:
			first = nil
			tell.Stop()
			limit.Stop()
		case <-tell.C:
			if r.Waiting != nil {
				r.Waiting(silence)
			}
		case <-limit.C:
			if r.GaveUp != nil {
				r.GaveUp()
			}
			return "", nil
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// what reading came to.
type result struct {
	text string
	err  error
}

// start reads f to its end in the background. first, if there is one, is
// closed when the first byte has come.
func start(f *os.File, first chan<- struct{}) <-chan result {
	done := make(chan result, 1)
	go func() {
		var b [1]byte
		n, err := io.ReadFull(f, b[:])
		if n == 0 {
			done <- result{"", readError(err)}
			return
		}
		if first != nil {
			close(first)
		}
		all, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(b[:]), f), MaxBytes+1))
		switch {
		case err != nil:
			done <- result{"", readError(err)}
		case len(all) > MaxBytes:
			done <- result{"", ErrTooLong}
		default:
			done <- result{string(all), nil}
		}
	}()
	return done
}

// readError is nil for what is only an end.
func readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return fmt.Errorf("read standard input: %w", err)
}
