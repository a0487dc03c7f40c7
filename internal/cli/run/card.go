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
	"ken/internal/text"
	"ken/internal/wrap"
)

// bar stands before each row of what is shown whole.
const bar = "  | "

// Of a card that has more rows than both together so many of its beginning and of its end are shown above a question:
// the rest is behind a key. What a yes is for stays the whole.
const (
	headRows = 40
	tailRows = 20
)

// A Card is what a model asks for, as the person sees it who is to judge it: behind bars, with everything that does not
// show itself written out.
type Card struct {
	app   *term.Run
	rows  []string // as wide as the screen
	paint func(a *term.Run, rows string) string
	cut   bool
}

// cardOf is a card of a text; paint puts colours into rows of it, nil: none. Where no screen is it has a row for each line
// of the text, and none is left out.
func cardOf(a *term.Run, text string, paint func(*term.Run, string) string) *Card {
	to := a.Env.Stderr
	width := wrap.Of(to)
	c := &Card{app: a, rows: shown(a.Screen.Signs(to, termsafe.Unpad(termsafe.Visible(text))), width), paint: paint}
	c.cut = width > 0 && len(c.rows) > headRows+tailRows
	return c
}

// More reports whether rows of it were left out.
func (c *Card) More() bool { return c != nil && c.cut }

// show shows it, or its beginning and its end, with a line between them that says how much there is besides. keyed
// says that a question follows which has the key that shows all.
func (c *Card) show(keyed bool) {
	if !c.cut {
		c.write(c.rows)
		return
	}
	left := len(c.rows) - headRows - tailRows
	text := fmt.Sprintf("  ... %s of %d not shown", text.Count(left, "row"), len(c.rows))
	if keyed {
		text += ": m shows all"
	}
	c.write(c.rows[:headRows])
	c.app.Say("", text)
	c.write(c.rows[len(c.rows)-tailRows:])
}

func (c *Card) write(rows []string) {
	to, text := c.app.Env.Stderr, strings.Join(rows, "")
	if c.paint != nil {
		text = c.paint(c.app, text)
	}
	fmt.Fprint(to, wrap.List(to, text))
}

// All shows all of it, a screen at a time. What went wrong is reported.
func (c *Card) All(ctx context.Context) {
	rows := make([]string, len(c.rows))
	for i, row := range c.rows {
		rows[i] = strings.TrimSuffix(row, "\n")
	}
	_, err := c.app.Person.Pages(ctx, rows, func(row string) error {
		c.write([]string{row + "\n"})
		return nil
	})
	if err != nil && ctx.Err() == nil {
		c.app.Report(err)
	}
}

// say says lines of ken's own, a screen at a time if they are more than a card shows and somebody is there to turn the page.
func say(ctx context.Context, a *term.Run, prefix string, lines []string) {
	one := func(line string) error {
		a.Say(prefix, strings.TrimRight(line, " "))
		return nil
	}
	if len(lines) > headRows+tailRows && watches(a) {
		if _, err := a.Person.Pages(ctx, lines, one); err != nil && ctx.Err() == nil {
			a.Report(err)
		}
		return
	}
	for _, l := range lines {
		_ = one(l) // it says so itself
	}
}

// watches reports whether a person is there who sees what is said and can turn a page: a script on their terminal is not
// stopped by a question.
func watches(a *term.Run) bool {
	if a.Shell != nil {
		return a.Shell.Terminal().Asks
	}
	return term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr)
}

// shown is a text as rows, each behind a bar and with its line end, that fit into a screen of so many cells; 0: there is
// none.
func shown(text string, width int) (rows []string) {
	room := max(width-len(bar)-1, 20)
	if width == 0 {
		room = len(text) + 1
	}
	for row := range strings.SplitSeq(text, "\n") {
		for first := true; first || row != ""; first = false {
			piece := prefix(row, room)
			rows = append(rows, bar+piece+"\n")
			row = row[len(piece):]
		}
	}
	return rows
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
	list := make([]string, len(lines))
	for i, line := range lines {
		dec := d.Decide(line, risk.Caution)
		const most = 100
		text := termsafe.Cut(strings.ReplaceAll(termsafe.Visible(a.Home.Keys.MaskText(line)), "\n", `\n`), most)
		list[i] = fmt.Sprintf("  %s  %s  (%s)", levelText(a, dec.Level), text, runner.Because(dec))
	}
	say(ctx, a, "", list)
	return nil
}

// Why says what a decision rests on: see Explain.
func Why(ctx context.Context, a *term.Run, d gate.Decision) { say(ctx, a, "  ", Explain(d)) }

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
