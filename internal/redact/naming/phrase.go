package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxPhrase is how far behind the name of a secret its value may stand in a
// sentence, in bytes and in words.
const (
	maxPhrase      = 96
	maxPhraseWords = 9
)

// A phrase is a sentence from the name of a secret on.
type phrase struct {
	level       level
	start, stop int  // where the name stands
	near        bool // only "NAME is X" counts, with nothing else between
	foreign     bool // the words of the sentence are not of ASCII: a value is
	bound       bool // the word behind the name may be its value without more
}

// phrase adds the value that a sentence gives to a name: "the password for the
// router is X", "das Passwort lautet X", "set it to X".
func (r *Reader) phrase(p phrase) {
	s, lv, stop, near := r.text, p.level, p.stop, p.near
	if asked := chars.RunOf(s, stop, func(c byte) bool { return c == '?' }); asked > stop {
		// "the password? it's X"
		if rest := strings.ToLower(s[asked:min(len(s), asked+8)]); strings.HasPrefix(rest, " it's") || strings.HasPrefix(rest, " it’s") ||
			strings.HasPrefix(rest, " it is") {
			stop = asked
		}
	}
	if stop < len(s) && !chars.IsBlank(s[stop]) && !chars.IsQuote(s[stop]) && s[stop] != ':' && s[stop] != ')' && s[stop] != ',' &&
		s[stop] != '*' && s[stop] < 0x80 {
		return
	}
	end := chars.LineEnd(s, stop, maxPhrase)
	i := stop
	copula, told, filled := p.foreign, false, false
	for n := 0; n < maxPhraseWords && i < len(s); n++ {
		start := chars.RunOf(s, i, chars.IsBlank)
		if start >= end {
			return
		}
		w := start
		for w < len(s) && w < start+maxValue && !chars.IsSpace(s[w]) {
			w++
		}
		// In data the value is the last word of its string: "... is X"}
		word, over := s[start:w], false
		if i := structureIn(word); i >= 0 {
			w, over = start+i, true
			word = s[start:w]
		}
		if strings.HasPrefix(strings.TrimLeft(word, "\"'`(*"), chars.PlaceholderHead) {
			return // the value, masked
		}
		if isCopula(word) {
			copula = true
			if lv == password && !near && isBe(word) && (r.passphrase(w, end) || r.plain(p.start, w)) {
				return
			}
		} else if n == 0 && near && lv == password && isOf(word) {
			near = false
		} else if n == 0 && near && s[p.start:p.stop] == "pwd" && firmSpoken(lv, strings.TrimRight(word, ".,;")) &&
			!strings.Contains(word, "/") {
			near, copula, n = false, true, -1
			continue
		} else if n == 0 && near && !namesAccount(s[max(0, p.start-64):p.start]) {
			return
		} else if copula || n == 0 && start > stop {
			if p.foreign && r.plain(p.start, start) {
				return
			}
			vs, ve, quoted := trimSpoken(s, start, w)
			v := s[vs:ve]
			if p.foreign && (chars.Thing(strings.TrimRight(v, ".,")).IsProduct() || quoted && chars.ShapeOf(v).Other == len(v)) {
				return
			}
			if n == 0 && !copula && (p.bound && acceptSpokenBound(lv, v) || (lv == token || lv == apiKey) && chars.IsUUID(v) &&
				strings.Contains(s[p.start:p.stop], "_")) {
				r.add(lv.kind(), vs, ve)
				return
			}
			// Where an account is told, what follows is the password.
			if n == 0 && !copula && lv == password && chars.ShapeOf(v).Digit+chars.ShapeOf(v).Symbol > 0 &&
				namesAccount(s[max(0, p.start-64):p.start]) {
				copula = true
			}
			if filled && chars.ShapeOf(v).Digit == 0 {
				return
			}
			if lv == password && n == 0 && !quoted && chars.IsQuote(s[start]) && r.passphrase(start, end) {
				return
			}
			if (copula && (n == 0 || !isFiller(word)) || !copula && (firmSpoken(lv, v) || quoted && n == 0 && chars.ShapeOf(v).Digit > 0)) &&
				r.spoken(lv, v, vs, ve, quoted, copula || firmSpoken(lv, v)) {
				return
			}
			copula = copula && (isFiller(word) || p.foreign)
		}
		filled = near && copula && isFiller(word) // "the pass is still X"
		if over || word == "" || near && !isBe(word) && !filled {
			return
		}
		if c := word[len(word)-1]; (c == '.' || c == '?' || c == '!' || c == ';') && !copula {
			return
		}
		if lv == password && !near && isSpokenColon(word) && told && r.named(w) {
			return
		}
		told = told || isFor(word)
		copula = copula || isSpokenColon(word)
		i = w
	}
}

