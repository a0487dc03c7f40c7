package redact

import "strings"

// shape counts what a value is made of.
type shape struct {
	lower, upper, digit, symbol, other int
	distinct                           int
}

func shapeOf(v string) shape {
	var sh shape
	var seen [4]uint64
	for _, c := range []byte(v) {
		switch {
		case isLower(c):
			sh.lower++
		case isUpper(c):
			sh.upper++
		case isDigit(c):
			sh.digit++
		case c >= 0x80:
			sh.other++
		default:
			sh.symbol++
		}
		if bit := uint64(1) << (c & 63); seen[c>>6]&bit == 0 {
			seen[c>>6] |= bit
			sh.distinct++
		}
	}
	return sh
}

func (sh shape) letters() int { return sh.lower + sh.upper + sh.other }

// classes returns how many of lower, upper, digit and symbol occur.
func (sh shape) classes() int {
	n := 0
	for _, k := range [...]int{sh.lower + sh.other, sh.upper, sh.digit, sh.symbol} {
		if k > 0 {
			n++
		}
	}
	return n
}

// isRandom reports whether v looks drawn by a program rather than written by a
// person: many different bytes, digits or mixed case, no word of a placeholder.
func isRandom(v string) bool {
	sh := shapeOf(v)
	if sh.distinct < min(8, len(v)/2+1) || sh.digit == 0 && (sh.lower == 0 || sh.upper == 0) {
		return false
	}
	return !isPlaceholder(v)
}

// isPlaceholder reports whether v stands for a value that is not given: it says
// so, or it is one byte over and over.
func isPlaceholder(v string) bool {
	if shapeOf(v).distinct <= 2 && len(v) >= 3 {
		return true
	}
	if strings.ToUpper(v) == v && strings.ContainsAny(v, "-_") && shapeOf(v).digit < 3 &&
		(strings.Contains(v, "SECRET") || strings.Contains(v, "TOKEN") || strings.Contains(v, "KEY") || strings.Contains(v, "PASS")) {
		return true
	}
	l := strings.ToLower(v)
	for _, w := range [...]string{
		"example", "placeholder", "changeme", "change_me", "change-me", "redacted", "xxxx", "your-", "your_",
		"yourpass", "yourtoken", "yourkey", "yoursecret", "dummy", "replace", "insert", "todo", "****", "....", "goes-here", "goes_here",
		"_here", "-here", "…", "••", "●●", "1234567890abcdef", "abcdefghijkl",
	} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// isReference reports whether v names the place of a value instead of being
// one: a variable, a template, a path, a call, a URL of a vault.
func isReference(v string) bool {
	if v == "" {
		return true
	}
	switch v[0] {
	case '$':
		// A literal may begin with $ too: $2b$... of bcrypt, $ecret.
		if i := runOf(v, 1, isWordByte); i > 1 && i < len(v) && isLower(v[1]|0x20) && (v[i] == '[' || v[i] == '{' || strings.HasPrefix(v[i:], "->") || strings.HasPrefix(v[i:], "::")) {
			return true
		}
		return len(v) == 1 || isLower(v[1]|0x20) && allName(v[1:]) || v[1] == '{' || v[1] == '(' || v[1] == '_' || isDigit(v[1]) && len(v) == 2
	case '<':
		return true
	case '&':
		return strings.HasPrefix(v, "&#") || strings.HasPrefix(v, "&lt;") || strings.HasPrefix(v, "&quot;")
	case '%':
		return len(v) > 2 && (v[len(v)-1] == '%' || v[1] == '(' || v[1] == 's' && len(v) < 4)
	case '{':
		return true
	case '[':
		return strings.HasPrefix(v, placeholderHead) || strings.Contains(v, "]")
	case '/', '~', '.':
		if v[0] == '/' && !strings.ContainsAny(v, "+=") && wordy(v) {
			return true
		}
		return strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/") || strings.Count(v, "/") > 1 && !strings.ContainsAny(v, "+=") && len(v) < 80 && wordy(strings.NewReplacer("/", "-", ".", "-").Replace(v)) || isPlaceholder(v)
	case '@':
		return len(v) > 1 && strings.IndexByte("/-~$_{", v[1]) >= 0
	}
	for _, p := range [...]string{"os.environ", "process.env", "getenv", "import.meta", "env.", "vault:", "arn:", "config.", "settings.", "self.", "this."} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	for _, p := range [...][2]string{{"{{", "}}"}, {"${", "}"}, {"$(", ")"}, {"<%", "%>"}, {"://", ""}, {"secrets.", ""}, {":$", ""}} {
		if _, rest, ok := strings.Cut(v, p[0]); ok && strings.Contains(rest, p[1]) {
			return true
		}
	}
	return isCall(v) || isPlaceholder(v)
}

func allName(v string) bool {
	for _, c := range []byte(v) {
		if !isWordByte(c) {
			return false
		}
	}
	return true
}

// isCall reports whether v is code: a call, an index, or a dotted name of
// letters only.
func isCall(v string) bool {
	i := runOf(v, 0, func(c byte) bool { return isWordByte(c) || c == '.' })
	if i > 0 && i < len(v) && (v[i] == '(' || v[i] == '[') && isLower(v[0]|0x20) {
		return v[len(v)-1] == ')' || v[len(v)-1] == ']' || v[i] == '(' && i+1 == len(v)
	}
	if i == len(v) && strings.Contains(v, ".") && !strings.HasPrefix(v, ".") {
		for _, part := range strings.Split(v, ".") {
			if sh := shapeOf(part); sh.digit > 0 || sh.letters() == 0 {
				return false
			}
		}
		return true
	}
	return false
}

// isSettled reports whether v is a word that settings have as a value without
// keeping a secret, or that sentences have after "password is".
func isSettled(v string) bool {
	switch strings.ToLower(v) {
	case "null", "nil", "none", "true", "false", "yes", "no", "off", "undefined", "string", "str", "bytes", "optional", "required",
		"text", "password", "passwords", "passwd", "pass", "passphrase", "secret", "secrets", "token", "tokens", "apikey", "api_key", "key", "keys", "bearer", "basic",
		"wrong", "correct", "incorrect", "missing", "empty", "invalid", "expired", "unset", "unknown", "default", "disabled", "enabled",
		"username", "user", "admin", "test", "testing", "value", "object", "number", "boolean", "any", "void", "prompt", "auto", "always", "never",
		"base64", "base32", "base58", "sha1", "sha256", "sha512", "md5", "utf8", "utf-8", "argon2", "argon2id", "bcrypt", "scrypt", "pbkdf2",
		"oauth", "oauth2", "jwt", "x509", "x.509", "2fa", "mfa", "http2", "ipv4", "ipv6", "k8s", "int32", "int64", "uint32", "uint64", "float64", "varchar", "ed25519", "rsa-2048", "rsa4096", "aes256", "aes-256", "win32", "py3", "python3", "es256", "hs256", "rs256":
		return true
	}
	return false
}

// wordy reports whether every part of v between punctuation is a word or a
// short number, as in an identifier, a file name or a version.
func wordy(v string) bool {
	start := 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && isAlnum(v[i]) {
			continue
		}
		part := v[start:i]
		start = i + 1
		sh := shapeOf(part)
		if sh.digit > 0 && sh.letters() > 0 && (part[0] != 'v' || sh.letters() > 1) || sh.digit > 4 {
			return false
		}
		if sh.upper > 1 && sh.lower > 2 && sh.upper*3 > len(part) {
			return false // random mixed case
		}
	}
	return true
}

