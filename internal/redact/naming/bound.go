package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// acceptsBound reports whether v is a password where the sentence leaves little else
// for it to be: "my password is X". There a word with a digit or a sign in it is one,
// however much it looks like words, unless it tells of a measure, an algorithm or a file.
func acceptsBound(v string) bool {
	sh := chars.ShapeOf(v)
	if len(v) < 5 || len(v) > 128 || sh.Letters() == 0 || chars.Thing(v).IsMeasure() || chars.Thing(v).IsTechnical() || chars.IsUUID(v) ||
		chars.Thing(v).IsFile() {
		return false
	}
	if strings.ContainsAny(v, "()[]{}<>|`\"/,") || chars.IsCode(v) && !chars.IsWord(v) && sh.Digit == 0 || chars.HasPrefixFold(v, "http") {
		return false
	}
	if l := strings.ToLower(v); strings.Contains(l, "password") || strings.Contains(l, "passwd") || strings.Contains(l, "passwort") {
		return false
	}
	if sh.Digit > 0 {
		return !strings.Contains(v, ":") && (sh.Digit > 1 || sh.Upper+sh.Symbol+sh.Other > 0 || len(v) >= 8)
	}
	return isHyphened(v, 3) || strings.ContainsAny(strings.TrimRight(v[1:], "!?"), "!#$%^*+=~?@&") && len(v) >= 6 &&
		!strings.ContainsAny(v[:len(v)-1], "?!:")
}

// isHyphened reports whether v is at least n words of a passphrase with hyphens
// between, and no compound of a sentence, as "up-to-date" or "end-to-end" are.
func isHyphened(v string, n int) bool {
	parts := strings.Split(v, "-")
	if len(parts) < n {
		return false
	}
	for _, part := range parts {
		if len(part) < 2 || chars.ShapeOf(part).Letters() < len(part) || chars.IsFunctionWord(strings.ToLower(part)) || len(parts) < 4 &&
			chars.IsSettled(part) {
			return false
		}
		switch strings.ToLower(part) {
		case "to", "of", "in", "by", "on", "at", "out", "end", "well", "non", "pre", "multi", "case", "self", "based", "only", "per", "as", "is", "or", "if", "an", "hash", "hashed", "encoded", "sensitive", "protected":
			return false
		}
	}
	return true
}

// LoginStems are what begins a sentence that gives a user and a password in one:
// "log in as bob / X", "u: bob p: X".
func LoginStems() []string {
	return []string{"wifi:", "wi-fi:", "wlan:", "log in ", "log in:", "sign in:", "login with", "login as", "login:", "sign in ", "einloggen", "anmelden", "logged in ", " p: ", "ssh as ", "creds ", "creds: "}
}

// ReadLogin looks at what LoginStems has at text[at:end].
func (r *Reader) ReadLogin(at, end int) {
	s := r.text
	if s[end-2] == ':' && s[end-3] == 'p' {
		before := strings.ToLower(s[max(0, at-48):at])
		if !namesAccount(before) && !namesShort(before) {
			return
		}
		r.lastOf(end)
		return
	}
	limit := chars.LineEnd(s, end, maxPhrase)
	i := end
	for range 5 {
		i = chars.RunOf(s[:limit], i, chars.IsBlank)
		stop := chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsSpace(c) })
		if i == stop {
			return
		}
		word := s[i:stop]
		if user, pass, ok := strings.Cut(word, ":"); ok && user != "" && pass != "" && !strings.HasPrefix(pass, "//") {
			r.lastOf(i + len(user) + 1)
			return
		}
		if word == "/" || word == "//" || word == "|" {
			r.lastOf(stop)
			return
		}
		i = stop
	}
}

// lastOf adds the word that follows text[i] if it looks like a password.
func (r *Reader) lastOf(i int) {
	from := chars.RunOf(r.text, i, chars.IsBlank)
	end := chars.RunOf(r.text, from, func(c byte) bool { return !chars.IsSpace(c) })
	if end == len(r.text) {
		r.hold(from)
	}
	if k := structureIn(r.text[from:end]); k >= 0 {
		end = from + k
	}
	start, end, _ := trimSpoken(r.text, from, end)
	if v := r.text[start:end]; start < end && !chars.IsReference(v) && !chars.IsSettled(v) && !chars.Thing(v).IsMail() &&
		acceptsBound(v) && (Looks(v) || chars.ShapeOf(v).Classes() > 2) {
		r.add("password", start, end)
	}
}

// isSpaced reports whether v, which a variable in capitals is set to, is words with a
// number among them, and no sentence that ends.
func isSpaced(v string) bool {
	sh := chars.ShapeOf(v)
	return sh.Digit > 0 && sh.Letters() > 0 && len(v) <= 64 && strings.Count(v, " ") <= 8 && !strings.ContainsAny(v, "<>{}$.:/") &&
		!strings.Contains(strings.ToLower(v), "pass")
}

