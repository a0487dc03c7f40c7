package chars

import (
	"math/bits"
	"strings"
)

// A Shape counts the bytes of a value by what they are.
type Shape struct {
	Lower, Upper, Digit int // of ASCII
	Symbol              int // other ASCII, blanks and controls included
	Other               int // bytes of characters outside ASCII
	Distinct            int // how many different bytes there are
}

// ShapeOf returns the shape of v.
func ShapeOf(v string) Shape {
	var sh Shape
	var seen [4]uint64
	for i := range len(v) {
		c := v[i]
		seen[c>>6] |= 1 << (c & 63)
		switch {
		case IsLower(c):
			sh.Lower++
		case IsUpper(c):
			sh.Upper++
		case IsDigit(c):
			sh.Digit++
		case c >= 0x80:
			sh.Other++
		}
	}
	sh.Symbol = len(v) - sh.Lower - sh.Upper - sh.Digit - sh.Other
	sh.Distinct = bits.OnesCount64(seen[0]) + bits.OnesCount64(seen[1]) + bits.OnesCount64(seen[2]) + bits.OnesCount64(seen[3])
	return sh
}

// Letters returns how many bytes are of letters; every character outside ASCII
// is taken for one.
func (sh Shape) Letters() int { return sh.Lower + sh.Upper + sh.Other }

// Classes returns how many of lower case, upper case, digits and symbols occur.
func (sh Shape) Classes() int {
	n := 0
	for _, k := range [...]int{sh.Lower + sh.Other, sh.Upper, sh.Digit, sh.Symbol} {
		if k > 0 {
			n++
		}
	}
	return n
}

// IsRandom reports whether v looks drawn by a program rather than written by a
// person: many different bytes, digits or mixed case, no word of a placeholder.
func IsRandom(v string) bool {
	sh := ShapeOf(v)
	if sh.Distinct < min(8, len(v)/2+1) || sh.Digit == 0 && (sh.Lower == 0 || sh.Upper == 0) {
		return false
	}
	return !IsPlaceholder(v)
}

