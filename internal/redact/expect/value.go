package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// A grade says how much a value looks like one that was made to be secret.
type grade int

const (
	// ordinary: a word, a name, a reference, or anything else that texts are made of.
	ordinary grade = iota
	// worded: words with a number or a sign, as people make passwords, hosts and users.
	worded
	// made: what nobody writes as a word or a name.
	made
)

const (
	minValue = 7
	maxValue = 128
)

// odd are signs that passwords have, and words, names and paths hardly.
const odd = "!#$%^*+=?@~&"

// gradeOf judges v, without the quotes and the punctuation around it.
func gradeOf(v string) grade {
	if len(v) < minValue || len(v) > maxValue {
		return ordinary
	}
	sh := chars.ShapeOf(v)
	if sh.Other > 0 || sh.Letters() == 0 || sh.Digit == 0 && sh.Upper < 3 && !strings.ContainsAny(v, odd+"-._") || isOrdinary(v, sh) {
		return ordinary
	}
	signs := 0
	for _, c := range []byte(v) {
		if strings.IndexByte(odd, c) >= 0 {
			signs++
		}
	}
	pieces := piecesOf(v)
	dense := len(v) < 3*pieces
	switch {
	case signs > 0 && sh.Digit > 0 && len(v) >= 8:
		return made
	case signs > 1 && sh.Upper > 0 && sh.Lower > 0 && len(v) >= 10:
		return made
	case sh.Symbol == 0 && sh.Upper > 0 && sh.Lower > 0 && sh.Digit > 0 && dense && len(v) >= 8 && (sh.Upper+sh.Lower > 3):
		return made
	case sh.Symbol == 0 && sh.Digit > 1 && dense && len(v) >= 9 && pieces > 4 && !chars.IsHexText(v):
		return made
	case sh.Symbol > 0 && sh.Digit > 1 && sh.Upper > 1 && sh.Lower > 1 && (len(v) >= 16 ||
		len(v) >= 12 && dense && pieces > 6) && chars.IsRandom(v) && !chars.IsWordy(v):
		return made
	case sh.Symbol == strings.Count(v, "_")+strings.Count(v, "-") && sh.Upper > 1 && sh.Lower > 1 &&
		dense && pieces > 4 && len(v) >= 10 && !chars.IsWordy(v) && hasInnerDigit(v):
		return made
	case isNumbered(v, sh), isTitledChain(v), isWords(v), isLeet(v, sh, pieces), isUnsaid(v, sh),
		sh.Symbol == 0 && sh.Upper > 1 && sh.Lower > 0 &&
			sh.Digit > 0 && dense && pieces > 3:
		return worded
	case sh.Digit == 0 && sh.Symbol == 0 && sh.Upper > 2 && sh.Lower > 2 && dense && len(v) >= 10 && !chars.IsCodeName(v):
		return worded
	}
	return ordinary
}

