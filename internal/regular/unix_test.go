//go:build unix

package regular

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Each of these would wait for ever, or read for ever, with package os.
func TestNotFileDoesNotBlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	wantNone(t, pipe, "a pipe")
	for name, to := range map[string]string{"topipe": pipe, "zero": "/dev/zero", "todir": dir} {
		link := filepath.Join(dir, name)
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		wantNone(t, link, map[string]string{"topipe": "a pipe", "zero": "a device", "todir": "a directory"}[name])
	}
	short := t.TempDir()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(short, "s"))
	if err != nil { // the path of a socket may be 100 bytes long
		t.Skip(err)
	}
	defer l.Close()
	wantNone(t, filepath.Join(short, "s"), "a socket")
}
