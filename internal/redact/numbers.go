package redact

import (
	"strings"

	"ken/internal/redact/chars"
)

func numberRules() []rule {
	return []rule{
		{"card", texts("000"), (*finder).card},
		{"recovery-key", texts("000"), (*finder).recoveryKey},
		{"ssn", texts("000"), (*finder).ssn},
		{"iban", texts("000"), (*finder).iban},
	}
}

// groups are the digits of a number as it is written, in groups with the same
// separator between them, a blank or a hyphen.
type groups struct {
	buf   [24]byte
	n     int // digits in buf
	sizes [12]int
	count int // groups
	end   int // where the last group ends in the text
}

// digitsFrom reads up to limit digits from s[i], which is one.
func digitsFrom(s string, i, limit int) groups {
	g := groups{count: 1}
	var sep byte
	for ; i < len(s) && g.n <= limit; i++ {
		c := s[i]
		if chars.IsDigit(c) {
			g.buf[g.n] = c
			g.n++
			g.sizes[g.count-1]++
			g.end = i + 1
			continue
		}
		next := i+1 < len(s) && chars.IsDigit(s[i+1])
		if c != ' ' && c != '-' || !next || sep != 0 && c != sep || g.count == len(g.sizes) {
			break
		}
		sep = c
		g.count++
	}
	return g
}

// dropLast takes the last group off.
func (g *groups) dropLast() {
	g.count--
	g.n -= g.sizes[g.count]
	g.end -= g.sizes[g.count] + 1
	g.sizes[g.count] = 0
}

func (g *groups) digits() string { return string(g.buf[:g.n]) }

// card adds the number of a payment card: the length and first digits of an
// issuer, a right check digit, and grouping as cards are printed, if any.
func (f *finder) card(at, _ int) {
	s := f.s
	if !chars.StartsWord(s, at) || at > 0 && (s[at-1] == '.' || s[at-1] == '-' || s[at-1] == '+') {
		return
	}
	g := digitsFrom(s, at, 19)
	// "4146 3621 7868 3554 04/29": what follows may be a date or a code.
	for g.count > 1 && !isCard(&g) {
		g.dropLast()
	}
	if !isCard(&g) || g.end < len(s) && (chars.IsWordByte(s[g.end]) || s[g.end] == '.' && g.end+1 < len(s) && chars.IsDigit(s[g.end+1])) {
		return
	}
	loose := g.count == 1 && !bareCard(g.digits()) || g.count > 1 && (isTable(s, at-5) || isTable(s, g.end))
	if loose && !namesCard(s[max(0, at-40):at]) {
		return
	}
	f.add(exact, "card", at, g.end)
	f.cardCode(g.end)
}

// cardCode adds the three or four digits that follow a card and its date.
func (f *finder) cardCode(i int) {
	s := f.s
	i = chars.RunOf(s, i, func(c byte) bool { return c == ' ' || c == ',' })
	if i+5 >= len(s) || s[i+2] != '/' || !chars.IsDigit(s[i]) {
		return
	}
	i = chars.RunOf(s, i, func(c byte) bool { return chars.IsDigit(c) || c == '/' })
	i = chars.RunOf(s, i, func(c byte) bool { return c == ' ' || c == ',' })
	if stop := chars.RunOf(s, i, chars.IsDigit); stop-i == 3 || stop-i == 4 {
		f.add(framed, "cvv", i, stop)
	}
}

// recoveryKey adds the eight groups of six digits that unlock a BitLocker drive.
func (f *finder) recoveryKey(at, _ int) {
	end := at
	for i := range 8 {
		if i > 0 {
			if end == len(f.s) || f.s[end] != '-' {
				return
			}
			end++
		}
		stop := chars.RunOf(f.s, end, chars.IsDigit)
		if stop-end != 6 {
			return
		}
		end = stop
	}
	if chars.StartsWord(f.s, at) && (end == len(f.s) || f.s[end] != '-') {
		f.add(exact, "recovery-key", at, end)
	}
}

func isCard(g *groups) bool {
	if g.n < 14 || g.n > 19 {
		return false
	}
	d := g.digits()
	if !chars.CardLength(d) || !chars.Luhn(d) || chars.ShapeOf(d).Distinct < 3 {
		return false
	}
	switch d { // the numbers that payment services publish for tests
	case "4242424242424242", "4111111111111111", "5555555555554444", "5105105105105100", "378282246310005",
		"371449635398431", "6011111111111117", "4000056655665556", "4012888888881881", "3530111333300000":
		return false
	}
	sizes := g.sizes[:g.count]
	switch g.count {
	case 1:
		return true
	case 3: // 4-6-5 and 4-6-4
		return sizes[0] == 4 && sizes[1] == 6
	}
	for _, n := range sizes[:g.count-1] {
		if n != 4 {
			return false
		}
	}
	return sizes[g.count-1] <= 4
}

