package search

import (
	"context"
	"strings"

	"ken/internal/agent"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/index/live"
	"ken/internal/session"
	"ken/internal/view"
)

// around is what was found with n turns before and behind each turn. What was
// forgotten is not among them.
func around(ctx context.Context, a *term.Run, found []app.Found, n int, explain bool) (string, error) {
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return "", err
	}
	gone := live.ForgottenIn(s)
	var b strings.Builder
	for i, f := range found {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(app.NamedText(a.Home, found[i:i+1], explain) + "\n")
		ref, err := session.ParseRef(f.Ref)
		if err != nil {
			continue // a command, or a memory
		}
		for _, turn := range neighbours(a, ref, n, gone) {
			text := view.TurnText(turn, max(a.Screen.Width()-4, 0))
			b.WriteString("    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

// neighbours are the turns beside one; none if its conversation cannot be read, which
// the search has printed.
func neighbours(a *term.Run, ref session.Ref, n int, gone live.Forgotten) []session.Turn {
	dir := a.Home.Conversations.Dir()
	path, err := dir.Find(ref.Session)
	if err != nil {
		return nil
	}
	t, err := dir.Load(path)
	if err != nil {
		return nil
	}
	agent.RedactTurns(t, gone.Of(t.Header), a.Home.Keys.MaskText)
	var list []session.Turn
	for _, turn := range t.Turns() {
		if turn.N >= ref.Turn-n && turn.N <= ref.Turn+n && turn.N != ref.Turn {
			list = append(list, turn)
		}
	}
	return list
}