// rest adds a value that is more than a word because of what its name is: the key of a
// wireless network goes on to the end of its line, a password for one application is
// four groups of four letters, and below "password: |" of YAML it has a line to itself.
func (r *Reader) rest(start int, fr frame) bool {
	s := r.text
	if fr.at < len(s) && (s[fr.at] == '|' || s[fr.at] == '>') && fr.colon {
		i := chars.RunOf(s, fr.at, func(c byte) bool { return c == '|' || c == '>' || c == '-' || c == '+' })
		return r.below(start, chars.RunOf(s, i, chars.IsBlank))
	}
	line := chars.LineEnd(s, fr.at, 80)
	v := strings.TrimRight(s[fr.at:line], " \t\r,;.\"'")
	i := chars.RunOf(v, 0, chars.IsQuote)
	words := strings.Fields(v[i:])
	groups := len(words) <= 4
	for _, w := range words {
		groups = groups && (len(w) == 4 || len(w) < 4 && line == len(s)) && chars.RunOf(w, 0, chars.IsLower) == len(w) && !chars.IsFunctionWord(w)
	}
	if r.spelled(start, fr, v, i, line) || r.restOfLine(fr) {
		return true
	}
	key := strings.HasSuffix(s[:fr.at], "psk=") && len(words) > 1 && chars.ShapeOf(v).Letters()+strings.Count(v, " ")+chars.ShapeOf(v).Digit == len(v) && len(v) >= 8
	if (groups || key) && line == len(s) && len(words) > 0 {
		r.hold(fr.at + i)
	}
	if !key && (!groups || len(words) < 4 || len(words[3]) < 4) {
		return false
	}
	r.add("password", fr.at+i, fr.at+len(v))
	r.done = fr.at + len(v)
	return true
}

// restOfLine adds the words that a file of settings gives a password, to the end of its line:
// DB_PASSWORD=X Y Z, where the lines beside it are settings as well.
func (r *Reader) restOfLine(fr frame) bool {
	s := r.text
	end := chars.LineEnd(s, fr.at, 80)
	v := strings.TrimRight(s[fr.at:end], " \t\r")
	if n := strings.Count(v, " "); fr.colon || fr.option || fr.element || fr.call || n == 0 || n > 6 || end < len(s) &&
		s[end] != '\n' {
		return false
	}
	for w := range strings.FieldsSeq(v) {
		if strings.ContainsFunc(w, func(c rune) bool {
			return c < 0x80 && !chars.IsAlnum(byte(c)) && c != '-' && c != '\'' &&
				c != '!' && c != '.'
		}) || w[0] == '-' || w[0] == '.' {
			return false
		}
		switch w {
		case "if", "else", "or", "and", "not", "new", "await", "in", "is", "for", "lambda", "return", "yield", "async",
			"function", "make", "npm", "go", "docker", "python", "python3", "node", "bash", "sh", "sudo", "exec", "env",
			"run", "then", "do", "as", "unless", "end":
			return false
		}
	}
	if _, account := inSettings(s, fr, fr.at+len(v)); !account || chars.Thing(v).IsNone() {
		return false
	}
	if end == len(s) {
		r.hold(fr.at)
	}
	r.add("password", fr.at, fr.at+len(v))
	r.done = fr.at + len(v)
	return true
}

// spelled adds four words or more that are all of the line behind "passphrase =": none of
// them is one that sentences and code are built with.
func (r *Reader) spelled(start int, fr frame, v string, i, line int) bool {
	s := r.text
	if fr.colon || !strings.HasSuffix(strings.ToLower(strings.TrimRight(s[start:fr.at], " =")), "passphrase") || line < len(s) &&
		s[line] != '\n' && s[line] != '\r' {
		return false
	}
	if line == len(s) && strings.IndexByte(v[i:], ' ') > 0 {
		r.hold(fr.at + i)
	}
	words := strings.Fields(v[i:])
	if len(words) < 4 || len(words) > 12 {
		return false
	}
	for _, w := range words {
		if len(w) < 3 || len(w) > 14 || chars.RunOf(w, 0, chars.IsLower) < len(w) || chars.IsFunctionWord(w) || chars.IsSettled(w) ||
			tellsOfPassword(w) {
			return false
		}
		switch w {
		case "config", "lookup", "failed", "again", "read", "typed", "given", "words", "random", "stored", "value", "file", "env", "environment", "keyring", "vault", "generated", "changed", "error", "unknown", "default", "expected", "provided":
			return false
		}
	}
	r.add("passphrase", fr.at+i, fr.at+len(v))
	r.done = fr.at + len(v)
	return true
}

// namesShort reports whether before has "u: ", as people shorten "user".
func namesShort(before string) bool {
	i := strings.LastIndex(before, "u: ")
	return i == 0 || i > 0 && !chars.IsAlnum(before[i-1])
}
