package draft

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"ken/internal/regular"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// in is an empty directory of drafts at a time.
func in(t *testing.T, now time.Time) Dir {
	t.Helper()
	return Dir{Path: filepath.Join(t.TempDir(), "state", "drafts"), Now: func() time.Time { return now }}
}

// made is a new draft whose files were last changed at a time.
func made(t *testing.T, d Dir, at time.Time) *Draft {
	t.Helper()
	x, err := d.New(t.Context(), "question.txt", []byte("tea"))
	if err != nil {
		t.Fatal(err)
	}
	age(t, x.dir, at)
	return x
}

func age(t *testing.T, dir string, at time.Time) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if err := os.Chtimes(filepath.Join(dir, e.Name()), at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// TestDraft: a text is in a private place, is read back as an editor left it, and is gone
// when it is done, with all that the editor wrote beside it.
func TestDraft(t *testing.T) {
	t.Parallel()
	d := in(t, noon())
	x := made(t, d, noon())
	for path, want := range map[string]fs.FileMode{d.Path: 0o700, x.dir: 0o700, x.Path(): 0o600} {
		if at, err := os.Stat(path); err != nil || at.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%s: %v, %v, want %v", path, at.Mode(), err, want)
		}
	}
	if text, err := x.Text(); string(text) != "tea" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	// An editor puts a new file in its place, and keeps the old one.
	for _, name := range []string{"question.txt~", ".question.txt.swp", "new"} {
		if err := os.WriteFile(filepath.Join(x.dir, name), []byte("coffee"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(x.dir, "new"), x.Path()); err != nil {
		t.Fatal(err)
	}
	if text, err := x.Text(); string(text) != "coffee" || err != nil {
		t.Errorf("changed: %q, %v", text, err)
	}
	if err := x.Done(); err != nil || there(x.dir) {
		t.Errorf("it is still there: %v", err)
	}
	if err := x.Done(); err != nil {
		t.Errorf("done twice: %v", err)
	}
	if _, err := x.Text(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a text that is gone: %v", err)
	}
	long, err := d.New(t.Context(), "x", bytes.Repeat([]byte("x"), MaxText+1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := long.Text(); !errors.Is(err, regular.ErrTooLong) {
		t.Errorf("a text without an end: %v", err)
	}
	if err := long.Done(); err != nil {
		t.Error(err)
	}
}

// TestSweep: what a ken that is gone left goes a day after it was last changed, what was
// kept for the person a week after; what a ken has in hand stays, and so does what is not
// of this form.
func TestSweep(t *testing.T) {
	t.Parallel()
	d := in(t, noon())
	old, older := noon().Add(-Abandoned), noon().Add(-Kept)
	killed := func(at time.Time) *Draft { // its process ended, and with it the lock
		x := made(t, d, at)
		if err := x.lock.Unlock(); err != nil {
			t.Fatal(err)
		}
		return x
	}
	kept := func(at time.Time) *Draft {
		x := made(t, Dir{Path: d.Path}, noon())
		path, err := x.Keep()
		if err != nil || path != x.Path() {
			t.Fatal(path, err)
		}
		if err := x.Done(); err != nil || !there(path) {
			t.Fatalf("what was kept is gone: %v", err)
		}
		age(t, x.dir, at)
		return x
	}
	stays := map[string]*Draft{
		"in hand": made(t, Dir{Path: d.Path}, older), "killed now": killed(old.Add(time.Second)),
		"kept": kept(older.Add(time.Second)),
	}
	goes := map[string]*Draft{"killed": killed(old), "kept too long": kept(older)}
	for _, name := range []string{"notes.txt", "0123456789abcde", "0123456789abcdeX", "notes/x"} {
		path := filepath.Join(d.Path, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, older, older); err != nil {
			t.Fatal(err)
		}
		stays[name] = &Draft{path: path}
	}
	for what, x := range goes {
		if !there(x.dir) {
			t.Errorf("%s: it went before its time", what)
		}
	}
	d.Sweep(t.Context())
	for what, x := range stays {
		if !there(x.path) {
			t.Errorf("%s: it is gone", what)
		}
	}
	for what, x := range goes {
		if there(x.dir) {
			t.Errorf("%s: it is there", what)
		}
	}
	if err := stays["in hand"].Done(); err != nil || there(stays["in hand"].dir) {
		t.Error(err)
	}
}
