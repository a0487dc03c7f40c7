package regular_test

import (
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/regular"
)

// TestTilde: what stands for the home directory and what does not, there and back.
func TestTilde(t *testing.T) {
	t.Parallel()
	home, err := filepath.Abs(filepath.FromSlash("/home/me"))
	if err != nil {
		t.Fatal(err)
	}
	in := func(path string) string { return filepath.Join(home, filepath.FromSlash(path)) }
	for _, c := range []struct {
		path, home, want string
		ok               bool
	}{
		{"~", home, home, true},
		{"~/", home, home, true},
		{"~/src/../tea", home, in("tea"), true},
		{"~ann/tea", home, "~ann/tea", true},
		{"a/~/b", home, "a/~/b", true},
		{"", home, "", true},
		{"x//y", home, "x//y", true},
		{"~/tea", "", "~/tea", false},
		{"~/tea", "me", "~/tea", false},
		{"tea", "", "tea", true},
	} {
		if got, ok := regular.Expand(c.path, c.home); got != c.want || ok != c.ok {
			t.Errorf("Expand(%q, %q) = %q, %t", c.path, c.home, got, ok)
		}
	}
	for _, c := range [][3]string{
		{home, home, "~"},
		{in("tea"), home, filepath.FromSlash("~/tea")},
		{in("tea"), home + string(filepath.Separator), filepath.FromSlash("~/tea")},
		{home + "dow", home, home + "dow"},
		{in("tea"), "", in("tea")},
		{"tea", "me", "tea"},
		{filepath.FromSlash("/tea"), string(filepath.Separator), filepath.FromSlash("~/tea")},
		{filepath.FromSlash("/"), string(filepath.Separator), "~"},
	} {
		if got := regular.Short(c[0], c[1]); got != c[2] {
			t.Errorf("Short(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		path := filepath.Join(home, "..", rapid.StringMatching(`(me|meadow|you)(/[a-z~. ]{1,3}){0,3}`).Draw(r, "path"))
		if got, ok := regular.Expand(regular.Short(path, home), home); got != path || !ok {
			r.Errorf("%q becomes %q", path, got)
		}
	})
}
