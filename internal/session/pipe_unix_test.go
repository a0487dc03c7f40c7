//go:build unix

package session

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// makePipe makes a named pipe and returns the session name it has; nothing
// where there are no named pipes.
func makePipe(t *testing.T, path string) []string {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{strings.TrimSuffix(filepath.Base(path), suffix)}
}
