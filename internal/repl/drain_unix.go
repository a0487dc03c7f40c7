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

// drain takes what was typed, until nothing came for a while. over says that it was
// Ctrl-C, or that the terminal is gone: then nothing is to be asked.
func drain(ctx context.Context, tty *os.File, still time.Duration) (typed []byte, over bool, err error) {
	fd := int(tty.Fd())
	if fd >= unix.FD_SETSIZE {
		return nil, false, errors.New("ask for a key: too many open files")
	}
	buf := make([]byte, 4096)
	for {
		if ctx.Err() != nil {
			return typed, false, context.Cause(ctx)
		}
		var set unix.FdSet
		set.Set(fd)
		wait := unix.NsecToTimeval(still.Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &wait)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return typed, false, fmt.Errorf("ask for a key: %w", err)
		case n == 0:
			return typed, false, nil
		}
		n, err = unix.Read(fd, buf)
		switch {
		case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN):
			continue
		case err != nil || n <= 0:
			return typed, true, nil
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
