package redact

import "strings"

func numberRules() []rule {
	return []rule{
		{"card", []string{"000"}, (*finder).card},
		{"ssn", []string{"000"}, (*finder).ssn},
		{"iban", []string{"000"}, (*finder).iban},
		{"pin", []string{"pin", "access code", "door code", "gate code", "entry code", "unlock code", "alarm code"}, (*finder).pin},
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
		if isDigit(c) {
			g.buf[g.n] = c
			g.n++
			g.sizes[g.count-1]++
			g.end = i + 1
			continue
		}
		next := i+1 < len(s) && isDigit(s[i+1])
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
	if !startsWord(s, at) || at > 0 && (s[at-1] == '.' || s[at-1] == '-' || s[at-1] == '+') {
		return
	}
	g := digitsFrom(s, at, 19)
	// "4146 3621 7868 3554 04/29": what follows may be a date or a code.
	for g.count > 1 && !isCard(&g) {
		g.dropLast()
	}
	if !isCard(&g) || g.end < len(s) && (isWordByte(s[g.end]) || s[g.end] == '.' && g.end+1 < len(s) && isDigit(s[g.end+1])) {
		return
	}
	loose := g.count == 1 && !bareCard(g.digits()) || g.count > 1 && (isTable(s, at-5) || isTable(s, g.end))
	if loose && !namesCard(s[max(0, at-40):at]) {
		return
	}
	f.add(exact, "card", at, g.end)
}

func isCard(g *groups) bool {
	if g.n < 14 || g.n > 19 {
		return false
	}
	d := g.digits()
	if !cardLength(d) || !luhn(d) || shapeOf(d).distinct < 3 {
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
	return w[0] == ' ' && allHex(w[1:]) && (i+5 == len(s) || isSpace(s[i+5])) || w[4] == ' ' && allHex(w[:4]) && (i == 0 || isSpace(s[i-1]))
}

// bareCard reports whether digits without groups are like a card's and like few
// other numbers.
func bareCard(d string) bool {
	return len(d) <= 16 && d[0] >= '3' && d[0] <= '5' || strings.HasPrefix(d, "6011") || strings.HasPrefix(d, "65") && len(d) == 16
}

// namesCard reports whether before speaks of a card.
func namesCard(before string) bool {
	before = strings.ToLower(before)
	for _, w := range [...]string{"card", "visa", "pan", "karte", "carte", "tarjeta", "carta", "cartão", "maestro", "unionpay"} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// cardLength reports whether d has the first digits of an issuer and a length
// of its cards.
func cardLength(d string) bool {
	two, four := atoi(d[:2]), atoi(d[:4])
	switch n := len(d); {
	case d[0] == '4': // Visa
		return n == 16 || n == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720: // Mastercard
		return n == 16
	case two == 34, two == 37: // American Express
		return n == 15
	case two == 36, two == 38, two == 30: // Diners Club
		return n == 14 || n == 16
	case four == 6011, two == 65, d[:3] >= "644" && d[:3] <= "649", // Discover
		two == 35,                         // JCB
		two == 50, two >= 56 && two <= 58, // Maestro
		two == 62, two == 67, two == 60, two == 81: // UnionPay, RuPay
		return n >= 16
	}
	return false
}

func atoi(d string) int {
	n := 0
	for _, c := range []byte(d) {
		n = n*10 + int(c-'0')
	}
	return n
}

func luhn(d string) bool {
	sum := 0
	for i := range len(d) {
		n := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

// ssn adds a United States social security number, 3-2-4 digits: with hyphens
// unless the text calls it something else, with blanks or bare only if the text
// calls it that.
func (f *finder) ssn(at, _ int) {
	s := f.s
	if !startsWord(s, at) || at > 0 && (s[at-1] == '-' || s[at-1] == '.' || s[at-1] == '/') {
		return
	}
	g := digitsFrom(s, at, 9)
	if g.n != 9 || g.end < len(s) && (isWordByte(s[g.end]) || s[g.end] == '-' && g.end+1 < len(s) && isAlnum(s[g.end+1])) {
		return
	}
	grouped := g.count == 3 && g.sizes[0] == 3 && g.sizes[1] == 2
	if !grouped && g.count != 1 {
		return
	}
	digits := g.digits()
	area := atoi(digits[:3])
	if area == 0 || area == 666 || area >= 900 || digits[3:5] == "00" || digits[5:] == "0000" ||
		digits == "123456789" || digits == "078051120" {
		return
	}
	before := strings.ToLower(s[max(0, at-40):at])
	if named := strings.Contains(before, "ssn") || strings.Contains(before, "social"); !named && (!grouped || s[at+3] != '-' || namesNumber(before)) {
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
		if !isLetterPair(s, start) || !startsWord(s, start) {
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
	return (isUpper(s[i]) && isUpper(s[i+1]) || isLower(s[i]) && isLower(s[i+1])) && isDigit(s[i+2]) && isDigit(s[i+3])
}

// ibanEnd returns the end of the account number that begins at s[i], or -1.
func ibanEnd(s string, i int) int {
	want := ibanLength(strings.ToUpper(s[i : i+2]))
	var b strings.Builder
	end := i
	for ; end < len(s) && b.Len() < want; end++ {
		switch c := s[end]; {
		case isLower(c):
			b.WriteByte(c - 'a' + 'A')
		case isAlnum(c):
			b.WriteByte(c)
		case c != ' ' && c != '-' || b.Len()%4 != 0:
			return -1
		}
	}
	if b.Len() != want || want == 0 || end < len(s) && isWordByte(s[end]) || !mod97(b.String()) {
		return -1
	}
	switch b.String() { // the examples of the registry and of encyclopedias
	case "GB82WEST12345698765432", "DE89370400440532013000", "GB29NWBK60161331926819", "FR1420041010050500013M02606", "NL91ABNA0417164300":
		return -1
	}
	return end
}

func mod97(v string) bool {
	n := 0
	for _, c := range []byte(v[4:] + v[:4]) {
		if isDigit(c) {
			n = (n*10 + int(c-'0')) % 97
		} else {
			n = (n*100 + int(c-'A') + 10) % 97
		}
	}
	return n == 1
}

// ibanLength returns the length of the account numbers of a country, from the
// registry of ISO 13616, or 0.
func ibanLength(country string) int {
	const lengths = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 " +
		"EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 " +
		"KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 " +
		"PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 " +
		"UA29 VA22 VG24 XK20 YE30"
	if i := strings.Index(lengths, country); i >= 0 && i%5 == 0 {
		return atoi(lengths[i+2 : i+4])
	}
	return 0
}

// pin adds four to eight digits that the text calls a PIN or a code.
func (f *finder) pin(at, end int) {
	s := f.s
	if !startsWord(s, at) {
		return
	}
	i := skipWords(s, end, "code", "number")
	j, ok := skipCopula(s, i)
	if !ok {
		return
	}
	stop := runOf(s, j, isDigit)
	if n := stop - j; n < 4 || n > 8 || stop < len(s) && (isURLByte(s[stop]) || s[stop] == '.' && stop+1 < len(s) && isDigit(s[stop+1])) {
		return
	}
	f.add(framed, "pin", j, stop)
}
