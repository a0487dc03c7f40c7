package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxBefore is how many words may stand between a value and the name behind it.
const maxBefore = 5

// before adds the value of a sentence that names it afterwards: "X is my
// password", "use X as the password". What follows the name must not go on with
// another noun, as in "X is the password manager".
func (r *Reader) before(start, stop int) bool {
	s := r.text
	if !endsNoun(s[stop:min(len(s), stop+16)]) {
		return false
	}
	i := start
	for range maxBefore {
		end := chars.RunBack(s, i, chars.IsBlank)
		from := wordBack(s, end)
		if end == i && i != start || from == end || end-from >= maxWord {
			return false
		}
		word := strings.ToLower(s[from:end])
		if isBinder(word) {
			end = chars.RunBack(s, from, chars.IsBlank)
			from = wordBack(s, end)
			if from == end {
				return false
			}
			if k := strings.LastIndexAny(s[from:end-1], "\"'`(="); k > 0 {
				from += k // the string that the sentence begins
			}
			vs, ve, quoted := trimSpoken(s, from, end)
			return vs < ve && Looks(s[vs:ve]) && r.spoken(password, s[vs:ve], vs, ve, quoted, true)
		}
		if strings.IndexByte(".,;:!?", word[len(word)-1]) >= 0 {
			return false
		}
		i = from
	}
	return false
}

// Looks reports whether v is what people and programs choose for passwords and
// hardly for anything else: letters with digits or signs among them. It is what a
// value must look like that stands before its name, and so what has to be held
// back of a text that arrives in pieces.
func Looks(v string) bool {
	sh := chars.ShapeOf(v)
	if len(v) < 6 || len(v) > 128 || sh.Letters() == 0 || sh.Digit+sh.Symbol == 0 || sh.Other > 0 {
		return false
	}
	return (acceptSpokenPassword(v, sh, false) || sh.Upper > 0 && sh.Lower > 0 && sh.Digit > 0 && acceptsBound(v)) &&
		!chars.IsHexText(v) && !chars.IsUUID(v) && !strings.ContainsAny(v, "/()[]{}<>|")
}

// isBinder reports whether word binds a value to the name that follows.
func isBinder(word string) bool {
	switch word {
	case "is", "was", "as", "ist", "als", "est", "comme", "es", "como", "è", "come", "é", "jako", "to", "это", "как", "är", "som":
		return true
	}
	return false
}

// endsNoun reports whether rest, what follows a noun, begins with something that
// is no further noun.
func endsNoun(rest string) bool {
	rest = strings.TrimLeft(rest, " \t)\"'*`")
	if rest == "" || strings.IndexByte(".,;:!?\n\r|-(}]\\<", rest[0]) >= 0 {
		return true
	}
	word, _, _ := strings.Cut(rest, " ")
	switch strings.ToLower(strings.TrimRight(word, ".,;:!?\n")) {
	case "for", "of", "on", "to", "at", "in", "everywhere", "now", "please", "and", "but", "since", "there", "here", "too", "from", "until", "i",
		"für", "von", "auf", "und", "pour", "du", "de", "et", "para", "del", "y", "per", "e", "do", "da", "voor", "van", "en", "dla", "от", "для", "и":
		return true
	}
	return false
}

// below adds the value that stands alone on the line below a name that has its own
// line: "Password:", newline, X.
func (r *Reader) below(start, at int) bool {
	s := r.text
	if at >= len(s) || s[at] != '\n' && s[at] != '\r' || !beginsLine(s, start) {
		return false
	}
	from := chars.RunOf(s, at, chars.IsSpace)
	if strings.Count(s[at:from], "\n") > 2 {
		return false
	}
	end := chars.RunOf(s, from, func(c byte) bool { return !chars.IsSpace(c) })
	if end == len(s) {
		r.hold(from)
	}
	if rest := chars.RunOf(s, end, chars.IsBlank); rest < len(s) && s[rest] != '\n' && s[rest] != '\r' {
		return false
	}
	vs, ve, quoted := trimSpoken(s, from, end)
	return vs < ve && s[end-1] != ':' && Looks(s[vs:ve]) && r.spoken(password, s[vs:ve], vs, ve, quoted, true)
}

