package naming

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
	"ken/internal/redact/packed"
)

// tongueTable is what people call a password, language by language: see its head.
//
//go:embed tongues.txt
var tongueTable string

// packedTongues is what ReadTongue asks of it: packed.Words, of the kinds below.
//
//go:embed tongues.bin
var packedTongues string

// The kinds of words of the table.
const (
	wholeNoun  = 1 << iota // a noun that nothing goes with
	tongueLink             // binds a noun to a value
	tongueEnd              // ends a sentence behind the value
)

// isTongue reports whether word, in any case, is one of that kind.
func isTongue(kind uint64, word string) bool {
	return packed.Words(packedTongues).Kinds(word)&kind != 0
}

// A tongueWords is the table: its nouns, as anchors, and the kinds of its words. Nothing
// reads it in a program that masks: packedTongues is made of it.
type tongueWords struct {
	stems []string
	kinds map[string]uint64
}

func readTongues() tongueWords {
	t := tongueWords{kinds: map[string]uint64{}}
	seen := map[string]bool{}
	for line := range strings.Lines(tongueTable) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 3 || strings.HasPrefix(line, "#") {
			continue
		}
		for noun := range strings.SplitSeq(cells[1], ",") {
			noun, whole := strings.CutPrefix(strings.TrimSpace(noun), "=")
			if len(noun) == 2 {
				noun += " "
			}
			t.add(beheaded(noun), seen)
			t.add(lowerASCII(strings.ToUpper(noun)), seen)
			if whole {
				t.kinds[strings.TrimRight(noun, " :")] |= wholeNoun
			}
		}
		for link := range strings.SplitSeq(cells[2], ",") {
			t.kinds[strings.TrimSpace(link)] |= tongueLink
		}
		for word := range strings.SplitSeq(strings.Join(cells[3:], ","), ",") {
			t.kinds[strings.TrimSpace(word)] |= tongueEnd
		}
	}
	delete(t.kinds, "")
	return t
}

// add adds an anchor that is not there yet.
func (t *tongueWords) add(stem string, seen map[string]bool) {
	if !seen[stem] && len(stem) >= 3 {
		seen[stem] = true
		t.stems = append(t.stems, stem)
	}
}

// lowerASCII is s with its letters of ASCII in lower case, as anchors have them.
func lowerASCII(s string) string {
	return strings.Map(func(c rune) rune {
		if c < utf8.RuneSelf {
			return unicode.ToLower(c)
		}
		return c
	}, s)
}

// beheaded is noun without its first letter, if that has two cases and is not of ASCII:
// anchors are found without regard to the case of ASCII only.
func beheaded(noun string) string {
	c, n := utf8.DecodeRuneInString(noun)
	if c < utf8.RuneSelf || unicode.ToUpper(c) == c {
		return noun
	}
	return noun[n:]
}

// TongueStems are the nouns of the table of languages, which ReadTongue reads from.
func TongueStems() []string { return readTongues().stems }

// How far behind its noun a value may stand, in bytes and in words.
const (
	maxTongue      = 112
	maxTongueWords = 8
)

