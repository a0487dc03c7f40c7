package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxCall is how much of the arguments of a call is read, in bytes.
const maxCall = 300

// A literal is a quoted text of a programming language: the bounds of what is in it, and
// where it ends with its marks.
type literal struct{ start, end, after int }

// literalAt reads the literal that begins at s[i], with the letters and signs that languages
// put before and in its quotes: b"", @"", r#""#, R"()", $"", """""".
func literalAt(s string, i int) (literal, bool) {
	from := i
	for i < len(s) && i < from+3 && strings.IndexByte("bBrRuUfF@$#lLc", s[i]) >= 0 {
		i++
	}
	if i >= len(s) || !chars.IsQuote(s[i]) {
		return literal{}, false
	}
	quote := s[i : i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s[i:], triple) {
		quote = triple
	}
	start := i + len(quote)
	if start < len(s) && s[start] == '(' && i > from && s[i-1] == 'R' {
		start++
		quote = ")" + quote
	}
	limit := min(len(s), start+512)
	for k := start; k < limit && (s[k] != '\n' || len(quote) == 3); k++ {
		if s[k] == '\\' && len(quote) == 1 && i == from {
			k++
			continue
		}
		if strings.HasPrefix(s[k:], quote) {
			after := k + len(quote)
			for after < len(s) && s[after] == '#' && i > from {
				after++
			}
			return literal{start, k, after}, true
		}
	}
	return literal{}, false
}

// readCall looks at the end of the name of a call at text[at:end], its bracket with it, that
// takes an account and its secret, or a secret alone.
func (r *Reader) readCall(at, end int) {
	s := r.text
	name := lowerASCII(s[at:end])
	word := strings.TrimRight(name, "(: \"")
	word, _, _ = strings.Cut(word, "::")
	word = strings.TrimSuffix(word, ".new")
	single := is(aSingle, word)
	if !single && !is(aCall, word) && word != ".open" {
		return
	}
	i := end
	if strings.HasSuffix(name, "\"") {
		i--
	}
	limit := min(len(s), i+maxCall)
	var args []literal
	quoted, count := false, 0
	for depth := 0; i < limit; {
		if l, ok := literalAt(s[:limit], i); ok && (i == 0 || !chars.IsWordByte(s[i-1])) {
			args, quoted = append(args, l), true
			i = l.after
			continue
		}
		switch c := s[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			count++
		case ';':
			depth = -1
		case '\n':
			if name[len(name)-1] == '"' {
				depth = -1
			}
		}
		if depth < 0 {
			break
		}
		i++
	}
	if !quoted {
		return
	}
	for n := len(args) - 1; n >= 0; n-- {
		a := args[n]
		v := s[a.start:a.end]
		g := gradeOf(v)
		// The first argument is who or where, but where a secret is all there is.
		if n == 0 && !(single && (count == 0 || g == made)) && !(count > len(args)-1 && len(args) == 1 &&
			strings.HasSuffix(s[end:a.start], " "+s[a.start-1:a.start])) {
			continue
		}
		if word == "begin" && n == 1 && len(args) == 2 && count == 1 && chars.HasPrefixFold(s[max(0, at-5):], "wifi.") && len(v) >= 8 &&
			!chars.Thing(v).IsNone() {
			r.add("password", a.start, a.end)
			return
		}
		if user, pass, ok := strings.Cut(v, ":"); word == "btoa" && n == 0 && ok && user != "" && len(pass) > 4 &&
			!chars.IsReference(pass) {
			r.add("password", a.start+len(user)+1, a.end)
			return
		}
		if (strings.HasPrefix(word, "pgp_") || strings.HasPrefix(word, "aes_")) && n == len(args)-1 && count > 0 &&
			chars.Thing(v).IsGiven() {
			r.add("password", a.start, a.end)
			return
		}
		if g == made || g == worded && (n > 1 || single || looksAccount(s, args)) && !isCamelName(v) || isKeyText(v) || n > 0 &&
			n == len(args)-1 && isHexKey(v) || n == 0 && count > 0 && isHexKey(v) {
			r.add("password", a.start, a.end)
			return
		}
	}
}

// looksAccount reports whether the first of args may be a host, a network or an account.
func looksAccount(s string, args []literal) bool {
	v := s[args[0].start:args[0].end]
	return v != "" && len(v) < 64 && !strings.ContainsAny(v, " ")
}

// isCamelName reports whether v is a name as programs have them: Login and LoginForm12.
func isCamelName(v string) bool {
	return chars.IsUpper(v[0]) && chars.ShapeOf(v).Upper > 1 && chars.ShapeOf(v).Symbol == 0 && len(v) > 10
}

// isKeyText reports whether v is base64 of a key: 32 bytes, or what is as long and random.
func isKeyText(v string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 32 && len(v) <= 128 && sh.Upper > 2 && sh.Lower > 2 && sh.Digit > 1 && chars.IsRandom(v) && !chars.IsWordy(v) &&
		chars.RunOf(strings.TrimRight(v, "="), 0, func(c byte) bool {
			return chars.IsURLByte(c) || c == '+' ||
				c == '/'
		}) == len(strings.TrimRight(v, "="))
}

