package chars

import (
	"iter"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A View is a text as a reader sees it: without what shows nothing (control
// sequences, joiners, marks of direction), with letters of ASCII in the place of
// their full-width, bold and look-alike forms and of the entities of HTML, without the blanks of letters that
// are s p a c e d out, and with what was drawn in one piece in one piece again, where a line was broken or a
// program adds its parts (joint). It knows where each of its bytes came from.
type View struct {
	Text string
	// Open is where, in the text that it was made of, something begins that may show otherwise when more
	// text follows: a control sequence that is not ended, a value that may go on in the next line; the length of
	// that text if there is none.
	Open  int
	parts []part
	end   int // the length of the text that it was made of
}

// A part is bytes of a view from at on. same: each stands for one byte of the source
// from from on; else all of them stand for the source up to stop.
type part struct {
	at, from, stop int
	same           bool
}

// NewView returns the view of s. ok is false, and the View nothing, if the text shows
// as it stands, as most texts do.
func NewView(s string) (v *View, ok bool) {
	first := nextDisguise(s, 0)
	if first == len(s) {
		return nil, false
	}
	b := viewer{s: s, text: make([]byte, 0, len(s)), v: &View{Open: len(s), end: len(s)}}
	for b.i < len(s) {
		if plain := nextDisguise(s, b.i) - b.i; plain > 0 {
			b.keep(plain)
		} else {
			b.step()
		}
	}
	b.v.Text = string(b.text)
	return b.v, b.v.Text != s || b.v.Open < len(s)
}

// Changes are the places of v.Text, in order, where it goes on otherwise than the text that it was
// made of.
func (v *View) Changes() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, p := range v.parts {
			if (!p.same || i > 0 || p.from > 0) && !yield(p.at) {
				return
			}
		}
		if n := len(v.parts); n == 0 || !v.parts[n-1].same || v.parts[n-1].from+len(v.Text)-v.parts[n-1].at < v.end {
			yield(len(v.Text))
		}
	}
}

// Source returns the bytes of the text that v was made of which v.Text[start:end] shows.
func (v *View) Source(start, end int) (from, stop int) {
	if start >= end {
		return v.place(start), v.place(start)
	}
	last := v.partAt(end - 1)
	p := v.parts[last]
	if p.same {
		return v.place(start), p.from + end - p.at
	}
	return v.place(start), p.stop
}

// place is where the byte v.Text[i] comes from, or the end.
func (v *View) place(i int) int {
	if i >= len(v.Text) {
		return v.end
	}
	p := v.parts[v.partAt(i)]
	if p.same {
		return p.from + i - p.at
	}
	return p.from
}

func (v *View) partAt(i int) int {
	return sort.Search(len(v.parts), func(k int) bool { return v.parts[k].at > i }) - 1
}

// disguises says of each byte whether it may begin something that shows differently:
// controls, and the first bytes of characters outside the letters of Latin, Greek and
// Cyrillic.
func disguises(c byte) bool {
	switch {
	case c < 0x20:
		return !IsSpace(c)
	case c < 0x7f:
		return false
	case c == 0x7f:
		return true
	}
	return c == 0xc2 || c == 0xcc || c == 0xcd || c == 0xd8 || c >= 0xe1
}

// nextDisguise returns where s shows differently from how it stands, at i or behind it; its
// length if it does not. It may be before i, by a letter of a word that is spaced out.
func nextDisguise(s string, i int) int {
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ':
			if i >= 4 && s[i-2] == ' ' && s[i-4] == ' ' {
				// The letter before may be of more than a byte.
				from := i - 4
				for from > 0 && i-from < 8 && !beginsSpaced(s, from) {
					from--
				}
				places, end := spaced(s, from)
				if len(places) > 0 {
					return places[0]
				}
				i = max(i, end-1)
			}
		case IsLower(c):
		case (c == '\n' || c == '"' || c == '\'' || c == '&' || c == '\\' || c == '\r') && joins(s, i):
			if n, _, open := joint(s, i); n > 0 || open < len(s) {
				return i
			}
		case c >= 0x20 && c < 0x7f, IsSpace(c):
		case c >= 0xd0 && c <= 0xd3 || c == 0xce || c == 0xcf:
			if _, n := foldRune(s, i); n > 0 {
				return i
			}
		case disguises(c):
			if _, n := foldRune(s, i); n > 0 || c < 0x20 || c == 0x7f {
				return i
			}
		}
	}
	return len(s)
}

// A viewer makes one View.
type viewer struct {
	s    string
	i    int
	text []byte
	v    *View
	// done is how far letters that are spaced out were looked for.
	done int
}

