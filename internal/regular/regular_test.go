package regular

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("a", link); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"a", "link"} {
		for most, want := range map[int64]string{5: "12345", 6: "12345", 4: "", 0: ""} {
			in, ierr := ReadIn(root, name, most)
			got, err := Read(filepath.Join(dir, name), most)
			if string(got) != want || !bytes.Equal(in, got) {
				t.Errorf("%s, at most %d: %q and %q, want %q", name, most, got, in, want)
			}
			if long := want == ""; errors.Is(err, ErrTooLong) != long || errors.Is(ierr, ErrTooLong) != long {
				t.Errorf("%s, at most %d: %v and %v", name, most, err, ierr)
			}
		}
	}
	if _, err := Read(filepath.Join(dir, "none"), 9); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if fi, err := Stat(filepath.Join(dir, "none")); fi != nil || err != nil {
		t.Errorf("Stat of a missing file: %v, %v", fi, err)
	}
}

// wantNone checks that every way to open path refuses it, and says what it is.
func wantNone(t *testing.T, path, what string) {
	t.Helper()
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ways := map[string]func() error{
		"Open":     func() error { _, err := Open(path); return err },
		"write":    func() error { _, err := OpenFile(path, os.O_WRONLY, 0); return err },
		"append":   func() error { _, err := OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600); return err },
		"truncate": func() error { _, err := OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o600); return err },
		"Read":     func() error { _, err := Read(path, 1<<20); return err },
		"Stat":     func() error { _, err := Stat(path); return err },
	}
	if fi, err := os.Lstat(path); err == nil && fi.Mode()&fs.ModeSymlink == 0 {
		ways["OpenIn"] = func() error { _, err := OpenIn(root, filepath.Base(path)); return err }
		ways["ReadIn"] = func() error { _, err := ReadIn(root, filepath.Base(path), 1<<20); return err }
	}
	for name, way := range ways {
		if err := way(); !errors.Is(err, ErrNotFile) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s of %s: %v, want ErrNotFile and %q", name, path, err, what)
		}
	}
}

func TestNotFile(t *testing.T) {
	t.Parallel()
	wantNone(t, t.TempDir(), "a directory")
}

func TestOpenFileMakes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new")
	f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(path, 4); string(text) != "text" || err != nil {
		t.Errorf("Read: %q, %v", text, err)
	}
}
