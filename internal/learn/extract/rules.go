package extract

import (
	"strings"
	"time"
	"unicode"

	"ken/internal/dates/said"
	"ken/internal/memory"
	"ken/internal/redact"
	"ken/internal/teach"
	"ken/internal/termsafe"
	"ken/internal/text"
)

// A Statement is a sentence that may be worth keeping.
type Statement struct {
	Kind memory.Kind
	Text string // what of it is to be kept, as typed, and with the days it speaks of
}

// mostLines is how many lines a text has at most that was typed.
const mostLines = 8

// ReadStatements finds, without a model, the statements of a text that a person typed at a time; the
// zero time is not known. Each line is read as the shell reads it. Nothing is a rule here: that is
// for the person to say.
func ReadStatements(said string, at time.Time) []Statement {
	said = strings.TrimSpace(termsafe.Clean(said))
	first, more, several := strings.Cut(said, "\n")
	if several {
		begins := text.WordsInOrder(first)
		if strings.Count(more, "\n")+1 >= mostLines || looksLikeCode(said) || anyPhrase(statements().tasks, begins[:min(len(begins), mostTask)]) {
			return nil // material, or a task of which what follows is a part
		}
	}
	var out []Statement
	for line := range strings.Lines(said) {
		for _, r := range teach.ReadAll(strings.TrimRight(line, "\n")) {
			if strings.Contains(r.Text, cutOut) || redact.Contains(r.Text) {
				continue
			}
			kind := r.Kind
			if kind == memory.KindRule {
				kind = memory.KindPref
			}
			out = append(out, Statement{kind, dated(r.Text, text.WordsInOrder(r.Text), at)})
		}
	}
	return out
}

// mostTask is how far into a text a word may stand that makes it a task.
const mostTask = 20

// looksLikeCode reports whether a text is, or has in it, what no person types as a sentence.
func looksLikeCode(s string) bool {
	if strings.Contains(s, "```") || strings.Contains(s, "~~~") {
		return true
	}
	odd, all := 0, 0
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		t := strings.TrimSpace(line)
		if t == "" {
			continue
		}
		all++
		first := rune(t[0])
		switch {
		case strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"),
			strings.ContainsRune(">|$#{}[]<+@%", first), strings.HasPrefix(t, "//"), strings.HasPrefix(t, "--"),
			unicode.IsDigit(first) && strings.ContainsAny(t[:min(len(t), 12)], ":/-[") && strings.ContainsAny(t[:min(len(t), 12)], "0123456789"),
			strings.HasSuffix(t, "{"), strings.HasSuffix(t, ";"), strings.HasSuffix(t, "()"):
			odd++
		}
	}
	return odd > 0 && odd*2 >= all
}

// dated adds to a sentence the days that it speaks of in words that mean another
// day tomorrow.
func dated(s string, words []string, at time.Time) string {
	if at.IsZero() || !anyPhrase(statements().relative, words) {
		return s
	}
	m := said.Read(s, at)
	if !m.Days.Any() {
		return s
	}
	day := func(n int32) string { return time.Unix(int64(n)*86400, 0).UTC().Format("2006-01-02") }
	if m.Days.From == m.Days.To {
		return s + " (" + day(m.Days.From) + ")"
	}
	return s + " (" + day(m.Days.From) + " to " + day(m.Days.To) + ")"
}
