package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// inSettings reports whether the line of the value of fr, which ends before s[end], is a name and its value and nothing
// else, as files of settings have them, and whether a line beside it is one of a user or a host.
func inSettings(s string, fr frame, end int) (whole, account bool) {
	line := max(0, fr.at-maxName)
	line += strings.LastIndexByte(s[line:fr.at], '\n') + 1
	name := strings.TrimLeft(s[line:fr.at], " \t-")
	name = strings.TrimPrefix(name, "export ")
	if stop := chars.NameEnd(strings.ReplaceAll(name, ".", "_"), 0); strings.Trim(name[stop:], " \t:=\"'") != "" || name == "" {
		return false, false
	}
	if rest := chars.RunOf(s, end, chars.IsBlank); rest < len(s) && s[rest] != '\n' && s[rest] != '\r' && s[rest] != '#' {
		return false, false
	}
	if line > 1 {
		from := max(0, line-1-maxName)
		account = settingOfAccount(s[from+strings.LastIndexByte(s[from:line-1], '\n')+1 : line-1])
	}
	if next := chars.LineEnd(s, end, maxName); !account && next < len(s) && s[next] == '\n' {
		account = settingOfAccount(s[next+1 : chars.LineEnd(s, next+1, maxName)])
	}
	return true, account
}

// settingOfAccount reports whether line gives a user or a host a value, in a file of settings.
func settingOfAccount(line string) bool {
	line = strings.TrimSpace(strings.TrimLeft(line, " \t-"))
	i := strings.IndexAny(line, "=:")
	if i <= 0 || strings.ContainsAny(line, "(){}[]<>;,|") || strings.HasSuffix(line, "=") || strings.HasSuffix(line, ":") ||
		strings.Count(line, " ") > 2 {
		return false
	}
	name := strings.ToLower(strings.TrimSpace(line[:i]))
	value := strings.ToLower(strings.Trim(line[i+1:], " =:"))
	if strings.Contains(name, " ") || chars.IsSettled(value) || value == "" || strings.IndexByte("$<{%", value[0]) >= 0 {
		return false
	}
	for _, w := range [...]string{
		"user", "usr", "login", "account", "host", "server", "ipaddr", "shortname", "email", "mail", "benutzer", "utilisateur",
		"usuario", "utente", "gebruiker", "имя", "пользователь", "uid", "dbname", "database",
	} {
		if strings.HasSuffix(strings.TrimSuffix(name, "name"), w) || strings.HasSuffix(name, w) {
			return true
		}
	}
	return false
}

// formField returns where the value begins of a field of a form in parts, which has its name in the head
// and its value behind an empty line; -1 if the name at s[start] that ends before s[i] is none.
func formField(s string, start, i int) int {
	if !strings.HasSuffix(s[:start], "name=\"") && !strings.HasSuffix(s[:start], "name=") {
		return -1
	}
	for _, gap := range [...]string{"\r\n\r\n", "\n\n", `\r\n\r\n`, `\n\n`} {
		if strings.HasPrefix(s[i:], gap) {
			return i + len(gap)
		}
	}
	return -1
}

// unwrapped returns where the literal begins that s[i:] makes a text or a secret of, and does
// nothing else with: QStringLiteral("X"), String::from("X"), new SecretString("X"); i if there is none.
func unwrapped(s string, i int) int {
	at := i
	for range 3 {
		at = chars.RunOf(s, at, chars.IsBlank)
		if strings.HasPrefix(s[at:], "new ") {
			at += len("new ")
		}
		stop := chars.RunOf(s[:min(len(s), at+48)], at, func(c byte) bool { return chars.IsWordByte(c) || c == '.' || c == ':' || c == '!' || c == '@' })
		if stop > at && stop+1 < len(s) && s[stop] == ' ' && s[stop+1] == '"' {
			switch strings.ToLower(s[at:stop]) {
			case "pack", "t.pack", "b.pack", "bs.pack", "fromsecret", "fromstring", "frombytestring", "secret", "just", "some":
				return stop + 1 // of a language that calls without brackets
			}
		}
		if stop == at || stop >= len(s) || s[stop] != '(' && s[stop] != '{' || !isWrapper(s[at:stop]) {
			return i
		}
		if at = chars.RunOf(s, stop+1, chars.IsSpace); at < len(s) && chars.IsQuote(s[at]) {
			return at
		}
	}
	return i
}

// isWrapper reports whether name is of a call that gives back the text that it is given.
func isWrapper(name string) bool {
	name = strings.TrimRight(strings.ToLower(name), "!")
	for _, sep := range [...]string{".", "::"} {
		if i := strings.LastIndex(name, sep); i >= 0 {
			if head := name[:i]; name[i+len(sep):] == "new" {
				name = head[strings.LastIndexAny(head, ".:")+1:]
			} else {
				name = name[i+len(sep):]
			}
		}
	}
	switch name {
	case "string", "str", "qstring", "qstringliteral", "qlatin1string", "nsstring", "string_view", "from", "of", "some", "just",
		"text", "tr8", "bytes", "encode", "getbytes", "tochararray", "literal", "box", "arc",
		"cow", "optional", "secret", "secretstring", "secretstr", "sensitive", "sensitivestring", "securestring", "protectedstring",
		"passwordtext", "value", "plain", "pstr", "f", "utf8", "buffer", "from_static",
		"ptr", "pointer", "stringptr", "tostring", "cstring", "c_str", "masked", "hidden", "obfuscate", "aws_string", "stringvalue",
		"array", "chararray", "unsecured":
		return true
	}
	return false
}

// besideAccount reports whether v, one word, is the password of an account that its line gives before: {"email": "a@x.test",
// "password": "Goldfinch"}, User ID=bi;Password=Goldfinch. Where labels are given, the account has one with a capital, too.
func (r *Reader) besideAccount(fr frame, start int, v string) bool {
	s := r.text
	sh := chars.ShapeOf(v)
	if fr.level != password || fr.call || fr.option || fr.element || len(v) < 6 || len(v) > 40 || sh.Letters() < len(v) || sh.Upper > 1 ||
		chars.Thing(v).IsNone() || chars.IsFunctionWord(strings.ToLower(v)) || chars.Thing(v).IsProduct() {
		return false
	}
	from := max(0, start-2*maxName)
	from += strings.LastIndexByte(s[from:start], '\n') + 1
	before := lowerASCII(s[from:start])
	name := strings.LastIndexAny(strings.TrimRight(before, " \"'=:"), " ,;&?{(\"'")
	if name < 0 || !fr.quoted && (!fr.tight || strings.IndexByte(";&?", before[name]) < 0) {
		return false
	}
	before = before[:name]
	for _, w := range [...]string{
		"username", "user id", "userid", "user", "login", "email", "mail", "uid",
		"benutzer", "utilisateur", "usuario", "utente",
	} {
		k := strings.LastIndex(before, w)
		if k < 0 {
			continue
		}
		i := chars.RunOf(before, k+len(w), func(c byte) bool { return chars.IsQuote(c) || c == ' ' })
		if i == len(before) || before[i] != '=' && before[i] != ':' {
			continue
		}
		i = chars.RunOf(before, i+1, func(c byte) bool { return chars.IsQuote(c) || c == ' ' })
		end := chars.RunOf(before, i, func(c byte) bool { return chars.IsDotByte(c) || c == '@' })
		if end > i+1 && !chars.IsUpper(s[from+i]) && !chars.IsSettled(before[i:end]) && strings.Count(before[end:], " ") < 8 {
			return true
		}
	}
	return false
}
