package naming

import (
	"slices"
	"strings"

	"ken/internal/redact/chars"
)

// A level says what kind of secret a name promises, and so how much its value
// must look like one.
type level int

const (
	noSecret  level = iota
	password        // chosen by a person: almost anything
	token           // made by a program: long, letters and digits
	apiKey          // likewise
	secret          // likewise
	anyKey          // "key" alone: only what is plainly random
	login           // user and password together
	sessionID       // in a cookie: long and random, right behind "="
)

// kind is the kind of the hits of a level.
func (l level) kind() string {
	switch l {
	case token:
		return "token"
	case sessionID:
		return "session-id"
	case apiKey, anyKey:
		return "api-key"
	case secret:
		return "secret"
	default:
		return "password"
	}
}

// Stems are parts of the names of secrets, in lower case, at least one in each
// name that a Reader knows: where none stands, there is nothing to read.
func Stems() []string {
	return []string{
		"pass", "pwd", "pswd", "secret", "token", "key", "cred", "auth", "login", "pw ", "pw:", "pw=", "pw'", "pw\n", "pw\"",
		"kennwort", "contrase", "clave", "senha", "parola", "mdp",
		"wachtwoord", "haslo", "has\u0142", "heslo", "senord", "kodeord", "salas", "jelsz", "ifre", "арол", "ωδικ",
		"psk", "sandi", "lozink", "sess", "sid=", "zugangsdaten", "identifiants",
		"pssw", "pasw", "pw(", "pw[", "ww:", "ww=", "ww ", "lykilor", "adgangskod", "geslo", "parole", "laptažod", "kalim", "озинк", "kata laluan",
		"wagwoord", "cyfrinair", "pasahitz", "pasfhocal", "nenosiri", "pasvort", "schl\u00fcssel", "key-string", "community",
	}
}

// levelOf judges a name by its last words. before is the text in front of it,
// which counts where the name is a word of a sentence ("api key").
func levelOf(name, before string) level {
	if name == "PWD" && !strings.HasSuffix(before, ";") || name == "OLDPWD" {
		return noSecret // the working directory of a shell, and no part of a connection string
	}
	var buf [12]string
	words := nameWords(buf[:0], name)
	for len(words) > 1 && isNameTail(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return noSecret
	}
	if slices.Contains(words, "public") || slices.Contains(words, "publishable") {
		return noSecret // NEXT_PUBLIC_X_KEY is sent to every browser
	}
	last, prev := words[len(words)-1], ""
	if len(words) > 1 {
		prev = words[len(words)-2]
	} else {
		prev = chars.LastWord(before)
	}
	switch last {
	case "password", "passwd", "passwort", "pwd", "pass", "passphrase", "passcode", "pw", "pswd", "pword", "passw", "userpass",
		"kennwort", "senha", "parola", "contraseña", "contrasena", "clave", "motdepasse", "mdp", "userpwd",
		"wachtwoord", "haslo", "hasła", "hasło", "heslo", "lösenord", "lösenordet", "losenord", "kodeord", "kodeordet", "passord", "passordet",
		"salasana", "salasanani", "jelszó", "jelszo", "jelszavam", "şifre", "sifre", "şifrem", "parolam", "şifresi",
		"пароль", "пароля", "паролем", "sandi", "lozinka", "geslo", "salasõna", "parole", "slaptažodis", "κωδικός", "κωδικος", "psk":
		return password
	case "ww", "laluan":
		if last == "ww" && len(words) == 1 || prev == "kata" {
			return password
		}
	case "schlüssel", "netzwerkschlüssel", "wlanschlüssel", "sicherheitsschlüssel", "zugangsschlüssel":
		if len(words) > 1 || last != "schlüssel" {
			return password
		}
	case "chiave":
		if prev == "parola" {
			return password
		}
	case "string":
		if prev == "key" && strings.Contains(name, "-") {
			return password // of a key chain of a router
		}
	case "community", "rocommunity", "rwcommunity":
		if last != "community" || strings.HasSuffix(strings.ToLower(before), "snmp ") || strings.HasSuffix(before, "snmp-server ") ||
			strings.TrimSpace(before) == "" || strings.HasSuffix(before, "\n") {
			return password
		}
	case "passe":
		if prev == "de" || prev == "palavra" {
			return password
		}
	case "salt":
		if prev == "auth" {
			return secret // of WordPress
		}
	case "base":
		if prev == "key" || prev == "secret" {
			return secret // secret_key_base of Rails
		}
	case "session", "sessid", "sessionid", "phpsessid", "jsessionid", "aspsessionid":
		return sessionID
	case "id":
		if prev == "session" || prev == "sess" {
			return sessionID
		}
	case "sid":
		if prev == "" || prev == "connect" || prev == "session" || prev == "auth" {
			return sessionID
		}
	case "secret":
		return secret
	case "token", "pat":
		switch prev {
		case "next", "page", "continuation", "csrf", "xsrf", "max", "eos", "bos", "pad", "stop", "unk", "sync", "per", "cancellation", "syntax":
			return noSecret
		}
		return token
	case "credential", "credentials", "cred", "creds", "login", "zugangsdaten", "identifiants", "credenciales", "credenziali", "credenciais":
		return login
	case "auth":
		return token
	case "key":
		if prev == "shared" && len(words) > 2 && words[len(words)-3] == "pre" {
			return password // of a wireless network
		}
		return keyLevel(prev)
	}
	return gluedLevel(last)
}

