package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

const (
	maxAddress = 1 << 10
	minPath    = 16 // bytes of the part of an address that nobody is to guess
)

// readAddress looks at the "://" of an address at text[at:end]: for the part or the value in
// its query that is all that keeps others out, where a word in it or before it says so.
func (r *Reader) readAddress(at, end int) {
	s := r.text
	r.pieces(end)
	if end < r.addressDone {
		return
	}
	stop := chars.RunOf(s[:min(len(s), end+maxAddress)], end, func(c byte) bool {
		return c > ' ' && c < 0x7f && !chars.IsQuote(c) && c != '<' && c != '>' && c != '\\' && c != '|' && c != '{' && c != '}'
	})
	r.addressDone = stop
	path := strings.IndexAny(s[end:stop], "/?#")
	if path < 0 {
		return
	}
	host := lowerASCII(s[end : end+path])
	line, _ := lineBounds(s, at, 64)
	// The words of the address up to the part count, and those that stand before it.
	said := strings.HasPrefix(host, "hooks.") || strings.HasPrefix(host, "hook.") || strings.HasPrefix(host, "feeds.") ||
		strings.HasPrefix(host, "calendar.") || strings.Contains(host, "caldav") || strings.HasPrefix(host, "ntfy.")
	hook := strings.HasPrefix(host, "hooks.") || strings.HasPrefix(host, "hook.")
	if strings.Contains(s[line:at], " ") {
		for w := range strings.FieldsFuncSeq(lowerASCII(s[line:at]), func(c rune) bool { return c < 0x80 && !chars.IsAlnum(byte(c)) }) {
			said = said || isAddressWord(w)
		}
	}
	if host == "github.com" || host == "gitlab.com" || strings.HasPrefix(host, "docs.") || strings.HasPrefix(host, "cdn.") {
		said = false
	}
	for i := end + path; i < stop; {
		i = chars.RunOf(s[:stop], i, func(c byte) bool { return !isPathByte(c) })
		to := chars.RunOf(s[:stop], i, isPathByte)
		if i == to {
			break
		}
		part := strings.TrimRight(s[i:to], ".")
		last := to == stop
		switch {
		case isAddressPart(part, said) || hook && last && said && isShort(part) || hook && to+1 == stop && s[to] == '/' && isShort(part):
			from := i
			for _, head := range [...]string{"private-", "token-", "key-"} {
				if strings.HasPrefix(part, head) {
					from, said = i+len(head), true
				}
			}
			if said {
				r.add("token", from, i+len(part))
			}
		default:
			for w := range strings.SplitSeq(lowerASCII(part), "_") {
				said = said || isAddressWord(w)
			}
			for w := range strings.SplitSeq(lowerASCII(part), "-") {
				said = said || isAddressWord(w) && len(part) < 24
			}
			if part == "commit" || part == "blob" || part == "static" || part == "docs" || part == "assets" || part == "tree" {
				return
			}
		}
		i = to
	}
}

func isPathByte(c byte) bool { return chars.IsURLByte(c) || c == '.' || c == '~' }

func isAddressWord(w string) bool {
	return is(anAddress, w) || len(w) > 5 && (strings.HasSuffix(w, "token") || strings.Contains(w, "password"))
}

// isAddressPart reports whether part is long and random, and no name of a file or a hash
// that many addresses have; said: a word promises it.
func isAddressPart(part string, said bool) bool {
	part = strings.TrimPrefix(part, "private-")
	sh := chars.ShapeOf(part)
	if len(part) < minPath || len(part) > 256 || !said && len(part) < 24 || strings.Contains(part, ".") && chars.Thing(part).IsFile() ||
		chars.IsWordy(part) && !chars.IsHexText(part) || chars.IsPlaceholder(part) {
		return false
	}
	if chars.IsHexText(part) {
		return len(part) >= 24 && sh.Digit > 3 && sh.Letters() > 2
	}
	return !chars.IsUUID(part) && chars.IsRandom(part) && (sh.Upper > 0 && sh.Lower > 0 || sh.Digit > 3) && !strings.Contains(part, "..")
}

// isShort reports whether part is what a hook that has short ones ends with.
func isShort(part string) bool {
	sh := chars.ShapeOf(part)
	return len(part) >= 6 && sh.Digit > 0 && sh.Letters() > 2 && sh.Symbol == 0 && piecesOf(part) > 2 && !chars.IsWordy(part)
}
