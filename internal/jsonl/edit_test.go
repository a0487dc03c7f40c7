package jsonl_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// nosync is the machine's file system, which tests need not wait for.
type nosync struct{ jsonl.OS }

func (n nosync) OpenFile(name string, flag int, perm os.FileMode) (jsonl.File, error) {
	f, err := n.OS.OpenFile(name, flag, perm)
	return nosyncFile{f}, err
}

type nosyncFile struct{ jsonl.File }

func (nosyncFile) Sync() error { return nil }

// TestEditBytes: what would stay is not written, a missing file is made or left, and
// what fails leaves the file as it was.
func TestEditBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := jsonl.Edit{Path: filepath.Join(dir, "below", "a.txt"), Lock: dir}
	to := func(want, now string) func([]byte) ([]byte, error) {
		return func(old []byte) ([]byte, error) {
			if string(old) != want {
				t.Errorf("read %q, want %q", old, want)
			}
			return []byte(now), nil
		}
	}
	none := func(old []byte) ([]byte, error) { return nil, nil }
	if changed, err := e.Bytes(t.Context(), none); changed || err != nil {
		t.Errorf("left missing: %v, %v", changed, err)
	}
	if changed, err := e.Bytes(t.Context(), to("", "one")); !changed || err != nil {
		t.Errorf("made: %v, %v", changed, err)
	}
	before := stat(t, e.Path)
	if changed, err := e.Bytes(t.Context(), to("one", "one")); changed || err != nil || !os.SameFile(before, stat(t, e.Path)) {
		t.Errorf("the same: %v, %v", changed, err)
	}
	no := errors.New("no")
	if changed, err := e.Bytes(t.Context(), func([]byte) ([]byte, error) { return []byte("x"), no }); changed || !errors.Is(err, no) {
		t.Errorf("failed: %v, %v", changed, err)
	}
	changed, err := e.Bytes(t.Context(), func([]byte) ([]byte, error) { write(t, e.Path, "theirs"); return []byte("ours"), nil })
	if changed || !errors.Is(err, jsonl.ErrChanged) {
		t.Errorf("edited meanwhile: %v, %v", changed, err)
	}
	wantFile(t, e.Path, "theirs")
	old := time.Date(2026, 5, 10, 19, 0, 0, 0, time.UTC)
	if err := os.Chtimes(e.Path, old, old); err != nil {
		t.Fatal(err)
	}
	e.KeepTime = true
	if changed, err := e.Bytes(t.Context(), none); !changed || err != nil || !stat(t, e.Path).ModTime().Equal(old) {
		t.Errorf("emptied: %v, %v, %v", changed, err, stat(t, e.Path).ModTime())
	}
	wantFile(t, e.Path, "")
	write(t, e.Path, "four")
	e.Most = 3
	if changed, err := e.Bytes(t.Context(), none); changed || !errors.Is(err, regular.ErrTooLong) {
		t.Errorf("larger than is read: %v, %v", changed, err)
	}
	write(t, e.Path, "")
	e.Most = 0
	lock, err := jsonl.LockDir(t.Context(), dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	e.Wait = time.Millisecond
	if _, err := e.Bytes(t.Context(), to("", "two")); !errors.Is(err, jsonl.ErrBusy) {
		t.Errorf("while somebody writes: %v", err)
	}
	e.Lock = "" // by who holds it
	if changed, err := e.Bytes(t.Context(), to("", "two")); !changed || err != nil {
		t.Errorf("under a lock that is held: %v, %v", changed, err)
	}
}

// TestEditLines: lines are changed, taken away and left; the mark at the start of the
// file and the ends of lines stay.
func TestEditLines(t *testing.T) {
	t.Parallel()
	e := jsonl.Edit{Path: filepath.Join(t.TempDir(), "a.jsonl"), FS: nosync{}, Max: 20}
	long := strings.Repeat("x", 30)
	change := func(line jsonl.Line, within *io.SectionReader) ([]byte, bool, error) {
		text, err := io.ReadAll(within)
		if err != nil || line.Bytes != nil && !bytes.HasSuffix(text, line.Bytes) {
			t.Errorf("line %d: %q within, %q, %v", line.Number, text, line.Bytes, err)
		}
		switch {
		case line.Bytes == nil:
			return []byte("[long]"), true, nil
		case bytes.HasPrefix(line.Bytes, []byte("gone")):
			return nil, true, nil
		case bytes.HasPrefix(line.Bytes, []byte("a")):
			return append([]byte("A"), line.Bytes[1:]...), true, nil
		}
		return nil, false, nil
	}
	for _, c := range []struct {
		before, after string
		changed       int
	}{
		{"", "", 0},
		{"b\nc", "b\nc", 0},
		{"\ufeffa\r\nb\n\na", "\ufeffA\r\nb\n\nA", 2},
		{"gone\nb\ngone", "b\n", 2},
		{"b\n" + long + "\nb\n", "b\n[long]\nb\n", 1},
		{"b\n" + long, "b\n[long]", 1},
	} {
		write(t, e.Path, c.before)
		n, err := e.Lines(t.Context(), change)
		if err != nil || n != c.changed {
			t.Errorf("%q: %d changed, %v", c.before, n, err)
		}
		wantFile(t, e.Path, c.after)
	}
	e.Max = 0
	write(t, e.Path, long+"\na\n")
	if n, err := e.Lines(t.Context(), change); err != nil || n != 1 {
		t.Errorf("without a limit: %d changed, %v", n, err)
	}
	wantFile(t, e.Path, long+"\nA\n")
	e.Path += ".missing"
	if n, err := e.Lines(t.Context(), change); err != nil || n != 0 {
		t.Errorf("a missing file: %d, %v", n, err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantFile(t testing.TB, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("the file holds %q, %v, want %q", got, err, want)
	}
}

func stat(t testing.TB, path string) os.FileInfo {
	t.Helper()
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi
}
