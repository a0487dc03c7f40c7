package place

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestE12Names: a repository is called by the end of its path that is its own, or of the
// directory where it was met; what is printed is what may be typed.
func TestE12Names(t *testing.T) {
	t.Parallel()
	n := NamesOf([]string{
		"user", "", "dir:~/tea", "repo:github.com/me/ken", "repo:example.org/them/tea", "repo:example.org/me/tea",
		"repo:root-7def1d679e93", "repo:root-000000000000", "repo:GitHub.com/Me/Shop", "repo:root-123456789abc",
	}, map[string]string{"root-7def1d679e93": "/home/me/play/notes", "root-123456789abc": "~/src/ken"})
	for scope, want := range map[string]string{
		"user": "user", "": "", "dir:~/tea": "dir:~/tea", "repo:github.com/me/ken": "repo:me/ken",
		"repo:example.org/them/tea": "repo:them/tea", "repo:example.org/me/tea": "repo:me/tea",
		"repo:root-7def1d679e93": "repo:notes", "repo:root-000000000000": "repo:root-000000000000",
		"repo:github.com/me/shop": "repo:Shop", "repo:root-123456789abc": "repo:src/ken", "repo:unheard.org/of": "repo:unheard.org/of",
	} {
		if got := n.Of(scope); got != want {
			t.Errorf("%s is called %s, want %s", scope, got, want)
		}
	}
	for name, want := range map[string]string{
		"repo:notes": "repo:root-7def1d679e93", "repo: notes": "repo:root-7def1d679e93", "repo:me/tea": "repo:example.org/me/tea",
		"repo:SHOP": "repo:github.com/me/shop", "repo:github.com/me/ken": "repo:github.com/me/ken", "repo:play/notes/": "repo:root-7def1d679e93",
		"repo:root-000000000000": "repo:root-000000000000",
	} {
		if got, ok, err := n.Scope(name); got != want || !ok || err != nil {
			t.Errorf("%s means %q, %t, %v, want %s", name, got, ok, err, want)
		}
	}
	for _, name := range []string{"repo:coffee", "user", "tea", "repo:", "dir:~/tea", "repo:es"} {
		if got, ok, err := n.Scope(name); ok || err != nil {
			t.Errorf("%s means %q, %v", name, got, err)
		}
	}
	if _, _, err := n.Scope("repo:tea"); err == nil || !strings.Contains(err.Error(), "repo:me/tea, repo:them/tea") {
		t.Errorf("of a name of two: %v", err)
	}
}

// TestE12NamesLaw: what a scope is called means that scope.
func TestE12NamesLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scopes := rapid.SliceOf(rapid.StringMatching(`repo:([ab]{1,2}\.org/([abA]/)?[abB]|root-[01]{12})`)).Draw(t, "scopes")
		dirs := map[string]string{}
		for _, s := range scopes {
			if id := strings.TrimPrefix(s, "repo:"); strings.HasPrefix(id, "root-") && rapid.Bool().Draw(t, "met") {
				dirs[id] = rapid.StringMatching(`(/[ab]){1,3}`).Draw(t, "dir")
			}
		}
		n := NamesOf(scopes, dirs)
		for _, s := range scopes {
			if got, ok, err := n.Scope(n.Of(s)); err != nil || !ok || !strings.EqualFold(got, s) {
				t.Fatalf("%s is called %s, which means %q, %v", s, n.Of(s), got, err)
			}
		}
	})
}