// ReadTongue looks at what TongueStems has at text[at:end]. The value is a word of the
// sentence that looks made: right behind a word or a sign that binds it somewhat, and
// elsewhere like nothing that a sentence is made of.
func (r *Reader) ReadTongue(at, end int) {
	s := r.text
	for end > at && (s[end-1] == ' ' || s[end-1] == ':') {
		end--
	}
	if c, n := utf8.DecodeLastRuneInString(s[:at]); n == 2 && unicode.IsLetter(c) {
		at -= n // the head of the noun
	}
	noun := strings.ToLower(s[at:end])
	whole := isTongue(wholeNoun, noun)
	if s[at:end] == "PASS" {
		return // a verdict
	}
	latin := s[end-1] < 0x80 || s[at] < 0xd0
	if at < r.done || latin && !chars.StartsWord(s, at) && (whole || end-at < 6) || (whole || latin) && at > 0 &&
		strings.IndexByte("-.$@<_", s[at-1]) >= 0 && whole {
		return
	}
	i := end
	if s[end-1] < 0x80 || s[at] < 0xd5 { // the endings of the noun
		i = chars.RunOf(s[:min(len(s), end+16)], end, func(c byte) bool { return chars.IsLower(c) || c >= 0x80 && s[at] < 0xd5 })
		if whole && i > end || i < len(s) && (chars.IsWordByte(s[i]) || s[i] == '.' && i+1 < len(s) && chars.IsLower(s[i+1]) || s[i] == '(' ||
			s[i] == '/' && whole) {
			return
		}
	}
	if at > 0 && s[at-1] == '/' && (i < len(s) && s[i] == '/' || at < 2 || !chars.IsAlnum(s[at-2])) {
		return // of a path
	}
	if i+1 < len(s) && chars.IsQuote(s[i]) && strings.IndexByte(",)]", s[i+1]) >= 0 {
		return // one of several texts in code
	}
	if r.tongueBefore(at) {
		return
	}
	limit := chars.LineEnd(s, i, maxTongue)
	linked, strict := false, whole
	for n := 0; n < maxTongueWords && i < limit; n++ {
		from := i
		i, linked = gap(s, i, limit, linked)
		if i >= limit || strings.HasPrefix(s[i:], chars.PlaceholderHead) || strings.ContainsAny(s[from:i], ".?!;") && n > 0 ||
			chars.IsCode(s[from:i]) && i-from > 24 {
			return
		}
		stop := i
		for stop < limit && !chars.IsBlank(s[stop]) && s[stop] != '\r' && !shuts(s[stop:]) {
			_, n := utf8.DecodeRuneInString(s[stop:])
			if s[i] < 0x80 && s[stop] >= 0xe0 {
				break // a script that puts no blank
			}
			stop += n
		}
		over := false // the data ends that the sentence stands in
		if k := structureIn(s[i:stop]); k >= 0 {
			stop, over = i+k, true
		}
		if stop == i {
			return
		}
		if whole && strings.ContainsAny(s[from:i], "\"'`") && !strings.ContainsAny(s[from:i], ":=") {
			linked = false // what is passed is quoted as well
		}
		word := s[i:stop]
		if isTongue(tongueLink, strings.TrimRight(word, ":,")) || isCopula(word) {
			linked = !whole || !isLoose(strings.ToLower(word))
			i = stop
			continue
		}
		vs, ve, quoted := trimSpoken(s, i, stop)
		if v := s[vs:ve]; vs < ve && acceptsTongue(v, linked || quoted || n == 0 && r.alone(at, ve), strict && !linked || n > 1 && !linked) &&
			(!strict || linked || n == 0 && endsShort(s, ve)) {
			r.add("password", vs, ve)
			return
		}
		if c := word[len(word)-1]; strict && !linked && n > 3 || c == '.' || c == '?' || c == '!' || c == ';' ||
			strings.ContainsAny(word, "=({<") || over {
			return
		}
		linked = strings.HasSuffix(word, ":")
		i = stop
	}
}

// isLoose reports whether word binds "pass" to what is passed as well: "pass to X".
func isLoose(word string) bool {
	switch word {
	case "to", "on", "a", "da", "su", "na", "-", "for", "type", "use", "del", "e", "la", "do", "naar", "till", "til", "por", "para",
		"auf", "from", "into", "als", "ni", "er":
		return true
	}
	return false
}

// alone reports whether what begins at text[at] and ends at text[end] is all of its line,
// or ends with a word that such sentences end with: "pass X", "mera password X hai".
func (r *Reader) alone(at, end int) bool {
	s := r.text
	line := chars.LineEnd(s, end, 32)
	rest := strings.Trim(s[end:line], " \t\r.!।")
	return rest == "" && beginsLine(s, at) && line-end < 32 || rest != "" && isTongue(tongueEnd, rest)
}