// isTable reports whether a blank and four hexadecimal digits, or the other way
// round, stand at s[i]: another column of a table of codes.
func isTable(s string, i int) bool {
	if i < 0 || i+5 > len(s) {
		return false
	}
	w := s[i : i+5]
	return w[0] == ' ' && chars.IsHexText(w[1:]) && (i+5 == len(s) || chars.IsSpace(s[i+5])) || w[4] == ' ' && chars.IsHexText(w[:4]) &&
		(i == 0 || chars.IsSpace(s[i-1]))
}

// bareCard reports whether digits without groups are like a card's and like few
// other numbers.
func bareCard(d string) bool {
	return len(d) <= 16 && d[0] >= '3' && d[0] <= '5' || strings.HasPrefix(d, "6011") || strings.HasPrefix(d, "65") && len(d) == 16
}

// namesCard reports whether before speaks of a card.
func namesCard(before string) bool {
	before = strings.ToLower(before)
	for _, w := range [...]string{"card", "visa", "pan", "karte", "carte", "tarjeta", "carta", "cartão", "maestro", "unionpay", "amex", "cc ", "cc:", "charge ", "pay "} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// ssn adds a United States social security number, 3-2-4 digits: with hyphens
// unless the text calls it something else, with blanks or bare only if the text
// calls it that.
func (f *finder) ssn(at, _ int) {
	s := f.s
	if !chars.StartsWord(s, at) || at > 0 && (s[at-1] == '-' || s[at-1] == '.' || s[at-1] == '/') {
		return
	}
	g := digitsFrom(s, at, 9)
	if g.n != 9 || g.end < len(s) && (chars.IsWordByte(s[g.end]) || s[g.end] == '-' && g.end+1 < len(s) && chars.IsAlnum(s[g.end+1])) {
		return
	}
	grouped := g.count == 3 && g.sizes[0] == 3 && g.sizes[1] == 2
	if !grouped && g.count != 1 {
		return
	}
	digits := g.digits()
	area := chars.Atoi(digits[:3])
	if area == 0 || area == 666 || area >= 900 || digits[3:5] == "00" || digits[5:] == "0000" ||
		digits == "123456789" || digits == "078051120" {
		return
	}
	before := strings.ToLower(s[max(0, at-40):at])
	if named := strings.Contains(before, "ssn") || strings.Contains(before, "social"); !named && (!grouped || s[at+3] != '-' ||
		namesNumber(before)) {
		return
	}
	f.add(exact, "ssn", at, g.end)
}

// namesNumber reports whether before ends by calling what follows a number of
// some other kind.
func namesNumber(before string) bool {
	for _, w := range [...]string{
		"order", "part", "case", "ticket", "invoice", "model", "serial", "phone", "tel", "fax", "sku", "item", "isbn", "version",
		"tracking", "ref", "build", "lot", "batch", "id ", "id:", "number", "no.", "#", "range", "pages", "lines",
	} {
		if i := strings.LastIndex(before, w); i >= 0 && len(before)-i <= len(w)+14 {
			return true
		}
	}
	return false
}

// iban adds an account number: country, check digits and the rest, 15 to 34
// letters and digits, in groups of four or in one, with the right checksum. The
// anchor is the first run of three digits, which is near the start in every
// country's form.
func (f *finder) iban(at, _ int) {
	s := f.s
	for start := at - 2; start >= 0 && start >= at-12; start-- {
		if !isLetterPair(s, start) || !chars.StartsWord(s, start) {
			continue
		}
		if end := ibanEnd(s, start); end > at {
			f.add(exact, "iban", start, end)
			return
		}
	}
}

// isLetterPair reports whether two letters of one case and two digits stand at
// s[i].
func isLetterPair(s string, i int) bool {
	return (chars.IsUpper(s[i]) && chars.IsUpper(s[i+1]) || chars.IsLower(s[i]) && chars.IsLower(s[i+1])) && chars.IsDigit(s[i+2]) &&
		chars.IsDigit(s[i+3])
}

// ibanEnd returns the end of the account number that begins at s[i], or -1.
func ibanEnd(s string, i int) int {
	want := chars.IBANLength(strings.ToUpper(s[i : i+2]))
	var b strings.Builder
	end := i
	for ; end < len(s) && b.Len() < want; end++ {
		switch c := s[end]; {
		case chars.IsLower(c):
			b.WriteByte(c - 'a' + 'A')
		case chars.IsAlnum(c):
			b.WriteByte(c)
		case c != ' ' && c != '-' || b.Len()%4 != 0:
			return -1
		}
	}
	if b.Len() != want || want == 0 || end < len(s) && chars.IsWordByte(s[end]) || !chars.Mod97(b.String()) {
		return -1
	}
	switch b.String() { // the examples of the registry and of encyclopedias
	case "GB82WEST12345698765432", "DE89370400440532013000", "GB29NWBK60161331926819", "FR1420041010050500013M02606", "NL91ABNA0417164300":
		return -1
	}
	return end
}
