//go:build unix

package connect

import (
	"errors"
	"syscall"
	"testing"
)

// TestPipe: a pipe is not waited for.
func TestPipe(t *testing.T) {
	t.Parallel()
	f, path := copilotFile(t)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	held := (*HeldError)(nil)
	if _, err := Plan(f, false); !errors.As(err, &held) {
		t.Error(err)
	}
}
