package pick

import (
	"context"
	"strings"

	"ken/internal/cli/term"
	"ken/internal/grammar"
)

// Project is the scope that a sentence means which has all of a project forgotten:
// "everything about project tea". words are those behind "forget". ok is false if they say
// something else, or if nothing of such a scope is known.
func Project(ctx context.Context, a *term.Run, words string) (scope string, ok bool) {
	s := grammar.Parse("forget " + words)
	if s.Kind != grammar.KindForgetAll {
		return "", false
	}
	scope = "repo:" + s.Text
	if name := strings.ToLower(s.Text); strings.HasPrefix(name, "this ") {
		scope = "here"
	}
	m := Selector{Scope: scope, Scoped: true}
	t, err := m.Find(ctx, a, Options{Verb: "forget", Any: true})
	return scope, err == nil && len(t.Items)+len(t.Sessions) > 0
}
