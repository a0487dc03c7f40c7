package jsonl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ken/internal/regular"
)

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantFile(t testing.TB, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), got, err, want)
	}
}

func stat(t testing.TB, path string) fs.FileInfo {
	t.Helper()
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi
}

func TestAppend(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, data, want string }{
		{"to nothing", "", "a\n", "a\n"},
		{"to a line", "a\n", "b\n", "a\nb\n"},
		{"several lines", "a\n", "b\nc\n", "a\nb\nc\n"},
		{"to a line without an end", "a", "b\n", "a\nb\n"},
		{"to a torn line", `{"id":1}` + "\n" + `{"id":2,"con`, `{"id":3}` + "\n", `{"id":1}` + "\n" + `{"id":2,"con` + "\n" + `{"id":3}` + "\n"},
		{"to NUL bytes", "a\n\x00\x00", "b\n", "a\n\x00\x00\nb\n"},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		write(t, path, test.before)
		if err := Append(OS{}, path, []byte(test.data), true); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		wantFile(t, path, test.want)
	}
}

func TestAppendMakesFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "log.jsonl")
	for _, text := range []string{"one\n", "two\n"} {
		if err := Append(OS{}, path, []byte(text), true); err != nil {
			t.Fatal(err)
		}
	}
	wantFile(t, path, "one\ntwo\n")
	if runtime.GOOS == "windows" {
		return
	}
	for p, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Join(dir, "a"): 0o700} {
		if got := stat(t, p).Mode().Perm(); got != want {
			t.Errorf("%s has the mode %o, want %o", p, got, want)
		}
	}
}

func TestAppendWantsLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	for _, text := range []string{"", "a", "a\nb"} {
		if err := Append(OS{}, path, []byte(text), true); err == nil {
			t.Errorf("Append(%q): no error", text)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file was made: %v", err)
	}
}

func TestF13DirectoryInPlaceOfFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, err := range []error{
		Append(OS{}, dir, []byte("a\n"), true),
		Rewrite(OS{}, dir, nil, nil),
	} {
		if !errors.Is(err, regular.ErrNotFile) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "a directory") {
			t.Errorf("%v, want ErrNotFile that names the path and says what it is", err)
		}
	}
}

func TestF13PathBelowFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "x")
	path := filepath.Join(file, "log.jsonl")
	if err := Append(OS{}, path, []byte("a\n"), true); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, want an error that names the path", err)
	}
	if _, err := LockDir(t.Context(), file, 0); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v, want an error that names the directory", err)
	}
	wantFile(t, file, "x")
}

func TestAppendAfter(t *testing.T) {
	t.Parallel()
	edits := map[string]func(t *testing.T, path string){
		"nothing":       func(*testing.T, string) {},
		"appended to":   func(t *testing.T, path string) { write(t, path, "a\nb\n") },
		"same length":   func(t *testing.T, path string) { write(t, path, "b\n") },
		"cut":           func(t *testing.T, path string) { write(t, path, "") },
		"removed":       func(t *testing.T, path string) { remove(t, path) },
		"renamed over":  func(t *testing.T, path string) { write(t, path+"~", "a\n"); rename(t, path+"~", path) },
		"made a folder": func(t *testing.T, path string) { remove(t, path); mkdir(t, path) },
	}
	for name, edit := range edits {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		write(t, path, "a\n")
		read := stat(t, path)
		edit(t, path)
		before, berr := os.ReadFile(path)
		_, err := AppendAfter(OS{}, path, read, []byte("new\n"))
		switch {
		case name == "nothing":
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			wantFile(t, path, "a\nnew\n")
			continue
		case name == "made a folder":
			if !errors.Is(err, regular.ErrNotFile) {
				t.Errorf("%s: %v, want ErrNotFile", name, err)
			}
		case !errors.Is(err, ErrChanged):
			t.Errorf("%s: %v, want ErrChanged", name, err)
		}
		after, aerr := os.ReadFile(path)
		if string(before) != string(after) || (berr == nil) != (aerr == nil) {
			t.Errorf("%s: the file was changed from %q to %q", name, before, after)
		}
	}
}

func TestAppendAfterNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if a, err := AppendAfter(OS{}, path, nil, []byte("a\n")); err != nil || a.Offset != 0 || a.Guard {
		t.Errorf("AppendAfter = %+v, %v", a, err)
	}
	if _, err := AppendAfter(OS{}, path, nil, []byte("b\n")); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that appeared: %v, want ErrChanged", err)
	}
	wantFile(t, path, "a\n")
}

func TestAppendAfterSaysWhere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, "torn")
	a, err := AppendAfter(OS{}, path, stat(t, path), []byte("b\n"))
	if err != nil || a.Offset != 5 || !a.Guard {
		t.Errorf("AppendAfter = %+v, %v; want offset 5 behind a guard", a, err)
	}
	if s, ok := StampOf(stat(t, path)); ok && (!a.Settled || a.Stamp != s) {
		t.Errorf("the stamp is %+v (settled: %v), the file has %+v", a.Stamp, a.Settled, s)
	}
}

func remove(t testing.TB, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

// replacing is a file system on which somebody puts another file in the place
// of the one that is being written.
type replacing struct {
	OS
	path, text string
}

func (r replacing) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := r.OS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(r.path+"~", []byte(r.text), 0o600); err != nil {
		return nil, err
	}
	return f, os.Rename(r.path+"~", r.path)
}

// failing is a file system whose writes are cut off behind some bytes, after somebody
// put another file in the place of the one that is written to.
type failing struct {
	OS
	path string
}

type failingFile struct {
	File
	path string
}

func (f failing) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	w, err := f.OS.OpenFile(name, flag, perm)
	return failingFile{w, f.path}, err
}

func (f failingFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p[:len(p)-1])
	return n, errors.Join(err, errors.New("no space left"), os.Rename(f.path, f.path+"-mine"), os.WriteFile(f.path, []byte("a\nof somebody else\n"), 0o600))
}

func (f failingFile) Truncate(size int64) error {
	c, ok := f.File.(Cutter)
	if !ok {
		return errors.ErrUnsupported
	}
	return c.Truncate(size)
}

// TestTakeBackByWhatWasOpened: the bytes of a write that failed are taken back from the
// file that they are in, and not from the one that has its name by now.
func TestTakeBackByWhatWasOpened(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, "a\n")
	if err := Append(failing{path: path}, path, []byte("a line that was cut\n"), true); err == nil {
		t.Error("no error")
	}
	wantFile(t, path, "a\nof somebody else\n")
	wantFile(t, path+"-mine", "a\n")
}

func TestAppendWhileReplaced(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, "a\n")
	err := Append(replacing{path: path, text: "edited\n"}, path, []byte("b\n"), true)
	if !errors.Is(err, ErrChanged) {
		t.Errorf("Append: %v, want ErrChanged: the lines are in a file without a name", err)
	}
	wantFile(t, path, "edited\n")
}

// TestSettle checks that every later change of the same length shows in the
// stamp, also within one tick of the clock.
func TestSettle(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, "aaaa\n")
	if _, ok := StampOf(stat(t, path)); !ok {
		t.Skipf("no stamps on %s", runtime.GOOS)
	}
	for i := range 200 {
		now, _ := StampOf(stat(t, path))
		settled, ok := Settle(path, now)
		if !ok {
			t.Fatal("the stamp could not be taken")
		}
		if same, _ := StampOf(stat(t, path)); same != settled {
			t.Fatal("the stamp is not the file's")
		}
		// Some kernels tell times so finely that edits show without this.
		if back := now.Mtime - settled.Mtime; back < int64(20*time.Millisecond) {
			t.Fatalf("the time was set back by %d ns", back)
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte{byte('a' + i%26)}, 0); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if after, _ := StampOf(stat(t, path)); after == settled {
			t.Fatalf("edit %d of the same length does not show", i)
		}
	}
	now, _ := StampOf(stat(t, path))
	now.Size++
	if _, ok := Settle(path, now); ok {
		t.Error("took the stamp of a file that is not the one that was seen")
	}
	if _, ok := Settle(path+".none", now); ok {
		t.Error("took the stamp of no file")
	}
}
