package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// How long a construct inside a line may be, in bytes, before its beginning is
// taken for text: this much is held back at most.
const (
	maxSpan = 400
	maxLink = 1200
)

// An inline shows what stands inside a line: emphasis, code, links, escapes. What
// may be the beginning of such a construct is held until that is known.
//
// take and what it calls decide on a beginning of the rest of the line. What they
// decide on a piece they must decide on every longer one, so that it does not
// matter how the text was cut.
type inline struct {
	put   func(s string, is style) // text as it comes
	whole func(s string, is style) // text that is known to be complete
	word  func(cells int)          // a word of so many cells follows
	link  func(u unit, is style)   // shows a link; nil: as its text, and then its target
	is    style                    // of text without markup
	plain bool                     // no styles: marks that would become one stay
	title bool                     // a heading: what closes it goes
	inner bool                     // inside a link
	held  string                   // what is not decided
	prev  rune                     // the character before held; 0 at the start
}

// feed takes the next piece of the line.
func (in *inline) feed(s string) {
	if in.held != "" {
		s = in.held + s
	}
	in.held = in.drain(s, false)
}

// finish takes the end of the line.
func (in *inline) finish() {
	in.drain(in.held, true)
	in.held, in.prev = "", 0
}

// drain shows what of s is decided and returns the rest.
func (in *inline) drain(s string, end bool) string {
	for s != "" {
		n := 0
		for n < len(s) && !in.special(s[n]) {
			n++
		}
		if n > 0 {
			in.put(s[:n], in.is)
		} else if n = in.take(s, end); n == 0 {
			return s
		}
		in.prev, _ = utf8.DecodeLastRuneInString(s[:n])
		s = s[n:]
	}
	return ""
}

// special reports whether a construct may begin with c.
func (in *inline) special(c byte) bool {
	switch c {
	case '\\', '`', '[', '!', '<', '&':
		return true
	case '*', '_', '~':
		return !in.plain
	case '#':
		return in.title
	}
	return false
}

// take shows what s, which begins with a special character, begins with, and
// returns its length; 0 if that is not known yet.
func (in *inline) take(s string, end bool) int {
	limit := maxSpan
	if s[0] == '[' || s[0] == '!' {
		limit = maxLink
	}
	w := s
	if len(s) >= limit {
		w, end = s[:limit], false
	}
	n := in.construct(w, end)
	if n == 0 && len(s) >= limit { // it is not going to be one
		if n = 1; strings.IndexByte("*_~`", s[0]) >= 0 {
			n = run(w)
		}
		in.put(s[:n], in.is)
	}
	return n
}

func (in *inline) construct(s string, end bool) int {
	switch s[0] {
	case '*', '_', '~':
		return in.emphasis(s, end)
	case '#':
		return in.closing(s, end)
	}
	u := in.unit(s, in.prev, end)
	in.show(u, s, in.is)
	return u.n
}

// closing takes the marks at the end of a heading, which go, or others, which
// stay.
func (in *inline) closing(s string, end bool) int {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	rest := strings.TrimLeft(s[n:], " \t")
	switch {
	case in.prev != ' ' || rest != "":
		in.put(s[:n], in.is)
		return n
	case end:
		return len(s)
	}
	return 0
}

// A unit is a construct other than emphasis. n is its length, 0 if that is not
// known yet.
type unit struct {
	n      int
	kind   unitKind
	text   string // what is shown
	target string // of a link
}

type unitKind uint8

const (
	literal unitKind = iota
	code
	link
	address
	unclosed // a bracket that nothing closes
)

// unit finds what s begins with, after prev.
func (in *inline) unit(s string, prev rune, end bool) unit {
	switch s[0] {
	case '\\':
		return escaped(s, prev, end)
	case '`':
		return codeSpan(s, end)
	case '&':
		return entity(s, end)
	case '<':
		return autolink(s, end)
	case '!':
		if len(s) == 1 && !end {
			return unit{}
		}
		if len(s) == 1 || s[1] != '[' || in.inner {
			return unit{n: 1, text: "!"}
		}
		u := linkAt(s[1:], 0, end)
		if u.kind != link && u.n > 0 {
			return unit{n: 1, text: "!"}
		}
		if u.n > 0 {
			u.n++
		}
		return u
	case '[':
		if !in.inner {
			return linkAt(s, prev, end)
		}
	}
	_, n := utf8.DecodeRuneInString(s)
	return unit{n: n, text: s[:n]}
}

// show shows a unit at the beginning of s.
func (in *inline) show(u unit, s string, is style) {
	switch {
	case u.n == 0:
	case u.kind == code && in.plain:
		in.whole(s[:u.n], is)
	case u.kind == code:
		in.whole(u.text, is.With(spanStyle))
	case in.link != nil && (u.kind == address || u.kind == link):
		in.link(u, is)
	case u.kind == address:
		in.whole(u.text, is.With(linkStyle))
	case u.kind == link:
		in.showLink(u, is)
	default:
		in.put(u.text, is)
	}
}

// showLink shows text and target, or one of them if that says all.
func (in *inline) showLink(u unit, is style) {
	if u.text != "" && u.text != u.target {
		in.label(u, is)
		in.put(" ", is)
		in.word(displaywidth.String(u.target) + 2)
		in.put("(", is)
		in.put(u.target, is.With(linkStyle))
		in.put(")", is)
		return
	}
	in.whole(u.target, is.With(linkStyle))
}