// beginsLine reports whether nothing but marks of a list or of a heading stands
// before s[i] on its line.
func beginsLine(s string, i int) bool {
	i = chars.RunBack(s, i, func(c byte) bool { return chars.IsBlank(c) || strings.IndexByte("*-#>_|", c) >= 0 })
	return i == 0 || s[i-1] == '\n'
}

// namesAccount reports whether before, the text in front of a name, tells whose
// account or which network is meant.
func namesAccount(before string) bool {
	if i := strings.LastIndex(before, "\n\n"); i >= 0 {
		before = before[i:]
	}
	before = strings.ToLower(before)
	for _, w := range [...]string{
		"login ", "login:", "log in as ", "sign in as ", "user ", "user:", "username", "usr:", "account:", "ssid", "wifi:", "wi-fi:", "wifi is ", "wifi connect ", "vpn:",
		"benutzer", "nutzer:", "utilisateur", "identifiant", "usuario", "usuário", "utente", "gebruiker", "użytkownik", "логин", "machine ",
	} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// plain adds a password of plain letters, which most words of a sentence could be,
// where it can hardly be another: somebody's own, or one of an account, said at the
// end of the sentence, and no word that tells what a password is like.
func (r *Reader) plain(start, at int) bool {
	s := r.text
	from := chars.RunOf(s, at, chars.IsBlank)
	end := chars.RunOf(s, from, func(c byte) bool {
		return chars.IsLower(c|0x20) || c >= 0xc3 && c < 0xd4 || c >= 0x80 && c < 0xc0 ||
			c == '-' || c == '_' || c == '&'
	})
	for end > from && strings.IndexByte("-_&", s[end-1]) >= 0 {
		end--
	}
	v := s[from:end]
	if len(v) < 6 || len(v) > 32 || end < len(s) && s[end] >= 0x80 || v[0] == '-' || v[0] == '_' {
		return false
	}
	rest := chars.RunOf(s, end, chars.IsBlank)
	if rest == len(s) {
		r.hold(from)
	} else if !endsSentence(s, end, rest) {
		return false
	}
	if sh := chars.ShapeOf(v); !isNamed(v) || at > 0 && strings.HasSuffix(strings.TrimRight(s[:at], " "), ":") && sh.Symbol == 0 &&
		sh.Upper < 3 {
		if len(v) > 24 || sh.Symbol+sh.Other > 0 {
			return false
		}
		l := strings.ToLower(v)
		before := strings.ToLower(s[max(0, start-64):start])
		if !isCommon(l) && (tellsOfPassword(l) || !isOwned(before) && !namesAccount(before)) {
			return false
		}
	}
	r.add("password", from, end)
	return true
}

// isNamed reports whether v, at the end of a sentence that says what a password is, is a name,
// words written as one, or words with signs between, and nothing that sentences say of passwords.
func isNamed(v string) bool {
	sh := chars.ShapeOf(v)
	if chars.Thing(v).IsNone() || chars.Thing(v).IsAdjective() && sh.Upper < 2 && sh.Symbol > 0 || chars.Thing(v).IsProduct() ||
		sh.Upper == len(v) {
		return false
	}
	for part := range strings.FieldsFuncSeq(v, func(c rune) bool { return c == '-' || c == '_' || c == '&' }) {
		if chars.IsFunctionWord(strings.ToLower(part)) {
			return false
		}
	}
	switch {
	case sh.Symbol > 0:
		return sh.Upper > 0 || strings.Count(v, "-") > 1 && len(v) > 14
	case isCamel(v):
		return !chars.HasPrefixFold(v, "get") && sh.Upper > 1
	}
	return chars.IsUpper(v[0]) && sh.Upper == 1 && sh.Other == 0 && !tellsOfPassword(strings.ToLower(v))
}

// endsSentence reports whether the word that ends before s[end], with blanks up to
// s[rest] behind it, is the last of its sentence, line or string.
func endsSentence(s string, end, rest int) bool {
	switch c := s[rest]; {
	case c == '\n' || c == '\r':
		return true
	case rest > end:
		return false
	case strings.IndexByte(".!,;)", c) >= 0:
		return end+1 == len(s) || chars.IsSpace(s[end+1]) || strings.IndexByte("\"'`\\)}", s[end+1]) >= 0
	default:
		return strings.IndexByte("}\\\"'`<", c) >= 0
	}
}

// isOwned reports whether before ends with a word that says whose or which one
// password is meant.
func isOwned(before string) bool {
	switch strings.TrimLeft(chars.LastWord(before), "(\"'") {
	case "my", "our", "his", "root", "admin", "wifi", "wlan", "bank", "router", "laptop", "mail", "email", "sudo", "netflix", "gmail", "github", "master",
		"mein", "meine", "unser", "mon", "notre", "mi", "nuestra", "mia", "nostra", "minha", "nossa", "mijn", "ons", "moje", "nasze":
		return true
	}
	return strings.HasSuffix(before, "мой ") || strings.HasSuffix(before, "наш ")
}

// isCommon reports whether v is among the passwords of plain letters that are found
// most often in what was stolen.
func isCommon(v string) bool {
	switch v {
	case "sunshine", "iloveyou", "letmein", "princess", "football", "baseball", "superman", "batman", "dragon", "monkey", "qwerty", "qwertz", "qwertyuiop",
		"azerty", "asdfgh", "asdfghjkl", "trustnoone", "swordfish", "starwars", "pokemon", "liverpool", "chelsea", "arsenal", "jessica", "michelle", "charlie",
		"jordan", "hunter", "killer", "mustang", "shadow", "ginger", "butterfly", "chocolate", "schatz", "hallo", "soleil", "doudou", "loulou", "tequiero", "estrella":
		return true
	}
	return false
}

// tellsOfPassword reports whether v, in lower case, may be what a sentence says of
// a password: an adjective, a participle, or a word that goes with passwords.
func tellsOfPassword(v string) bool {
	if chars.IsFunctionWord(v) || chars.IsSettled(v) || chars.IsPlaceholder(v) || strings.Contains(v, "pass") ||
		strings.Contains(v, "secret") {
		return true
	}
	for _, end := range [...]string{
		"ed", "en", "ing", "able", "ible", "ful", "less", "ous", "ive", "ory", "ary", "ent", "ant", "ic", "ical", "al", "ly", "ure", "wn", "ten", "tion", "ment", "ness", "ity", "ish", "ate", "ers", "ords", "gs", "es", "ts",
		"lich", "bar", "sam", "ig", "los", "isch", "cher", "iert", "iel", "ald", "elt", "ckt", "tzt", "ert", "ich", "ürt", "eux", "euse", "ée", "ées", "ado", "ada", "ido", "ida", "oso", "osa", "ato", "ata", "ito", "ita", "uto", "uta",
		"que", "aire", "ile", "one", "elle", "ende", "erd", "oże", "any", "ne", "owe", "we", "ie",
	} {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	switch v {
	case "strong", "stronger", "weaker", "better", "longer", "shorter", "enough", "different", "perfect", "simple", "unique", "unsafe", "public", "private",
		"something", "nothing", "anything", "everything", "rotten", "random", "really", "terrible", "garbage", "stolen", "leaked", "visible", "there", "somewhere",
		"sicher", "unsicher", "falsch", "richtig", "vergessen", "geheim", "faible", "correct", "incorrect", "larga", "corta", "fraca", "longa", "curta", "segura", "debole", "zwak", "sterk", "verkeerd", "onjuist", "account", "manager", "prompt", "policy", "hashes", "number", "string", "letter", "letters", "symbol", "symbols", "english", "german", "french":
		return true
	}
	return false
}