// keep takes the next n bytes as they are.
func (b *viewer) keep(n int) {
	if n == 0 {
		return
	}
	if k := len(b.v.parts); k > 0 && b.v.parts[k-1].same && b.v.parts[k-1].from+len(b.text)-b.v.parts[k-1].at == b.i {
		// it goes on
	} else {
		b.v.parts = append(b.v.parts, part{at: len(b.text), from: b.i, same: true})
	}
	b.text = append(b.text, b.s[b.i:b.i+n]...)
	b.i += n
}

// put takes the next n bytes as text.
func (b *viewer) put(text string, n int) {
	if text != "" {
		b.v.parts = append(b.v.parts, part{at: len(b.text), from: b.i, stop: b.i + n})
		b.text = append(b.text, text...)
	}
	b.i += n
}

func (b *viewer) step() {
	s, i := b.s, b.i
	c := s[i]
	switch {
	case c == '[' && PlaceholderEnd(s, i) > i:
		b.keep(PlaceholderEnd(s, i) - i)
		return
	case c == '\b' && i > 0 && len(b.text) > 0:
		b.overstrike()
		return
	case c == 0x1b || strings.HasPrefix(s[i:], "\u009b"):
		n, ended := sequence(s[i:])
		if !ended {
			b.v.Open = min(b.v.Open, i)
		}
		b.put("", n)
		return
	case c < 0x20 && !IsSpace(c) || c == 0x7f:
		b.put("", 1)
		return
	case c != ' ' && i >= b.done && beginsSpaced(s, i):
		places, end := spaced(s, i)
		if b.done = end; len(places) > 0 {
			for _, p := range places {
				b.put("", p-b.i)
				_, n := utf8.DecodeRuneInString(s[p:])
				if text, m := foldRune(s, p); m > 0 {
					b.put(text, m)
				} else {
					b.keep(n)
				}
			}
			return
		}
	}
	if joins(s, i) {
		n, text, open := joint(s, i)
		if b.v.Open = min(b.v.Open, open); n > 0 {
			b.put(text, n)
			return
		}
	}
	if c < utf8.RuneSelf {
		b.keep(1)
		return
	}
	if text, n := foldRune(s, i); n > 0 {
		b.put(text, n)
		return
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	b.keep(n)
}

// overstrike takes back the character before a backspace, where another one follows.
func (b *viewer) overstrike() {
	b.i++
	if b.i == len(b.s) || b.s[b.i] < 0x20 {
		return
	}
	_, n := utf8.DecodeLastRune(b.text)
	at := len(b.text) - n
	if b.text[at] == '\n' {
		return
	}
	p := b.v.parts[b.v.partAt(at)]
	from := p.from
	if p.same {
		from += at - p.at
	}
	for k := len(b.v.parts); k > 0 && b.v.parts[k-1].at >= at; k-- {
		b.v.parts = b.v.parts[:k-1]
	}
	_, m := utf8.DecodeRuneInString(b.s[b.i:])
	b.v.parts = append(b.v.parts, part{at: at, from: from, stop: b.i + m})
	b.text = append(b.text[:at], b.s[b.i:b.i+m]...)
	b.i += m
}

// maxSequence is the most bytes that a control sequence has.
const maxSequence = 4096

// sequence returns how long the control sequence is that s begins with, and whether it
// is all there.
func sequence(s string) (n int, ended bool) {
	i := 1
	if s[0] != 0x1b {
		i = len("\u009b")
		return parameters(s, i)
	}
	if len(s) == 1 {
		return 1, false
	}
	switch s[1] {
	case '[':
		return parameters(s, 2)
	case ']', 'P', 'X', '^', '_':
		for i = 2; i < len(s) && i < maxSequence; i++ {
			switch {
			case s[i] == 0x07 || s[i] == 0x18 || s[i] == 0x1a:
				return i + 1, true
			case s[i] == 0x1b:
				if i+1 < len(s) && s[i+1] == '\\' {
					i++
				}
				return i + 1, true
			}
		}
		if i < maxSequence {
			return i, false
		}
		return 1, true // none: the text behind it shows
	}
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x30 {
		i++
	}
	if i == len(s) {
		return i, false
	}
	if s[i] < 0x30 || s[i] >= 0x7f {
		return i, true
	}
	return i + 1, true
}

// parameters returns the end of a control sequence whose parameters begin at s[i].
func parameters(s string, i int) (n int, ended bool) {
	for i < len(s) && i < 256 && s[i] >= 0x20 && s[i] < 0x40 {
		i++
	}
	switch {
	case i == len(s):
		return i, false
	case s[i] >= 0x40 && s[i] < 0x7f:
		return i + 1, true
	}
	return i, true
}

// fewestSpaced is how many letters a word has at least that is spaced out.
const fewestSpaced = 6

// beginsSpaced reports whether s[i] may be the first letter of a word that is spaced
// out: it stands behind a blank, a sign that binds a value, or nothing.
func beginsSpaced(s string, i int) bool { return i+1 < len(s) && beginsWord(s, i) }

func beginsWord(s string, i int) bool {
	return i == 0 || IsSpace(s[i-1]) || strings.IndexByte("=:\"'(", s[i-1]) >= 0
}

// spaced returns where the letters of a word stand that is spaced out from s[i] on:
// "h u n t e r 2", and how far was looked. It returns nil if there is none.
func spaced(s string, i int) (list []int, end int) {
	letters := 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r <= ' ' || r == utf8.RuneError {
			break
		}
		last := i+n == len(s) || IsSpace(s[i+n])
		if !last && (strings.IndexByte(".,;!?)\"'", s[i+n]) < 0 || i+n+1 < len(s) && !IsSpace(s[i+n+1])) {
			break
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
		list = append(list, i)
		i += n
		if !last || i+1 >= len(s) || s[i] != ' ' || IsSpace(s[i+1]) {
			break
		}
		i++
	}
	if letters < fewestSpaced || letters*3 < len(list)*2 {
		return nil, i
	}
	return list, i
}

// SpacedStart returns where the letters begin that stand alone at the end of s, with a
// blank before each, and may go on as a word that is spaced out; len(s) if there are
// none, or only one that is a word of English.
func SpacedStart(s string) int {
	start, i := len(s), len(s)
	for i > 0 {
		if s[i-1] == ' ' {
			i--
		}
		if i == 0 {
			break
		}
		_, n := utf8.DecodeLastRuneInString(s[:i])
		if i -= n; IsSpace(s[i]) || !beginsWord(s, i) {
			break
		}
		if start = i; i == 0 || s[i-1] != ' ' {
			break
		}
	}
	if word := strings.TrimRight(s[start:], " "); word == "I" || word == "a" || word == "A" {
		return len(s)
	}
	return start
}

// foldRune returns the text that shows as the character at s[i] does, and how many
// bytes the character has; 0 if it is no disguise.
func foldRune(s string, i int) (text string, n int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case r < 0x80 || r == utf8.RuneError:
		return "", 0
	case r == 0xa0 || r == 0x3000 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x205f:
		return " ", n
	case showsNothing(r):
		return "", n
	case r >= 0x300 && r < 0x370:
		if i > 0 && s[i-1] < 0x80 && IsAlnum(s[i-1]) {
			return "", n // struck through, or an accent of a letter that is written apart
		}
		return "", 0
	case r >= 0x370 && r < 0x530:
		if c := lookAlike(r); c != 0 && mixed(s, i, n) {
			return string(rune(c)), n
		}
		return "", 0
	case r >= 0xff01 && r <= 0xff5e:
		return string(r - 0xff01 + '!'), n
	case r >= 0x1d400 && r <= 0x1d7ff, r >= 0x2460 && r <= 0x24ff, r >= 0x2100 && r <= 0x214f && r != 0x2116 && r != 0x2122, r >= 0x1f130 && r <= 0x1f149:
		folded := norm.NFKC.String(string(r))
		for _, c := range []byte(folded) {
			if !IsAlnum(c) {
				return "", 0
			}
		}
		return folded, n
	}
	return "", 0
}

