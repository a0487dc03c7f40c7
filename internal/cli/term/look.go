package term

import (
	"io"
	"runtime"
	"strings"

	"ken/internal/app"
	"ken/internal/color"
	"ken/internal/termsafe"
	"ken/internal/wrap"
)

// A Screen is what the outputs of a run can show.
type Screen struct {
	env      *Env
	settings *app.Settings
}

// Color reports whether what is written to w may have colours. What the settings
// say goes first (ui.color), then NO_COLOR, CLICOLOR_FORCE, and whether w is a
// terminal that can do it.
func (s *Screen) Color(w io.Writer) bool {
	auto := "auto"
	if cfg, ok := s.settings.InForce(); ok {
		auto = cfg.UI.Color
	}
	env := s.env.Getenv
	switch {
	case auto == "always":
		return true
	case auto == "never", env("NO_COLOR") != "":
		return false
	case env("CLICOLOR_FORCE") != "" && env("CLICOLOR_FORCE") != "0":
		return true
	}
	return s.canDraw(w)
}

// Theme is the background that colours are for.
func (s *Screen) Theme() color.Theme {
	cfg, _ := s.settings.InForce()
	return color.ThemeOf(cfg.UI.Theme, s.env.Getenv("COLORFGBG"))
}

// Paint returns a text in a style for w, or as it is where w has no colours.
func (s *Screen) Paint(w io.Writer, is color.Style, text string) string {
	if !s.Color(w) {
		return text
	}
	return s.Theme().Text(is, text)
}

// Prompt returns the prompt of the shell in its colour, where there are colours.
func (s *Screen) Prompt(prompt string) string {
	text := strings.TrimRight(prompt, " ")
	return s.Paint(s.env.Stderr, color.Bold|color.Cyan, text) + prompt[len(text):]
}

// canDraw reports whether w is a terminal that knows control sequences. One that
// does not say what it is does not, but on Windows none does.
func (s *Screen) canDraw(w io.Writer) bool {
	t := s.env.Getenv("TERM")
	return t != "dumb" && (t != "" || runtime.GOOS == "windows") && IsTerminal(w)
}

// Unicode reports whether the terminal shows more than ASCII. Where the locale
// says nothing it does: it is the answers that would look bad first.
func (s *Screen) Unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(s.env.Getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// Signs returns a text of ken's as w shows it: where that is a terminal that has no more than ASCII,
// ken's own signs are of that. What others wrote stays as it is.
func (s *Screen) Signs(w io.Writer, text string) string {
	if s.Unicode() || !IsTerminal(w) {
		return text
	}
	return termsafe.ASCII(text)
}

// Cut is termsafe.Cut with a sign that the terminal shows.
func (s *Screen) Cut(text string, cells int) string {
	return termsafe.CutWith(text, cells, termsafe.Sign(!s.Unicode()))
}

// Markdown reports whether what stands in an answer as Markdown is shown as what it
// means on standard output, and whether with styles. It is shown as it came where that is
// no terminal, and where the settings say so.
func (s *Screen) Markdown() (styled, ok bool) {
	cfg, err := s.settings.Read()
	if err != nil || !cfg.UI.Markdown || !s.canDraw(s.env.Stdout) {
		return false, false
	}
	return s.Color(s.env.Stdout), true
}

// Watched reports whether a person sees both outputs on one terminal, so that
// something may be drawn there while they wait.
func (s *Screen) Watched() bool {
	return s.canDraw(s.env.Stdout) && s.canDraw(s.env.Stderr)
}

// Width is the number of cells of a line of output: that of the terminal, or
// no limit (0) where the output is none.
func (s *Screen) Width() int {
	return wrap.Of(s.env.Stdout)
}
