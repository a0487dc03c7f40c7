package conflict

import (
	"strings"
	"unicode"
)

// A sentence is a text as it is read.
type sentence struct {
	words     []string
	negated   bool // an odd number of times
	plural    bool // it says what several things are
	sentences int
}

func read(text string) *sentence {
	s := &sentence{sentences: 1}
	fields := strings.Fields(strings.NewReplacer("’", "'", "—", " ", " = ", " is ").Replace(text))
	for i, raw := range fields {
		if i < len(fields)-1 && (strings.HasSuffix(raw, ".") || strings.HasSuffix(raw, ";") || strings.HasSuffix(raw, "!")) && len(raw) > 2 {
			s.sentences++
		}
		w := strings.Trim(raw, ".,;:!?\"'`()[]{}<>“”«»")
		if strings.HasPrefix(strings.TrimLeft(raw, "\"'`([{<"), ".") { // .env, ./x
			w = "." + w
		}
		if strings.EqualFold(w, "user's") {
			w = "my"
		}
		if w = strings.TrimSuffix(w, "'s"); w == "" {
			continue
		}
		if class(w) != "path" {
			w = strings.ToLower(w)
		}
		s.add(w)
	}
	for len(s.words) > 1 && s.words[0] == "i" && s.words[1] != "is" && s.words[1] != "am" {
		s.words = s.words[1:] // I prefer, the user prefers, prefer
	}
	return s
}

// add reads one word.
func (s *sentence) add(w string) {
	last := ""
	if n := len(s.words); n > 0 {
		last = s.words[n-1]
	}
	cut := func() { s.words = s.words[:len(s.words)-1] }
	switch {
	case w == "not" || w == "never" || w == "cannot" || w == "can't" || strings.HasSuffix(w, "n't") || w == "dont" || w == "doesnt":
		s.negated = !s.negated
		switch w = strings.TrimSuffix(w, "n't"); w {
		case "cannot", "can't", "ca":
			s.words = append(s.words, "can")
		case "is", "are":
			s.words = append(s.words, "is")
		case "not", "never", "do", "does", "dont", "doesnt":
			if last == "do" {
				cut()
			}
		default:
			s.words = append(s.words, w)
		}
	case w == "longer" && last == "no":
		cut()
		s.negated = !s.negated
	case filler(w):
	case w == "user":
		s.words = append(s.words, "i")
	case w == "are":
		s.plural = true
		s.words = append(s.words, "is")
	case (w == "called" || w == "named" || w == "set") && last == "is":
	case w == "to" && last == "is": // is set to
	default:
		s.words = append(s.words, stem(w))
	}
}

// filler reports whether a word carries nothing here.
func filler(w string) bool {
	switch w {
	case "a", "an", "the", "now", "currently", "actually", "please", "really", "just", "simply", "also", "still",
		"always", "generally", "usually", "normally", "that", "very", "today", "basically", "strictly":
		return true
	}
	return false
}

// stem takes the s of a plural or a verb away.
func stem(w string) string {
	n := len(w)
	if w == "does" { // not more than one doe
		return "do"
	}
	if n < 4 || w[n-1] != 's' || w[n-2] == 's' || w[n-2] == 'u' || w[n-2] == 'i' {
		return w
	}
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return w
		}
	}
	return w[:n-1]
}

// verb is the place of the first word that says how something is or is done; -1 if
// none does. Behind it stands what is said.
func (s *sentence) verb() int {
	for i, w := range s.words {
		if stative(w) {
			return i
		}
	}
	return -1
}

// class is what a word is one of, if one of them is said by the verb: "number",
// "version", "path", "day", ...; else "".
func (s *sentence) class(i int, verb string) string {
	c := class(s.words[i])
	if verb == "use" && c != "version" {
		return "" // it may use several
	}
	if i > 0 && c == "number" {
		switch s.words[i-1] { // a name: issue 12, chapter 3
		case "issue", "chapter", "page", "step", "item", "ticket", "pr", "bug", "row", "test", "room", "level", "phase":
			return ""
		}
	}
	return c
}

// class is what kind of value a word is; "" if it is an ordinary one.
func class(w string) string {
	digits, letters, dots := 0, 0, 0
	for _, r := range w {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '.':
			dots++
		case unicode.IsLetter(r):
			letters++
		}
	}
	switch {
	case strings.Contains(w, "://"):
		return "url"
	case strings.Contains(w, "@") && dots > 0:
		return "address"
	case strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~/") || strings.HasPrefix(w, "./"):
		return "path"
	case digits > 0 && dots >= 1 && (letters == 0 || letters == 1 && (w[0] == 'v' || w[0] == 'V')):
		return "version" // or an address of digits, or a number with a fraction
	case digits > 0 && letters == 0 && strings.Contains(w, ":"):
		return "time"
	case digits >= 6 && strings.Count(w, "-") == 2:
		return "date"
	case digits > 0 && unit(strings.TrimLeft(w, "0123456789.,-$€")):
		return "number"
	case dots > 0 && letters > 3 && !strings.HasSuffix(w, "."):
		return "host"
	}
	return named(w)
}

// unit reports whether a word is what may stand behind a number.
func unit(w string) bool {
	switch w {
	case "", "%", "k", "m", "g", "b", "s", "h", "d", "kb", "mb", "gb", "tb", "gib", "mib", "ms", "min", "am", "pm", "px", "cm", "mm", "km", "kg", "c", "f", "hz", "€", "$":
		return true
	}
	return false
}
