package working

import (
	"strings"

	"ken/internal/text"
	"ken/internal/tokens"
)

// Join puts together what two conversations left that did not know of each other:
// all of mine, then the lines of theirs that mine does not have, below the headings
// that they stood under. Where the budget, in tokens, does not hold both, each gets
// half of it at least, if it needs that much.
func Join(mine, theirs string, budget int) string {
	mine, theirs = strings.TrimSpace(mine), strings.TrimSpace(theirs)
	rest := without(theirs, mine)
	switch {
	case rest == "":
		return Cut(mine, budget)
	case mine == "":
		return Cut(rest, budget)
	}
	forTheirs := budget - tokens.Estimate(mine) - 1 // two texts are at most one more than their sum
	if half := budget / 2; forTheirs < half {
		forTheirs = min(half, tokens.Estimate(rest))
		mine = Cut(mine, budget-forTheirs-1)
	}
	return Cut(mine+"\n\n"+Cut(rest, forTheirs), budget)
}

// without is text without the lines that other has, and without the headings that
// nothing is left under.
func without(text, other string) string {
	has := make(map[string]bool)
	for line := range strings.Lines(other) {
		has[key(line)] = true
	}
	var out []string
	heading := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case strings.HasPrefix(line, "#"):
			heading = line
		case key(line) == "" || has[key(line)]:
		default:
			if heading != "" {
				if len(out) > 0 {
					out = append(out, "")
				}
				out, heading = append(out, heading), ""
			}
			out = append(out, line)
			has[key(line)] = true
		}
	}
	return strings.Join(out, "\n")
}

// key is what two lines have in common that say the same: their words, without the
// marks of a list.
func key(line string) string {
	return text.Normal(strings.TrimLeft(line, "-*+ \t"))
}