// label shows the text of a link, in which no other link stands.
func (in *inline) label(u unit, is style) {
	sub := *in
	sub.is, sub.title, sub.inner, sub.held, sub.prev = is, false, true, "", 0
	sub.put = in.whole
	sub.drain(u.text, true)
}

// escaped takes a backslash. Before a character that could be markup it goes; but
// \( \) \[ \] are how formulas are written.
func escaped(s string, prev rune, end bool) unit {
	stays := unit{n: 1, text: `\`}
	switch {
	case len(s) == 1 && !end:
		return unit{}
	case len(s) == 1:
		return stays
	case s[1] == '[':
		if len(s) == 2 && !end {
			return unit{}
		}
		if len(s) == 2 || s[2] == ' ' {
			return unit{n: 2, text: s[:2]}
		}
	case s[1] == ']' && (prev == 0 || prev == ' '):
		return unit{n: 2, text: s[:2]}
	case s[1] == '(' || s[1] == ')':
		return unit{n: 2, text: s[:2]}
	case strings.IndexByte("\\`*_~#|<>&+-.!]\"'", s[1]) < 0:
		return stays
	}
	return unit{n: 2, text: s[1:2]}
}

// codeSpan takes text between runs of equally many backticks.
func codeSpan(s string, end bool) unit {
	n := run(s)
	if n == len(s) && !end {
		return unit{}
	}
	for i := n; i < len(s); {
		j := strings.IndexByte(s[i:], '`')
		if j < 0 {
			break
		}
		i += j
		k := run(s[i:])
		if i+k == len(s) && !end {
			return unit{}
		}
		if k == n {
			text := s[n:i]
			if t := strings.Trim(text, " "); t != "" && len(text) > 2 && text[0] == ' ' && text[len(text)-1] == ' ' {
				text = text[1 : len(text)-1]
			}
			return unit{n: i + k, kind: code, text: text}
		}
		i += k
	}
	if !end {
		return unit{}
	}
	return unit{n: n, text: s[:n]}
}

// run is how often the first byte of s is repeated.
func run(s string) int {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

// entity takes the names that models use where they fear for their markup.
func entity(s string, end bool) unit {
	const names = "&lt;< &gt;> &amp;& &quot;\" &apos;' &#39;' &#x27;' &#34;\" &#124;| &nbsp;\u00a0 " +
		"&hellip;… &mdash;— &ndash;– &copy;© &times;× &rarr;→ &larr;←"
	for e := range strings.SplitSeq(names, " ") {
		name, text, _ := strings.Cut(e, ";")
		if name += ";"; strings.HasPrefix(s, name) {
			return unit{n: len(name), text: text}
		}
		if !end && strings.HasPrefix(name, s) {
			return unit{}
		}
	}
	return unit{n: 1, text: "&"}
}

// autolink takes <https://...>. Anything else in angle brackets is text.
func autolink(s string, end bool) unit {
	for _, scheme := range [...]string{"<https://", "<http://", "<mailto:"} {
		if !end && strings.HasPrefix(scheme, s) {
			return unit{}
		}
		if !strings.HasPrefix(s, scheme) {
			continue
		}
		i := strings.IndexAny(s, "> \t")
		switch {
		case i < 0 && !end:
			return unit{}
		case i > len(scheme) && s[i] == '>':
			return unit{n: i + 1, kind: address, text: s[1:i]}
		}
	}
	return unit{n: 1, text: "<"}
}

// linkAt takes [text](target). After a letter it is one only if the target looks
// like one: calls[0](x) is none.
func linkAt(s string, prev rune, end bool) unit {
	text := closingBracket(s, '[', ']', end)
	switch {
	case text == 0:
		return unit{}
	case text < 0:
		return unit{n: 1, kind: unclosed, text: "["}
	case text+1 == len(s) && end, text+1 < len(s) && s[text+1] != '(':
		return unit{n: 1, text: "["}
	case text+1 == len(s):
		return unit{}
	}
	n := closingBracket(s[text+1:], '(', ')', end)
	if n == 0 {
		return unit{}
	}
	if n < 0 {
		return unit{n: 1, kind: unclosed, text: "["}
	}
	target := strings.TrimSpace(s[text+2 : text+1+n])
	if target == "" || isWord(prev) && prev < utf8.RuneSelf && !isTarget(target) {
		return unit{n: 1, text: "["}
	}
	if t, ok := strings.CutPrefix(target, "<"); ok {
		target = strings.TrimSuffix(t, ">")
	}
	return unit{n: text + 1 + n + 1, kind: link, text: s[1:text], target: target}
}

// closingBracket finds the bracket that closes the one s begins with: -1 if
// there is none, 0 if that is not known yet.
func closingBracket(s string, open, closing byte, end bool) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '`':
			if open != '[' {
				break
			}
			u := codeSpan(s[i:], end)
			if u.n == 0 {
				return 0
			}
			i += u.n - 1
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	if end {
		return -1
	}
	return 0
}

func isTarget(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "mailto:") || strings.IndexByte("/#.", s[0]) >= 0
}

// isWord reports whether r is a letter, digit or underscore.
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
