package gate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/risk"
)

// A Pattern is the words that a command begins with, as parsed: `git push *`. A "*" is the last
// word, and stands for any number of words. Without it the command has just these words. A pattern
// that was made of a command (Offer) allows only commands of the same shape.
type Pattern struct {
	words []string
	open  bool     // it ended in "*"
	seen  []string // the command that it was made of; nil of a pattern of the settings
}

// ParsePattern reads a pattern as a person writes it. Quotes of either kind hold
// words together.
func ParsePattern(text string) (Pattern, error) {
	words, err := splitWords(text)
	if err != nil {
		return Pattern{}, fmt.Errorf("pattern %q: %w", text, err)
	}
	var p Pattern
	if n := len(words); n > 0 && words[n-1].text == "*" && !words[n-1].quoted {
		p.open, words = true, words[:n-1]
	}
	for _, w := range words {
		if !w.quoted && strings.Contains(w.text, "*") {
			return Pattern{}, fmt.Errorf("pattern %q: a * stands alone, and last", text)
		}
		p.words = append(p.words, w.text)
	}
	if len(p.words) == 0 && !p.open {
		return Pattern{}, errors.New("a pattern is empty")
	}
	return p, nil
}

// A word of a pattern.
type word struct {
	text   string
	quoted bool
}

func splitWords(s string) ([]word, error) {
	var (
		list  []word
		now   word
		in    bool
		quote rune
	)
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			now.text += string(r)
		case r == '\'' || r == '"':
			quote, in, now.quoted = r, true, true
		case r == ' ' || r == '\t':
			if in {
				list = append(list, now)
			}
			now, in = word{}, false
		default:
			now.text += string(r)
			in = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if in {
		list = append(list, now)
	}
	return list, nil
}

// String returns the pattern as ParsePattern reads it.
func (p Pattern) String() string {
	var out []string
	for _, w := range p.words {
		switch {
		case w == "" || strings.ContainsAny(w, " \t\"*"):
			w = "'" + w + "'"
		case strings.Contains(w, "'"):
			w = `"` + w + `"`
		}
		out = append(out, w)
	}
	if p.open {
		out = append(out, "*")
	}
	return strings.Join(out, " ")
}

// shape is the command that an approval was made of. One that was written before
// shapes were kept has its own words, and no others.
func (p Pattern) shape() []string {
	if p.open && p.seen == nil {
		return p.words
	}
	return p.seen
}

// Shape returns what an approval of the pattern allows, in words for a person: "git push *, as in
// git push origin main". A pattern of the settings is returned as it stands.
func (p Pattern) Shape() string {
	if len(p.seen) == 0 {
		return p.String()
	}
	if len(p.seen) == len(p.words) {
		return p.String() + ", without options"
	}
	return p.String() + ", as in " + Pattern{words: p.seen}.String()
}

// covers reports whether the pattern allows a command: its words are literal and
// just those, and its further words have the shape that was seen.
func (p Pattern) covers(c risk.Simple) bool {
	if len(c.Argv) < len(p.words) || !p.open && len(c.Argv) != len(p.words) || len(p.words) == 0 {
		return false
	}
	for i, w := range c.Argv {
		if i >= len(c.Known) || !c.Known[i] || i < len(p.words) && w != p.words[i] {
			return false
		}
	}
	return p.seen == nil || alike(p.seen[len(p.words):], c.Argv[len(p.words):])
}

// A fit says how well a pattern that restricts fits a command.
type fit int

const (
	misses fit = iota
	may        // if a word that is not known is the one
	fits
)

// restricts says whether the pattern is about a command, in the wider sense that
// holds for what denies, asks and raises: a program counts by its name wherever it
// lies, and options between the words of the pattern do not count.
func (p Pattern) restricts(c risk.Simple) fit {
	if len(c.Argv) == 0 {
		return misses
	}
	if len(p.words) == 0 {
		return fits
	}
	argv := slices.Clone(c.Argv)
	if !strings.Contains(p.words[0], "/") {
		argv[0] = path.Base(argv[0])
	}
	return match(p.words, p.open, argv, c.Known)
}

// match fits words to the beginning of argv. known says of which words of argv the
// text is known.
func match(words []string, open bool, argv []string, known []bool) fit {
	type state struct{ w, a int }
	seen := make(map[state]fit)
	var at func(w, a int) fit
	at = func(w, a int) (best fit) {
		if w == len(words) {
			if open || a == len(argv) {
				return fits
			}
			return misses
		}
		if a == len(argv) {
			return misses
		}
		if f, ok := seen[state{w, a}]; ok {
			return f
		}
		literal := a < len(known) && known[a]
		switch {
		case !literal:
			if at(w+1, a+1) > misses {
				best = may
			}
		case argv[a] == words[w]:
			best = at(w+1, a+1)
		}
		if open && a > 0 && literal && strings.HasPrefix(argv[a], "-") {
			best = max(best, at(w, a+1)) // an option
			if a+2 <= len(argv) {
				best = max(best, at(w, a+2)) // and its value
			}
		}
		seen[state{w, a}] = best
		return best
	}
	return at(0, 0)
}
