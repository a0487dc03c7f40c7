package redact

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isLower(c|0x20) || isDigit(c) }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isNameByte reports whether c may stand in the name of a setting or variable.
func isNameByte(c byte) bool { return isURLByte(c) }

// isTokenByte reports whether c may stand in a token as programs make them:
// base64 of both alphabets, and the dots between the parts of one.
func isTokenByte(c byte) bool {
	return isAlnum(c) || c == '-' || c == '_' || c == '+' || c == '/' || c == '=' || c == '.'
}

func isWordByte(c byte) bool { return isAlnum(c) || c == '_' }    // base62 and _
func isURLByte(c byte) bool  { return isWordByte(c) || c == '-' } // base64url
func isDotByte(c byte) bool  { return isURLByte(c) || c == '.' }
func isLowerHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }
func isBase32(c byte) bool   { return isUpper(c) || c >= '2' && c <= '7' }
func isBase64(c byte) bool   { return isAlnum(c) || c == '+' || c == '/' || c == '=' }
func isCapital(c byte) bool  { return isUpper(c) || isDigit(c) }

// equalFold reports whether s is lower, an ASCII text in lower case, in any case.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if isUpper(c) {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// hasPrefixFold reports whether s begins with lower in any case.
func hasPrefixFold(s, lower string) bool {
	return len(s) >= len(lower) && equalFold(s[:len(lower)], lower)
}

// runOf returns the end of the run of bytes in set that begins at s[i].
func runOf(s string, i int, set func(byte) bool) int {
	for i < len(s) && set(s[i]) {
		i++
	}
	return i
}

// runBack returns the start of the run of bytes in set that ends before s[i].
func runBack(s string, i int, set func(byte) bool) int {
	for i > 0 && set(s[i-1]) {
		i--
	}
	return i
}

// lineEnd returns the end of the line that s[i] stands in, but at most limit
// bytes on.
func lineEnd(s string, i, limit int) int {
	end := min(len(s), i+limit)
	for j := i; j < end; j++ {
		if s[j] == '\n' {
			return j
		}
	}
	return end
}

// startsWord reports whether a token that begins at s[i] is not the tail of a
// longer word: what stands before it is no letter or digit, or is an escape such
// as \n or %3D.
func startsWord(s string, i int) bool {
	if i == 0 || !isWordByte(s[i-1]) {
		return true
	}
	if i >= 2 && s[i-2] == '\\' {
		return s[i-1] == 'n' || s[i-1] == 't' || s[i-1] == 'r'
	}
	return i >= 3 && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1])
}