// isOrdinary reports whether v is a thing that texts name: a reference, a file, a host, a
// product, an algorithm, a path, an expression.
func isOrdinary(v string, sh chars.Shape) bool {
	if chars.IsReference(v) || chars.IsSettled(v) || chars.Thing(v).IsMail() || chars.Thing(v).IsFile() || chars.Thing(v).IsTechnical() ||
		chars.Thing(v).IsProduct() || chars.Thing(v).IsMeasure() || chars.IsUUID(v) || chars.IsPlaceholder(v) ||
		chars.IsHexText(v) && (len(v) >= 32 || sh.Upper == 0) || strings.Contains(v, "://") || strings.Count(v, ":") > 2 ||
		strings.HasPrefix(v, "^") || strings.Contains(v, "www.") || strings.ContainsAny(v, "()[]{}<>|`\"\\;,") ||
		strings.IndexByte("-@/.:%=&?+*_", v[0]) >= 0 || v[0] == '#' && (sh.Upper == 0 || sh.Lower == 0 || sh.Digit == 0 || len(v) < 10) {
		return true
	}
	lower := strings.ToLower(v)
	for _, w := range [...]string{
		"password", "passwd", "passwort", "secret", "token", "http", "localhost", "example", "contraseña",
		"kennwort", "field", "string",
	} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	if left, right, ok := strings.Cut(v, "="); ok && !strings.ContainsAny(right, "!#$^*?@~") && (right == "" ||
		chars.RunOf(left, 0, func(c byte) bool { return chars.IsNameByte(c) || c == '.' }) == len(left) && (chars.ShapeOf(left).Digit == 0 ||
			chars.IsWordy(left)) || strings.Contains(v, "&")) {
		return true // name=value
	}
	if _, right, ok := strings.Cut(strings.TrimSuffix(v, "'s"), "@"); ok && strings.Count(right, ".") == 3 &&
		chars.RunOf(right, 0, func(c byte) bool { return chars.IsDigit(c) || c == '.' }) == len(right) {
		return true // user@10.2.3.4
	}
	if left, right, ok := strings.Cut(v, "@"); ok && (sh.Upper == 0 || chars.IsWordy(right)) && chars.IsWordy(left) &&
		chars.ShapeOf(left).Digit == 0 && !strings.ContainsAny(right, odd) && sh.Digit < 4 {
		return true // user@host
	}
	for i := 0; i+2 < len(v); i++ {
		if v[i] == '%' && chars.IsHex(v[i+1]) && chars.IsHex(v[i+2]) && !strings.ContainsAny(v, "?!$^*") {
			return true // a part of an address
		}
	}
	if left, right, ok := strings.Cut(v, "#"); ok && chars.RunOf(left, 0, chars.IsWordByte) == len(left) && left != "" &&
		chars.ShapeOf(left).Digit == 0 &&
		chars.RunOf(right, 0, chars.IsDigit) == len(right) {
		return true // Bug#95670
	}
	plain := strings.Trim(v, "!?$#*~+") // signs at the ends count
	inner := chars.ShapeOf(plain)
	// Names of hosts, tickets and versions: parts of words and short numbers.
	if sh.Symbol > 0 && !strings.ContainsAny(v, odd) {
		if strings.ContainsAny(v, "/:") && (sh.Upper == 0 || sh.Lower == 0 ||
			chars.IsWordy(strings.NewReplacer("/", "-", ":", "-").Replace(v)) || strings.Count(v, "/") > 2 || v[len(v)-1] == ':') {
			return true
		}
		if strings.IndexByte(v, '.') > 0 && (inner.Upper == 0 || chars.IsWordy(v)) {
			return true
		}
		if inner.Upper == 0 && !isWords(v) || inner.Lower == 0 {
			return true
		}
	}
	return inner.Symbol == 0 && inner.Lower == 0 && (chars.RunOf(plain, 0, chars.IsUpper) >= inner.Upper ||
		inner.Digit > inner.Upper) // KB5034441
}

// piecesOf is of how many words, numbers and signs v is made.
func piecesOf(v string) int {
	n := 0
	for i := 0; i < len(v); n++ {
		switch {
		case chars.IsDigit(v[i]):
			i = chars.RunOf(v, i, chars.IsDigit)
		case chars.IsUpper(v[i]):
			j := chars.RunOf(v, i, chars.IsUpper)
			if j > i+1 && j < len(v) && chars.IsLower(v[j]) {
				j-- // the last one begins a word
			} else if j == i+1 {
				j = chars.RunOf(v, j, chars.IsLower)
			}
			i = j
		case chars.IsLower(v[i]):
			i = chars.RunOf(v, i, chars.IsLower)
		default:
			i++
		}
	}
	return n
}

// isNumbered reports whether v is a word or two with a number of two digits or more at
// their end, perhaps a sign between: "copperKettle42", "Marble-2041".
func isNumbered(v string, sh chars.Shape) bool {
	i := len(v)
	for i > 0 && chars.IsDigit(v[i-1]) {
		i--
	}
	digits, head := len(v)-i, v[:i]
	if digits < 2 || digits > 6 || len(head) < 4 || len(head) == 4 && !(digits > 2 && chars.IsUpper(v[0])) {
		return false
	}
	if strings.IndexByte("-_.", head[len(head)-1]) >= 0 {
		head = head[:len(head)-1]
		if digits < 3 || !chars.IsUpper(v[0]) || sh.Upper > 2 {
			return false
		}
	}
	hs := chars.ShapeOf(head)
	return hs.Letters() == len(head) && hs.Lower > 2 && (digits < 4 || !isYear(v[i:]) || hs.Upper > 0)
}