// spoken adds v if it can be a secret of that level. bound says that the sentence
// binds it to its name by a word of its own.
func (r *Reader) spoken(lv level, v string, start, end int, quoted, bound bool) bool {
	if lv != login && !quoted && len(v) < 24 && chars.RunOf(v, 0, chars.IsLower) == len(v) {
		return false // a word of the sentence, as most are
	}
	if lv == login {
		i := strings.IndexAny(v, ":/")
		if i < 0 {
			// "admin / X", "admin, X"
			i = chars.RunOf(r.text, end, chars.IsBlank)
			if i+1 >= len(r.text) || r.text[i] != '/' && r.text[i] != ',' {
				return false
			}
			i = chars.RunOf(r.text, i+1, func(c byte) bool { return chars.IsBlank(c) || c == '/' })
			w := i
			for w < len(r.text) && !chars.IsSpace(r.text[w]) {
				w++
			}
			start, end, quoted = trimSpoken(r.text, i, w)
			v = r.text[start:end]
		} else {
			start, v = start+i+1, v[i+1:]
		}
		lv = password
	}
	if !acceptSpoken(lv, v, quoted) && (!bound || !acceptSpokenBound(lv, v)) {
		return false
	}
	r.add(lv.kind(), start, end)
	return true
}

// isCopula reports whether word binds a name to a value.
func isCopula(word string) bool {
	switch strings.ToLower(strings.TrimRight(word, ":")) {
	case "is", "was", "are", "=", "", "to", "'s", "’s", "==", "->", "→", "=>", "-", "–", "—", "be", "being",
		"it's", "it’s", "remains", "becomes", "wäre", "wird", "c'est", "c’est", "reste", "sigue", "resta", "permanece",
		"wordt", "blijft", "jest", "brzmi", "är", "er", "on", "je", "это", "будет", "είναι",
		"este", "mea", "ialah", "yra", "ir", "adalah:", "merupakan", "er:", "este:", "on:", "yw", "da", "ni", "estas", "naar", "till",
		"til", "na", "на", "su", "this:", "saya", "adalah", "olarak", "benim", "là",
		"ist", "lautet", "war", "heißt", "heisst", "auf",
		"est", "était", "devient", "sera",
		"es", "era", "será", "a", "por",
		"è", "e'", "sarà",
		"é", "para":
		return true
	}
	return false
}

// isFor reports whether word says that what follows tells what a password is for.
func isFor(word string) bool {
	switch strings.ToLower(word) {
	case "for", "für", "pour", "para", "per", "voor", "dla", "для", "för", "til", "till", "pro", "için":
		return true
	}
	return false
}

// named adds the name that is all of the line behind text[at], where a sentence tells what a password is for: "the
// password for the printer: X".
func (r *Reader) named(at int) bool {
	s := r.text
	from := chars.RunOf(s, at, chars.IsBlank)
	end := chars.RunOf(s, from, func(c byte) bool { return chars.IsLower(c|0x20) || c == '-' })
	rest := chars.RunOf(s, end, chars.IsBlank)
	if v := s[from:end]; len(v) < 6 || len(v) > 32 || rest < len(s) && s[rest] != '\n' && s[rest] != '\r' || !isNamed(v) {
		return false
	}
	if rest == len(s) {
		r.hold(from)
	}
	r.add("password", from, end)
	return true
}

// isOf reports whether word says that what follows tells which one is meant.
func isOf(word string) bool { return word == "for" || word == "of" || word == "on" || word == "to" }

