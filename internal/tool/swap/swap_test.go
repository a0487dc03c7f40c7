package swap_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ken/internal/regular"
	"ken/internal/tool/swap"
)

// dir is a directory without links in its path.
func dir(t *testing.T) string {
	t.Helper()
	d, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func write(t *testing.T, path, text string, mode fs.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// only: nothing is left behind in a directory but the names.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("in the directory are %v, want %v", got, names)
	}
}

// TestSwap: the bytes change, the mode does not, and nothing else is left.
func TestSwap(t *testing.T) {
	t.Parallel()
	d := dir(t)
	path := write(t, filepath.Join(d, "run.sh"), "old", 0o751)
	b, mode, err := swap.Read(path)
	if err != nil || string(b) != "old" {
		t.Fatalf("%q, %v", b, err)
	}
	if err := (swap.Swap{Path: path, Before: swap.Sum(b), After: []byte("new")}).Do(); err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(path)
	if err != nil || read(t, path) != "new" || runtime.GOOS != "windows" && (fi.Mode().Perm() != 0o751 || mode != 0o751) {
		t.Errorf("%q, %v, %v", read(t, path), fi.Mode(), err)
	}
	only(t, d, "run.sh")
	if err := (swap.Swap{Path: path, Before: swap.Sum([]byte("new")), Gone: true}).Do(); err != nil {
		t.Fatal(err)
	}
	only(t, d)
	made := filepath.Join(d, "a", "b", "c.txt")
	if err := (swap.Swap{Path: made, After: []byte("made")}).Do(); err != nil || read(t, made) != "made" {
		t.Fatal(err)
	}
	only(t, filepath.Dir(made), "c.txt")
}

// TestRefused: what is not as it was seen stays as it is.
func TestRefused(t *testing.T) {
	t.Parallel()
	seen := swap.Sum([]byte("seen"))
	other := func(t *testing.T, path string) { write(t, path, "other", 0o600) }
	for _, tt := range []struct {
		name string
		make func(t *testing.T, path string)
		swap swap.Swap
		want error
	}{
		{"changed", other, swap.Swap{Before: seen}, swap.ErrChanged},
		{"changed, to be removed", other, swap.Swap{Before: seen, Gone: true}, swap.ErrChanged},
		{"gone", func(*testing.T, string) {}, swap.Swap{Before: seen}, swap.ErrChanged},
		{"there", other, swap.Swap{}, swap.ErrChanged},
		{"too long", func(t *testing.T, path string) {
			write(t, path, "seen", 0o600)
		}, swap.Swap{Before: seen, After: make([]byte, swap.Most+1)}, regular.ErrTooLong},
		{"too long before", func(t *testing.T, path string) {
			write(t, path, strings.Repeat("x", swap.Most+1), 0o600)
		}, swap.Swap{Before: seen}, regular.ErrTooLong},
		{"a directory", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, swap.Swap{Before: seen}, regular.ErrNotFile},
		{"several names", func(t *testing.T, path string) {
			if err := os.Link(write(t, path+".also", "seen", 0o600), path); err != nil {
				t.Skip(err)
			}
		}, swap.Swap{Before: seen}, swap.ErrNames},
		{"a link", func(t *testing.T, path string) {
			if err := os.Symlink(write(t, path+".real", "seen", 0o600), path); err != nil {
				t.Skip(err)
			}
		}, swap.Swap{Before: seen}, swap.ErrMoved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := dir(t)
			tt.swap.Path = filepath.Join(d, "file")
			tt.make(t, tt.swap.Path)
			before, _ := os.ReadFile(tt.swap.Path)
			names, _ := os.ReadDir(d)
			if err := tt.swap.Check(); !errors.Is(err, tt.want) {
				t.Errorf("looked at: %v, want %v", err, tt.want)
			}
			if err := tt.swap.Do(); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			after, _ := os.ReadFile(tt.swap.Path)
			if now, _ := os.ReadDir(d); string(before) != string(after) || len(now) != len(names) {
				t.Errorf("%.20q became %.20q, %d files %d", before, after, len(names), len(now))
			}
		})
	}
}

// TestMoved: a directory that became a link to another leads nowhere.
func TestMoved(t *testing.T) {
	t.Parallel()
	d := dir(t)
	for _, name := range []string{"in", "out"} {
		if err := os.Mkdir(filepath.Join(d, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(d, "out", "file"), "seen", 0o600)
	if err := os.Remove(filepath.Join(d, "in")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(d, "out"), filepath.Join(d, "in")); err != nil {
		t.Skip(err)
	}
	for _, s := range []swap.Swap{{Before: swap.Sum([]byte("seen")), After: []byte("new")}, {After: []byte("new")}} {
		s.Path = filepath.Join(d, "in", "file")
		if s.Before == "" {
			s.Path = filepath.Join(d, "in", "sub", "file")
		}
		if err := s.Do(); !errors.Is(err, swap.ErrMoved) {
			t.Errorf("%v, want %v", err, swap.ErrMoved)
		}
	}
	only(t, filepath.Join(d, "out"), "file")
	if read(t, filepath.Join(d, "out", "file")) != "seen" {
		t.Error("it was written through a link")
	}
}

// TestReal: links and dots are resolved, also before names that are not there yet.
func TestReal(t *testing.T) {
	t.Parallel()
	d := dir(t)
	if err := os.Mkdir(filepath.Join(d, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(d, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("nothing", filepath.Join(d, "dangling")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(d, "real", "f"), "x", 0o600)
	for name, want := range map[string]struct {
		real  string
		there bool
	}{
		"link/f":        {"real/f", true},
		"link/../x":     {"x", false},
		"link/a/b":      {"real/a/b", false},
		"./real//f":     {"real/f", true},
		"link/new/../f": {"real/f", true},
	} {
		real, there, err := swap.Real(d + "/" + name)
		if err != nil || real != filepath.Join(d, want.real) || there != want.there {
			t.Errorf("%s is %s, %v, %v", name, real, there, err)
		}
	}
	for _, name := range []string{"dangling", "dangling/x"} {
		if real, _, err := swap.Real(filepath.Join(d, name)); err == nil {
			t.Errorf("%s is %s", name, real)
		}
	}
}

// TestLongName: a file whose name is as long as names may be is changed like others.
func TestLongName(t *testing.T) {
	t.Parallel()
	d := dir(t)
	name := strings.Repeat("x", 255)
	for _, s := range []swap.Swap{{After: []byte("made")}, {Before: swap.Sum([]byte("made")), After: []byte("new")}} {
		s.Path = filepath.Join(d, name)
		if err := errors.Join(s.Check(), s.Do()); err != nil || read(t, s.Path) != string(s.After) {
			t.Error(err)
		}
	}
	only(t, d, name)
}

// TestMode: a new file has the mode that it is to have, whatever the umask is.
func TestMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	path := filepath.Join(dir(t), "f")
	if err := (swap.Swap{Path: path, Mode: 0o757}).Do(); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o757 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
}

// TestNoPlace: where nothing can be made that is said, and nothing else.
func TestNoPlace(t *testing.T) {
	t.Parallel()
	const nowhere = "/sys/kernel/ken.txt"
	if _, err := os.Stat(filepath.Dir(nowhere)); err != nil {
		t.Skip("there is no directory in which even root makes no file")
	}
	err := (swap.Swap{Path: nowhere, After: []byte("x")}).Do()
	if err == nil || strings.Contains(err.Error(), "\n") || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