// isTitledChain reports whether v is two words or more, each with a capital, and a number of two digits or more, with hyphens
// between, and no product and no year: "Copper-Walrus-19".
func isTitledChain(v string) bool {
	parts := strings.Split(v, "-")
	last := len(parts) - 1
	if last < 2 || last > 4 || len(parts[last]) < 2 || len(parts[last]) > 4 || runDigits(parts[last], 0) < len(parts[last]) ||
		isYear(parts[last]) {
		return false
	}
	for _, p := range parts[:last] {
		if len(p) < 4 || !chars.IsUpper(p[0]) || chars.RunOf(p, 1, chars.IsLower) < len(p) || chars.IsSettled(p) && len(parts) > 3 {
			return false
		}
	}
	return chars.Thing(v).IsGiven()
}

// isLeet reports whether v is a word with digits for letters and more behind: "P3pp3r-444".
func isLeet(v string, sh chars.Shape, pieces int) bool {
	return sh.Symbol == 1 && sh.Digit > 3 && sh.Upper == 1 && chars.IsUpper(v[0]) && sh.Lower > 1 && pieces > 5 && len(v) >= 9 &&
		strings.ContainsAny(v, "-_.") && !chars.IsWordy(v)
}

// isUnsaid reports whether v is groups of letters that nobody could say: "slz-SUMY-yhyy".
func isUnsaid(v string, sh chars.Shape) bool {
	vowels := 0
	for _, c := range []byte(v) {
		if strings.IndexByte("aeiou", c|0x20) >= 0 {
			vowels++
		}
	}
	return sh.Digit == 0 && sh.Upper > 1 && sh.Lower > 3 && strings.Count(v, "-") == sh.Symbol && sh.Symbol > 1 && len(v) >= 11 &&
		vowels*5 <= sh.Letters()
}

// isYear reports whether d is the number of a year of our time.
func isYear(d string) bool { return len(d) == 4 && (d[:2] == "19" || d[:2] == "20") }

// isWords reports whether v is four words or more joined by one sign, as programs make
// passphrases, or three and a number.
func isWords(v string) bool {
	i := strings.IndexAny(v, "-._+")
	if i < 3 {
		return false
	}
	parts := strings.Split(v, v[i:i+1])
	numbers := 0
	for _, p := range parts {
		sh := chars.ShapeOf(p)
		switch {
		case sh.Digit == len(p) && p != "":
			numbers++
		case len(p) < 3 || len(p) > 12 || sh.Letters() < len(p) || chars.IsFunctionWord(strings.ToLower(p)) || chars.IsSettled(p) || sh.Upper > 1:
			return false
		}
	}
	return len(parts)-numbers == 2 && numbers == 1 && chars.IsUpper(v[0]) && i > 4 && len(v) >= 14 && v[i] == '_' ||
		len(parts)-numbers >= 4 || len(parts)-numbers == 3 && numbers == 1 && len(v) > 16
}

// trimmed returns the bounds of a value within s[start:end] without the quotes, brackets
// and the punctuation of the sentence around it.
func trimmed(s string, start, end int) (int, int) {
	for start < end && strings.IndexByte("\"'`([{<*,:→", s[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte("\"'`()[]{}>*.,;:?", s[end-1]) >= 0 {
		end--
	}
	return start, end
}

// hasInnerDigit reports whether a digit stands before a letter in v, and v begins with no date.
func hasInnerDigit(v string) bool {
	for i := 1; i < len(v); i++ {
		if chars.IsDigit(v[i-1]) && chars.IsLower(v[i]|0x20) {
			return chars.RunOf(v, 0, chars.IsDigit) < 6
		}
	}
	return false
}