// structureIn returns where in word punctuation of data or code begins, behind
// which no sentence goes on, or -1.
func structureIn(word string) int {
	for i := 0; i+1 < len(word); i++ {
		if chars.IsQuote(word[i]) && (word[i+1] == ',' && i+2 == len(word) && i > 0 && !chars.IsQuote(word[0]) || word[i+1] == ':' ||
			word[i+1] == '}' || word[i+1] == ']') {
			return i
		}
	}
	switch {
	case word == "|", word == "||", word == "&&", strings.HasPrefix(word, "{"), strings.HasPrefix(word, "</"):
		return 0
	}
	return -1
}

// isBe reports whether word is a form of "to be", or the sign for it.
func isBe(word string) bool {
	switch strings.ToLower(word) {
	case "is", "is:", "was", "=", ":", "'s", "’s", "ist", "ist:", "lautet", "est", "est:", "es", "es:", "è", "è:", "é", "é:", "jest",
		"это", "är", "it's", "c'est":
		return true
	}
	return false
}

// isSpokenColon reports whether word ends with a colon, as in "for bob: X".
func isSpokenColon(word string) bool {
	return strings.HasSuffix(word, ":") && !strings.HasSuffix(word, "!):") // String!): Type
}

// isFiller reports whether word may stand between the copula and the value.
func isFiller(word string) bool {
	switch strings.ToLower(strings.Trim(word, ",:")) {
	case "now", "still", "currently", "just", "simply", "set", "actually", "probably", "changed", "to", "always", "again", "called",
		"jetzt", "noch", "nun", "immer", "weiterhin", "wieder",
		"maintenant", "toujours", "désormais",
		"ahora", "todavía", "sigue", "siendo",
		"ora", "adesso", "ancora",
		"agora", "ainda",
		"nu", "nog", "steeds", "altijd", "voortaan", "fortfarande", "alltid", "numera", "stadig", "nå", "fortsatt", "nyt", "vielä", "aina",
		"nyní", "teď", "stále", "teraz", "nadal", "zawsze",
		"теперь", "сейчас", "всё", "ещё", "зараз", "тепер", "artık", "şimdi", "hâlâ", "most", "még", "acum", "încă", "trenutno", "sada",
		"sekarang", "masih", "τώρα", "encore", "désormais:", "seit", "gestern", "temporarily", "today", "then", "literally", "really",
		"exactly", "definitely", "":
		return true
	}
	return false
}

// trimSpoken takes quotes, brackets and the punctuation of the sentence off the
// word s[start:end]. A quoted word may go on behind end, up to the quote.
func trimSpoken(s string, start, end int) (int, int, bool) {
	for start < end && (s[start] == '(' || s[start] == '*' || s[start] == '\\') {
		start++
	}
	for _, q := range [...][2]string{{"\"", "\""}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"‘", "’"}, {"‚", "‘"}} {
		if rest, ok := strings.CutPrefix(s[start:end], q[0]); ok {
			if k := strings.LastIndex(rest, q[1]); k > 0 {
				start += len(q[0])
				return start, start + k, true
			}
			start += len(q[0])
			break
		}
	}
	for _, tail := range [...]string{"<", "&quot", "&#", "&lt", `\n`, `\"`} {
		if i := strings.Index(s[start:end], tail); i > 0 {
			end = start + i
		}
	}
	for end > start && strings.IndexByte(".,;:)?*\"'`\\", s[end-1]) >= 0 {
		end--
	}
	return start, end, false
}

// acceptSpokenBound reports whether v, which a sentence says the name is, is a secret.
func acceptSpokenBound(lv level, v string) bool {
	if chars.IsReference(v) || chars.IsSettled(v) || isPathHead(v) || chars.Thing(v).IsMail() || chars.Thing(v).IsHost() ||
		chars.Thing(v).IsProduct() {
		return false
	}
	return lv == password && acceptsBound(v) || lv == secret && isChain(v) && chars.ShapeOf(v).Digit > 0
}

