package engine

import (
	"testing"

	"ken/internal/memory"
)

func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b memory.Scope
		want bool
	}{
		{"", "user", true},
		{"", "repo:example.com/x", true},
		{"repo:example.com/x", "repo:Example.com/X", true},
		{"repo:example.com/x", "repo:example.com/xy", false},
		{"dir:~/x", "dir:~/x/y", true},
		{"dir:~/x", "dir:~/xy", false},
		{"dir:~/x", "repo:example.com/x", false},
	} {
		if scopesMeet(c.a, c.b) != c.want || scopesMeet(c.b, c.a) != c.want {
			t.Errorf("%q and %q: want %t", c.a, c.b, c.want)
		}
	}
}
