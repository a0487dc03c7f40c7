package distill

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"ken/internal/dates/said"
	"ken/internal/memory"
	"ken/internal/redact"
	"ken/internal/termsafe"
	"ken/internal/text"
)

// A Statement is a sentence that may be worth keeping.
type Statement struct {
	Kind memory.Kind
	Text string // as typed, without what leads up to it, and with the days it speaks of
}

const (
	// mostLines is how many lines a text has at most that was typed.
	mostLines = 8
	// fewestWords and mostWords are how many words a statement has.
	fewestWords, mostWords = 3, 30
)

// ReadStatements finds, by rules and without a model, the statements of a text that a person
// typed at a time; the zero time is not known.
func ReadStatements(said string, at time.Time) []Statement {
	said = termsafe.Clean(said)
	if strings.Count(strings.TrimSpace(said), "\n") >= mostLines || looksLikeCode(said) {
		return nil
	}
	var out []Statement
	for i, s := range sentencesOf(said) {
		words := text.WordsInOrder(s)
		if i == 0 && anyPhrase(statements().tasks, words) {
			return nil // what follows may be part of the task
		}
		if st, ok := readStatement(s, at); ok {
			out = append(out, st)
		}
	}
	return out
}

func readStatement(s string, at time.Time) (Statement, bool) {
	s = withoutLead(s)
	words := text.WordsInOrder(s)
	if len(words) < fewestWords || len(words) > mostWords || asks(s) || unfit(s, words) {
		return Statement{}, false
	}
	for _, o := range statements().openings {
		n := o.phrase.end(words)
		if n == 0 || !o.fits(words[n:]) {
			continue
		}
		if redact.Contains(s) {
			return Statement{}, false
		}
		for _, w := range [...]string{"Actually", "Correction"} {
			if rest, ok := strings.CutPrefix(s, w); ok {
				s = strings.TrimLeft(rest, " ,:")
			}
		}
		return Statement{o.kind, dated(strings.TrimSpace(s), words, at)}, true
	}
	return Statement{}, false
}

// asks reports whether a sentence is a question.
func asks(s string) bool {
	return strings.ContainsAny(s, "?？¿")
}

// unfit reports whether a sentence says something that does not count as said.
func unfit(s string, words []string) bool {
	return strings.ContainsAny(s, "\"“”«»{}<>|=`\\…") || strings.Contains(s, "://") ||
		anyPhrase(statements().loose, words) || anyPhrase(statements().others, words) || smiles(s)
}

func smiles(s string) bool {
	return strings.Contains(s, "/s") && strings.HasSuffix(s, "/s") || strings.Contains(s, ";)") || strings.Contains(s, "😉") || strings.Contains(s, "😜")
}

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

// sentencesOf takes a text apart where a sentence ends. A full stop inside a word (v1.2,
// main.go) ends none, nor does one behind an abbreviation.
func sentencesOf(s string) []string {
	var list []string
	from := 0
	cut := func(to int) {
		if t := strings.TrimSpace(s[from:to]); t != "" {
			list = append(list, t)
		}
		from = to
	}
	for i, r := range s {
		size := len(string(r))
		next := i + size
		last := next >= len(s) || unicode.IsSpace(rune(s[next]))
		switch {
		case r == '\n':
			cut(next)
		case (r == '!' || r == '?') && last, r == '。', r == '；', r == ';' && last:
			cut(next)
		case r == '.' && last && !abbreviated(s[from:next]):
			cut(next)
		case r == '-' && i > 0 && s[i-1] == ' ' && next < len(s) && s[next] == ' ', r == '–' && last:
			cut(i)
			from = next
		}
	}
	cut(len(s))
	return list
}

func abbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " \t\n")+1:]
	switch strings.ToLower(word) {
	case ".", "e.g.", "i.e.", "etc.", "mr.", "mrs.", "ms.", "dr.", "vs.", "approx.", "no.", "st.", "z.b.", "p.ej.":
		return true
	}
	return false
}

// withoutLead leaves out what leads up to a sentence: "by the way,", "ok so".
func withoutLead(s string) string {
	for {
		s = strings.TrimLeft(strings.TrimSpace(s), "-*•,:… ")
		word, rest := s, ""
		if i := strings.IndexAny(s, " ,:"); i > 0 {
			word, rest = s[:i], s[i:]
		}
		rest = strings.TrimLeft(rest, " ,:")
		switch strings.ToLower(strings.Trim(word, ",.!:")) {
		case "btw", "fyi", "also", "ok", "okay", "and", "but", "so", "well", "oh", "yes", "yeah", "yep", "right", "hey", "hi", "hello", "thanks",
			"ken", "ah", "hm", "hmm", "anyway", "note", "remember", "please", "und", "aber", "also,", "y", "pero", "et", "mais", "basically", "sure", "cool", "great":
			if rest == "" {
				return s
			}
			s = rest
			continue
		}
		cut := false
		for _, p := range [...]string{"by the way", "for the record", "just so you know", "for your information", "for context", "note that", "you should know that", "to be clear", "as you know", "in case it matters", "one more thing", "for what it's worth", "important"} {
			if n := len(p); len(s) > n && strings.EqualFold(s[:n], p) && strings.ContainsRune(" ,:", rune(s[n])) {
				s, cut = s[n:], true
			}
		}
		if !cut {
			return s
		}
	}
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

// An opening is how a statement begins.
type opening struct {
	kind   memory.Kind
	phrase phrase
	not    []string // words that may not follow at once
	near   []string // of which one has to stand among the next few; nil: any word does
}

// points reports whether what is stated can only be understood with what was said before.
func points(rest []string) bool {
	for i, w := range rest {
		switch w {
		case "them", "these", "those":
			return true
		case "this", "that", "it", "one", "ones":
			if i < 3 && i == len(rest)-1 || i == 1 && w == "it" {
				return true
			}
		case "his", "her", "their":
			if i == 0 {
				return true
			}
		}
	}
	return false
}

// nearReach is how many words behind an opening near looks at.
const nearReach = 6

func (o opening) fits(rest []string) bool {
	if len(rest) == 0 {
		return o.near == nil && o.phrase.gaps() // "wir haben uns für Go entschieden"
	}
	if o.kind == memory.KindDecision && slices.Contains(rest, "this") {
		return false
	}
	if slices.Contains(o.not, "your") && (slices.Contains(rest, "you") || slices.Contains(rest, "your")) {
		return false
	}
	if slices.Contains(o.not, rest[0]) || slices.Contains(statements().pointing, rest[0]) && o.near == nil || points(rest) {
		return false
	}
	if o.near == nil {
		return true
	}
	for _, w := range rest[:min(len(rest), nearReach)] {
		if slices.Contains(o.near, w) {
			return true
		}
	}
	return false
}