// isUUID reports whether v is 8-4-4-4-12 hexadecimal digits.
func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if v[i] != '-' {
				return false
			}
		} else if !isHex(v[i]) {
			return false
		}
	}
	return true
}

// allHex reports whether v is hexadecimal digits only, as a hash is.
func allHex(v string) bool { return runOf(v, 0, isHex) == len(v) }

// isCode reports whether v, which stands without quotes, is an expression of a
// programming language: a number, a composite, a call, or a name.
func isCode(v string) bool {
	v = strings.TrimRight(strings.TrimLeft(v, "*&!-+"), ")]};,")
	if len(v) <= 20 && len(v) > 2 && v[0] == '0' && v[1]|0x20 == 'x' {
		return true
	}
	i := runOf(v, 0, func(c byte) bool { return isWordByte(c) || c == '.' })
	if i < len(v) {
		return strings.HasPrefix(v, "[]") || i > 0 && (strings.HasPrefix(v[i:], "->") || strings.HasPrefix(v[i:], "::")) || i > 0 && !isDigit(v[0]) && (v[i] == '(' || v[i] == '[' || v[i] == '{')
	}
	for part := range strings.SplitSeq(v, ".") {
		if !isCodeName(part) {
			return false
		}
	}
	return v != ""
}

// isCodeName reports whether v is a name as programmers write them, in words:
// testKey1024, advapi32. Random text falls into shorter pieces, or into ones
// that nobody could say.
func isCodeName(v string) bool {
	if v == "" || isDigit(v[0]) || shapeOf(v).digit > 5 {
		return false
	}
	if strings.ToUpper(v) == v && strings.Contains(v, "_") {
		return true // a constant
	}
	pieces := 1
	vowels, letters := 0, 0
	for i, c := range []byte(v) {
		if i > 0 && (isDigit(c) != isDigit(v[i-1]) || isUpper(c) && isLower(v[i-1]) || !isAlnum(c) ||
			i > 1 && isLower(c) && isUpper(v[i-1]) && isUpper(v[i-2])) {
			pieces++
		}
		if !isWordByte(c) {
			return false
		}
		if strings.IndexByte("aeiouyAEIOUY", c) >= 0 {
			vowels++
		}
		if !isDigit(c) {
			letters++
		}
	}
	if len(v) >= 16 && 2*len(v) < 7*pieces || len(v) < 2*pieces {
		return false
	}
	return letters < 6 || vowels*5 >= letters
}
