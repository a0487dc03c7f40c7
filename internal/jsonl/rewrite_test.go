package jsonl

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestRewrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "log.jsonl")
	write(t, path, "a\nb\n")
	// What an earlier crash left behind goes.
	write(t, filepath.Join(dir, ".log.jsonl.new"), "secret")
	err := Rewrite(OS{}, path, stat(t, path), func(w io.Writer) error {
		_, err := io.WriteString(w, "b\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, "b\n")
	wantNames(t, dir, "log.jsonl")
}

func wantNames(t testing.TB, dir string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if len(got) != len(want) {
		t.Errorf("the directory holds %v, want %v", got, want)
		return
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("the directory holds %v, want %v", got, want)
			return
		}
	}
}

func TestRewriteAbandoned(t *testing.T) {
	t.Parallel()
	no := errors.New("no")
	tests := []struct {
		name string
		edit func(t *testing.T, path string) // while the new file is written
		err  error
		want error
	}{
		{"the writer fails", func(*testing.T, string) {}, no, no},
		{"edited", func(t *testing.T, path string) { write(t, path, "edited\n") }, nil, ErrChanged},
		{"appended to", func(t *testing.T, path string) { write(t, path, "a\nb\nc\n") }, nil, ErrChanged},
		{"renamed over", func(t *testing.T, path string) { write(t, path+"~", "a\nb\n"); rename(t, path+"~", path) }, nil, ErrChanged},
	}
	for _, test := range tests {
		dir := t.TempDir()
		path := filepath.Join(dir, "log.jsonl")
		write(t, path, "a\nb\n")
		var now []byte
		err := Rewrite(OS{}, path, stat(t, path), func(w io.Writer) error {
			test.edit(t, path)
			now, _ = os.ReadFile(path)
			_, err := io.WriteString(w, "b\n")
			return errors.Join(err, test.err)
		})
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		wantFile(t, path, string(now))
		wantNames(t, dir, "log.jsonl")
	}
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write(t, path, "a\n")
	if err := Rewrite(OS{}, path, nil, func(io.Writer) error { return nil }); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that should not be there: %v, want ErrChanged", err)
	}
	wantFile(t, path, "a\n")
}
