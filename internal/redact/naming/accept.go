package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// accepts reports whether v, as it stands in fr, is a secret.
func (fr frame) accepts(v string) bool {
	if fr.level == sessionID {
		return fr.tight && !fr.colon && isSession(v)
	}
	if fr.call && fr.level != password && len(v) >= 40 && chars.ShapeOf(v).Classes() == 4 && !chars.IsReference(v) {
		return true // of all printable characters, as a salt of WordPress
	}
	if (fr.level == secret || fr.level == apiKey || fr.level == token) && !fr.option && isShortKey(v) && !chars.IsReference(v) {
		return true
	}
	if fr.level == password && (fr.capitals && fr.tight && !fr.colon && isTitled(v) || fr.quoted && isTitledPair(v)) {
		return true
	}
	if fr.level == password && (fr.capitals || fr.account) && fr.tight && !fr.colon && !fr.quoted && isDottedWords(v) {
		return true
	}
	if fr.level == secret && fr.account && !fr.quoted && chars.ShapeOf(v).Digit > 0 && chars.Thing(v).IsGiven() {
		return true // of a client of RADIUS
	}
	if fr.level == secret && fr.capitals && fr.tight && !fr.colon && fr.closed(v) && strings.IndexByte(v, ' ') < 0 &&
		(strings.Count(v, "-")+strings.Count(v, "_")+strings.Count(v, ".") > 1 || chars.ShapeOf(v).Digit > 0) && !chars.IsCode(v) {
		return true
	}
	if fr.level == secret && fr.capitals && !fr.colon && isWordsAndNumber(v) {
		return true
	}
	if sh := chars.ShapeOf(v); fr.whole && !fr.quoted && fr.level == secret && sh.Digit > 3 && sh.Upper > 0 && len(v) >= 12 &&
		chars.Thing(v).IsGiven() {
		return true
	}
	if chars.IsReference(v) || chars.IsSettled(v) || !fr.quoted && fr.level != password && chars.IsCode(v) || fr.quoted &&
		fr.level != password && chars.IsCodeName(v) {
		return false
	}
	if strings.ContainsAny(v, " \t") {
		// Of words, where no message stands: NAME='it is spaced 9'.
		return fr.quoted && !fr.element && (fr.level == password && (isPassphrase(v) || (fr.double || fr.option) &&
			isWordsGiven(v) || !fr.colon && !fr.call && isPhraseGiven(v)) || fr.tight && !fr.colon && (fr.capitals || fr.double) &&
			(fr.level == password || fr.level == secret) && isSpaced(v))
	}
	sh := chars.ShapeOf(v)
	switch fr.level {
	case password:
		return fr.acceptsPassword(v, sh)
	case anyKey:
		return isKeyMaterial(v, sh)
	}
	if strings.Count(v, "/") > 2 && sh.Upper == 0 && !strings.ContainsAny(v, "+=") {
		return false // a path
	}
	odd := sh.Symbol - strings.Count(v, "_") - strings.Count(v, "-") - strings.Count(v, ".") - strings.Count(v, "/") - strings.Count(v, ":")
	switch {
	case len(v) < 8 || sh.Letters() == 0 && len(v) < 16:
		return false
	case odd > 0 && sh.Letters() > 0 && len(v) >= 12 && !strings.ContainsAny(v, "()[]{}|,"):
		return true
	case chars.IsWordy(v) && !chars.IsUnsayable(v):
		return false
	}
	return sh.Digit > 0 || len(v) >= 16
}

func (fr frame) acceptsPassword(v string, sh chars.Shape) bool {
	plain := sh.Symbol - strings.Count(v, "_") - strings.Count(v, "-") - strings.Count(v, ".")
	firm := fr.quoted || fr.tight && !fr.colon || fr.element || fr.line
	switch {
	case len(v) < 4 || chars.HasPrefixFold(v, "required") || fr.colon && fr.tight && !fr.quoted && sh.Digit == 0:
		return false
	case sh.Letters() == 0:
		return sh.Digit >= 4 && len(v) >= 6 && !strings.ContainsAny(v, ":/ ") && (plain > 0 || sh.Digit == len(v))
	case fr.option && sh.Digit > 0 && len(v) >= 8 && !isLooseCode(v):
		return true
	case sh.Digit > 0 || plain > 0:
		// Unquoted and loose it may be code: a lone digit ends many names.
		return len(v) >= 5 && (firm || sh.Digit > 1 || plain > 0 || sh.Upper > 0 && sh.Lower > 0) && (firm || !isLooseCode(v))
	case strings.Count(v, "-") > 2 && isPassphrase(strings.ReplaceAll(v, "-", " ")):
		return true
	case strings.Contains(strings.ToLower(v), "pass"), strings.Contains(strings.ToLower(v), "secret"):
		return false
	case (fr.quoted || fr.element || fr.tight && !fr.colon && (fr.capitals || fr.double)) && fr.closed(v):
		return true
	case fr.call:
		return false
	case fr.quoted, fr.element:
		return !chars.Thing(v).IsNone() && len(v) >= 6 && sh.Letters() >= 6 && (fr.tight || !fr.colon || !chars.IsUpper(v[0]) ||
			sh.Upper > 1)
	}
	return len(v) >= 6 && (fr.tight && !fr.colon && fr.capitals || fr.option && sh.Upper > 0) || fr.closedBare(v)
}

