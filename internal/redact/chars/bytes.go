package chars

import "strings"

// The kinds of bytes that rules speak of. None holds for a byte outside ASCII.

// IsLower reports whether c is a to z.
func IsLower(c byte) bool { return c >= 'a' && c <= 'z' }

// IsUpper reports whether c is A to Z.
func IsUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// IsDigit reports whether c is 0 to 9.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsAlnum reports whether c is a letter or a digit.
func IsAlnum(c byte) bool { return IsLower(c|0x20) || IsDigit(c) }

// IsBlank reports whether c is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsSpace reports whether c is a blank or ends a line.
func IsSpace(c byte) bool { return IsBlank(c) || c == '\n' || c == '\r' }

// IsQuote reports whether c is a quote of a shell or a programming language.
func IsQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool { return IsDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// IsNameByte reports whether c may stand in the name of a setting or variable.
func IsNameByte(c byte) bool { return IsURLByte(c) }

// IsTokenByte reports whether c may stand in a token as programs make them:
// base64 of both alphabets, and the dots between the parts of one.
func IsTokenByte(c byte) bool {
	return IsAlnum(c) || c == '-' || c == '_' || c == '+' || c == '/' || c == '=' || c == '.'
}

// IsWordByte reports whether c is a letter, a digit or an underscore.
func IsWordByte(c byte) bool { return IsAlnum(c) || c == '_' }

// IsURLByte reports whether c is of the URL alphabet of base64.
func IsURLByte(c byte) bool { return IsWordByte(c) || c == '-' }

// IsDotByte reports whether c is of the URL alphabet of base64, or a dot.
func IsDotByte(c byte) bool { return IsURLByte(c) || c == '.' }

// IsBase64 reports whether c is of the common alphabet of base64, or its padding.
func IsBase64(c byte) bool { return IsAlnum(c) || c == '+' || c == '/' || c == '=' }

// IsBase32 reports whether c is of the alphabet of base32.
func IsBase32(c byte) bool { return IsUpper(c) || c >= '2' && c <= '7' }

// IsLowerHex reports whether c is a hexadecimal digit in lower case.
func IsLowerHex(c byte) bool { return IsDigit(c) || c >= 'a' && c <= 'f' }

// IsLowerAlnum reports whether c is a to z or a digit.
func IsLowerAlnum(c byte) bool { return IsLower(c) || IsDigit(c) }

// IsUUIDByte reports whether c may stand in a UUID.
func IsUUIDByte(c byte) bool { return IsHex(c) || c == '-' }

// IsCapital reports whether c is A to Z or a digit.
func IsCapital(c byte) bool { return IsUpper(c) || IsDigit(c) }

// EqualFold reports whether s is lower, an ASCII text in lower case, in any case.
func EqualFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if IsUpper(c) {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// HasPrefixFold reports whether s begins with lower in any case.
func HasPrefixFold(s, lower string) bool {
	return len(s) >= len(lower) && EqualFold(s[:len(lower)], lower)
}

// RunOf returns the end of the run of bytes in set that begins at s[i].
func RunOf(s string, i int, set func(byte) bool) int {
	for i < len(s) && set(s[i]) {
		i++
	}
	return i
}

// RunBack returns the start of the run of bytes in set that ends before s[i].
func RunBack(s string, i int, set func(byte) bool) int {
	for i > 0 && set(s[i-1]) {
		i--
	}
	return i
}

// LineEnd returns the end of the line that s[i] stands in, but at most limit
// bytes on.
func LineEnd(s string, i, limit int) int {
	end := min(len(s), i+limit)
	for j := i; j < end; j++ {
		if s[j] == '\n' {
			return j
		}
	}
	return end
}

// StartsWord reports whether a token that begins at s[i] is not the tail of a
// longer word: what stands before it is no letter or digit, or is an escape such
// as \n or %3D.
func StartsWord(s string, i int) bool {
	if i == 0 || !IsWordByte(s[i-1]) {
		return true
	}
	if i >= 2 && s[i-2] == '\\' {
		return s[i-1] == 'n' || s[i-1] == 't' || s[i-1] == 'r'
	}
	return i >= 3 && s[i-3] == '%' && IsHex(s[i-2]) && IsHex(s[i-1])
}

// NameEnd returns the end of the name that s[i] stands in. Letters of Latin, Greek
// and Cyrillic beyond ASCII are part of it.
func NameEnd(s string, i int) int {
	for i < len(s) {
		switch {
		case IsNameByte(s[i]):
			i++
		case i+1 < len(s) && isLetterLead(s[i]) && s[i+1]&0xc0 == 0x80:
			i += 2
		default:
			return i
		}
	}
	return i
}

// NameStart returns the start of the name that ends before s[i]; dots between
// names belong to it.
func NameStart(s string, i, limit int) int {
	from := i
	for i > 0 && from-i < limit {
		switch {
		case IsNameByte(s[i-1]) || s[i-1] == '.':
			i--
		case i > 1 && s[i-1]&0xc0 == 0x80 && isLetterLead(s[i-2]):
			i -= 2
		default:
			return i
		}
	}
	return i
}

// isLetterLead reports whether c begins a letter of two bytes: U+00C0 to U+04FF,
// which are letters but for a few signs.
func isLetterLead(c byte) bool { return c >= 0xc3 && c <= 0xd3 }

// LastWord returns the word, in lower case, that before ends with.
func LastWord(before string) string {
	i := len(before)
	for i > 0 && (IsBlank(before[i-1]) || before[i-1] == '-') {
		i--
	}
	start := RunBack(before, i, IsAlnum)
	return strings.ToLower(before[start:i])
}
