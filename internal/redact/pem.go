package redact

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxPEM is the most bytes a private key block is followed for: an RSA key of
// 16384 bits takes 13 KB.
const maxPEM = 16 << 10

func keyRules() []rule {
	return []rule{
		{"private-key", texts("-----begin "), (*finder).pem},
		{"private-key", texts("private-lines:"), (*finder).putty},
	}
}

// pem adds a private key block from its first dash to its last, or as far as it
// goes if its end is missing. The lines may be joined by \n escapes. A header
// alone counts, unless it stands in quotes, as in a search for such files.
func (f *finder) pem(at, end int) {
	s := f.s
	body := pemHeader(s, end)
	if body < 0 {
		if chars.LineEnd(s, end, 64) == len(s) {
			f.hold(at)
		}
		return
	}
	if at > 0 && chars.IsQuote(s[at-1]) && body < len(s) && s[body] == s[at-1] {
		return
	}
	stop, whole := pemEnd(s, body)
	if !whole && len(s) < body+maxPEM {
		f.hold(at)
	}
	if isEmptyBody(s[body:stop]) {
		return
	}
	f.add(exact, "private-key", at, stop)
}

// isEmptyBody reports whether block, a body and its end line, has dots in the place of the key and nothing else.
func isEmptyBody(block string) bool {
	body, _, whole := strings.Cut(block, "-----END ")
	dots := strings.Trim(strings.NewReplacer(`\n`, "", `\r`, "").Replace(body), " \t\r\n")
	return whole && dots != "" && strings.Trim(dots, ".…") == ""
}

// pemHeader returns the end of the header of a private key whose "-----BEGIN "
// ends before s[end], or -1 if it is another.
func pemHeader(s string, end int) int {
	if static := "OpenVPN Static key V"; strings.HasPrefix(s[end:], static) {
		if i := end + len(static) + 1; i < len(s) && strings.HasPrefix(s[i:], "-----") {
			return i + len("-----")
		}
	}
	i := chars.RunOf(s, end, func(c byte) bool { return chars.IsUpper(c) || chars.IsDigit(c) || c == ' ' })
	label := s[end:i]
	if !strings.HasSuffix(label, "PRIVATE KEY") && label != "PGP PRIVATE KEY BLOCK" || !strings.HasPrefix(s[i:], "-----") {
		return -1
	}
	return i + len("-----")
}

// pemEnd returns the end of a block whose body begins at s[i], and whether its
// end line is there.
func pemEnd(s string, i int) (int, bool) {
	limit := min(len(s), i+maxPEM)
	if k := strings.Index(s[i:limit], "-----END "); k >= 0 {
		k += i + len("-----END ")
		k = chars.RunOf(s, k, func(c byte) bool { return chars.IsAlnum(c) || c == ' ' })
		return chars.RunOf(s, k, func(c byte) bool { return c == '-' }), k < len(s)
	}
	end := pemBody(s, i, limit)
	// Text behind the body that is no body: the block is over.
	return end, len(strings.TrimLeft(s[end:limit], " \t\r\n-")) > len("END PRIVATE KEY")
}

// pemBody returns the end of a body without an end line: the last of the lines
// that hold nothing but base64, or are headers of the block.
func pemBody(s string, i, limit int) int {
	end := i
	for i < limit {
		if c := s[i]; chars.IsSpace(c) || c == '\\' {
			if c == '\\' && i+1 < limit && (s[i+1] == 'n' || s[i+1] == 'r') {
				i++
			}
			i++
			continue
		}
		stop := chars.RunOf(s[:limit], i, chars.IsBase64)
		switch n := stop - i; {
		case n == 0:
			return end
		case stop < limit && s[stop] == ':' && n < 20, stop < limit && s[stop] == '-' && isPEMField(s[i:]):
			stop = chars.LineEnd(s, stop, limit-stop)
		case n < 16 && chars.ShapeOf(s[i:stop]).Classes() < 3 && !strings.HasSuffix(s[i:stop], "="):
			// A short run is a last line, if it looks like one, or a word of
			// what follows.
			return end
		}
		i, end = stop, stop
	}
	return end
}

func isPEMField(s string) bool {
	return strings.HasPrefix(s, "Proc-Type:") || strings.HasPrefix(s, "DEK-")
}

// putty adds the private lines of a PuTTY key: "Private-Lines: n" and the n
// lines of base64 after it.
func (f *finder) putty(_, end int) {
	i := chars.LineEnd(f.s, end, 16)
	stop := pemBody(f.s, i, min(len(f.s), i+maxPEM))
	if isLastWord(f.s[stop:]) {
		f.hold(i)
	}
	if stop > i {
		f.add(exact, "private-key", i+1, stop)
	}
}
