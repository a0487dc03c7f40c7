package chars

import (
	"html"
	"strings"
)

// What a joint is held to, in bytes.
const (
	maxLead   = 64  // between two pieces: blanks, quotes, the sign of a comment
	maxPiece  = 512 // of a piece that is looked at
	minBroken = 12  // of the piece in front of the end of a line
	minGoesOn = 4   // of the piece behind it
	maxEntity = 10  // "&#x0003a;"
)

// joins reports, at little cost, whether joint may find something at s[i].
func joins(s string, i int) bool {
	switch s[i] {
	case '\n', '\r':
		return i >= minBroken && IsTokenByte(s[i-1]) && IsTokenByte(s[i-4]) && IsTokenByte(s[i-minBroken])
	case '"', '\'':
		return i > 0 && s[i-1] > ' ' && i+1 < len(s) && strings.IndexByte(" +.&\\\n\r\t", s[i+1]) >= 0
	case '\\':
		return i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r')
	}
	return s[i] == '&'
}

// joint returns how many bytes at s[i] stand in the middle of what is one piece to a reader, or to the program that reads it,
// and the text that they show; n is 0 if there are none. It is the entity of one character of ASCII; the
// end of a line that a backslash takes away; the end of a line in the middle of a value that was drawn; or what a program
// adds two quoted parts of a value with. open is where a value begins that may go on in text
// that is still to come; len(s) if none does.
func joint(s string, i int) (n int, text string, open int) {
	switch open = len(s); s[i] {
	case '&':
		n, text = entity(s, i)
		return n, text, open
	case '\\':
		if n = newline(s, i+1); n > 0 {
			return n + 1, "", open
		}
		return 0, "", open
	case '\n', '\r':
		return broken(s, i)
	}
	return added(s, i)
}

// newline is how many bytes the end of a line at s[i] has; 0 if none is there.
func newline(s string, i int) int {
	switch {
	case strings.HasPrefix(s[i:], "\r\n"):
		return 2
	case strings.HasPrefix(s[i:], "\n"):
		return 1
	}
	return 0
}

// entity returns how many bytes the entity at s[i] has, and the character of ASCII that it shows.
func entity(s string, i int) (n int, text string) {
	end := strings.IndexByte(s[i:min(len(s), i+maxEntity)], ';')
	if end < 2 {
		return 0, ""
	}
	text = html.UnescapeString(s[i : i+end+1])
	if len(text) != 1 || text[0] < ' ' || text[0] > '~' {
		return 0, ""
	}
	return end + 1, text
}

// broken is joint at the end of a line.
func broken(s string, i int) (n int, text string, open int) {
	ends := newline(s, i)
	if s[i:] == "\r" {
		ends = 1 // the rest of it is to come
	}
	if ends == 0 {
		return 0, "", len(s)
	}
	start := max(0, i-maxPiece) + RunBack(s[max(0, i-maxPiece):i], min(i, maxPiece), IsTokenByte)
	if k := strings.LastIndexByte(s[start:i], '='); k >= 0 && start+k < i-2 { // a name and its value
		start += k + 1
	}
	head := s[start:i]
	if len(head) < minBroken || !isDrawn(head) {
		return 0, "", len(s)
	}
	// The next line may be a comment or a quotation as this one is.
	from := RunOf(s[:min(len(s), i+ends+maxLead)], i+ends, func(c byte) bool { return IsBlank(c) || strings.IndexByte("#>|*", c) >= 0 })
	stop := RunOf(s[:min(len(s), from+maxPiece)], from, IsTokenByte)
	if stop == len(s) {
		open = start // it may go on
	} else {
		open = len(s)
	}
	tail := strings.TrimRight(s[from:stop], ".")
	if k := strings.IndexByte(tail, '='); k >= 0 && k < len(tail)-2 || len(tail) < minGoesOn || !isDrawn(tail) ||
		stop < len(s) && strings.IndexByte(":([{", s[stop]) >= 0 {
		return 0, "", open // the name of another value, or a word
	}
	return from - i, "", open
}

// isDrawn reports whether a piece of a value looks drawn: it is no word, no number and nothing that is made of words.
func isDrawn(v string) bool {
	sh := ShapeOf(v)
	if sh.Letters() == 0 {
		return false
	}
	return (!IsWordy(v) || IsUnsayable(v)) && sh.Distinct >= min(8, len(v)/2) && !IsPlaceholder(v) && !IsUUID(v)
}

// added is joint at a quote that ends a part of a value.
func added(s string, i int) (n int, text string, open int) {
	open = len(s)
	signs := 0
	k := RunOf(s[:min(len(s), i+maxLead)], i+1, func(c byte) bool {
		if strings.IndexByte("+.&\\", c) >= 0 {
			signs++
			return signs <= 2
		}
		return IsSpace(c)
	})
	quote := func(c byte) bool { return c != s[i] && c != '\n' }
	at := max(0, i-maxPiece)
	at += RunBack(s[at:i], i-at, quote)
	head := s[at:i]
	if !isPart(head) || k < len(s) && (s[k] != s[i] || signs == 0) {
		return 0, "", open
	}
	if k == len(s) {
		return 0, "", at // it may go on
	}
	stop := RunOf(s[:min(len(s), k+1+maxPiece)], k+1, quote)
	if stop == len(s) {
		open = at
	}
	if tail := s[k+1 : stop]; !isPart(tail) || ShapeOf(head).Digit+ShapeOf(tail).Digit == 0 {
		return 0, "", open
	}
	return k + 1 - i, "", open
}

// isPart reports whether v may be a part of a secret: it has no blank, and more than a letter or two.
func isPart(v string) bool { return len(v) >= 3 && !strings.ContainsAny(v, " \t") }