// fallback adds the value that code has for a name that ends before text[i] where nothing
// gives another, or that the next item of a list gives: env.X || "v", getenv("X", "v"),
// ["--requirepass", "v"], NAME = @"v".
func (r *Reader) fallback(at, i int) bool {
	s := r.text
	named := chars.RunBack(s, at, chars.IsURLByte)
	i = chars.RunOf(s[:min(len(s), i+48)], i, chars.IsURLByte)
	if i == r.fallbackDone {
		return false
	}
	r.fallbackDone = i
	begin := i
	closed := false
	for i < len(s) && i < begin+4 && (chars.IsQuote(s[i]) || s[i] == ')' || s[i] == ']' || s[i] == '\\') {
		closed = true
		i++
	}
	limit := min(len(s), i+64)
	k := chars.RunOf(s[:limit], i, chars.IsBlank)
	if k == limit {
		return false
	}
	for _, op := range [...]string{"==", "!=", "||", "??", "?:", "or ", ",", ":=", "=>", "=", ":", ":-"} {
		if !strings.HasPrefix(s[k:], op) {
			continue
		}
		if op == "," && !closed || op == "or " && k == i {
			return false
		}
		v := chars.RunOf(s[:min(len(s), k+96)], k+len(op), func(c byte) bool { return chars.IsSpace(c) || c == '[' && op == "=" })
		l, ok := literalAt(s, v)
		if !ok || l.start == l.end {
			return false
		}
		strong := endsSecret(lowerASCII(s[named:begin]))
		if g := gradeOf(s[l.start:l.end]); g == made && (op != "," || strong) || g == worded && strong && (op != "," || isList(s, begin)) ||
			isKeyText(s[l.start:l.end]) && op != ":" && op != "=" ||
			strong && (op == "||" || op == "??" || op == "?:") && isHexKey(s[l.start:l.end]) {
			r.add("password", l.start, l.end)
			return true
		}
		return false
	}
	if end := chars.LineEnd(s, k, 64); closed && (s[k] == '{' || strings.HasPrefix(s[k:], ".unwrap_or") || strings.HasPrefix(s[k:], ".or")) {
		for v := k; v < end; v++ {
			if l, ok := literalAt(s, v); ok && chars.IsQuote(s[l.start-1]) && (gradeOf(s[l.start:l.end]) == made || isKeyText(s[l.start:l.end])) {
				r.add("password", l.start, l.end)
				return true
			}
		}
	}
	// A list of YAML with a line for each item.
	if s[k] == '\n' || s[k] == '\r' {
		v := chars.RunOf(s, k, chars.IsSpace)
		option := chars.RunBack(s, begin, chars.IsURLByte)
		if strings.HasPrefix(s[v:], "- ") && strings.HasPrefix(s[option:], "--") {
			end := chars.RunOf(s, v+2, func(c byte) bool { return !chars.IsSpace(c) })
			start, stop := trimmed(s, v+2, end)
			if gradeOf(s[start:stop]) > ordinary {
				r.add("password", start, stop)
				return true
			}
		}
	}
	return false
}

// isList reports whether the name that ends before s[i] is an option in a list of arguments,
// or the argument of what reads a variable.
func isList(s string, i int) bool {
	from := chars.RunBack(s, i, chars.IsURLByte)
	before := lowerASCII(s[max(0, from-16):from])
	return strings.HasPrefix(s[from:], "-") || strings.Contains(before, "env") || strings.Contains(before, "get") ||
		strings.Contains(before, "fetch") || strings.Contains(before, "default")
}

// endsSecret reports whether name, in lower case, ends with what a secret is called.
func endsSecret(name string) bool {
	name = strings.TrimSuffix(strings.TrimRight(name, "0123456789_-"), "s")
	for _, w := range [...]string{
		"secret", "password", "passwd", "passwort", "pwd", "pas", "_pw", "-pw", "pw", "token", "passphrase",
		"kennwort", "requirepas", "key", "credential", "cred",
	} {
		if strings.HasSuffix(name, w) {
			return true
		}
	}
	return strings.ContainsFunc(name, func(c rune) bool { return c >= 0x80 })
}

// isHexKey reports whether v is a key in hexadecimal digits.
func isHexKey(v string) bool {
	return (len(v) == 32 || len(v) == 48 || len(v) == 64) && chars.IsHexText(v) && chars.IsRandom(v)
}

// readSource looks at "@tcp(" at text[at:], before which the account stands in the name of a
// database: user:X@tcp(host).
func (r *Reader) readSource(at, _ int) {
	s := r.text
	from := chars.RunBack(s, at, func(c byte) bool { return c > ' ' && c < 0x7f && !chars.IsQuote(c) })
	user, v, ok := strings.Cut(s[from:at], ":")
	if ok && user != "" && len(v) >= 4 && !chars.IsReference(v) && !chars.IsSettled(v) && !strings.HasPrefix(v, "%") {
		r.add("password", from+len(user)+1, at)
	}
}
