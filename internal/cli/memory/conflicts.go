package memory

import "ken/internal/cli/term"

// asks reports whether the person typed the command where they can be asked: in
// the shell, or at a terminal from which the command reads. A loop that feeds
// lines to ken is not stopped by a question.
func asks(a *term.Run, asJSON bool) bool {
	if asJSON || a.Quiet() || a.Lane.Origin() != "" {
		return false
	}
	if a.Shell != nil {
		return a.Shell.Terminal().Asks
	}
	return term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr) && a.Person.Present()
}
