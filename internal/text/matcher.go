package text

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Matcher is texts that are looked for in others, all at once. The zero Matcher and nil
// hold none. It may be used by several goroutines at a time.
type Matcher struct {
	needles []string // normalised, sorted, none the beginning of another
	window  int      // how many bytes of a needle the filter knows, 1 to 8
	filter  []uint64 // a bit for the hash of each needle's window
	bare    *Matcher // the texts without marks of Markdown; nil: none is looked for so
	marked  bool     // some text has marks
	bounded bool     // a text neither begins nor ends within a word
}

// few needles are looked for one by one: that is what strings.Index is fast at.
const few = 4

// filterBits is the size of the filter. With a hundred thousand needles one place
// in ten passes it by accident.
const filterBits = 1 << 20

// NewMatcher returns the set of texts. Those that say nothing are left out.
func NewMatcher(texts ...string) *Matcher {
	s := newMatcher(texts)
	bare := make([]string, 0, len(texts))
	for _, t := range texts {
		if b := string(Unmark([]byte(t))); !Short(b) { // of a short one nothing is sure
			bare = append(bare, b)
			s.marked = s.marked || b != t
		}
	}
	if len(bare) > 0 {
		s.bare = newMatcher(bare)
	}
	return s
}

// NewWordMatcher returns the set of texts each of which is looked for as words: "tea" does not
// stand in "steam".
func NewWordMatcher(texts ...string) *Matcher {
	s := &Matcher{bounded: true, marked: true}
	for _, t := range texts {
		for _, form := range [...]string{t, string(Unmark([]byte(t)))} {
			if n := Normal(form); n != "" && !slices.Contains(s.needles, n) {
				s.needles = append(s.needles, n)
			}
		}
	}
	s.bare = s
	return s
}

func newMatcher(texts []string) *Matcher {
	all := make([]string, 0, len(texts))
	for _, t := range texts {
		if n := Normal(t); n != "" {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	s := &Matcher{window: 8}
	for _, n := range all {
		// Whoever holds the longer text holds its beginning.
		if last := len(s.needles) - 1; last < 0 || !strings.HasPrefix(n, s.needles[last]) {
			s.needles = append(s.needles, n)
			s.window = min(s.window, len(n))
		}
	}
	if len(s.needles) > few {
		s.filter = make([]uint64, filterBits/64)
		for _, n := range s.needles {
			h := s.hash(n)
			s.filter[h/64] |= 1 << (h % 64)
		}
	}
	return s
}

// Len returns the number of texts that are looked for.
func (s *Matcher) Len() int {
	if s == nil {
		return 0
	}
	return len(s.needles)
}

// Longest returns the length of the longest text that is looked for, normalised, in
// bytes.
func (s *Matcher) Longest() int {
	longest := 0
	for i := range s.Len() {
		longest = max(longest, len(s.needles[i]))
	}
	return longest
}

// In reports whether text has one of the texts in it, as it is, escaped for JSON, among marks
// of Markdown, or written for an address, for a page or in base64.
func (s *Matcher) In(text string) bool { return s.Len() > 0 && s.InBytes([]byte(text)) }

// read counts in b as it is, and in what parts of it are written for.
func (s *Matcher) read(b []byte, all bool) int {
	most := s.find(Normal(string(b)), all)
	if most > 0 && !all {
		return most
	}
	decoded(b, func(d []byte) bool {
		most = max(most, s.find(Normal(string(d)), all))
		return all || most == 0
	})
	return most
}

// maxLevels is how often JSON inside a string of JSON is unescaped: the arguments
// of a tool that was called with JSON are two.
const maxLevels = 4

// InBytes is In for bytes of a file.
func (s *Matcher) InBytes(b []byte) bool { return s.count(b, false) > 0 }

// Count returns how often the texts stand in bytes of a file, in the reading that has
// most of them.
func (s *Matcher) Count(b []byte) int { return s.count(b, true) }

func (s *Matcher) count(b []byte, all bool) int {
	if s.Len() == 0 {
		return 0
	}
	most, bare := 0, b
	for level := range maxLevels {
		most = max(most, s.read(b, all))
		if s.bare != nil && (most == 0 || all) {
			if u := Unmark(bare); s.marked || len(u) < len(b) {
				most, bare = max(most, s.bare.find(Normal(string(u)), all)), u
			}
		}
		if most > 0 && !all || level == maxLevels-1 || bytes.IndexByte(b, '\\') < 0 {
			break
		}
		b, bare = Unescape(b), Unescape(bare)
	}
	return most
}

// find counts the places in a normalised text where one of the needles begins; it
// stops at the first unless all are wanted.
func (s *Matcher) find(text string, all bool) int {
	n := 0
	if s.filter == nil {
		for _, needle := range s.needles {
			switch {
			case s.bounded:
				if n += asWords(text, needle, all); n > 0 && !all {
					return n
				}
			case all:
				n += strings.Count(text, needle)
			case strings.Contains(text, needle):
				return 1
			}
		}
		return n
	}
	for i := 0; i+s.window <= len(text); i++ {
		if h := s.hash(text[i:]); s.filter[h/64]&(1<<(h%64)) == 0 || !s.begins(text[i:]) {
			continue
		}
		if n++; !all {
			return n
		}
	}
	return n
}

// asWords counts the places in a text where one stands that neither begins nor ends within a
// word; it stops at the first unless all are wanted.
func asWords(text, needle string, all bool) (n int) {
	for from := 0; all || n == 0; {
		i := strings.Index(text[from:], needle)
		if i < 0 {
			break
		}
		i += from
		if !WithinWord(text, i) && !WithinWord(text, i+len(needle)) {
			n++
		}
		from = i + len(needle)
	}
	return n
}

// WithinWord reports whether a word of letters and digits goes on across byte i of a text.
func WithinWord(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	letter := func(r rune) bool { return (unicode.IsLetter(r) || unicode.IsNumber(r)) && !Unspaced(r) }
	return letter(before) && letter(after)
}

// begins reports whether text begins with a needle. None is the beginning of
// another, so only the last one that does not sort behind text can be it.
func (s *Matcher) begins(text string) bool {
	i, found := slices.BinarySearch(s.needles, text)
	return found || i > 0 && strings.HasPrefix(text, s.needles[i-1])
}

// hash mixes the first bytes of text, of which there are as many as the window.
func (s *Matcher) hash(text string) uint64 {
	h := uint64(0)
	for i := range s.window {
		h = h<<8 | uint64(text[i])
	}
	return h * 0x9e3779b97f4a7c15 >> (64 - 20) // Fibonacci hashing into filterBits
}