// IsPlaceholder reports whether v stands for a value that is not given: it says
// so, or it is one byte over and over.
func IsPlaceholder(v string) bool {
	if ShapeOf(v).Distinct <= 2 && len(v) >= 3 {
		return true
	}
	if strings.ContainsAny(v, "-_") && ShapeOf(v).Lower == 0 && ShapeOf(v).Digit < 3 &&
		(strings.Contains(v, "SECRET") || strings.Contains(v, "TOKEN") || strings.Contains(v, "KEY") || strings.Contains(v, "PASS")) {
		return true
	}
	l := strings.ToLower(v)
	// What vendors print as an example is as long and as random as a real one, and is masked as one.
	if i := strings.Index(l, "example"); i >= 0 && len(v) >= 16 {
		if rest := v[:i] + v[i+len("example"):]; !IsWordy(rest) && ShapeOf(rest).Upper > 3 && ShapeOf(rest).Digit > 0 {
			return IsPlaceholder(rest)
		}
	}
	for _, w := range [...]string{
		"example", "placeholder", "changeme", "change_me", "change-me", "redacted", "xxxx", "your-", "your_",
		"yourpass", "yourtoken", "yourkey", "yoursecret", "dummy", "replace", "insert", "todo", "****", "....", "goes-here", "goes_here",
		"_here", "-here", "…", "••", "●●",
	} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// IsReference reports whether v names the place of a value instead of being
// one: a variable, a template, a path, a call, a URL of a vault.
func IsReference(v string) bool {
	if v == "" {
		return true
	}
	switch v[0] {
	case '$':
		// A literal may begin with $ too: $2b$... of bcrypt, $ecret.
		if i := RunOf(v, 1, IsWordByte); i > 1 && i < len(v) && IsLower(v[1]|0x20) && (v[i] == '[' ||
			v[i] == '{' || strings.HasPrefix(v[i:], "->") || strings.HasPrefix(v[i:], "::")) {
			return true
		}
		return len(v) == 1 || IsLower(v[1]|0x20) && IsWord(v[1:]) || v[1] == '{' || v[1] == '(' || v[1] == '_' || IsDigit(v[1]) && len(v) == 2
	case '<':
		return true
	case '&':
		return strings.HasPrefix(v, "&#") || strings.HasPrefix(v, "&lt;") || strings.HasPrefix(v, "&quot;")
	case '%':
		return len(v) > 2 && (v[len(v)-1] == '%' || v[1] == '(' || v[1] == 's' && len(v) < 4)
	case '{':
		return true
	case '*':
		if strings.IndexByte(v, '_') > 0 && ShapeOf(v).Digit == 0 && IsWord(v[1:]) {
			return true // of YAML
		}
	case '[':
		return strings.Contains(v, "]") || IsPlaceholder(v) || len(v) > 1 && RunOf(v, 1, IsLower) == len(v) // [hidden
	case '(':
		if sh := ShapeOf(strings.TrimRight(v[1:], ")")); sh.Letters() > 0 && sh.Digit+sh.Symbol == 0 {
			return true // (hidden)
		}
	case '/', '~', '.':
		if v[0] == '/' && !strings.ContainsAny(v, "+=") && IsWordy(v) {
			return true
		}
		return strings.HasPrefix(v, "./") || strings.HasPrefix(v, ".*") || strings.HasPrefix(v, ".+") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/") || strings.Count(v, "/") > 1 && !strings.ContainsAny(v, "+=") && len(v) < 80 && IsWordy(strings.NewReplacer("/", "-", ".", "-").Replace(v)) || IsPlaceholder(v)
	case '@':
		return len(v) > 1 && (v[len(v)-1] == '@' && RunOf(v, 1, func(c byte) bool { return IsNameByte(c) || c == '.' }) == len(v)-1 ||
			strings.IndexByte("/-~$_{", v[1]) >= 0 || RunOf(v, 1, func(c byte) bool { return IsLower(c|0x20) || c == '.' || c == '_' }) == len(v))
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
	return isCall(v) || IsPlaceholder(v)
}

// IsWord reports whether v is letters of ASCII, digits and underscores only.
func IsWord(v string) bool { return RunOf(v, 0, IsWordByte) == len(v) }

// isCall reports whether v is code: a call, an index, or a dotted name of
// letters only.
func isCall(v string) bool {
	i := RunOf(v, 0, func(c byte) bool { return IsWordByte(c) || c == '.' })
	if i > 0 && i < len(v) && (v[i] == '(' || v[i] == '[') && IsLower(v[0]|0x20) {
		return v[len(v)-1] == ')' || v[len(v)-1] == ']' || v[i] == '(' && i+1 == len(v)
	}
	if i == len(v) && strings.Contains(v, ".") && !strings.HasPrefix(v, ".") {
		for _, part := range strings.Split(v, ".") {
			if sh := ShapeOf(part); sh.Digit > 0 || sh.Letters() == 0 {
				return false
			}
		}
		return true
	}
	return false
}

// IsSettled reports whether v is a word that settings have as a value without
// keeping a secret, or that sentences have after "password is".
func IsSettled(v string) bool {
	switch strings.ToLower(v) {
	case "string!", "id!", "int!", "boolean!", "float!", "string?", "string!)", "id!)", "string!]", "char[]", "[string!]!",
		"null", "nil", "none", "true", "false", "yes", "no", "off", "undefined", "string", "str", "bytes", "optional", "required",
		"text", "password", "passwords", "passwd", "pass", "passphrase", "secret", "secrets", "token", "tokens", "apikey", "api_key", "key", "keys", "bearer", "basic",
		"wrong", "correct", "incorrect", "missing", "empty", "invalid", "expired", "unset", "unknown", "default", "disabled", "enabled",
		"username", "user", "admin", "test", "testing", "value", "object", "number", "boolean", "any", "void", "prompt", "auto", "always", "never",
		"base64", "base32", "base58", "sha1", "sha256", "sha512", "md5", "utf8", "utf-8", "argon2", "argon2id", "bcrypt", "scrypt", "pbkdf2",
		"oauth", "oauth2", "jwt", "x509", "x.509", "2fa", "mfa", "http2", "ipv4", "ipv6", "k8s", "int8", "int16", "uint8", "uint16", "float32", "int32", "int64", "uint32", "uint64", "float64", "varchar", "ed25519", "rsa-2048", "rsa4096", "aes256", "aes-256", "win32", "py3", "python3", "es256", "hs256", "rs256":
		return true
	}
	return false
}

// IsWordy reports whether every part of v between punctuation is a word or a
// short number, as in an identifier, a file name or a version.
func IsWordy(v string) bool {
	start := 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && IsAlnum(v[i]) {
			continue
		}
		part := v[start:i]
		start = i + 1
		sh := ShapeOf(part)
		if sh.Digit > 0 && sh.Letters() > 0 && (part[0] != 'v' || sh.Letters() > 1) || sh.Digit > 4 {
			return false
		}
		if sh.Upper > 1 && sh.Lower > 2 && sh.Upper*3 > len(part) {
			return false // random mixed case
		}
	}
	return true
}

// IsUUID reports whether v is 8-4-4-4-12 hexadecimal digits.
func IsUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if v[i] != '-' {
				return false
			}
		} else if !IsHex(v[i]) {
			return false
		}
	}
	return true
}

