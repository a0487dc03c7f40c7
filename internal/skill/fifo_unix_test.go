//go:build unix

package skill

import (
	"syscall"
	"testing"
)

// fifo makes a pipe at path.
func fifo(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
