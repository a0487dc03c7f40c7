package extract

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/text"
)

// deobfuscated are the readings of a text in which something could be hidden, those that
// differ from what is seen.
func deobfuscated(s string) []string {
	var list []string
	add := func(t string) {
		if len(strings.TrimSpace(t)) >= 6 && t != s {
			list = append(list, t)
		}
	}
	add(carried(s))
	add(zeroBits(s))
	shown := strings.Map(text.Visible, s)
	if len(shown) != len(s) && unseen(s) {
		add(shown)
		add(reversed(shown))
	}
	if t := alike(shown); t != text.Fold(shown) {
		add(t)
	}
	if t := leet(shown); t != "" {
		add(t)
	}
	if strings.ContainsRune(s, '&') {
		add(changed(shown, html.UnescapeString(shown)))
	}
	if strings.ContainsRune(s, '%') {
		if t, err := url.QueryUnescape(shown); err == nil {
			add(changed(shown, t))
		}
	}
	if strings.Contains(s, `\u`) || strings.Contains(s, `\x`) {
		add(changed(shown, escapes(shown)))
	}
	add(spaced(shown))
	if words := text.WordsInOrder(shown); len(words) >= 3 && !english(words) {
		add(rot13(shown))
		add(reversed(shown))
		add(eachReversed(shown))
	}
	add(numbers(shown))
	add(acrostic(shown))
	for _, w := range strings.FieldsFunc(shown, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`<>(),;:{}[]", r) }) {
		add(decoded(w))
	}
	return list
}

// changed is b if it is not a.
func changed(a, b string) string {
	if a == b {
		return ""
	}
	return b
}

// carried is what tags and variation selectors spell.
func carried(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			b.WriteRune(r - 0xE0000)
		case r >= 0xFE00 && r <= 0xFE0F:
			b.WriteByte(byte(r - 0xFE00))
		case r >= 0xE0100 && r <= 0xE01EF:
			b.WriteByte(byte(r-0xE0100) + 16)
		}
	}
	if t := b.String(); len(t) >= 6 {
		return t
	}
	return ""
}

// zeroBits is what two invisible characters spell as bits.
func zeroBits(s string) string {
	var bits []byte
	for _, r := range s {
		switch r {
		case 0x200B, 0x2062:
			bits = append(bits, '0')
		case 0x200C, 0x200D, 0x2063:
			bits = append(bits, '1')
		}
	}
	return bytesOf(bits, 8)
}

// bytesOf is a row of digits 0 and 1, in groups, as letters.
func bytesOf(bits []byte, group int) string {
	if len(bits) < 6*group {
		return ""
	}
	var b strings.Builder
	for ; len(bits) >= group; bits = bits[group:] {
		n, err := strconv.ParseUint(string(bits[:group]), 2, 16)
		if err != nil || n > 0x7E {
			return ""
		}
		b.WriteByte(byte(n))
	}
	return b.String()
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func eachReversed(s string) string {
	words := strings.Fields(s)
	for i := range words {
		words[i] = reversed(words[i])
	}
	return strings.Join(words, " ")
}

// alike is a text with letters of other scripts in the place of those of this one that
// they look like; only where scripts are mixed in a word.
func alike(s string) string {
	const from, to = "асеорхуіјѕһԁɡӏвкмнтАВСЕНКМОРТХ" + "αοενικρτυχβη", "aceopxyijshdglbkmhtabcehkmoptx" + "aoevikptuxbn"
	f, t := []rune(from), []rune(to)
	words := strings.Fields(text.Fold(s))
	mixed := false
	for i, w := range words {
		latin := strings.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' })
		other := strings.ContainsFunc(w, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Greek) || r == 'ɡ' })
		if !latin || !other {
			continue
		}
		mixed = true
		words[i] = strings.Map(func(r rune) rune {
			for k := range f {
				if f[k] == r {
					return t[k]
				}
			}
			return r
		}, w)
	}
	if !mixed {
		return text.Fold(s)
	}
	return strings.Join(words, " ")
}

// leet is a text with letters in the place of the digits inside its words; "" if there
// are too few.
func leet(s string) string {
	const from, to = "013457@$!|", "oieastasil"
	n := 0
	var out []string
	for _, w := range strings.Fields(s) {
		core := strings.Trim(w, ".,;:!?()[]\"'|$")
		letters := strings.ContainsFunc(core, unicode.IsLetter)
		if letters && strings.ContainsAny(core, from) && !unit(core) {
			n++
			core = strings.Map(func(r rune) rune {
				if i := strings.IndexRune(from, r); i >= 0 {
					return rune(to[i])
				}
				return r
			}, core)
		}
		out = append(out, core)
	}
	if n < 2 {
		return ""
	}
	return strings.Join(out, " ")
}

// unit reports whether a word is a number with something behind or before it: 4th, v1.2, 10am.
func unit(w string) bool {
	n := 0
	for _, r := range w {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n <= 2 && n*2 <= len(w) || strings.Contains(w, "://") || strings.Count(w, "@") == 1 && strings.Contains(w, ".")
}

// escapes resolves \u0041 and \x41.
func escapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := digits(s[i:]); n > 0 {
			if v, err := strconv.ParseUint(s[i+2:i+n], 16, 32); err == nil && v > 0 {
				b.WriteRune(rune(v))
				i += n
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func digits(s string) int {
	switch {
	case strings.HasPrefix(s, `\u`) && len(s) >= 6:
		return 6
	case strings.HasPrefix(s, `\x`) && len(s) >= 4:
		return 4
	}
	return 0
}

// spaced is a text whose letters stand apart ("r e m e m b e r"), put together.
func spaced(s string) string {
	for _, sep := range [...]string{" ", ".", "-", "_", "*", "|"} {
		parts := strings.Split(s, sep)
		run, best := 0, 0
		for _, p := range parts {
			if utf8.RuneCountInString(p) == 1 {
				run++
				best = max(best, run)
			} else if p != "" {
				run = 0
			}
		}
		if best < 6 {
			continue
		}
		var b strings.Builder
		for i, p := range parts {
			single := utf8.RuneCountInString(p) == 1
			if !single || i > 0 && parts[i-1] == "" {
				b.WriteByte(' ')
			}
			b.WriteString(p)
			if !single {
				b.WriteByte(' ')
			}
		}
		return b.String()
	}
	return ""
}

// english reports whether words look as if they were read as they stand.
func english(words []string) bool {
	n := 0
	for _, w := range words {
		switch w {
		case "the", "a", "an", "and", "or", "of", "to", "in", "is", "are", "for", "on", "with", "this", "that", "it", "be", "as", "at", "by", "from", "you", "not", "der", "die", "das", "und", "le", "la", "les", "de", "el", "los", "que", "user":
			n++
		}
	}
	return n*6 >= len(words)
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

// numbers is what a row of character codes spells: decimal, hexadecimal, binary.
func numbers(s string) string {
	fields := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' })
	for _, base := range [...]int{2, 10, 16} {
		var b, best strings.Builder
		for _, f := range append(fields, "-") {
			f = strings.TrimPrefix(f, "0x")
			n, err := strconv.ParseUint(f, base, 16)
			ok := err == nil && n >= 0x20 && n <= 0x7E && (base != 2 || len(f) >= 7) && (base != 16 || len(f) == 2)
			if ok {
				b.WriteByte(byte(n))
				continue
			}
			if b.Len() > best.Len() {
				best = strings.Builder{}
				best.WriteString(b.String())
			}
			b.Reset()
		}
		if best.Len() >= 8 {
			return best.String()
		}
	}
	return ""
}

// acrostic is what the first letters of lines or of capitalised words spell, if it is
// long enough to be a sentence.
func acrostic(s string) string {
	words := strings.Fields(s)
	if len(words) < 12 {
		return ""
	}
	var b strings.Builder
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			b.WriteRune(r)
		}
	}
	if b.Len()*3 < len(words)*2 {
		return ""
	}
	t := strings.ToLower(b.String())
	for _, w := range [...]string{"remember", "approve", "allcommands", "ignore"} {
		if strings.Contains(t, w) {
			return w + " " + t
		}
	}
	return ""
}

// decoded is a word that is the base64, base32 or hexadecimal form of a text.
func decoded(w string) string {
	if len(w) < 16 {
		return ""
	}
	for _, try := range [...]func(string) ([]byte, error){
		base64.StdEncoding.DecodeString, base64.RawStdEncoding.DecodeString, base64.URLEncoding.DecodeString, base64.RawURLEncoding.DecodeString,
		base32.StdEncoding.DecodeString, hex.DecodeString,
	} {
		b, err := try(w)
		if err != nil || !utf8.Valid(b) || strings.ContainsFunc(string(b), func(r rune) bool { return r < 0x20 && r != '\n' && r != '\t' }) {
			continue
		}
		return string(b)
	}
	return ""
}