// isPathHead reports whether v begins as a path or the ending of a file does, and has not
// the letters and digits of a password.
func isPathHead(v string) bool {
	if v == "" || v[0] != '/' && v[0] != '.' {
		return false
	}
	sh := chars.ShapeOf(v[1:])
	return sh.Digit == 0 || sh.Upper == 0 || sh.Lower == 0 || chars.IsWordy(v) || strings.ContainsAny(v[1:], "/")
}

// acceptSpoken reports whether v, given in a sentence as the value of a name of
// that level, is a secret and no word of the sentence.
func acceptSpoken(lv level, v string, quoted bool) bool {
	if chars.IsReference(v) || chars.IsSettled(v) || isPathHead(v) || strings.Contains(v, "://") || chars.Thing(v).IsMail() || !quoted &&
		(chars.Thing(v).IsHost() || chars.Thing(v).IsProduct()) {
		return false
	}
	sh := chars.ShapeOf(v)
	if !quoted && lv != password && lv != login && chars.IsCode(v) {
		return false
	}
	switch lv {
	case password, login:
		return acceptSpokenPassword(v, sh, quoted)
	case anyKey:
		return isKeyMaterial(v, sh)
	}
	for part := range strings.SplitSeq(v, "-") {
		if chars.IsSettled(part) {
			return false // base64-encoded
		}
	}
	if strings.Count(v, "/") > 2 && sh.Upper == 0 {
		return false // a path
	}
	return len(v) >= 10 && sh.Digit > 0 && sh.Letters() > 0 && !chars.IsWordy(v) && chars.IsRandom(v) || isDrawnLetters(v)
}

func acceptSpokenPassword(v string, sh chars.Shape, quoted bool) bool {
	if len(v) < 4 || !quoted && chars.IsCode(v) && (!chars.IsWord(v) || v[0] == '0') && !(chars.IsUpper(v[0]) && sh.Digit > 1 &&
		chars.IsDigit(v[len(v)-1])) && !isDotted(v) {
		return false
	}
	if l := strings.ToLower(v); strings.Contains(l, "password") || strings.Contains(l, "passwd") || strings.Contains(l, "passwort") {
		return false
	}
	for part := range strings.SplitSeq(v, "-") {
		if len(part) > 4 && len(part) < len(v) && chars.IsSettled(part) {
			return false // base64-encoded
		}
	}
	odd := 0
	for _, c := range []byte(v[1 : len(v)-1]) {
		if strings.IndexByte("!@#$%^&*+=~?|\\_", c) >= 0 {
			odd++
		}
	}
	switch {
	case strings.Count(v, "-") > 2 && sh.Digit == 0 && isPassphrase(strings.ReplaceAll(v, "-", " ")), isDotted(v):
		return true
	case quoted:
		return sh.Symbol == 0 || sh.Digit > 0 || odd > 0 || sh.Letters() >= 8
	case sh.Letters() == 0:
		return len(v) >= 6 && (sh.Digit == len(v) || odd > 0)
	case sh.Digit > 0:
		return len(v) >= 5 && (!chars.IsWordy(v) || isChain(v) || sh.Upper > 0 && sh.Lower > 0 && sh.Digit > 1 || sh.Digit > 3 || odd > 0 ||
			sh.Symbol == 0 && sh.Digit > 1) && !chars.Thing(v).IsMeasure()
	case odd > 0:
		return len(v) >= 6 && (strings.Count(v, "_") < odd || sh.Upper > 0 && sh.Lower > 0)
	}
	return len(v) >= 8 && sh.Upper > 1 && sh.Lower > 1 && !chars.IsCodeName(strings.TrimRight(v, "!?"))
}

