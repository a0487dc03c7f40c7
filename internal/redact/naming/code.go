package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// A Code is a short secret that only its name tells from other numbers.
type Code struct {
	Kind string
	// Stems are the names, in lower case.
	Stems []string

	min, max int  // digits
	loose    bool // it may follow its name without "is" or a colon
}

// Codes lists them.
func Codes() []Code {
	names := func(s string) []string { return strings.Split(s, "|") }
	return []Code{
		{"pin", names("pin code|pincode|pin-code|code pin|kod pin|sim pin|sim-pin|unlock code|door code|gate code|alarm code|entry code|access code|safe code|ин-код|ин код"), 4, 8, true},
		{"pin", names("pin1|pin2"), 4, 8, true},
		{"pin", names("pin|passcode|combination|geheimzahl"), 4, 8, false},
		{"puk", names("puk"), 8, 8, true},
		{"pin", names("passcode"), 6, 8, true},
		{"one-time-code", names("otp|2fa code|mfa code|tan code|authenticator code|sms code|mtan|one-time pin"), 6, 8, true},
		{"one-time-code", names("tan is|tan:|tan lautet|tan ist"), 6, 8, true},
		{"cvv", names("cvv|cvc|security code|card verification code|prüfnummer|cryptogramme"), 3, 4, true},
		{"one-time-code", names("verification code|one-time code|one-time password|login code|bestätigungscode|code de vérification|código de verificación"), 4, 8, false},
		{"bank-account", names("account number|account no|acct n|acct:|routing|sort code|bankleitzahl|blz|kontonummer|konto-nr|numéro de compte|número de cuenta"), 6, 17, true},
		{"passport", names("passport|reisepass|passeport|pasaporte|passaporto|paspoort"), 6, 9, true},
		{"driving-licence", names("driver's license|drivers license|driver license|driving licence|driving license|license no|licence no|führerschein|permis de conduire"), 6, 12, true},
		{"tax-number", names("tax id|tax number|taxpayer id|steuer-id|steuernummer|tin:|nif|codice fiscale|national insurance|numéro fiscal"), 8, 12, true},
	}
}

// maxCodeWords is how many words may stand between the name of a code and "is".
const maxCodeWords = 7

// ReadCode looks at a stem of c that stands at text[at:end], and finds the digits
// that are called so.
func (r *Reader) ReadCode(c Code, at, end int) {
	s := r.text
	i := chars.NameEnd(s, end)
	if c.Kind == "pin" && end-at == 3 && r.pinGiven(at, end) {
		return
	}
	if !chars.StartsWord(s, at) || !isCodeTail(strings.ToLower(s[end:i])) {
		return
	}
	bound := s[at:end] == "PIN" || s[end-1] == ':'
	limit := chars.LineEnd(s, end, maxPhrase)
	for words := 0; ; {
		for ; i < limit && (chars.IsBlank(s[i]) || strings.IndexByte(":=#\"'`(*.", s[i]) >= 0); i++ {
			bound = bound || s[i] == ':' || s[i] == '='
		}
		if i >= limit {
			return
		}
		if c.reads(r, i, bound || c.loose && words == 0) || chars.IsDigit(s[i]) {
			return
		}
		stop := chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsBlank(c) && c != ':' && c != '=' })
		word := s[i:stop]
		switch {
		case c.Kind == "pin" && (strings.HasPrefix(word, "count") || strings.HasPrefix(word, "header")):
			return
		case isCopula(word) || isFiller(word):
			bound = bound || word != "to"
		case strings.IndexByte(".,;!?", word[len(word)-1]) >= 0 && !strings.EqualFold(word, "no."):
			return
		default:
			if !isCodeTail(strings.ToLower(word)) {
				words++
			}
		}
		if words > maxCodeWords {
			return
		}
		i = stop
	}
}

// pinGiven adds the digits in quotes that code gives to a name which ends with "pin" at text[at:end]: kPin = '4711'.
func (r *Reader) pinGiven(at, end int) bool {
	s := r.text
	if at == 0 || !(s[at-1] == '_' || chars.IsLower(s[at-1]) && s[at] == 'P' && chars.IsLower(s[at+1])) {
		return false
	}
	i := chars.RunOf(s, end, func(c byte) bool { return chars.IsBlank(c) || chars.IsQuote(c) })
	if i >= len(s) || s[i] != '=' && s[i] != ':' {
		return false
	}
	from, to, ok := literal(s, chars.RunOf(s, i+1, chars.IsBlank))
	if n := to - from - 2; !ok || n < 4 || n > 8 || chars.RunOf(s, from+1, chars.IsDigit) != to-1 {
		return false
	}
	r.add("pin", from+1, to-1)
	return true
}

// reads adds the code that begins at text[i], if it is one that is bound to its name.
func (c Code) reads(r *Reader, i int, bound bool) bool {
	s := r.text
	stop := chars.RunOf(s, i, chars.IsAlnum)
	if last := chars.RunOf(s, min(len(s), stop+1), chars.IsDigit); (c.Kind == "puk" || c.Kind == "pin") && stop-i > 1 &&
		stop < len(s) && (s[stop] == '-' || s[stop] == ' ') && last-stop-1 == stop-i &&
		chars.ShapeOf(s[i:last]).Digit == last-i-1 {
		stop = last // in two groups
	}
	v := s[i:stop]
	sh := chars.ShapeOf(v)
	// Papers have a letter or two before their digits.
	letters := 0
	if c.max > 8 || c.Kind == "passport" {
		letters = 2
	}
	if !bound || sh.Digit < c.min || sh.Digit > c.max || sh.Letters() > letters {
		return false
	}
	if stop < len(s) && (chars.IsURLByte(s[stop]) || (s[stop] == '.' || s[stop] == ':' || s[stop] == '/') && stop+1 < len(s) &&
		chars.IsDigit(s[stop+1])) {
		return false
	}
	if c.Kind == "pin" && strings.HasSuffix(s[:i], "(#") && strings.HasPrefix(s[stop:], ")") {
		return false // the number of an issue
	}
	if c.Kind == "pin" && isUnit(s[stop:min(len(s), stop+12)]) {
		return false
	}
	if stop < len(s) && (s[stop] == '#' || s[stop] == '*') && c.max == 8 {
		stop++ // as it is typed on a pad
	}
	r.add(c.Kind, i, stop)
	return true
}

// isUnit reports whether rest, what stands behind a number, begins with what is counted.
func isUnit(rest string) bool {
	for _, unit := range [...]string{" mm", " cm", " times", " lines", " points", " of the ", " on the "} {
		if strings.HasPrefix(rest, unit) {
			return true
		}
	}
	return false
}

// isCodeTail reports whether w may end the name of a code.
func isCodeTail(w string) bool {
	switch strings.Trim(w, "-_.") {
	case "", "code", "number", "nummer", "no", "nr", "o", "umber", "2", "s":
		return true
	}
	return false
}
