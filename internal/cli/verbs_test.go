package cli

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/cli/chat"
	"ken/internal/verbs"
)

// TestVerbs: what the table of verbs has for the terminal is a command there, by the same names, and the commands that only make
// sense in a conversation are in the table, as the table has them.
func TestVerbs(t *testing.T) {
	t.Parallel()
	p, _ := at(t, t.TempDir())
	p.shell = chat.NewREPL(p.app, p.upkeep, p)
	root := p.Root()
	for _, v := range verbs.On(verbs.Terminal) {
		for _, word := range append([]string{v.Name}, v.Aliases...) {
			c, rest, err := root.Find(strings.Fields(word))
			if err != nil || len(rest) > 0 || c == root {
				t.Errorf("%s: %v, left %q", word, err, rest)
			}
		}
	}
	for _, c := range p.shell.Commands() {
		v, ok := verbs.Find(verbs.Terminal, c.Name())
		if !ok || c.Use != v.Usage() || c.Short != v.Does || v.Does == "" || !slices.Equal(c.Aliases, v.Aliases) {
			t.Errorf("%s: %q, %q, %q: %+v", c.Name(), c.Use, c.Short, c.Aliases, v)
		}
	}
}