// firmSpoken reports whether v right behind a name, with no word between, is a
// value: "with password X".
func firmSpoken(lv level, v string) bool {
	sh := chars.ShapeOf(v)
	if lv != password {
		return lv != login && len(v) >= 16 && sh.Digit > 0 && sh.Letters() > 0 && (sh.Upper > 0 && sh.Lower > 0 || lv != anyKey &&
			len(v) >= 32) && !chars.IsUUID(v)
	}
	if sh.Upper+sh.Symbol+sh.Other == 0 {
		return len(v) >= 8 && sh.Digit > 1 && sh.Lower > 0 && !chars.IsCodeName(v) && !chars.IsHexText(v)
	}
	if isChain(v) && sh.Other == 0 || isHyphened(v, 4) {
		return true
	}
	// "password Quince-Jam-6": capitals in words, and a number.
	if sh.Upper > 0 && sh.Lower > 2 && sh.Digit > 0 && strings.Count(v, "-") == sh.Symbol && sh.Symbol > 1 && acceptsBound(v) {
		return true
	}
	return len(v) >= 8 && sh.Digit > 0 && sh.Letters() > 0 && (sh.Upper > 0 || sh.Symbol > 0) && (!chars.IsWordy(v) || sh.Digit > 2 &&
		sh.Upper > 0 || sh.Upper > 0 && strings.ContainsAny(v[1:], "!#$%^*+~?@&")) &&
		!strings.ContainsAny(v, "()/:") && (!strings.Contains(v, "=") || sh.Upper > 0 && sh.Lower > 0 && sh.Digit > 1)
}

// isChain reports whether v is words and a number joined by hyphens or dots, three
// parts or more, none of them of the language of ciphers: "copper-kettle-42".
func isChain(v string) bool {
	parts := strings.FieldsFunc(v, func(c rune) bool { return c == '-' || c == '.' || c == '_' })
	if len(parts) < 3 || chars.ShapeOf(parts[len(parts)-1]).Digit != len(parts[len(parts)-1]) {
		return false
	}
	for _, part := range parts[:len(parts)-1] {
		if chars.ShapeOf(part).Letters() != len(part) || len(part) < 4 || chars.IsSettled(part) || chars.IsFunctionWord(part) {
			return false
		}
	}
	return true
}

// isDotted reports whether v is four words or more with dots between, as programs
// that make passphrases write them, and no name of a host or in code.
func isDotted(v string) bool {
	parts := strings.Split(v, ".")
	if len(parts) < 4 {
		return false
	}
	for _, part := range parts {
		if len(part) < 4 || chars.RunOf(part, 0, chars.IsLower) != len(part) || chars.IsSettled(part) || chars.IsFunctionWord(part) {
			return false
		}
	}
	return true
}

// passphrase adds the four or more plain words that follow s[i] to the end of
// the sentence: "the passphrase is correct horse battery staple".
func (r *Reader) passphrase(i, limit int) bool {
	start := chars.RunOf(r.text, i, chars.IsBlank)
	start = chars.RunOf(r.text, start, chars.IsQuote)
	end := start
	for end < limit && (chars.IsLower(r.text[end]) || r.text[end] == ' ') {
		end++
	}
	if end == len(r.text) {
		r.hold(start)
	}
	if end < limit && strings.IndexByte(".,;!)\"'`", r.text[end]) < 0 {
		return false
	}
	v := strings.TrimRight(r.text[start:end], " ")
	if strings.Count(v, " ") < 3 || !isPassphrase(v) {
		return false
	}
	r.add("passphrase", start, start+len(v))
	return true
}

// isPassphrase reports whether v is words in a row that make no sentence: three
// or more, two if there are digits in them, none of them a word that sentences
// are built with.
func isPassphrase(v string) bool {
	words := strings.Fields(v)
	least := 3
	if chars.ShapeOf(v).Digit > 0 {
		least = 2
	}
	if len(words) < least || len(words) > 24 {
		return false
	}
	for _, w := range words {
		if len(w) < 3 && chars.ShapeOf(w).Digit == 0 || chars.IsFunctionWord(strings.ToLower(w)) || chars.IsPlaceholder(w) {
			return false
		}
	}
	return true
}

// isDrawnLetters reports whether v is 18 letters of ASCII or more whose case changes so often that a program drew them.
func isDrawnLetters(v string) bool {
	turns := 0
	for i, c := range []byte(v) {
		if !chars.IsLower(c | 0x20) {
			return false
		}
		if i > 0 && chars.IsUpper(c) != chars.IsUpper(v[i-1]) {
			turns++
		}
	}
	return len(v) >= 18 && turns*3 >= len(v) && chars.ShapeOf(v).Distinct > 8
}
