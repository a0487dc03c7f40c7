package expect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// isPlainWords reports whether v is least or more words in lower case that make no sentence.
func isPlainWords(v string, least int) bool {
	list := strings.Fields(v)
	if len(list) < least || len(list) > 12 {
		return false
	}
	for _, w := range list {
		if utf8.RuneCountInString(w) < 3 || len(w) > 24 || strings.ContainsFunc(w, func(c rune) bool { return !unicode.IsLower(c) }) ||
			chars.IsFunctionWord(w) || chars.IsSettled(w) || is(aWhere, w) || is(aLink, w) || is(anAsk, w) ||
			is(anArticle, w) || is(anOwn, w) || is(aSaid, w) {
			return false
		}
	}
	return true
}

// quotes are the marks that a quotation begins and ends with.
func quotes() [7][2]string {
	return [...][2]string{{"\"", "\""}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"‘", "’"}, {"'", "'"}, {"「", "」"}}
}

// quotation returns the bounds of what stands in the quotes at s[i], before s[limit].
func quotation(s string, i, limit int) (int, int, bool) {
	for _, q := range quotes() {
		if !strings.HasPrefix(s[i:limit], q[0]) {
			continue
		}
		start := i + len(q[0])
		if k := strings.Index(s[start:limit], q[1]); k > 0 {
			end := start + len(strings.TrimRight(s[start:start+k], " \u00a0\u202f"))
			return start + len(s[start:end]) - len(strings.TrimLeft(s[start:end], " \u00a0\u202f")), end, true
		}
	}
	return 0, 0, false
}

// readQuoted adds the plain words in quotes that the word for a password before text[i] is
// bound to: "the password is “echo angle”".
func (r *Reader) readQuoted(i int) bool {
	s := r.text
	limit := chars.LineEnd(s, i, maxSentence)
	bound := false
	for n := 0; n < 8 && i < limit; n++ {
		gap := i
		i = chars.RunOf(s[:limit], i, chars.IsBlank)
		if start, end, ok := quotation(s, i, limit); ok {
			if v := s[start:end]; bound && isPlainWords(v, 2) && strings.Count(v, " ") < 7 {
				r.add("passphrase", start, end)
				return true
			}
			return false
		}
		stop := chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsBlank(c) })
		word := s[i:stop]
		if word == "" || n > 0 && gap == i {
			return false
		}
		bound = is(aLink, strings.Trim(word, ":,")) || strings.HasSuffix(word, ":") || word == "—" || word == "-" || word == "–"
		if strings.IndexByte(".;!?(){}=<>", word[len(word)-1]) >= 0 {
			return false
		}
		i = stop
	}
	return false
}

// readSpokenWords adds the two or three plain words that a code word of speech, which ends at
// text[i], is: "our safe word is kettle anchor".
func (r *Reader) readSpokenWords(i int) bool {
	s := r.text
	limit := chars.LineEnd(s, i, maxSentence)
	t := nextToken(s, i, limit)
	if t.start >= limit || !is(aLink, s[t.start:t.end]) && s[t.start:t.end] != ":" {
		if i >= limit || s[i] != ':' {
			return false
		}
		t.end = i + 1
	}
	start := chars.RunOf(s[:limit], t.end, chars.IsBlank)
	end := start
	for end < limit && (s[end] == ' ' || chars.IsLower(s[end]) || s[end] >= 0xc3 && s[end] <= 0xd4 || s[end] >= 0x80 && s[end] < 0xc0) {
		end++
	}
	if end < limit && strings.IndexByte(".,;!)\r", s[end]) < 0 {
		return false
	}
	if end == len(s) {
		r.hold(start)
	}
	if v := s[start:end]; isPlainWords(v, 2) && strings.Count(v, " ") < 4 {
		r.add("passphrase", start, end)
		return true
	}
	return false
}

// asWords adds the plain words that a sentence uses "as" what the word at text[at] names:
// "I unlock it with citizen ripple rocket as the master password".
func (r *Reader) asWords(line, at int) bool {
	s := r.text
	before := s[line:at]
	k := strings.LastIndex(before[max(0, len(before)-32):], " as ")
	if k < 0 {
		return false
	}
	k += max(0, len(before)-32)
	w := max(strings.LastIndex(before[:max(0, k)], " with "), strings.LastIndex(before[:max(0, k)], " use "))
	if w < 0 || strings.Count(before[k+1:], " ") > 4 {
		return false
	}
	start := line + w + 1 + strings.IndexByte(before[w+1:], ' ') + 1
	end := line + k
	if from, to, ok := quotation(s, start, end); ok {
		start, end = from, to
	}
	if isPlainWords(s[start:end], 3) {
		r.add("passphrase", start, end)
		return true
	}
	return false
}

// answerWords adds the plain words that are all that is answered below the line of text[at:stop],
// which asks for a passphrase.
func (r *Reader) answerWords(at, stop int) {
	s := r.text
	line, end := lineBounds(s, at, maxSentence)
	if end >= len(s) || r.mayNotAnswer(end+1) || !strings.Contains(s[line:end], "?") || strings.ContainsAny(s[line:end], "{};|\\=") {
		return
	}
	phrase := strings.Contains(lowerASCII(s[at:stop]), "phras") || strings.Contains(lowerASCII(s[at:stop]), "fras")
	i := end + 1
	for range 3 {
		next := chars.LineEnd(s, i, maxAnswer)
		from, _ := afterSpeaker(s, i, next)
		if from < next {
			start, to, ok := quotation(s, from, next)
			if !ok && phrase {
				for _, head := range [...]string{"it's ", "it is ", "its "} {
					if chars.HasPrefixFold(s[from:next], head) {
						from += len(head)
					}
				}
				start, to = from, from+len(strings.TrimRight(s[from:next], " \r."))
			}
			if to > start && isPlainWords(s[start:to], 3) && (strings.Count(s[start:to], " ") > 2 || ok) {
				if to == len(s) {
					r.hold(start)
				}
				r.add("passphrase", start, to)
			}
			return
		}
		if i = next + 1; i >= len(s) {
			return
		}
	}
}

// IsLabel reports whether v, which stands where a password would, is a word for one in some
// language: the label of a field.
func IsLabel(v string) bool {
	if sh := chars.ShapeOf(v); sh.Digit > 0 || len(v) < 4 || len(v) > 80 || strings.ContainsAny(v, "@#$%^&*+=_~") {
		return false
	}
	return partsIn(strings.ToLower(v))&aNoun != 0
}