// showsNothing reports whether r, which is not ASCII, has no shape of its own.
func showsNothing(r rune) bool {
	switch {
	case r >= 0x80 && r < 0xa0, r == 0xad, r == 0x34f, r == 0x61c, r == 0xfeff:
		return true
	case r < 0x115f:
		return false
	case r < 0x2000:
		return r <= 0x1160 || r == 0x17b4 || r == 0x17b5 || r >= 0x180b && r <= 0x180f
	case r < 0x2070:
		return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060
	case r == 0x3164, r == 0xffa0, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// lookAlike returns the letter of ASCII that a Greek or Cyrillic one looks like, or 0.
func lookAlike(r rune) byte {
	const pairs = "аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwАAВBЕEКKМMНHОOРPСCТTУYХXЅSІIЈJαaοoνvρpτtιiκkΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"
	if i := strings.IndexRune(pairs, r); i >= 0 {
		return pairs[i+utf8.RuneLen(r)]
	}
	return 0
}

// mixed reports whether a letter of ASCII stands beside the character s[i:i+n] in its
// word: then a letter of another script is there to look like one.
func mixed(s string, i, n int) bool {
	for k := i + n; k < len(s) && k < i+32; {
		r, m := utf8.DecodeRuneInString(s[k:])
		if r < 0x80 {
			if IsLower(byte(r) | 0x20) {
				return true
			}
			break
		}
		if r >= 0x530 {
			break
		}
		k += m
	}
	for k := i; k > 0 && k > i-32; {
		r, m := utf8.DecodeLastRuneInString(s[:k])
		if r < 0x80 {
			return IsLower(byte(r) | 0x20)
		}
		if r >= 0x530 {
			return false
		}
		k -= m
	}
	return false
}
