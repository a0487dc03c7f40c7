package chars

import "strings"

// A Thing is a value that may be what texts name: a product, a host, a file.
type Thing string

// IsProduct reports whether v is a name that ends with a number: "Windows11", "bcrypt2",
// "Office365".
func (t Thing) IsProduct() bool {
	v := string(t)
	name := strings.ToLower(strings.TrimRight(v, "0123456789.-_"))
	if i := strings.IndexAny(name, "-_ "); i > 0 {
		if isEveryday(name[:i]) {
			return false // "Demo-Otter-27" is of words
		}
		name = name[:i]
	}
	switch name {
	case "windows", "win", "office", "microsoft", "iphone", "ipad", "ios", "macos", "mac", "galaxy", "pixel", "bcrypt", "scrypt",
		"argon", "ubuntu", "debian", "fedora", "centos", "android", "outlook",
		"chrome", "firefox", "postgres", "postgresql", "mysql", "mariadb", "oracle", "sql", "redis", "node", "server", "exchange",
		"sharepoint", "xbox", "playstation", "switch", "wifi", "wi", "web", "field", "input",
		"textbox", "label", "button", "user", "usuario", "test", "demo", "example", "level", "version", "step", "chapter", "section",
		"figure", "table", "page", "vm", "host", "node.js", "kubernetes", "samba", "active",
		"bitwarden", "keepass", "keepassxc", "lastpass", "1password", "dashlane", "facebook", "google", "gmail", "instagram", "netflix",
		"covid", "catch", "mp", "steam", "mongodb", "mongo", "vault", "jenkins", "gitlab", "jira", "docker", "nginx", "apache", "proxmox",
		"vcenter", "esxi", "cisco", "fritz", "fritzbox", "log4j", "base", "crypt", "ntlmv", "netntlmv", "kerberos", "tacacs", "radius":
		return true
	}
	return false
}

// IsMail reports whether v is a mail address.
func (t Thing) IsMail() bool {
	v := string(t)
	user, host, ok := strings.Cut(v, "@")
	if !ok || user == "" || strings.Contains(host, "@") {
		return false
	}
	i := strings.LastIndexByte(host, '.')
	return i > 0 && len(host)-i > 2 && ShapeOf(host[i+1:]).Letters() == len(host)-i-1
}

// IsMeasure reports whether v is a number with a unit: "12-character", "256bit".
func (t Thing) IsMeasure() bool {
	v := string(t)
	i := RunOf(v, 0, IsDigit)
	if i == 0 || i == len(v) {
		return false
	}
	unit := strings.ToLower(strings.TrimLeft(v[i:], "-+"))
	switch unit {
	case "st", "nd", "rd", "th", "kb", "mb", "ms", "x", "s", "h", "m", "d":
		return true
	}
	if ShapeOf(unit).Letters() < len(unit) {
		return false
	}
	for _, u := range [...]string{"char", "bit", "byte", "digit", "letter", "word", "day", "hour", "min", "sec", "month", "year", "time"} {
		if strings.HasPrefix(unit, u) && len(unit) <= len("characters") {
			return true
		}
	}
	return false
}

// IsTechnical reports whether v is the name of an algorithm, a version or a standard,
// which have digits without being secret: SHA-256, TLSv1.3, RFC-2898, v2.
func (t Thing) IsTechnical() bool {
	v := string(t)
	l := strings.ToLower(v)
	for _, head := range [...]string{
		"sha", "aes", "rsa", "utf", "tls", "ssl", "rfc", "iso", "http", "md5", "argon", "base6", "base3", "base-", "ed25519", "curve",
		"secp", "p-256", "x509", "x.509", "hmac",
		"pbkdf", "blake", "oauth", "ipv", "python", "java", "php", "sqlite", "ntlm", "wpa", "fips", "cve-", "level-", "version", "type-",
		"step-", "phase-", "tier-", "part-", "line-", "column-", "row-", "field-",
	} {
		if rest, ok := strings.CutPrefix(l, head); ok && ShapeOf(rest).Lower <= 12 && !strings.ContainsAny(rest, "!@#$%&*+=?") {
			return true
		}
	}
	i := 0
	if l[0] == 'v' {
		i = 1
	}
	return RunOf(l, i, func(c byte) bool { return IsDigit(c) || c == '.' || c == '-' || c == ':' }) == len(l)
}

// IsFile reports whether v is the name of a file: its last part is the ending of one.
func (t Thing) IsFile() bool {
	v := string(t)
	i := strings.LastIndexByte(v, '.')
	if i <= 0 {
		return false
	}
	switch strings.ToLower(v[i+1:]) {
	case "go", "js", "ts", "py", "rb", "rs", "md", "txt", "yaml", "yml", "json", "toml", "ini", "cfg", "conf", "env", "xml", "html",
		"sh", "java", "sql", "log", "csv", "pem", "key", "gpg", "kdbx", "com", "org", "net", "de", "io":
		return true
	}
	return false
}

// IsFamous reports whether v, which a sentence gives from s[at] on, is one of the
// passwords that everybody tells of, in a sentence that tells of it.
func (t Thing) IsFamous(s string, at int) bool {
	v := string(t)
	if len(v) > 34 {
		return false
	}
	var buf [34]byte
	name := buf[:0]
	for _, c := range []byte(v) {
		switch {
		case c == '-' || c == ' ' || c == '.':
		case IsUpper(c):
			name = append(name, c|0x20)
		default:
			name = append(name, c)
		}
	}
	switch string(name) {
	case "correcthorsebatterystaple", "tr0ub4dor&3", "tr0ub4dour&3", "hunter2", "password1", "password123", "p@ssw0rd", "123456",
		"qwerty123", "letmein", "iloveyou":
	default:
		return false
	}
	from, to := max(0, at-160), min(len(s), at+len(v)+160)
	around := strings.ToLower(s[from:to])
	for _, w := range [...]string{
		"xkcd", "famous", "example", "comic", "meme", "joke", "well-known", "classic", "such as", "e.g.",
		"notorious", "infamous", "most common", "most used", "breach", "leaked list", "everybody", "beispiel", "par ex", "ejemplo",
		"berühmt", "bekannt",
	} {
		if strings.Contains(around, w) {
			return true
		}
	}
	return false
}

// IsHost reports whether v is what machines and teams are called: words and short numbers
// in lower case with hyphens between, of which the last is a word with a number: "srv-db01".
func (t Thing) IsHost() bool {
	v := string(t)
	i := strings.LastIndexByte(v, '-')
	if i <= 0 || i+1 == len(v) || ShapeOf(v).Upper > 0 || strings.Count(v, "-") > 2 ||
		RunOf(v, 0, func(c byte) bool { return IsLowerAlnum(c) || c == '-' }) < len(v) || !IsLower(v[0]) {
		return false
	}
	digits := RunOf(v, i+1, IsLower)
	return digits > i+1 && len(v)-digits <= 3 && RunOf(v, digits, IsDigit) == len(v) && ShapeOf(v[:i]).Digit <= 2
}
