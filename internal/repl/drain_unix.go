//go:build linux || darwin

package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// timesKeys says that it can be seen when a key came.
const timesKeys = true

// arrived waits for keys, for so long (below 0: until some come), and reads what came; n is 0 if nothing did. over
// says that the terminal is gone.
func arrived(ctx context.Context, tty *os.File, buf []byte, wait time.Duration) (n int, over bool, err error) {
	fd := int(tty.Fd())
	if fd >= unix.FD_SETSIZE {
		return 0, false, errors.New("ask for a key: too many open files")
	}
	const look = 100 * time.Millisecond // for the end of ctx
	for {
		if ctx.Err() != nil {
			return 0, false, context.Cause(ctx)
		}
		step := look
		if wait >= 0 {
			step = min(look, wait)
		}
		var set unix.FdSet
		set.Set(fd)
		span := unix.NsecToTimeval(step.Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &span)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return 0, false, fmt.Errorf("ask for a key: %w", err)
		case n == 0 && wait >= 0:
			if wait -= step; wait == 0 {
				return 0, false, nil
			}
			continue
		case n == 0:
			continue
		}
		n, err = unix.Read(fd, buf)
		switch {
		case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN):
			continue
		case err != nil || n <= 0:
			return 0, true, nil
		}
		return n, false, nil
	}
}

// drain takes what was typed, until nothing came for a while. over says that it was
// Ctrl-C, or that the terminal is gone: then nothing is to be asked.
func drain(ctx context.Context, tty *os.File, still time.Duration) (typed []byte, over bool, err error) {
	buf := make([]byte, 4096)
	for {
		n, over, err := arrived(ctx, tty, buf, still)
		switch {
		case err != nil || n == 0:
			return typed, over, err
		case bytes.IndexByte(buf[:n], 3) >= 0:
			return typed, true, nil
		}
		if len(typed) < MaxInput {
			typed = append(typed, buf[:n]...)
		}
	}
}

// await waits until there is something to read, or ctx ends.
func await(ctx context.Context, tty *os.File) error {
	fd := int(tty.Fd())
	if fd >= unix.FD_SETSIZE {
		return nil // a read cannot be taken back then
	}
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var set unix.FdSet
		set.Set(fd)
		wait := unix.NsecToTimeval((100 * time.Millisecond).Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &wait)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n > 0:
			return nil
		}
	}
}
