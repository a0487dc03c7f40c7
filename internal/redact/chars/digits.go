package chars

import "strings"

// Atoi returns the number that d, digits only and few of them, is.
func Atoi(d string) int {
	n := 0
	for _, c := range []byte(d) {
		n = n*10 + int(c-'0')
	}
	return n
}

// Luhn reports whether d, digits only, ends in its right check digit (ISO/IEC
// 7812).
func Luhn(d string) bool {
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

// CardLength reports whether d has the first digits of an issuer and a length
// of its cards.
func CardLength(d string) bool {
	two, four := Atoi(d[:2]), Atoi(d[:4])
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

// Mod97 reports whether v, letters in upper case and digits, at least four, has
// the right check digits of an IBAN (ISO 13616) in its third and fourth place.
func Mod97(v string) bool {
	n := 0
	for _, c := range []byte(v[4:] + v[:4]) {
		if IsDigit(c) {
			n = (n*10 + int(c-'0')) % 97
		} else {
			n = (n*100 + int(c-'A') + 10) % 97
		}
	}
	return n == 1
}

// IBANLength returns the length of the account numbers of a country, from the
// registry of ISO 13616, or 0.
func IBANLength(country string) int {
	const lengths = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 " +
		"EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 " +
		"KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 " +
		"PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 " +
		"UA29 VA22 VG24 XK20 YE30"
	if i := strings.Index(lengths, country); i >= 0 && i%5 == 0 {
		return Atoi(lengths[i+2 : i+4])
	}
	return 0
}