// keyLevel judges the name "key" by the word before it.
func keyLevel(prev string) level {
	switch prev {
	case "api", "access", "secret", "private", "auth", "encryption", "signing", "master", "account", "shared", "app",
		"application", "service", "admin", "client", "license", "consumer", "storage", "hmac", "jwt", "webhook", "deploy",
		"openai", "azure", "anthropic", "claude", "gemini", "cohere", "mistral", "groq", "deepl", "deepseek", "openrouter", "maps", "google", "stripe", "paypal",
		"datadog", "algolia", "mapbox", "cloudflare", "sendgrid", "mailgun", "twilio", "weather", "github", "gitlab", "slack", "aws", "gcp", "alchemy", "infura",
		"crypt", "security", "root", "role", "subscription", "integration", "write", "preshared", "psk", "apps", "decryption":
		return apiKey
	case "public", "pub", "primary", "foreign", "cache", "idempotency", "partition", "sort", "index", "object", "host",
		"publishable", "dedupe", "dedup", "row", "column", "unique", "composite", "enter", "escape", "arrow", "routing", "site":
		return noSecret
	}
	if prev == "pragma" {
		return password // of a database in a file
	}
	return anyKey
}

// gluedLevel judges a name written without anything between its words.
func gluedLevel(w string) level {
	switch {
	case strings.HasSuffix(w, "password"), strings.HasSuffix(w, "passwd"), strings.HasSuffix(w, "passwort"),
		strings.HasSuffix(w, "passphrase"), strings.HasSuffix(w, "kennwort"), strings.HasSuffix(w, "pwd"), strings.HasSuffix(w, "storepass"):
		return password
	case strings.HasSuffix(w, "apikey"), strings.HasSuffix(w, "secretkey"), strings.HasSuffix(w, "accesskey"),
		strings.HasSuffix(w, "accountkey"), strings.HasSuffix(w, "privatekey"), strings.HasSuffix(w, "authkey"), strings.HasSuffix(w, "sharedkey"):
		return apiKey
	case strings.HasSuffix(w, "token") && len(w) > len("token"):
		return token
	case strings.HasSuffix(w, "secret"):
		return secret
	}
	if isCompound(w) || isMistyped(w) {
		return password
	}
	switch w {
	case "storepass", "keypass", "requirepass", "masterauth", "rootpw", "sudopw", "bindpw", "adminpw",
		"dbpass", "pgpass", "rootpass", "smtppass", "mypass", "mailpass", "sudopass", "sshpass", "adminpass", "ftppass", "redispass", "mysqlpass", "vaultpass":
		return password
	}
	return noSecret
}

// isCompound reports whether w, in lower case, ends with a word for a password of a
// language that writes compounds as one word, and its endings.
func isCompound(w string) bool {
	for _, stem := range [...]string{
		"wachtwoord", "wagwoord", "lösenord", "losenord", "passord", "kodeord", "adgangskode", "salasana", "salasanan", "lykilorð", "lykilorði", "heslo", "jelszó", "jelszava",
		"lozink", "лозинк", "парол", "geslo", "salasõna", "slaptažod", "fjalëkalim", "şifre", "parolas", "cyfrinair", "pasahitz", "pasfhocal", "nenosiri", "pasvort", "contrasenya", "contrasinal", "passwörte",
	} {
		if i := strings.LastIndex(w, stem); i >= 0 && len(w)-i-len(stem) <= 4 && (i == 0 || len(stem) > 5) {
			return true
		}
	}
	return false
}

// isMistyped reports whether w is a word for a password with a slip of the finger: a
// letter missing, doubled, wrong or in its neighbour's place.
func isMistyped(w string) bool {
	switch w {
	case "psswd", "paswd", "passwwd", "paasswd", "passswd":
		return true
	case "passwords", "passworded", "passworts", "passport":
		return false
	}
	return w != "" && w[0] == 'p' && (slips(w, "password") || slips(w, "passwort"))
}

// slips reports whether one slip makes want of w.
func slips(w, want string) bool {
	if d := len(w) - len(want); d < -1 || d > 1 {
		return false
	}
	i := 0
	for i < len(w) && i < len(want) && w[i] == want[i] {
		i++
	}
	a, b := w[i:], want[i:]
	switch {
	case len(a) > len(b):
		return a[1:] == b
	case len(a) < len(b):
		return a == b[1:]
	case len(a) < 2:
		return len(a) == 1
	}
	return a[1:] == b[1:] || a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}

// isNameTail reports whether w says which of several, and not what.
func isNameTail(w string) bool {
	switch w {
	case "prod", "production", "dev", "development", "test", "staging", "old", "new", "live", "value", "b64", "base64", "plain", "main", "default", "backup", "primary", "secondary":
		return true
	}
	return chars.ShapeOf(w).Digit == len(w)
}

// nameWords appends to words those of a name, split at punctuation and where
// lower case turns upper, in lower case. A number at the end of a word is a word.
func nameWords(words []string, name string) []string {
	start := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && !startsNameWord(name, i) {
			continue
		}
		if i > start {
			words = append(words, strings.ToLower(name[start:i]))
		}
		start = i
		if i < len(name) && !chars.IsAlnum(name[i]) && name[i] < 0x80 {
			start++
		}
	}
	return words
}

// startsNameWord reports whether name[i] is punctuation or begins a word.
func startsNameWord(name string, i int) bool {
	c := name[i]
	switch {
	case !chars.IsAlnum(c) && c < 0x80:
		return true
	case i == 0:
		return false
	}
	before := name[i-1]
	return chars.IsUpper(c) && (chars.IsLower(before) || chars.IsUpper(before) && i+1 < len(name) && chars.IsLower(name[i+1])) ||
		chars.IsDigit(c) && chars.IsAlnum(before) && !chars.IsDigit(before)
}
