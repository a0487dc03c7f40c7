//go:build unix

package swap_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ken/internal/tool/swap"
)

// TestForms: links, directories and modes are made, changed and removed if they are what was seen, and nothing else is.
func TestForms(t *testing.T) {
	t.Parallel()
	d := dir(t)
	at := func(name string) string { return filepath.Join(d, name) }
	none, a, b := swap.Sum(nil), []byte("a"), []byte("b")
	write(t, at("file"), "a", 0o640)
	for _, c := range []struct {
		name string
		swap swap.Swap
		want error
	}{
		{"a directory", swap.Swap{Path: at("d"), After: nil, Is: "dir 0751"}, nil},
		{"the same again", swap.Swap{Path: at("d"), Is: "dir 0751"}, swap.ErrChanged},
		{"another mode", swap.Swap{Path: at("d"), Before: none, Was: "dir 0751", Is: "dir 0700"}, nil},
		{"of a mode that it has not", swap.Swap{Path: at("d"), Before: none, Was: "dir 0751", Gone: true}, swap.ErrChanged},
		{"a link", swap.Swap{Path: at("l"), After: a, Is: swap.Link}, nil},
		{"a link elsewhere", swap.Swap{Path: at("l"), Before: swap.Sum(a), After: b, Was: swap.Link, Is: swap.Link}, nil},
		{"of what it does not lead to", swap.Swap{Path: at("l"), Before: swap.Sum(a), Was: swap.Link, Gone: true}, swap.ErrChanged},
		{"a link taken for a file", swap.Swap{Path: at("l"), Before: swap.Sum(b), Was: "0777", Gone: true}, swap.ErrChanged},
		{"no link any more", swap.Swap{Path: at("l"), Before: swap.Sum(b), Was: swap.Link, Gone: true}, nil},
		{"a file's mode", swap.Swap{Path: at("file"), Before: swap.Sum(a), After: a, Was: "0640", Is: "4755"}, nil},
		{"its bytes and mode", swap.Swap{Path: at("file"), Before: swap.Sum(a), After: b, Was: "4755", Is: "0600"}, nil},
		{"a new file", swap.Swap{Path: at("d/new"), After: b, Is: "0666"}, nil},
		{"a directory that is not empty", swap.Swap{Path: at("d"), Before: none, Was: "dir 0700", Gone: true}, os.ErrExist},
	} {
		err := c.swap.Do()
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if fi, lerr := os.Lstat(c.swap.Path); err == nil && (c.swap.Gone != (lerr != nil) || lerr == nil && swap.FormOf(fi) != c.swap.Is) {
			t.Errorf("%s: %v, %v", c.name, fi, lerr)
		}
	}
	if read(t, at("file")) != "b" {
		t.Error(read(t, at("file")))
	}
	only(t, d, "d", "file")
}
