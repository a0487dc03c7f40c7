package expect

import (
	"strings"

	"ken/internal/redact/look"
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
	sh := look.ShapeOf(v)
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
	case sh.Symbol == 0 && sh.Digit > 1 && dense && len(v) >= 9 && pieces > 4 && !look.IsHexText(v):
		return made
	case sh.Symbol > 0 && sh.Digit > 1 && sh.Upper > 1 && sh.Lower > 1 && (len(v) >= 16 ||
		len(v) >= 12 && dense && pieces > 6) && look.IsRandom(v) && !look.IsWordy(v):
		return made
	case sh.Symbol == strings.Count(v, "_")+strings.Count(v, "-") && sh.Upper > 1 && sh.Lower > 1 &&
		dense && pieces > 4 && len(v) >= 10 && !look.IsWordy(v) && hasInnerDigit(v):
		return made
	case isNumbered(v, sh), isWords(v), isLeet(v, sh, pieces), isUnsaid(v, sh), sh.Symbol == 0 && sh.Upper > 1 && sh.Lower > 0 &&
		sh.Digit > 0 && dense && pieces > 3:
		return worded
	case sh.Digit == 0 && sh.Symbol == 0 && sh.Upper > 2 && sh.Lower > 2 && dense && len(v) >= 10 && !look.IsCodeName(v):
		return worded
	}
	return ordinary
}

// isOrdinary reports whether v is a thing that texts name: a reference, a file, a host, a
// product, an algorithm, a path, an expression.
func isOrdinary(v string, sh look.Shape) bool {
	if look.IsReference(v) || look.IsSettled(v) || look.Thing(v).IsMail() || look.Thing(v).IsFile() || look.Thing(v).IsTechnical() ||
		look.Thing(v).IsProduct() || look.Thing(v).IsMeasure() || look.IsUUID(v) || look.IsPlaceholder(v) ||
		look.IsHexText(v) && (len(v) >= 32 || sh.Upper == 0) || strings.Contains(v, "://") || strings.Count(v, ":") > 2 ||
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
		look.RunOf(left, 0, func(c byte) bool { return look.IsNameByte(c) || c == '.' }) == len(left) && (look.ShapeOf(left).Digit == 0 ||
			look.IsWordy(left)) || strings.Contains(v, "&")) {
		return true // name=value
	}
	if _, right, ok := strings.Cut(strings.TrimSuffix(v, "'s"), "@"); ok && strings.Count(right, ".") == 3 &&
		look.RunOf(right, 0, func(c byte) bool { return look.IsDigit(c) || c == '.' }) == len(right) {
		return true // user@10.2.3.4
	}
	if left, right, ok := strings.Cut(v, "@"); ok && (sh.Upper == 0 || look.IsWordy(right)) && look.IsWordy(left) &&
		look.ShapeOf(left).Digit == 0 && !strings.ContainsAny(right, odd) && sh.Digit < 4 {
		return true // user@host
	}
	for i := 0; i+2 < len(v); i++ {
		if v[i] == '%' && look.IsHex(v[i+1]) && look.IsHex(v[i+2]) && !strings.ContainsAny(v, "?!$^*") {
			return true // a part of an address
		}
	}
	if left, right, ok := strings.Cut(v, "#"); ok && look.RunOf(left, 0, look.IsWordByte) == len(left) && left != "" && look.ShapeOf(left).Digit == 0 &&
		look.RunOf(right, 0, look.IsDigit) == len(right) {
		return true // Bug#95670
	}
	plain := strings.Trim(v, "!?$#*~+") // signs at the ends count
	inner := look.ShapeOf(plain)
	// Names of hosts, tickets and versions: parts of words and short numbers.
	if sh.Symbol > 0 && !strings.ContainsAny(v, odd) {
		if strings.ContainsAny(v, "/:") && (sh.Upper == 0 || sh.Lower == 0 ||
			look.IsWordy(strings.NewReplacer("/", "-", ":", "-").Replace(v)) || strings.Count(v, "/") > 2 || v[len(v)-1] == ':') {
			return true
		}
		if strings.IndexByte(v, '.') > 0 && (inner.Upper == 0 || look.IsWordy(v)) {
			return true
		}
		if inner.Upper == 0 && !isWords(v) || inner.Lower == 0 {
			return true
		}
	}
	return inner.Symbol == 0 && inner.Lower == 0 && (look.RunOf(plain, 0, look.IsUpper) >= inner.Upper ||
		inner.Digit > inner.Upper) // KB5034441
}

// piecesOf is of how many words, numbers and signs v is made.
func piecesOf(v string) int {
	n := 0
	for i := 0; i < len(v); n++ {
		switch {
		case look.IsDigit(v[i]):
			i = look.RunOf(v, i, look.IsDigit)
		case look.IsUpper(v[i]):
			j := look.RunOf(v, i, look.IsUpper)
			if j > i+1 && j < len(v) && look.IsLower(v[j]) {
				j-- // the last one begins a word
			} else if j == i+1 {
				j = look.RunOf(v, j, look.IsLower)
			}
			i = j
		case look.IsLower(v[i]):
			i = look.RunOf(v, i, look.IsLower)
		default:
			i++
		}
	}
	return n
}

// isNumbered reports whether v is a word or two with a number of two digits or more at
// their end, perhaps a sign between: "copperKettle42", "Marble-2041".
func isNumbered(v string, sh look.Shape) bool {
	i := len(v)
	for i > 0 && look.IsDigit(v[i-1]) {
		i--
	}
	digits, head := len(v)-i, v[:i]
	if digits < 2 || digits > 6 || len(head) < 4 || len(head) == 4 && !(digits > 2 && look.IsUpper(v[0])) {
		return false
	}
	if strings.IndexByte("-_.", head[len(head)-1]) >= 0 {
		head = head[:len(head)-1]
		if digits < 3 || !look.IsUpper(v[0]) || sh.Upper > 2 {
			return false
		}
	}
	hs := look.ShapeOf(head)
	return hs.Letters() == len(head) && hs.Lower > 2 && (digits < 4 || !isYear(v[i:]) || hs.Upper > 0)
}

// isLeet reports whether v is a word with digits for letters and more behind: "P3pp3r-444".
func isLeet(v string, sh look.Shape, pieces int) bool {
	return sh.Symbol == 1 && sh.Digit > 3 && sh.Upper == 1 && look.IsUpper(v[0]) && sh.Lower > 1 && pieces > 5 && len(v) >= 9 &&
		strings.ContainsAny(v, "-_.") && !look.IsWordy(v)
}

// isUnsaid reports whether v is groups of letters that nobody could say: "slz-SUMY-yhyy".
func isUnsaid(v string, sh look.Shape) bool {
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
		sh := look.ShapeOf(p)
		switch {
		case sh.Digit == len(p) && p != "":
			numbers++
		case len(p) < 3 || len(p) > 12 || sh.Letters() < len(p) || look.IsFunctionWord(strings.ToLower(p)) || look.IsSettled(p) || sh.Upper > 1:
			return false
		}
	}
	return len(parts)-numbers == 2 && numbers == 1 && look.IsUpper(v[0]) && i > 4 && len(v) >= 14 && v[i] == '_' ||
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
		if look.IsDigit(v[i-1]) && look.IsLower(v[i]|0x20) {
			return look.RunOf(v, 0, look.IsDigit) < 6
		}
	}
	return false
}
