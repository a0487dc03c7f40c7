package chars

import (
	"slices"
	"strings"
)

// IsNone reports whether v, which stands where a password is given, is provably none: a
// reference, a placeholder, a word for what a password is, or what one says of it, or a name
// that says that it holds one. Whatever else stands there is one, however it looks.
func (t Thing) IsNone() bool {
	v := string(t)
	if len(v) < 4 || len(v) > 128 || IsReference(v) || IsSettled(v) || Thing(v).IsMail() || Thing(v).IsTechnical() || Thing(v).IsMeasure() ||
		strings.Contains(v, "://") || strings.ContainsAny(v, "<>\x00") || strings.Contains(v, "…") || ShapeOf(v).Letters() == 0 {
		return true
	}
	if head := strings.TrimRight(v, "0123456789"); ShapeOf(head).Digit == 0 && len(v)-len(head) < 3 && tellsName(strings.ToLower(head)) {
		return true
	}
	switch strings.ToLower(v) {
	case "end-to-end", "up-to-date", "opt-in", "built-in", "plug-in", "sign-in", "log-in", "add-on", "sign-on", "single-sign-on",
		"logged-in", "as-is", "on-the-fly", "one-to-one",
		"out-of-band", "one-time", "two-step", "to-do", "per-user", "in-memory", "on-disk", "at-rest", "n/a", "post", "pre-shared":
		return true
	}
	// "Demo-Otter-27": words with capitals and a number behind them.
	head := strings.TrimRight(v, "0123456789")
	titled := len(v)-len(head) > 1 && strings.HasSuffix(head, "-") && strings.Count(v, "-") > 1 && ShapeOf(v).Upper > 0
	rest, state := v, false
	for rest != "" {
		i := strings.IndexAny(rest, " -_.,/:!?")
		if i < 0 {
			i = len(rest)
		}
		state = state || isState(rest[:i]) && !(titled && isEveryday(rest[:i]))
		rest = rest[min(len(rest), i+1):]
	}
	return state
}

// IsGiven reports whether v, where a password is given, is one by the little that it has: a digit
// or a sign, letters beyond ASCII, or more than one capital. One plain word may be a label.
func (t Thing) IsGiven() bool {
	v := string(t)
	sh := ShapeOf(v)
	return len(v) >= 6 && sh.Digit+sh.Symbol+sh.Other+max(0, sh.Upper-1) > 0 && !t.IsNone() && strings.IndexByte("-=_.#/:&?%@*",
		v[0]) < 0 && !strings.ContainsAny(v, "()[]{}|;,\"`")
}

// IsAdjective reports whether v, words with hyphens between, says what something is like: its last
// word ends as such words do in English, "user-supplied", "case-sensitive". Three words or more
// are none unless one of them joins the others, "hard-to-crack", "made-for-testing".
func (t Thing) IsAdjective() bool {
	v := strings.ToLower(string(t))
	if parts := strings.Split(v, "-"); len(parts) > 2 && !slices.ContainsFunc(parts, IsFunctionWord) {
		return false
	}
	for _, end := range [...]string{
		"ed", "en", "ing", "able", "ible", "ful", "less", "ous", "ive", "ory", "ary", "ent", "ant", "ic", "al", "ly", "wide", "like",
		"free", "proof", "only", "level", "side", "time", "bit", "day", "term", "word", "words", "way", "safe", "type", "style",
		"specific", "wn", "ten", "built",
	} {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}

// tellsName reports whether l, in lower case, is the name or the label of a secret.
func tellsName(l string) bool {
	for _, w := range [...]string{
		"pass", "pwd", "secret", "credential", "token", "kennwort", "contrase", "senha", "parol", "clave", "wachtwoord", "salasana",
		"lösenord", "heslo", "hasło", "haslo",
		"jelsz", "şifre", "sifre", "парол", "геслo", "hidden", "mask", "redact", "encrypt", "hash", "cipher", "schlüssel", "mot de",
		"login", "user", "field", "input", "value", "string",
	} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// isEveryday reports whether w is a word of those that isState knows that people make passwords of as well.
func isEveryday(w string) bool {
	switch strings.ToLower(w) {
	case "demo", "test", "sample", "old", "new", "short", "long", "strong", "weak", "clear", "plain", "show", "hide", "foo", "lost":
		return true
	}
	return false
}

// isState reports whether w, in any case, is a word for what may be said of a password or a field
// for one, or one that names, forms and messages are built with.
func isState(w string) bool {
	if len(w) > 16 {
		return false
	}
	var buf [16]byte
	for i := range len(w) {
		c := w[i]
		if IsUpper(c) {
			c |= 0x20
		}
		buf[i] = c
	}
	switch string(buf[:len(w)]) {
	case "required", "optional", "missing", "invalid", "incorrect", "wrong", "correct", "match", "matches", "mismatch", "must",
		"should", "cannot", "can", "failed", "failure", "error", "expired", "expires",
		"changed", "change", "reset", "forgot", "forgotten", "lost", "weak", "strong", "short", "long", "min", "max", "minimum",
		"maximum", "length", "size", "least", "characters", "chars", "char",
		"text", "plain", "plaintext", "clear", "cleartext", "readonly", "disabled", "enabled", "empty", "unset", "none", "null", "nil",
		"undefined", "unknown", "default", "defaults", "auto", "generated",
		"generate", "random", "confirm", "confirmation", "repeat", "retype", "verify", "enter", "type", "please", "current", "new", "old",
		"your", "show", "hide", "toggle", "visible", "label", "button", "form",
		"placeholder", "control", "icon", "name", "names", "prompt", "ask", "manager", "protected", "authentication", "authenticate",
		"authenticator", "auth", "basic", "digest", "bearer", "oauth", "policy", "based", "only", "read", "write",
		"case", "sensitive", "function", "class", "object", "array", "bytes", "byte", "bool", "boolean", "integer", "number", "char[]",
		"varchar", "nvarchar", "false", "true",
		"not", "without", "this", "that", "used", "using", "use", "when", "which",
		"self", "get", "set", "config", "conf", "env", "getenv", "option", "options", "param", "params", "arg", "args", "attr", "key",
		"keys", "file", "path", "url", "uri", "data", "info", "account", "admin", "same", "stored",
		"example", "sample", "dummy", "demo", "foo", "bar", "foobar", "baz", "quux", "xxx", "todo", "tbd", "hier", "aquí", "here",
		"erforderlich", "falsch", "ungültig", "obligatoire", "incorrecto", "requerido", "obbligatorio",
		"check", "checked", "checking", "checker", "validation", "validate", "validator", "valid", "ok", "success", "successful",
		"accepted", "rejected", "denied", "allowed", "supported", "unsupported", "ignored",
		"provided", "specified", "given", "needed", "saved", "sent", "written", "shared", "manual", "automatic", "interactive", "factor":
		return true
	}
	return false
}