// IsHexText reports whether v is hexadecimal digits only, as a hash is.
func IsHexText(v string) bool { return RunOf(v, 0, IsHex) == len(v) }

// IsCode reports whether v, which stands without quotes, is an expression of a
// programming language: a number, a composite, a call, or a name.
func IsCode(v string) bool {
	v = strings.TrimRight(strings.TrimLeft(v, "*&!-+"), ")]};,")
	if len(v) <= 20 && len(v) > 2 && v[0] == '0' && v[1]|0x20 == 'x' {
		return true
	}
	i := RunOf(v, 0, func(c byte) bool { return IsWordByte(c) || c == '.' })
	if i < len(v) {
		return strings.HasPrefix(v, "[]") || i > 0 && (strings.HasPrefix(v[i:], "->") || strings.HasPrefix(v[i:], "::")) || i > 0 &&
			!IsDigit(v[0]) && (v[i] == '(' || v[i] == '[' || v[i] == '{')
	}
	for part := range strings.SplitSeq(v, ".") {
		if single := len(part) == 1 && IsLower(part[0]|0x20); !single && !IsCodeName(part) {
			return false
		}
	}
	return v != ""
}

// IsCodeName reports whether v is a name as programmers write them, in words:
// testKey1024, advapi32. Random text falls into shorter pieces, or into ones
// that nobody could say.
func IsCodeName(v string) bool {
	if v == "" || IsDigit(v[0]) || ShapeOf(v).Digit > 5 {
		return false
	}
	if strings.IndexByte(v, '_') >= 0 && ShapeOf(v).Lower == 0 {
		return true // a constant
	}
	pieces := 1
	vowels, letters := 0, 0
	for i, c := range []byte(v) {
		if i > 0 && (IsDigit(c) != IsDigit(v[i-1]) || IsUpper(c) && IsLower(v[i-1]) || !IsAlnum(c) ||
			i > 1 && IsLower(c) && IsUpper(v[i-1]) && IsUpper(v[i-2])) {
			pieces++
		}
		if !IsWordByte(c) {
			return false
		}
		if strings.IndexByte("aeiouyAEIOUY", c) >= 0 {
			vowels++
		}
		if !IsDigit(c) {
			letters++
		}
	}
	if len(v) >= 16 && 2*len(v) < 7*pieces || len(v) < 2*pieces {
		return false
	}
	return letters < 6 || vowels*5 >= letters
}

// IsFunctionWord reports whether w, in lower case, is a word that sentences are
// built with, or that texts about passwords are full of.
func IsFunctionWord(w string) bool {
	switch w {
	case "the", "and", "for", "with", "are", "was", "were", "from", "has", "have", "had", "not", "but", "you", "your", "yours", "our", "their",
		"his", "her", "its", "this", "that", "these", "those", "they", "them", "will", "would", "can", "could", "should", "shall", "may", "might",
		"must", "when", "where", "which", "who", "what", "why", "how", "there", "here", "then", "than", "into", "onto", "over", "under", "after",
		"before", "because", "been", "being", "does", "did", "done", "only", "also", "just", "very", "too", "any", "all", "some", "every", "each",
		"one", "two", "more", "most", "other", "such", "use", "used", "using", "enter", "please", "password", "passwort", "secret", "token", "user",
		"login", "field", "required", "invalid", "wrong", "incorrect", "characters", "least", "long", "stored", "set", "reset", "new", "old",
		"same", "still", "now", "never", "always", "without", "between", "about", "confirm", "forgot", "remember",
		"der", "die", "das", "und", "ist", "ein", "eine", "les", "des", "une", "dans", "pour", "los", "las", "una", "con", "por", "para", "che", "non", "nicht":
		return true
	}
	return false
}

// IsUnsayable reports whether v, of letters, has five of one case in a row that nobody
// could say, and so is no word.
func IsUnsayable(v string) bool {
	run := 0
	for i, c := range []byte(v) {
		if !IsLower(c|0x20) || strings.IndexByte("aeiouy", c|0x20) >= 0 || i > 0 && IsUpper(c) != IsUpper(v[i-1]) {
			run = 0
			continue
		}
		if run++; run == 5 {
			return true
		}
	}
	return false
}