// closedBare is closed for v without quotes, where an expression of code may stand as well: no
// name is joined by hyphens, and none has letters beyond ASCII, but in few languages.
func (fr frame) closedBare(v string) bool {
	switch {
	case len(v) < 5 || chars.Thing(v).IsNone() || strings.ContainsAny(v, "()[]{}<>|;,\"'`/\\=:*"):
		return false
	case fr.account:
		return true // an account of a file of settings
	case !fr.whole && !(fr.tight && !fr.colon) && !fr.option:
		return false
	}
	return fr.closed(v) && (chars.ShapeOf(v).Other > 0 && !fr.colon || strings.IndexByte(v, '-') > 0 && !strings.Contains(v,
		"->") || strings.ContainsAny(v[1:], "!#$%^&+?@~") || fr.option)
}

// isWordsAndNumber reports whether v is two words or more and a number, with signs between, and nothing that says what
// a secret is.
func isWordsAndNumber(v string) bool {
	words, numbers, said := 0, 0, false
	for part := range strings.FieldsFuncSeq(v, func(c rune) bool { return c == '-' || c == '_' || c == '.' }) {
		switch sh := chars.ShapeOf(part); {
		case sh.Digit == len(part):
			numbers++
		case sh.Letters() == len(part) && len(part) > 1:
			words++
			said = said || isSaidOfSecret(strings.ToLower(part))
		default:
			return false
		}
	}
	return words > 1 && numbers > 0 && len(v) >= 12 && (chars.Thing(v).IsGiven() || words > 3 && !said) && !chars.Thing(v).IsHost() &&
		!chars.Thing(v).IsFile()
}

// isSaidOfSecret reports whether w, in lower case, is what stands for a secret in an example.
func isSaidOfSecret(w string) bool {
	switch w {
	case "your", "my", "change", "changeme", "replace", "secret", "key", "token", "password", "example", "sample", "insert", "here", "this",
		"test", "dummy", "placeholder", "prod", "dev", "staging", "default":
		return true
	}
	return false
}

// isTitled reports whether v is three words or more with dots between, most of them with a
// capital, which no path in a program has.
func isTitled(v string) bool {
	titles, parts := 0, strings.Split(v, ".")
	for _, p := range parts {
		if p == "" || chars.ShapeOf(p).Letters() < len(p) {
			return false
		}
		if chars.IsUpper(p[0]) {
			titles++
		}
	}
	return len(parts) > 2 && titles > 1
}

// isTitledPair reports whether v is two words or more with dots between, each with a capital and nothing else, and none that
// programs name things with.
func isTitledPair(v string) bool {
	n := 0
	for p := range strings.SplitSeq(v, ".") {
		if len(p) < 3 || !chars.IsUpper(p[0]) || chars.RunOf(p, 1, chars.IsLower) < len(p) || chars.IsSettled(p) {
			return false
		}
		switch strings.ToLower(p) {
		case "system", "auth", "form", "forms", "fields", "field", "security", "messages", "validation", "errors", "data", "types", "schema",
			"models", "common", "user", "account", "settings", "config", "core", "input", "labels", "text", "java", "net", "web":
			return false
		}
		n++
	}
	return n > 1
}

// isPhraseGiven reports whether v, in quotes behind "=", is three words or more in lower case, and no message: those say what is
// or must be.
func isPhraseGiven(v string) bool {
	words := strings.Fields(v)
	if len(words) < 3 || len(words) > 8 {
		return false
	}
	for _, w := range words {
		if chars.RunOf(w[1:], 0, func(c byte) bool { return chars.IsLower(c) || c >= 0x80 }) < len(w)-1 ||
			!chars.IsLower(w[0]|0x20) && w[0] < 0x80 || isBe(w) ||
			len(w) > 3 && chars.Thing(w).IsNone() {
			return false
		}
		switch w {
		case "not", "no", "must", "be", "are", "should", "your", "you", "please", "enter", "too", "does", "has", "have", "set", "use", "or":
			return false
		}
	}
	return true
}

