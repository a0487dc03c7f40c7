package connect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMade: directories that were made for files go with them, the inner ones first; one that holds something, is a link by now, or has
// nothing to do with the files stays, and is still known.
func TestMade(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	list := []Change{{Path: at("a", "b", "c", "file")}, {Path: at("d", "file")}, {Path: at("l", "file")}}
	var made []string
	for _, c := range list {
		made = append(made, c.Missing()...)
		if err := os.MkdirAll(filepath.Dir(c.Path), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{at("a"), at("a", "b"), at("a", "b", "c"), at("d"), at("l")}
	if !slices.Equal(made, want) || len(list[0].Missing()) != 0 {
		t.Fatal(cmp.Diff(want, made))
	}
	write(t, at("d", "mine"), "x")
	if err := os.Remove(at("l")); err != nil {
		t.Fatal(err)
	}
	link(t, at("d"), at("l"))
	if err := os.Mkdir(at("other"), 0o700); err != nil {
		t.Fatal(err)
	}
	left := Clear(append(made, at("other"), at("gone"), at("a")), list)
	if diff := cmp.Diff([]string{at("d"), at("l"), at("other")}, left); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]bool{at("a"): false, at("d", "mine"): true, at("l"): true, at("other"): true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %v", path, err == nil)
		}
	}
}
