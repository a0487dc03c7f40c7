package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// aside adds the word that brackets give with the word for a password at text[at:stop], and nothing else: "(pw himbeere)".
func (r *Reader) aside(at, stop int) bool {
	s := r.text
	if at == 0 || s[at-1] != '(' || stop >= len(s) || !chars.IsBlank(s[stop]) {
		return false
	}
	switch lowerASCII(s[at:stop]) {
	case "pw", "pwd", "passwort", "kennwort", "mdp", "wachtwoord", "lösenord", "passord", "hasło", "heslo":
	default:
		return false
	}
	end := chars.RunOf(s, stop+1, func(c byte) bool { return chars.IsLower(c) || c >= 0xc3 && c < 0xc6 || c >= 0x80 && c < 0xc0 })
	v := s[stop+1 : end]
	if end == len(s) {
		r.hold(stop + 1)
	}
	if end == len(s) || s[end] != ')' || len(v) < 6 || chars.Thing(v).IsNone() || chars.Thing(v).IsAdjective() || is(aSaid|anAsk, v) ||
		strings.HasSuffix(v, "ert") || strings.HasSuffix(v, "tion") || strings.HasSuffix(v, "er") && s[at] == 'p' {
		return false
	}
	r.add("password", stop+1, end)
	return true
}

// isUnderscored reports whether v is two words in lower case with a line below between: "ripe_avocado".
func isUnderscored(v string) bool {
	head, tail, ok := strings.Cut(v, "_")
	return ok && len(head) > 3 && len(tail) > 3 && chars.RunOf(head, 0, chars.IsLower) == len(head) &&
		chars.RunOf(tail, 0, chars.IsLower) == len(tail) && !chars.Thing(v).IsNone() && !chars.Thing(head).IsNone() && !chars.Thing(tail).IsNone()
}

// tellsOfCode reports whether said, a part of a sentence, tells of what names with a line below are given to.
func tellsOfCode(said string) bool {
	for _, w := range [...]string{
		"field", "column", "variable", "table", "function", "param", "setting", "key", "flag", "option", "named", "called", "method",
		"feld", "spalte", "campo", "champ", "colonne", "columna", "coluna", "env", "hash", "type", "role", "scope",
	} {
		if strings.Contains(lowerASCII(said), w) {
			return true
		}
	}
	return false
}

// pieces adds the password of an address that code puts together of literals, the first of which ends behind text[end]:
// "https://" + "bob" + ":" + "X" + "@" + host, "ftp://" + user + ":X@" + host, f"amqp://bob:{'X'}@{host}".
func (r *Reader) pieces(end int) {
	s := r.text
	limit := chars.LineEnd(s, end, maxSentence)
	i := chars.RunOf(s[:limit], end, func(c byte) bool { return !chars.IsQuote(c) && c > ' ' })
	if i >= limit || !chars.IsQuote(s[i]) {
		return
	}
	said := s[end:i]
	if strings.HasSuffix(said, ":{") {
		if l, ok := literalAt(s[:limit], i); ok && strings.HasPrefix(s[l.after:limit], "}@") && isPiece(s[l.start:l.end]) {
			r.add("password", l.start, l.end)
		}
		return
	}
	if strings.ContainsAny(said, "/?#@") {
		return
	}
	colon, given := len(said) > 1 && strings.HasSuffix(said, ":"), literal{}
	for i++; i < limit; {
		k := chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsQuote(c) && strings.IndexByte(";=?", c) < 0 })
		l, ok := literalAt(s[:limit], k)
		if !ok {
			if given.after > 0 && limit == len(s) {
				r.hold(given.start)
			} else if colon && limit == len(s) {
				r.hold(i)
			}
			return
		}
		if strings.ContainsFunc(s[i:k], func(c rune) bool { return c >= 0x80 || chars.IsAlnum(byte(c)) }) {
			colon, given = false, literal{}
		}
		v := s[l.start:l.end]
		at := strings.IndexByte(v, '@')
		switch {
		case at == 0:
			if given.after > 0 {
				r.add("password", given.start, given.end)
			}
			return
		case at > 1 && v[0] == ':' && isPiece(v[1:at]):
			r.add("password", l.start+1, l.start+at)
			return
		case at > 0:
			if colon && isPiece(v[:at]) {
				r.add("password", l.start, l.start+at)
			}
			return
		case strings.HasSuffix(v, ":"):
			colon, given = true, literal{}
		case colon && isPiece(v):
			colon, given = false, l
		default:
			colon, given = false, literal{}
		}
		i = l.after
	}
}

// isPiece reports whether v, in the place of a password of an address, is one.
func isPiece(v string) bool {
	return len(v) >= 4 && !strings.ContainsAny(v, " {}$%<>/\\") && !chars.IsReference(v) && !chars.IsSettled(v) &&
		chars.ShapeOf(v).Letters() > 0
}

// escapedKey adds the bytes of a key that a literal of code has as escapes: KEY = b"\x8f\x12...".
func (r *Reader) escapedKey(at, i int) bool {
	s := r.text
	k := chars.RunOf(s, i, func(c byte) bool { return chars.IsBlank(c) || chars.IsQuote(c) })
	if k >= len(s) || s[k] != '=' && s[k] != ':' {
		return false
	}
	k = chars.RunOf(s, k+1, func(c byte) bool { return c == '=' || chars.IsBlank(c) })
	if k < len(s) && s[k] == 'b' {
		k++
	}
	if k >= len(s) || !chars.IsQuote(s[k]) || !strings.HasPrefix(s[k+1:], `\x`) {
		return false
	}
	start, stop, different := k+1, k+1, map[string]bool{}
	n := 0
	for ; n < 128 && stop+3 < len(s) && strings.HasPrefix(s[stop:], `\x`) && chars.IsHex(s[stop+2]) && chars.IsHex(s[stop+3]); n++ {
		different[s[stop:stop+4]] = true
		stop += 4
	}
	if stop+4 >= len(s) {
		r.hold(start)
	}
	line, _ := lineBounds(s, at, maxSentence)
	if n < 8 || len(different) <= n/2 || !isOfKey(lowerASCII(s[line:start])) {
		return false
	}
	r.add("secret", start, stop)
	return true
}

// dialled adds the numbers with hyphens between that a line gives to a word for a safe at text[at:], behind a colon, and that
// are no date: "Tresor im Keller: 17-44-92".
func (r *Reader) dialled(at, limit int) bool {
	s := r.text
	k := strings.IndexByte(s[at:limit], ':')
	if k < 0 || strings.Count(s[at:at+k], " ") > 3 || strings.ContainsAny(s[at:at+k], ".;,!?=(){}<>|\"0123456789") ||
		!chars.StartsWord(s, at) {
		return false
	}
	i := chars.RunOf(s[:limit], at+k+1, chars.IsBlank)
	stop := chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsDigit(c) || c == '-' })
	parts := strings.Split(s[i:stop], "-")
	if len(parts) != 3 && len(parts) != 4 || stop < len(s) && (chars.IsWordByte(s[stop]) || s[stop] == ':' || s[stop] == '/') {
		return false
	}
	for _, p := range parts {
		if len(p) == 0 || len(p) > 2 {
			return false
		}
	}
	if a, b := chars.Atoi(parts[0]), chars.Atoi(parts[1]); len(parts) == 3 && a > 0 && b > 0 && (a <= 31 && b <= 12 || a <= 12 && b <= 31) {
		return false
	}
	r.addCode(i, stop)
	return true
}