// isDottedWords reports whether v is words with dots between, and no member of what programs keep settings in, no file and no host.
func isDottedWords(v string) bool {
	parts := strings.Split(v, ".")
	if len(parts) < 3 || chars.Thing(v).IsFile() || chars.Thing(v).IsNone() && !chars.IsReference(v) {
		return false
	}
	for n, p := range parts {
		if len(p) < 2 || chars.ShapeOf(p).Letters() < len(p) || len(p) > 3 && chars.Thing(p).IsNone() {
			return false
		}
		switch strings.ToLower(p) {
		case "self", "this", "args", "opts", "app", "os", "env", "process", "req", "request", "ctx", "context", "settings", "config", "cfg",
			"vars", "var", "local", "module", "params", "props", "state", "body", "form", "session", "secrets", "values", "system",
			"internal", "java", "org", "com", "net", "lib", "db", "database", "client", "server", "api", "response", "res", "result":
			return false
		}
		if n > 0 && chars.IsUpper(p[0]) && chars.IsLower(parts[0][0]) && p == strings.ToUpper(p) {
			return false
		}
	}
	return true
}

// isWordsGiven reports whether v, in the quotes of an option, is words, and no message.
func isWordsGiven(v string) bool {
	return strings.Count(v, " ") < 9 && !strings.ContainsAny(v, "<>{}():;=/$%\n") && !chars.Thing(v).IsNone()
}

// closed reports whether v, without a digit, is a password because it stands where one is given
// and nothing says that it is none.
func (fr frame) closed(v string) bool {
	return chars.Thing(v).IsGiven() && !(fr.call && chars.IsCodeName(v)) &&
		(!isSelector(v) || chars.ShapeOf(v).Digit == 0 && v[0] != '#' && v[0] != '.')
}

// isSession reports whether v is a session's id as servers make them. Those that
// hold a time, or are of one case and short, name something else.
func isSession(v string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 20 && sh.Digit > 0 && sh.Letters()*4 >= len(v) && sh.Distinct > 8 && !chars.IsReference(v) && !chars.IsUUID(v) &&
		!chars.IsWordy(v) &&
		(sh.Upper > 1 && sh.Lower > 1 || len(v) >= 24 && sh.Symbol == 0 || len(v) >= 40)
}

// isLooseCode reports whether v, without quotes and not tight behind its name,
// is code: an expression that is no plain name, or a name that says password.
func isLooseCode(v string) bool {
	return chars.IsCode(v) && (!chars.IsWord(v) || v[0] == '0' || strings.Contains(strings.ToLower(v), "pass")) ||
		strings.HasSuffix(v, "{") || strings.HasSuffix(v, "(") || strings.HasSuffix(v, "=") && chars.IsWord(v[:len(v)-1]) || strings.HasPrefix(v, "&") && chars.IsWord(v[1:])
}

// isShortKey reports whether v is letters of both cases and digits that change so often
// that nobody wrote them as words: what a program makes of twelve characters or more.
func isShortKey(v string) bool {
	sh := chars.ShapeOf(v)
	if len(v) < 10 || len(v) > 64 || sh.Upper < 2 || sh.Lower < 2 || sh.Digit == 0 || sh.Symbol+sh.Other > 0 || chars.IsPlaceholder(v) {
		return false
	}
	l := strings.ToLower(v)
	for _, w := range [...]string{"secret", "token", "key", "config", "value", "client", "auth", "get", "name", "option", "param", "user", "file", "string", "type"} {
		if strings.Contains(l, w) {
			return false
		}
	}
	turns := 0
	for i := 1; i < len(v); i++ {
		if (chars.IsUpper(v[i]) != chars.IsUpper(v[i-1]) && !chars.IsLower(v[i])) || chars.IsDigit(v[i]) != chars.IsDigit(v[i-1]) {
			turns++
		}
	}
	return turns >= 4 || !chars.IsCodeName(v)
}

// isKeyMaterial reports whether v is random enough to be a key without its name
// saying so: long, of all sorts, no hash, path or identifier.
func isKeyMaterial(v string, sh chars.Shape) bool {
	return len(v) >= 20 && sh.Digit > 0 && sh.Upper > 0 && sh.Lower > 0 && !chars.IsWordy(v) && !chars.IsHexText(v) &&
		strings.Count(v, "/") < 4 && chars.IsRandom(v) && !strings.ContainsAny(strings.TrimRight(v, "="), "()[]{},|:=")
}
