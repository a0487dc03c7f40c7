package term

import (
	"io"
	"runtime"
	"strings"

	"ken/internal/repl/markdown"
)

// Color reports whether what is written to w may have colours. What the settings
// say goes first (ui.color), then NO_COLOR, CLICOLOR_FORCE, and whether w is a
// terminal that can do it.
func (a *Run) Color(w io.Writer) bool {
	auto := "auto"
	if cfg, ok := a.Home.Settings.InForce(); ok {
		auto = cfg.UI.Color
	}
	env := a.Env.Getenv
	switch {
	case auto == "always":
		return true
	case auto == "never", env("NO_COLOR") != "":
		return false
	case env("CLICOLOR_FORCE") != "" && env("CLICOLOR_FORCE") != "0":
		return true
	}
	return a.canDraw(w)
}

// canDraw reports whether w is a terminal that knows control sequences. One that
// does not say what it is does not, but on Windows none does.
func (a *Run) canDraw(w io.Writer) bool {
	t := a.Env.Getenv("TERM")
	return t != "dumb" && (t != "" || runtime.GOOS == "windows") && IsTerminal(w)
}

// Unicode reports whether the terminal shows more than ASCII. Where the locale
// says nothing it does: it is the answers that would look bad first.
func (a *Run) Unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(a.Env.Getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// Markdown says how an answer is shown on standard output. It is shown as it came
// (ok is false) where that is no terminal, and where the settings say so.
func (a *Run) Markdown() (o markdown.Options, ok bool) {
	cfg, err := a.Home.Settings.Read()
	if err != nil || !cfg.UI.Markdown || !a.canDraw(a.Env.Stdout) {
		return o, false
	}
	return markdown.Options{Styled: a.Color(a.Env.Stdout), Unicode: a.Unicode(), Width: a.Width}, true
}

// Watched reports whether a person sees both outputs on one terminal, so that
// something may be drawn there while they wait.
func (a *Run) Watched() bool {
	return a.canDraw(a.Env.Stdout) && a.canDraw(a.Env.Stderr)
}
