//go:build unix

package trust

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestReadPipe: a pipe is refused, not waited for.
func TestReadPipe(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, top, map[string]string{".ken/memory/team.jsonl": "one\n"})
	if err := syscall.Mkfifo(filepath.Join(top, ".ken/memory/pipe.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(time.Minute, func() { panic("a pipe is waited for") })
	defer guard.Stop()
	files, err := Read(top)
	if err != nil || len(files) != 2 || files[0].Bad == nil || files[1].Bad != nil {
		t.Errorf("%v, %v", files, err)
	}
	if os.Geteuid() == 0 {
		return // the superuser may read everything
	}
	if err := os.Chmod(filepath.Join(top, ".ken/memory/team.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
	if files, err := Read(top); err != nil || files[1].Bad == nil {
		t.Errorf("a file that must not be read: %v, %v", files, err)
	}
}
