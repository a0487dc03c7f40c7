package environ

import (
	"strings"

	"ken/internal/redact"
	"ken/internal/redact/chars"
	"ken/internal/redact/naming"
)

// isOfSystem reports whether a variable is one of those that say where and who somebody is
// and how their terminal looks: without them little runs, and they hold no secret.
func isOfSystem(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "SHLVL", "_", "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM",
		"TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMPDIR", "TEMP", "TMP", "HOSTNAME", "HOST", "DISPLAY", "WAYLAND_DISPLAY", "LS_COLORS",
		"PS1", "COLUMNS", "LINES", "MANPATH", "INFOPATH", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "GOPATH", "GOROOT", "JAVA_HOME",
		"VIRTUAL_ENV", "CONDA_PREFIX", "SYSTEMROOT", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA",
		"LOCALAPPDATA", "PROGRAMDATA", "GIT_CONFIG_COUNT":
		return true
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_")
}

// isNothing reports whether a value is too little for a secret: none, a switch, a small
// number.
func isNothing(value string) bool {
	switch strings.ToLower(value) {
	case "", "true", "false", "yes", "no", "on", "off", "none", "null", "auto", "always", "never":
		return true
	}
	return len(value) <= 3 && chars.RunOf(value, 0, chars.IsDigit) == len(value)
}

// says reports whether a name says that the value is a secret. One that says where a secret
// is, or how much or what of one, leaves it to the value.
func says(name, value string) bool {
	words := strings.FieldsFunc(strings.ToUpper(spread(name)), func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= 0x80)
	})
	found := false
	for i, w := range words {
		w = strings.TrimRight(w, "0123456789")
		found = found || isWord(w, i == len(words)-1)
	}
	if !found {
		return false
	}
	last := words[len(words)-1]
	number := chars.RunOf(value, 0, chars.IsDigit) == len(value)
	switch last {
	case "FILE", "PATH", "DIR", "SOCK", "HOME", "ASKPASS", "MAIN", "NODE":
		return !isPath(value)
	case "URL", "URI", "HOST", "ENDPOINT", "DOMAIN", "ISSUER", "NAME", "TYPE", "ALGORITHM", "MODE", "METHOD":
		return strings.Contains(name, "WEBHOOK")
	case "PORT", "TTL", "TIMEOUT", "EXPIRY", "EXPIRES", "LENGTH", "SIZE", "LIMIT", "COUNT", "BUDGET", "MAX", "MIN", "TOKENS":
		return !number
	}
	return true
}

// isWord reports whether a word of a name, in capitals and without a number behind it, says a
// secret. last says that it is the last of the name.
func isWord(w string, last bool) bool {
	switch w {
	case "HOTKEY", "MONKEY", "TURKEY", "DONKEY", "BYPASS", "COMPASS":
		return false
	case "KEYS", "PAT", "JWT", "BEARER", "COOKIE", "COOKIES", "CRED", "CREDS", "OTP", "PIN", "PSK", "DSN", "SALT",
		"PEPPER", "MNEMONIC", "PRIVATE", "SIGNATURE":
		return true
	case "PASS":
		return last
	}
	for _, part := range []string{"SECRET", "PASSW", "PASSPHRASE", "PASSCODE", "CREDENTIAL", "APIKEY", "WEBHOOK"} {
		if strings.Contains(w, part) {
			return true
		}
	}
	if strings.Contains(w, "TOKEN") {
		return !strings.Contains(w, "TOKENIZ")
	}
	for _, end := range []string{"KEY", "PASS", "PWD", "AUTH"} {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// spread writes a name of joined words (authToken) with a sign between them.
func spread(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if i > 0 && chars.IsUpper(name[i]) && chars.IsLower(name[i-1]) {
			b.WriteByte('_')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// holds reports whether a value is, or has in it, what looks like a secret.
func holds(name, value string) bool {
	switch {
	case redact.Contains(value), redact.Contains(name + "=" + value):
		return true
	case isPath(value):
		return false
	}
	for _, piece := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;:@?&=|\"'()[]{}<>", r) }) {
		if !isPath(piece) && isDrawn(name, piece) {
			return true
		}
	}
	return chars.ShapeOf(value).Classes() == 4 && !strings.ContainsAny(value, " \t\n/:=,") && naming.Looks(value) && chars.IsRandom(value)
}

// leastDrawn is how long a piece of a value is at least that is taken for a secret because
// it looks drawn by a program.
const leastDrawn = 20

// isDrawn reports whether a piece of the value of a variable looks drawn by a program. What
// a name calls a sum or a number of something may look so.
func isDrawn(name, piece string) bool {
	if len(piece) < leastDrawn || !chars.IsRandom(piece) {
		return false
	}
	if !chars.IsHexText(strings.ReplaceAll(piece, "-", "")) {
		return true
	}
	switch name[strings.LastIndexByte(name, '_')+1:] {
	case "SHA", "SHA1", "SHA256", "COMMIT", "REVISION", "REV", "DIGEST", "HASH", "CHECKSUM", "ID", "UUID", "GUID":
		return false
	}
	return true
}

// isPath reports whether a text is a path, or several: what begins like one of a system and
// goes on.
func isPath(s string) bool {
	for _, head := range []string{"~/", "./", "../"} {
		if strings.HasPrefix(s, head) {
			return true
		}
	}
	if len(s) > 3 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') {
		return true
	}
	if !strings.HasPrefix(s, "/") {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimLeft(s, "/"), "/")
	plain := chars.RunOf(first, 0, func(c byte) bool { return chars.IsLower(c|0x20) || c == '.' || c == '_' || c == '-' })
	return first != "" && len(first) <= 20 && plain == len(first)
}
