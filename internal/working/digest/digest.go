package digest

import (
	"slices"
	"strings"

	"ken/internal/text"
	"ken/internal/tokens"
)

// A Turn is one turn as Of takes it.
type Turn struct {
	Person bool     // who said it: the person, or the model
	Text   string   // what was said, without what programs printed or files hold
	Ran    []string // the commands that ran before it, one line each
}

// The sections of a digest, in their order.
const (
	said = iota
	asked
	ran
	answered
	sections
)

// headings are what the sections are called.
func headings() [sections]string {
	return [sections]string{"## Said", "## Asked", "## Ran", "## Answered"}
}

// A line is what may stand in a digest.
type line struct {
	section int
	text    string
	worth   int // the higher the sooner it is taken
	order   int // in the conversation
}

// Of returns what turns, oldest first, come to, in at most budget tokens. earlier is what
// stands for the turns before them: of a digest its lines are taken like those of the
// turns; any other text is left alone, as it is nobody's words.
func Of(earlier string, turns []Turn, budget int) string {
	lines := parse(earlier)
	for _, t := range turns {
		for _, cmd := range t.Ran {
			lines = append(lines, line{section: ran, text: clip(cmd)})
		}
		lines = append(lines, linesOf(t)...)
	}
	return write(lines, budget)
}

// Person returns the turns of the person, with what ran before them.
func Person(turns []Turn) []Turn {
	return slices.DeleteFunc(slices.Clone(turns), func(t Turn) bool { return !t.Person })
}

// Words returns the lines of a text that a model did not write, as far as its headings show:
// all but those of the section for answers. Text that is no digest is left as it is.
func Words(text string) string {
	if !strings.Contains(text, headings()[answered]) {
		return text
	}
	names := headings()
	var b strings.Builder
	out := false
	for l := range strings.Lines(text) {
		if s := strings.TrimSpace(l); strings.HasPrefix(s, "#") {
			out = s == names[answered]
		}
		if !out {
			b.WriteString(l)
		}
	}
	return strings.TrimSpace(b.String())
}

// Without is text without the lines that say something, and all of it if it stands across
// lines.
func Without(text string, says func(line string) bool) string {
	if !says(text) {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !says(line) {
			b.WriteString(line)
		}
	}
	if left := strings.TrimSpace(b.String()); !says(left) {
		return left
	}
	return ""
}

// Split parts a summary into what a model wrote and the digest that stands behind
// it; either may be empty.
func Split(summary string) (model, digest string) {
	names := headings()
	at := 0
	for l := range strings.Lines(summary) {
		if slices.Contains(names[:], strings.TrimSpace(l)) {
			return strings.TrimSpace(summary[:at]), strings.TrimSpace(summary[at:])
		}
		at += len(l)
	}
	return strings.TrimSpace(summary), ""
}

// Model makes of what a model wrote the first part of a summary: its headings are
// not taken for those of a digest, so that it cannot put words into the person's
// mouth.
func Model(text string) string {
	names := headings()
	var b strings.Builder
	for l := range strings.Lines(text) {
		if slices.Contains(names[:], strings.TrimSpace(l)) {
			b.WriteByte('#')
			l = strings.TrimLeft(l, " \t")
		}
		b.WriteString(l)
	}
	return strings.TrimSpace(b.String())
}

// Said returns the part of a digest that the person said, without its heading and without
// the lines whose every name, number and word of content stands in text already.
func Said(digest, text string, budget int) string {
	has := words(text)
	var lines []line
	for _, l := range parse(digest) {
		if l.section == said && slices.ContainsFunc(contents(l.text), func(w string) bool { return !has[w] }) {
			lines = append(lines, l)
		}
	}
	out := write(lines, budget+tokens.Estimate(headings()[said])+1)
	_, out, _ = strings.Cut(out, "\n")
	return out
}

// linesOf are the sentences of a turn that may be worth a line.
func linesOf(t Turn) []line {
	var out []line
	if !t.Person {
		if s := firstSentence(t.Text); s != "" {
			out = append(out, line{section: answered, text: clip(s)})
		}
		return out
	}
	for _, s := range sentences(t.Text) {
		switch {
		case isQuestion(s):
			out = append(out, line{section: asked, text: clip(s)})
		case weighs(s):
			out = append(out, line{section: said, text: clip(s)})
		}
	}
	return out
}

// write puts the lines under their headings, as many as the budget holds: what the
// person said first, what holds a name, a number or an order before the rest, and the
// newer before the older.
func write(lines []line, budget int) string {
	seen := make(map[string]bool)
	for i, l := range slices.Backward(lines) { // the newest of those that say the same
		lines[i].order = i
		k := text.Normal(l.text)
		if seen[k] {
			lines[i].worth = -1
			continue
		}
		seen[k] = true
		lines[i].worth = worth(l)
	}
	lines = slices.DeleteFunc(lines, func(l line) bool { return l.worth < 0 || l.text == "" })
	slices.SortStableFunc(lines, func(a, b line) int {
		if a.worth != b.worth {
			return b.worth - a.worth
		}
		return b.order - a.order
	})
	var taken []line
	var begun [sections]bool
	for _, l := range lines {
		cost := tokens.Estimate("- "+l.text) + 1
		if !begun[l.section] {
			cost += tokens.Estimate(headings()[l.section]) + 1
		}
		if cost > budget {
			continue // a shorter one may fit
		}
		budget -= cost
		begun[l.section] = true
		taken = append(taken, l)
	}
	slices.SortStableFunc(taken, func(a, b line) int {
		if a.section != b.section {
			return a.section - b.section
		}
		return a.order - b.order
	})
	var out []string
	last := -1
	for _, l := range taken {
		if l.section != last {
			out, last = append(out, headings()[l.section]), l.section
		}
		out = append(out, "- "+l.text)
	}
	return strings.Join(out, "\n")
}

// worth orders lines: the person's statements that hold something to be kept
// exactly, their statements, their questions, what ran, and the answers.
func worth(l line) int {
	w := [sections]int{said: 40, asked: 20, ran: 15, answered: 10}[l.section]
	if l.section == said && (hasName(l.text) || isOrder(l.text)) {
		w += 20
	}
	return w
}

// parse reads the lines of a digest. What stands under no heading of it is left out.
func parse(text string) []line {
	var lines []line
	section := -1
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "#") {
			names := headings()
			section = slices.Index(names[:], l)
			continue
		}
		if rest, ok := strings.CutPrefix(l, "- "); ok && section >= 0 && rest != "" {
			lines = append(lines, line{section: section, text: rest})
		}
	}
	return lines
}
