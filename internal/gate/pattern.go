package gate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/risk"
)

// A Pattern is the words that a command begins with, as parsed: `git push *`. A "*"
// stands last and for any words, also none; without it the words are all of them.
type Pattern struct {
	words []string
	open  bool // it ended in "*"
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

// String is the pattern as ParsePattern reads it.
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

// covers reports whether the pattern allows a command: its words are literal and
// just those.
func (p Pattern) covers(c risk.Simple) bool {
	if len(c.Argv) < len(p.words) || !p.open && len(c.Argv) != len(p.words) || len(p.words) == 0 {
		return false
	}
	for i, w := range c.Argv {
		if i >= len(c.Known) || !c.Known[i] || i < len(p.words) && w != p.words[i] {
			return false
		}
	}
	return true
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

// Offer is the pattern that a command may be approved by for good: of programs whose
// second word says what is done, that and any arguments, and of others the words as
// they stand. It is false if the line is not one plain command of level caution.
func Offer(v risk.Verdict) (Pattern, bool) {
	if v.Level != risk.Caution || len(v.Commands) != 1 || !v.Commands[0].Plain || len(v.Commands[0].Runs) > 0 || v.Commands[0].Level != risk.Caution {
		return Pattern{}, false
	}
	c := v.Commands[0]
	for i, w := range c.Argv {
		// Such a word would not be read back as it was shown.
		if i >= len(c.Known) || !c.Known[i] || strings.ContainsAny(w, "\n\r") || strings.Contains(w, "'") && strings.ContainsAny(w, " \t\"*") {
			return Pattern{}, false
		}
	}
	if n := verbs(c.Argv); n > 0 {
		return Pattern{words: slices.Clone(c.Argv[:n]), open: true}, true
	}
	return Pattern{words: slices.Clone(c.Argv)}, true
}

// verbs is how many words say what a program of many deeds does; 0 if it has no
// such words, or they run anything at all.
func verbs(argv []string) int {
	if len(argv) < 2 || strings.HasPrefix(argv[1], "-") {
		return 0
	}
	switch argv[0] {
	case "git", "hg", "svn", "gh", "cargo", "brew", "apt", "apt-get", "dnf", "pacman", "systemctl", "rustup", "gem", "bundle", "conda", "flatpak", "snap":
		if argv[1] == "run" || argv[1] == "exec" || argv[1] == "bisect" || argv[1] == "submodule" {
			return 0
		}
		return 2
	case "go":
		if argv[1] == "run" || argv[1] == "tool" || argv[1] == "generate" {
			return 0
		}
		return 2
	case "npm", "pnpm", "yarn", "pip", "pip3", "poetry":
		if argv[1] == "run" && len(argv) > 2 && !strings.HasPrefix(argv[2], "-") {
			return 3
		}
		if argv[1] == "run" || argv[1] == "exec" || argv[1] == "dlx" {
			return 0
		}
		return 2
	case "docker", "podman", "kubectl":
		switch argv[1] {
		case "pull", "build", "start", "stop", "restart", "logs", "tag":
			return 2
		}
	}
	return 0
}
