package run

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"ken/internal/cli/term"
	"ken/internal/color"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/termsafe"
)

// bar stands before each row of what is shown whole.
const bar = "  | "

// shown is a command line for a person who is to judge it: whole, each row behind a
// bar, with everything that does not show itself written out. width is that of the
// screen in cells; 0 if there is none.
func shown(line string, width int) string {
	room := max(width-len(bar)-1, 20)
	if width == 0 {
		room = len(line) + 1
	}
	var b strings.Builder
	for row := range strings.SplitSeq(termsafe.Unpad(termsafe.Visible(line)), "\n") {
		for first := true; first || row != ""; first = false {
			piece := prefix(row, room)
			b.WriteString(bar + piece + "\n")
			row = row[len(piece):]
		}
	}
	return b.String()
}

// prefix is the longest beginning of s, at least one character, of at most so many
// cells.
func prefix(s string, cells int) string {
	n, w := 0, 0
	for n < len(s) {
		_, size := utf8.DecodeRuneInString(s[n:])
		w += termsafe.Width(s[n : n+size])
		if w > cells && n > 0 {
			break
		}
		n += size
	}
	return s[:n]
}

// levelText is a level, coloured where that is wanted.
func levelText(a *term.Run, l risk.Level) string {
	style := color.Green
	switch l {
	case risk.Caution:
		style = color.Yellow
	case risk.Danger:
		style = color.Red.With(color.Bold)
	}
	return a.Screen.Paint(a.Env.Stderr, style, l.String())
}

// ShowLevels says of command lines, of which none runs, what each could do.
func ShowLevels(ctx context.Context, a *term.Run, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	d, err := Runner(a).Open(ctx)
	if err != nil {
		return err
	}
	for _, line := range lines {
		dec := d.Decide(line, risk.Caution)
		const most = 100
		text := termsafe.Cut(strings.ReplaceAll(termsafe.Visible(a.Home.Keys.MaskText(line)), "\n", `\n`), most)
		a.Say("", fmt.Sprintf("  %s  %s  (%s)", levelText(a, dec.Level), text, runner.Because(dec)))
	}
	return nil
}

// Explain says in lines what a decision rests on: the level, each reason with its
// token, and what becomes of the line.
func Explain(d gate.Decision) []string {
	lines := []string{"level: " + d.Level.String()}
	for _, r := range d.Assessment.Reasons {
		lines = append(lines, fmt.Sprintf("  %s  %s", r.Level, runner.Reason(r)))
	}
	for _, r := range d.Rules {
		lines = append(lines, fmt.Sprintf("  %s  %s: %s", r.Raise, r.Name(), termsafe.Line(r.Text)))
	}
	if len(d.Assessment.Commands) > 1 {
		lines = append(lines, "commands:")
		for _, c := range d.Assessment.Commands {
			lines = append(lines, fmt.Sprintf("  %s  %s", c.Level, argvText(c)))
		}
	}
	return append(lines, fmt.Sprintf("decision: %s (%s)", d.Action, termsafe.Line(d.Why)))
}

// argvText is a command as it was understood.
func argvText(c risk.Simple) string {
	words := make([]string, len(c.Argv))
	for i, w := range c.Argv {
		words[i] = w
		if i >= len(c.Known) || !c.Known[i] {
			words[i] = "(not known before it runs)"
		}
	}
	return termsafe.Cut(strings.ReplaceAll(termsafe.Unpad(termsafe.Visible(strings.Join(words, " "))), "\n", `\n`), 100)
}
