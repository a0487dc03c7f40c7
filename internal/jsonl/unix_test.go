//go:build unix

package jsonl

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/regular"
)

func TestF13Pipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	// Opening a pipe that nobody reads would wait for ever.
	for _, err := range []error{Append(OS{}, path, []byte("a\n"), true), Rewrite(OS{}, path, nil, nil)} {
		if !errors.Is(err, regular.ErrNotFile) || !strings.Contains(err.Error(), "a pipe") {
			t.Errorf("%v, want ErrNotFile that says what it is", err)
		}
	}
}

// Whatever has the name of the lock, nobody waits for it longer than they said,
// and nobody takes a device for a lock.
func TestLockNotFile(t *testing.T) {
	t.Parallel()
	for what, put := range map[string]func(string) error{
		"a pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		dir := t.TempDir()
		if err := put(filepath.Join(dir, LockName)); err != nil {
			t.Fatal(err)
		}
		_, err := LockDir(t.Context(), dir, time.Minute)
		if !errors.Is(err, regular.ErrNotFile) || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), LockName) {
			t.Errorf("%s: %v, want ErrNotFile with the path and what it is", what, err)
		}
	}
}

func TestF13Device(t *testing.T) {
	t.Parallel()
	if err := Append(OS{}, "/dev/null", []byte("a\n"), true); !errors.Is(err, regular.ErrNotFile) {
		t.Errorf("%v, want ErrNotFile", err)
	}
}

func TestF13Links(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	repo := filepath.Join(dir, "dotfiles", "memory.jsonl")
	link := filepath.Join(dir, "log.jsonl")
	mkdir(t, filepath.Dir(repo))
	if err := os.Symlink(filepath.Join("dotfiles", "memory.jsonl"), link); err != nil {
		t.Fatal(err)
	}
	isLink := func() {
		t.Helper()
		if fi, err := os.Lstat(link); err != nil || fi.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v", err)
		}
	}
	// The link points to nothing yet.
	if err := Append(OS{}, link, []byte("a\n"), true); err != nil {
		t.Fatal(err)
	}
	isLink()
	if err := Append(OS{}, link, []byte("b\n"), true); err != nil {
		t.Fatal(err)
	}
	wantFile(t, repo, "a\nb\n")
	replace := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	if err := Rewrite(OS{}, link, stat(t, link), replace("new\n")); err != nil {
		t.Fatal(err)
	}
	isLink()
	wantFile(t, repo, "new\n")
	remove(t, repo)
	if err := Rewrite(OS{}, link, nil, replace("again\n")); err != nil {
		t.Fatal(err)
	}
	isLink()
	wantFile(t, repo, "again\n")

	if err := os.Link(repo, repo+".2"); err != nil {
		t.Fatal(err)
	}
	if err := Append(OS{}, link, []byte("c\n"), true); err != nil {
		t.Errorf("append to a file with two names: %v", err)
	}
	if err := Rewrite(OS{}, link, stat(t, link), replace("x\n")); err == nil || !strings.Contains(err.Error(), "2 names") {
		t.Errorf("rewriting one name of two: %v, want an error that says so", err)
	}
	wantFile(t, repo, "again\nc\n")

	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	if err := Append(OS{}, loop, []byte("a\n"), true); err == nil {
		t.Error("append to a link to itself: no error")
	}
	if err := Rewrite(OS{}, loop, nil, replace("a\n")); err == nil {
		t.Error("rewriting a link to itself: no error")
	}
}

// TestF7FullDevice writes to a disk that is really full.
func TestF7FullDevice(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, "a\n")
	err = Append(onFull{full: full}, path, []byte("b\n"), true)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, want ENOSPC that names the file", err)
	}
	wantFile(t, path, "a\n")
}

// onFull is a file system whose writes go to a full device.
type onFull struct {
	OS
	full *os.File
}

func (o onFull) OpenFile(name string, flag int, perm os.FileMode) (File, error) {
	f, err := o.OS.OpenFile(name, flag, perm)
	return fullFile{f, o.full}, err
}

type fullFile struct {
	File
	full *os.File
}

func (f fullFile) Write(p []byte) (int, error) { return f.full.Write(p) }

// TestF13Umask makes files under the widest and the strictest umask. It changes
// the process, so it is not parallel.
func TestF13Umask(t *testing.T) {
	for _, mask := range []int{0, 0o777} {
		dir := t.TempDir()
		path := filepath.Join(dir, "data", "log.jsonl")
		old := syscall.Umask(mask)
		l, lerr := LockDir(t.Context(), filepath.Dir(path), 0)
		aerr := Append(OS{}, path, []byte("a\n"), true)
		rerr := Rewrite(OS{}, path+".2", nil, func(io.Writer) error { return nil })
		syscall.Umask(old)
		if err := errors.Join(lerr, aerr, rerr); err != nil {
			t.Fatalf("umask %o: %v", mask, err)
		}
		if err := l.Unlock(); err != nil {
			t.Error(err)
		}
		for p, want := range map[string]os.FileMode{
			filepath.Dir(path): 0o700, path: 0o600, path + ".2": 0o600, filepath.Join(filepath.Dir(path), LockName): 0o600,
		} {
			if got := stat(t, p).Mode().Perm(); got != want {
				t.Errorf("umask %o: %s has the mode %o, want %o", mask, filepath.Base(p), got, want)
			}
		}
	}
}

func TestRewriteKeepsMode(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, "a\n")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Rewrite(OS{}, path, stat(t, path), func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := stat(t, path).Mode().Perm(); got != 0o640 {
		t.Errorf("the mode is %o, was 640", got)
	}
	if os.Geteuid() != 0 {
		return // only root makes files of others
	}
	if err := os.Chown(path, 12345, 23456); err != nil {
		t.Fatal(err)
	}
	if err := Rewrite(OS{}, path, stat(t, path), func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if uid, gid, _, _ := ownership(stat(t, path)); uid != 12345 || gid != 23456 {
		t.Errorf("the owner is %d:%d, was 12345:23456", uid, gid)
	}
	if err := whyDenied(path, os.ErrPermission); !strings.Contains(err.Error(), "12345") {
		t.Errorf("%v, want an error that says whose file it is", err)
	}
}
