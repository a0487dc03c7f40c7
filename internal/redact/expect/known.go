package expect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// readThen looks at words at text[at:end] that join an account and its password, in a line that tells of a login: "type
// operator and then X".
func (r *Reader) readThen(at, end int) {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	account, _, _ := strings.Cut(lowerASCII(s[at:end]), " ")
	named := is(anAccount, account) // "root and X"
	if !chars.StartsWord(s, at) || end < len(s) && !chars.IsBlank(s[end]) || !named && !r.tellsOfLogin(line, limit) {
		return
	}
	t := nextToken(s, end, limit)
	start, stop := trimmed(s, t.start, t.end)
	v := s[start:stop]
	user := strings.Trim(s[wordBefore(s, at):at], " \"'`,.")
	c, _ := utf8.DecodeRuneInString(v)
	if start >= stop || len(v) < 6 || user == "" || chars.Thing(v).IsNone() || chars.Thing(v).IsAdjective() || chars.Thing(v).IsProduct() ||
		chars.Thing(v).IsFile() || isCodeAround(s, start, stop) || strings.ContainsAny(v, "/\\()<>{}=") ||
		!endsAnswer(s, stop) {
		return
	}
	if sh := chars.ShapeOf(v); named && (sh.Digit == 0 || sh.Letters() < 4 || len(v) < 8 || chars.Thing(v).IsHost()) ||
		sh.Digit == 0 && !(unicode.IsUpper(c) && is(anAccount, user)) && !(sh.Symbol > 0 && sh.Upper > 0) {
		return
	}
	if t.end == len(s) {
		r.hold(t.start)
	}
	r.add("password", start, stop)
}

// tellsOfLogin reports whether the line text[line:limit] has a word for signing in.
func (r *Reader) tellsOfLogin(line, limit int) bool {
	said := lowerASCII(r.text[line:limit])
	for _, w := range [...]string{
		"log in", "login", "log on", "logon", "sign in", "sign-in", "prompt", "credential", "account", "anmeld", "einlogg", "konto",
		"connexion", "identifi", "acceso", "accedi", "inlogg", "locked", "unlock", "gesperrt", "user", "compte", "cuenta",
	} {
		if strings.Contains(said, w) {
			return true
		}
	}
	return false
}

// readReset looks at words at text[at:end] that give an account another password: "Unlocked and reset to X".
func (r *Reader) readReset(at, end int) {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	if !chars.StartsWord(s, at) || !r.tellsOfLogin(line, limit) {
		return
	}
	t := nextToken(s, end, limit)
	start, stop := trimmed(s, t.start, t.end)
	v := s[start:stop]
	if sh := chars.ShapeOf(v); start >= stop || !endsAnswer(s, stop) || sh.Digit == 0 || sh.Letters() < 4 || gradeOf(v) == ordinary &&
		!(sh.Symbol > 0 && sh.Upper > 0 && chars.Thing(v).IsGiven() && !chars.Thing(v).IsProduct() && !chars.Thing(v).IsFile()) ||
		isCodeAround(s, start, stop) {
		return
	}
	if t.end == len(s) {
		r.hold(t.start)
	}
	r.add("password", start, stop)
}

// readQuestion looks at what a service asks to know somebody again at text[at:end]: the answer is the name that its sentence gives,
// "mother's maiden name, I answered X".
func (r *Reader) readQuestion(at, end int) {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	if said := lowerASCII(s[line:limit]); chars.HasPrefixFold(s[at:], "maiden") && !strings.Contains(said, "question") &&
		!strings.Contains(said, "answer") && !strings.Contains(said, "bank") {
		return
	}
	bound := false
	for i, n := end, 0; n < 10 && i < limit; n++ {
		t := nextToken(s, i, limit)
		if t.start >= limit {
			return
		}
		word := s[t.start:t.end]
		start, stop := trimmed(s, t.start, t.end)
		v := s[start:stop]
		c, _ := utf8.DecodeRuneInString(v)
		if bound && unicode.IsUpper(c) && len(v) >= 4 && endsAnswer(s, stop) && !chars.Thing(v).IsNone() && !strings.ContainsAny(v, "/@=_<>()") &&
			chars.ShapeOf(v).Upper < 3 && !is(aLink|anArticle|anOwn|anAsk|aSaid, v) {
			if t.end == len(s) {
				r.hold(t.start)
			}
			r.add("password", start, stop)
			return
		}
		bare := strings.TrimRight(strings.Trim(word, ",.;*"), ":")
		bound = strings.HasSuffix(word, ":") || bare == "is" || bare == "answered" || bare == "ist" || bare == "est" || bare == "es" || bare == "è" ||
			bare == "said" || bare == "put" || bare == "wrote" || bare == "=" || bare == "antwort"
		i = t.end
	}
}

// endsAnswer reports whether what ends before s[i] is the last of its clause or of its string, or a remark in brackets follows.
func endsAnswer(s string, i int) bool {
	if endsClause(s, i) || strings.HasPrefix(s[i:], " (") {
		return true
	}
	i = chars.RunOf(s, i, func(c byte) bool { return c == '.' || c == '!' })
	return i < len(s) && (chars.IsQuote(s[i]) || s[i] == '\\')
}
