package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// PhraseStems are words for a password that are no name in code: ReadPhrase reads a
// sentence from them on.
func PhraseStems() []string {
	return []string{
		"unlock code", "access code", "door code", "gate code", "entry code", "alarm code", "wifi code", "wi-fi code", "code word", "codeword", "secret word", "secret phrase", "safe word", "pass code", "security key", "shared secret",
		"network key", "login code", "zugangscode", "zugriffscode", "türcode", "code wifi", "code d'acc", "clé wifi", "clé du wifi", "wifi-sleutel", "toegangscode", "código de acceso", "codice di accesso", "kod dost",
	}
}

// ReadPhrase looks at what PhraseStems has at text[at:end].
func (r *Reader) ReadPhrase(at, end int) {
	if at < r.done || !chars.StartsWord(r.text, at) {
		return
	}
	stop := chars.NameEnd(r.text, end)
	if stop-end > 4 {
		return
	}
	r.phrase(phrase{level: password, start: at, stop: stop})
}

// maxSaid is how many words may stand between a value that a sentence says to use, and
// the name that tells what it is.
const maxSaid = 12

// said adds the value of a sentence that tells late what it was about: "set it to X for
// now, the password of the router I mean", "enter X when it asks for a password". The
// value must look like nothing else.
func (r *Reader) said(start, stop int) bool {
	s := r.text
	if before := strings.ToLower(s[max(0, start-8):start]); strings.HasSuffix(before, "no ") || strings.HasSuffix(before, "without ") {
		return false
	}
	rest := strings.ToLower(strings.TrimLeft(s[stop:min(len(s), stop+16)], " \t"))
	prompt := strings.HasPrefix(rest, "prompt") || strings.HasPrefix(rest, "field") || strings.HasPrefix(rest, "box") || strings.HasPrefix(rest, "dialog")
	if !prompt && !endsNoun(s[stop:min(len(s), stop+16)]) {
		return false
	}
	i := start
	for n := 0; n < maxSaid; n++ {
		end := chars.RunBack(s, i, chars.IsBlank)
		from := wordBack(s, end)
		if from == end || end == i && i != start || end-from >= maxWord {
			return false
		}
		word := s[from:end]
		vs, ve, _ := trimSpoken(s, from, end)
		if n > 0 && vs < ve && saidValue(s[vs:ve]) && isSaying(s[:from]) {
			r.add("password", vs, ve)
			return true
		}
		if strings.IndexByte(".!?;", word[len(word)-1]) >= 0 && from+1 < end && !saidValue(word) {
			return false
		}
		i = from
	}
	return false
}

// saidValue reports whether v can hardly be a word of a sentence, the name of an
// algorithm, a file, a host or a thing in code.
func saidValue(v string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 7 && len(v) <= 64 && sh.Digit > 0 && Looks(v) && (firmSpoken(password, v) || acceptSpokenPassword(v, sh, false)) &&
		(sh.Upper > 0 && sh.Lower > 0 || sh.Symbol > 0 || sh.Digit > 1) &&
		!chars.IsReference(v) && !chars.Thing(v).IsTechnical() && !chars.Thing(v).IsMail() && !chars.Thing(v).IsFile() && !strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "#") &&
		!strings.HasPrefix(v, "@") && strings.Count(v, ".") < 2 && !strings.Contains(v, "://") && !chars.IsHexText(v)
}

// isSaying reports whether before, the text in front of a value, ends with a word that
// says to use what follows.
func isSaying(before string) bool {
	switch strings.ToLower(strings.Trim(lastOf(before), "\"'`(*,:")) {
	case "to", "use", "used", "using", "enter", "type", "typed", "try", "need", "insert", "put", "paste", "give", "gave", "with", "take", "was", "is", "it's", "as",
		"nimm", "verwende", "benutze", "eingeben", "tippe", "gib", "auf", "mit", "utilise", "entre", "tape", "mets", "avec", "usa", "pon", "metti", "con", "inserisci", "digite", "coloca", "gebruik", "vul", "wpisz", "введи", "введите", "używaj":
		return true
	}
	return false
}

// lastOf is the last word of before, as it stands.
func lastOf(before string) string {
	end := chars.RunBack(before, len(before), chars.IsBlank)
	return before[wordBack(before, end):end]
}

// maxWord is more bytes than a word of a sentence has: without a bound a text of nothing
// but names would cost quadratic time.
const maxWord = 256

// wordBack returns where the word begins that ends before s[end], or maxWord bytes before.
func wordBack(s string, end int) int {
	from := max(0, end-maxWord)
	return from + chars.RunBack(s[from:end], end-from, func(c byte) bool { return !chars.IsSpace(c) })
}
