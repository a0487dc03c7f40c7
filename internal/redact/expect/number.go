package expect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// How long a code is, in digits of any script, and how many words may stand between.
const (
	minCode      = 4
	maxCode      = 8
	maxCodeWords = 11
)

// readCode looks at a word for a code at text[at:end]: for its digits, behind it or before it
// in the same sentence.
func (r *Reader) readCode(at, end int) {
	s := r.text
	for end > at && strings.IndexByte(" :?=\n,", s[end-1]) >= 0 {
		end--
	}
	c, _ := utf8.DecodeLastRuneInString(s[max(0, at-4):at])
	if at > 0 && c < 0x590 && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '-' && s[at] < 0x80) {
		return
	}
	stop := end
	if s[end-1] < 0x80 || s[at] < 0xd7 {
		for stop < len(s) && stop < end+16 {
			c, n := utf8.DecodeRuneInString(s[stop:])
			if c >= 0x590 || !unicode.IsLower(c) && c != '’' && c != '\'' {
				break
			}
			stop += n
		}
	}
	if len(s[at:end]) < 5 && stop > end || stop < len(s) && (chars.IsWordByte(s[stop]) || s[stop] == '(' || s[stop] == '-') {
		return
	}
	line, limit := lineBounds(s, at, maxSentence)
	wide := isWide(s[at])
	words := 0
	for i := stop; i < limit && words < maxCodeWords; {
		from, to, digits := r.numberAt(i, limit)
		words += strings.Count(s[i:from], " ")
		if from == to || words >= maxCodeWords {
			break
		}
		if digits == maxCode && to-from == maxCode && chars.HasPrefixFold(s[at:], "puk") || r.isCode(from, to, digits, line,
			limit) && (words < 4 || !isYear(s[from:to])) {
			r.addCode(from, to)
			return
		}
		if !wide && strings.ContainsAny(s[i:from], ".?!;") && digits > 2 {
			break
		}
		i = to
	}
	// "X is your code": before the word, and the first number of its line.
	from, to, digits := r.numberAt(line, at)
	if from < to && to <= at && r.isCode(from, to, digits, line, limit) && strings.Count(s[to:at], " ") < 7 && !isYear(s[from:to]) {
		r.addCode(from, to)
	}
}

// addCode adds the digits at text[from:to]; where no more text follows them they may go on.
func (r *Reader) addCode(from, to int) {
	if to == len(r.text) {
		r.hold(from)
	}
	r.add("one-time-code", from, to)
}

// numberAt returns the first number of text[i:limit], in digits of any script, with what
// stands in one run with it, and how many digits it has.
func (r *Reader) numberAt(i, limit int) (start, end, digits int) {
	s := r.text
	for i < limit {
		c, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsDigit(c) {
			i += n
			continue
		}
		start, end = i, i
		gap := 0
		for end < limit {
			c, n := utf8.DecodeRuneInString(s[end:])
			if unicode.IsDigit(c) {
				digits++
			} else if (c != ' ' && c != '-') || digits != 3 || gap > 0 || !digitAt(s, end+n) {
				break // but for one gap, as in 123 456
			} else {
				gap++
			}
			end += n
		}
		if gap > 0 && digits != 6 {
			return start, start + 3, 3
		}
		return start, end, digits
	}
	return limit, limit, 0
}

// digitAt reports whether a digit of any script stands at s[i].
func digitAt(s string, i int) bool {
	c, _ := utf8.DecodeRuneInString(s[min(i, len(s)):])
	return unicode.IsDigit(c)
}

// isCode reports whether the number at text[from:to] may be a code: of the right length,
// and no date, time, price, measure, or part of a word.
func (r *Reader) isCode(from, to, digits, line, limit int) bool {
	s := r.text
	if digits < minCode || digits > maxCode {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[max(line, from-4):from])
	after, n := utf8.DecodeRuneInString(s[min(to, len(s)):])
	prefixed := before == '-' && from >= 2 && chars.IsUpper(s[from-2]) && (from == 2 || !chars.IsAlnum(s[from-3])) // G-123456
	if before < 0x590 && unicode.IsLetter(before) || strings.ContainsRune("-/.,:#+_$€£=@%", before) && !prefixed && before != ':' &&
		before != '=' && before != '#' {
		return false
	}
	if (before == '=' || before == '#') && from >= 2 && chars.IsAlnum(s[from-2]) {
		return false
	}
	if to < limit {
		if after < 0x590 && unicode.IsLetter(after) || after == '%' || after == '€' || after == '_' || after == '(' && !r.wide(line,
			from) || (after == '.' ||
			after == ',' && !(digits == 6 && r.wide(line, from)) || after == ':' || after == '/' || after == '-') && digitAt(s, to+n) {
			return false
		}
	}
	prev := strings.Trim(lastWord(s[line:from]), ".:#")
	next := strings.Trim(firstWord(s[min(to, limit):limit]), ".,:;)")
	return !is(aNumber, prev) && !is(aNumber, next)
}

// wide reports whether the line at text[line], up to text[i], is of a script without blanks.
func (r *Reader) wide(line, i int) bool {
	for ; i > line; i-- {
		if isWide(r.text[i-1]) {
			return true
		}
	}
	return false
}

// lastWord is the last word of text, and firstWord the first.
func lastWord(text string) string {
	text = strings.TrimRight(text, " ")
	return text[strings.LastIndexByte(text, ' ')+1:]
}

func firstWord(text string) string {
	text = strings.TrimLeft(text, " ")
	word, _, _ := strings.Cut(text, " ")
	return word
}

// readCombination looks at a word for what opens a lock at text[at:end]: for three numbers
// with hyphens between in its line.
func (r *Reader) readCombination(at, end int) {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	if !chars.StartsWord(s, at) || end < len(s) && chars.IsWordByte(s[end]) {
		return
	}
	for i := line; i < limit; i++ {
		if !chars.IsDigit(s[i]) || i > 0 && (chars.IsAlnum(s[i-1]) || strings.IndexByte("-./", s[i-1]) >= 0) {
			continue
		}
		to := chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsDigit(c) || c == '-' })
		parts := strings.Split(s[i:to], "-")
		if len(parts) == 1 {
			wide := i + len(s[i:limit]) - len(strings.TrimLeft(s[i:limit], "0123456789 -–"))
			wide = i + len(strings.TrimRight(s[i:wide], " -–"))
			all := strings.Split(strings.ReplaceAll(s[i:wide], " – ", " - "), " - ")
			if (len(all) == 3 || len(all) == 4) && r.says(aPlace, line) {
				parts, to = all, wide
			}
		}
		fits := len(parts) == 3 || len(parts) == 4
		for _, p := range parts {
			fits = fits && (len(p) == 1 || len(p) == 2)
		}
		if fits {
			r.addCode(i, to)
			return
		}
		i = to
	}
}