// gap returns where the next word of a sentence begins, and whether what stands before it
// binds it: a colon, a quotation mark of any language, a word in a script without blanks.
func gap(s string, i, limit int, linked bool) (int, bool) {
	for i < limit {
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == ' ' || c == '\t' || c == '*' || c == '(' || c == ',' || c == '-' && i+1 < limit && s[i+1] == ' ' || c == '/' &&
			i+1 < limit && s[i+1] == ' ':
		case c == ':' || c == '=' || c == '"' || c == '\'' || c == '`' || c == '：' || isQuoteMark(c) || c == '→' || c == '—' || c == '–':
			linked = true
		case c == '>' && linked:
		case c == '。' || c == '？' || c == '！':
			return limit, false
		case c == '\u200c' || c == '\u200d' || c == '\u00a0' || c == '\u202f' || c == '\u064b':
		case c >= 0x2e80:
			// A word in a script without blanks: what binds is its last sign.
			linked = isTongue(tongueLink, s[i:i+n])
		case c >= 0xe00 && c < 0x1000: // Thai and Lao
			j := i
			for j < limit && s[j] >= 0xe0 {
				_, m := utf8.DecodeRuneInString(s[j:])
				j += m
			}
			linked = strings.HasSuffix(s[i:j], "คือ") || strings.HasSuffix(s[i:j], "ແມ່ນ") || j == i
			i = j
			continue
		default:
			return i, linked
		}
		i += n
	}
	return i, linked
}

// isQuoteMark reports whether c is a quotation mark beyond ASCII.
func isQuoteMark(c rune) bool {
	return strings.ContainsRune("«»„“”‟‘’‚‛‹›「」『』《》〈〉〝〞＂＇", c)
}

// shuts reports whether s begins with a quotation mark beyond ASCII.
func shuts(s string) bool {
	c, n := utf8.DecodeRuneInString(s)
	return n > 1 && isQuoteMark(c)
}

// endsShort reports whether a note in shorthand may end before s[i]: at the end of its
// line, or where a comma or the user follows.
func endsShort(s string, i int) bool {
	i = chars.RunOf(s, i, func(c byte) bool { return chars.IsBlank(c) || chars.IsQuote(c) || c == '.' })
	if i >= len(s) || strings.IndexByte("\r\n,;)|\"", s[i]) >= 0 {
		return true
	}
	for _, w := range [...]string{"user", "login", "on ", "for ", "at ", "un ", "u:", "and "} {
		if chars.HasPrefixFold(s[i:], w) {
			return true
		}
	}
	return false
}

// acceptsTongue reports whether v can hardly be a word of a sentence in any language, and
// no thing that sentences of passwords name.
func acceptsTongue(v string, linked, strict bool) bool {
	if len(v) < 6 || len(v) > 64 || v[0] >= 0x80 && chars.ShapeOf(v).Digit == 0 {
		return false
	}
	sh := chars.ShapeOf(v)
	if sh.Letters() == 0 || sh.Digit == 0 && sh.Symbol == 0 || chars.IsReference(v) || chars.IsSettled(v) || chars.Thing(v).IsMail() ||
		chars.Thing(v).IsFile() || chars.Thing(v).IsTechnical() || chars.Thing(v).IsProduct() || chars.Thing(v).IsMeasure() ||
		chars.Thing(v).IsHost() ||
		chars.IsUUID(v) || chars.IsHexText(v) && len(v) >= 32 || strings.Contains(v, "://") || strings.ContainsAny(v, "()[]{}<>|`\"\\;") ||
		strings.IndexByte("-#@/.:%", v[0]) >= 0 || strings.Count(v, "/") > 1 {
		return false
	}
	if linked {
		return sh.Digit > 0 && acceptsBound(v) || acceptSpokenPassword(v, sh, false) && !chars.IsCode(v)
	}
	return sh.Digit > 0 && firmSpoken(password, v) && (!strict || saidValue(v)) && !chars.IsCodeName(v)
}

// tongueBefore adds the value that stands before its noun, with one or two words between:
// "is é X an pasfhocal", "X là mật khẩu". It must look like nothing else.
func (r *Reader) tongueBefore(at int) bool {
	s := r.text
	i, linked := at, false
	for range 3 {
		end := chars.RunBack(s, i, chars.IsBlank)
		from := wordBack(s, end)
		if from == end || end-from > 64 || end == i && s[end-1] < 0x80 {
			return false
		}
		vs, ve, _ := trimSpoken(s, from, end)
		if v := s[vs:ve]; vs < ve && linked && ve == end && saidValue(v) && acceptsTongue(v, false, true) {
			r.add("password", vs, ve)
			return true
		}
		if word := strings.ToLower(s[from:end]); end-from > 12 || !isTongue(tongueLink, word) && word != "an" && word != "a" && word != "my" &&
			word != "the" && word != "como" {
			return false
		}
		linked, i = true, from
	}
	return false
}
