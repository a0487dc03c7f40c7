package expect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// How far from the word for a password what is told in another sentence may stand, in bytes.
const maxTold = 240

// readSpelled looks at a remark on how something is spelled at text[at:end], "spaces included", "all
// lower case": what stands before it, up to what binds it, is meant to the letter.
func (r *Reader) readSpelled(at, end int) {
	s := r.text
	if end < len(s) && chars.IsAlnum(s[end]) && s[end-1] != ' ' {
		return
	}
	line, _ := lineBounds(s, at, maxSentence)
	if from := max(0, at-maxSentence); partsIn(strings.ToLower(s[from:at]))&(aNoun|aNetwork) == 0 && !r.tellsOfSecret(from, at) {
		return
	}
	start, linked := line, false
	if above := strings.TrimRight(s[max(0, line-2):line], "\n\r"); strings.HasSuffix(above, "?") || strings.HasSuffix(above, ":") {
		start, _ = afterSpeaker(s, line, at) // the answer begins with it
		linked = strings.Count(strings.TrimSpace(s[start:at]), " ") < 2
	}
	for i := start; i < at; {
		t := nextToken(s, i, at)
		if t.start >= at {
			break
		}
		w := strings.Trim(s[t.start:t.end], ",.;*(")
		if is(aLink|aPress, strings.TrimRight(w, ":")) && !isLoose(w) && w != "are" && w != "in" && w != "as" || strings.HasSuffix(w, ":") ||
			isTyping(w) {
			start, linked = t.end, true
		} else if strings.HasSuffix(s[t.start:t.end], ".") || strings.HasSuffix(s[t.start:t.end], "?") {
			linked = false
		}
		i = t.end
	}
	start += len(s[start:at]) - len(strings.TrimLeft(s[start:at], " \t\"'`*“„«"))
	stop := start + len(strings.TrimRight(s[start:at], " \t\"'`*”“»,;(–—-"))
	if v := s[start:max(start, stop)]; linked && len(v) >= 5 && strings.Count(v, " ") < 6 && !chars.Thing(v).IsNone() &&
		!strings.ContainsAny(v, ".!?:;=()") {
		r.add("password", start, stop)
	}
}

// mayBeSpelled holds what the clause behind text[stop] gives, as long as it goes on: a remark on how it is spelled may
// end it.
func (r *Reader) mayBeSpelled(stop int) {
	s := r.text
	if len(s)-stop > maxSentence/2 || strings.ContainsAny(s[stop:], ".\n{}=?!") {
		return
	}
	for i := stop; ; {
		t := nextToken(s, i, len(s))
		if t.start >= len(s) {
			return
		}
		if w := strings.Trim(s[t.start:t.end], ",;*("); is(aLink, strings.TrimRight(w, ":")) && !isLoose(w) || strings.HasSuffix(w, ":") {
			r.hold(t.end)
			return
		}
		i = t.end
	}
}

// tellsOfSecret reports whether one of the words of text[from:to] names a secret where something binds.
func (r *Reader) tellsOfSecret(from, to int) bool {
	for w := range strings.FieldsSeq(r.text[from:to]) {
		if is(aWeak|aWord|aNetkey|aSpeech, strings.Trim(w, ".,:;?!\"'()")) {
			return true
		}
	}
	return false
}

// isTyping reports whether w, in any case, is a verb that tells somebody to type.
func isTyping(w string) bool { return is(aTyping, w) }

// entered adds the value that a sentence about the word for a password at text[at:stop] says to type, behind it:
// "it asks for a password; enter X".
func (r *Reader) entered(stop int) bool {
	s := r.text
	limit := min(len(s), stop+maxSentence)
	if k := strings.Index(s[stop:limit], "\n\n"); k >= 0 {
		limit = stop + k
	}
	verb := false
	for i, n := stop, 0; i < limit && n < 16; n++ {
		t := nextToken(s, i, limit)
		if t.start >= limit {
			return false
		}
		word := s[t.start:t.end]
		marked := strings.HasPrefix(word, "**") || t.start > 0 && (s[t.start-1] == '`' || s[t.start-1] == '"')
		start, end := trimmed(s, t.start, t.end)
		switch v := s[start:end]; {
		case verb && (gradeOf(v) > ordinary || marked && chars.Thing(v).IsGiven() && endsMark(s, end)) && !isCodeAround(s,
			start, end):
			if t.end == len(s) {
				r.hold(t.start)
			}
			r.add("password", start, end)
			return true
		case isTyping(strings.Trim(word, ",.;:")):
			verb = true
		case !is(anArticle|aWhere|aLink, strings.Trim(word, ",.;:")) && !strings.HasSuffix(word, ":"):
			verb = false
		}
		if strings.ContainsAny(word, "{}()<>|=") {
			return false
		}
		i = t.end
	}
	return false
}

// endsMark reports whether a mark of emphasis or a quote ends before or at s[i].
func endsMark(s string, i int) bool {
	return i < len(s) && strings.IndexByte("*`\"'", s[i]) >= 0
}

// alone adds the value that is all of a sentence behind the one of the word for a password before text[stop], or
// all of a line below: "I think nobody told you the password. It has been the same for years. X".
func (r *Reader) alone(stop int) bool {
	s := r.text
	limit := min(len(s), stop+maxTold)
	line := chars.LineEnd(s, stop, maxTold)
	if strings.ContainsAny(s[stop:line], "{}=|<>") {
		return false
	}
	announced := r.announces(stop, line)
	for i, n := stop, 0; i < limit && n < 6; {
		// The end of a sentence or of a line.
		k := strings.IndexAny(s[i:limit], ".!?\n")
		if k < 0 {
			return false
		}
		newline := s[i+k] == '\n'
		i += k + 1
		if !newline && (i >= len(s) || !chars.IsSpace(s[i])) {
			continue
		}
		n++
		from := chars.RunOf(s, i, chars.IsSpace)
		newline = newline || strings.IndexByte(s[i:from], '\n') >= 0
		to := chars.RunOf(s, from, func(c byte) bool { return !chars.IsSpace(c) })
		start, end := trimmed(s, from, to)
		if start >= end {
			continue
		}
		over := to >= len(s) || s[to] == '\n' || s[to] == '\r'
		v := s[start:end]
		g := gradeOf(v)
		if !newline && !over && g == ordinary {
			// "..., the dog's name and the year, X"
			last := chars.LineEnd(s, from, maxSentence)
			last = chars.RunBack(s, last, chars.IsSpace)
			from = wordBefore(s, last)
			start, end = trimmed(s, from, last)
			if start < end && from > i+1 && s[from-2] == ',' {
				v, over, to = s[start:end], last >= len(s) || chars.IsSpace(s[last]), last
				g = gradeOf(v)
			}
		}
		if !over || isCodeAround(s, start, end) || strings.HasSuffix(s[from:to], ":") || chars.Thing(v).IsFile() ||
			strings.ContainsAny(v, "/@=") {
			continue
		}
		if newline && (g > ordinary || announced && isJoined(v)) && announced || !newline && (g > ordinary || isCamelWords(v) ||
			isMixed(v) || isTicket(v)) {
			if to == len(s) {
				r.hold(from)
			}
			r.add("password", start, end)
			return true
		}
	}
	return false
}

// announces reports whether the line that ends at text[line], from text[stop] on or a little before, says that what
// it tells of stands below.
func (r *Reader) announces(stop, line int) bool {
	said := strings.TrimRight(r.text[max(0, stop-64):line], " \t\r*_")
	if strings.HasSuffix(said, ":") {
		return true
	}
	said = strings.ToLower(said)
	return partsIn(said)&anAnnounce != 0
}

// isJoined reports whether v is three words or more with one sign between, no compound of English.
func isJoined(v string) bool {
	return chars.Thing(v).IsGiven() && strings.Count(v, "-")+strings.Count(v, "_")+strings.Count(v, ".")+strings.Count(v,
		"+") > 1 && !chars.Thing(v).IsAdjective()
}

// isCamelWords reports whether v is three words or more written as one, with a capital each but the first.
func isCamelWords(v string) bool {
	capitals := 0
	for i, c := range []byte(v) {
		switch {
		case i > 0 && chars.IsUpper(c) && chars.IsLower(v[i-1]):
			capitals++
		case !chars.IsLower(c | 0x20):
			return false
		}
	}
	return capitals > 1 && len(v) >= 12 && !chars.Thing(v).IsNone()
}

// isMixed reports whether v is words of more than one case with a number.
func isMixed(v string) bool {
	sh := chars.ShapeOf(v)
	return sh.Upper > 1 && sh.Lower > 2 && sh.Digit > 0 && chars.Thing(v).IsGiven() && !chars.Thing(v).IsProduct() && len(v) >= 8
}

// readTicket looks at a word for what is bought as a code at text[at:end], a licence or a voucher: for the groups of
// capitals and digits that it is, in the same line or the next.
func (r *Reader) readTicket(at, end int) {
	s := r.text
	if at > 0 && chars.IsAlnum(s[at-1]) {
		return
	}
	limit := min(len(s), end+maxSentence)
	if k := strings.Index(s[end:limit], "\n\n"); k >= 0 {
		limit = end + k
	}
	for i := end; i < limit; {
		i = chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsAlnum(c) })
		stop := chars.RunOf(s, i, func(c byte) bool { return chars.IsAlnum(c) || c == '-' })
		for stop > i && s[stop-1] == '-' {
			stop--
		}
		if isLicence(s[i:stop]) {
			if stop == len(s) {
				r.hold(i)
			}
			r.add("secret", i, stop)
			return
		}
		i = max(i+1, stop)
	}
}

// isDigitKey reports whether v is four groups or more of four digits with hyphens between, as routers have keys.
func isDigitKey(v string) bool {
	n := 0
	for part := range strings.SplitSeq(v, "-") {
		if n++; len(part) != 4 || chars.RunOf(part, 0, chars.IsDigit) < 4 {
			return false
		}
	}
	return n > 3
}

// readSignIn looks at words at text[at:] that tell what a code is entered for, "to finish signing in": what stands before
// them in digits, behind a verb of typing, is it.
func (r *Reader) readSignIn(at, _ int) {
	s := r.text
	line, _ := lineBounds(s, at, maxSentence)
	from := max(line, chars.RunBack(s, at, func(c byte) bool { return chars.IsDigit(c) || strings.IndexByte(" -\"'`*", c) >= 0 }))
	from += len(s[from:at]) - len(strings.TrimLeft(s[from:at], " -\"'`*"))
	start, end, digits := r.numberAt(from, at)
	if start != from || strings.Trim(s[end:at], " \"'`*.") != "" || digits < 5 || digits > maxCode {
		return
	}
	before := strings.Trim(s[line:start], " \"'`*:")
	if w := before[chars.RunBack(before, len(before), func(c byte) bool { return chars.IsLower(c|0x20) || c >= 0x80 }):]; is(aTyping|aCode|aWeak|aLink, w) {
		r.addCode(start, end)
	}
}

// isLicence reports whether v is three groups or more of capitals and digits, of three to eight each and nearly of
// one length.
func isLicence(v string) bool {
	sh := chars.ShapeOf(v)
	if len(v) < 11 || len(v) > 64 || sh.Lower > 0 || sh.Digit < 2 || sh.Symbol < 2 || chars.IsPlaceholder(v) || sh.Upper == 0 &&
		sh.Symbol < 3 {
		return false
	}
	least, most := 99, 0
	for part := range strings.SplitSeq(v, "-") {
		least, most = min(least, len(part)), max(most, len(part))
	}
	return least >= 3 && most <= 8 && most-least <= 2
}

// readGroups looks at words for a password of one application at text[at:end]: for its four groups of four letters,
// in the same line or the next.
func (r *Reader) readGroups(_, end int) {
	s := r.text
	limit := min(len(s), end+maxSentence)
	for i := end; i < limit; {
		i = chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsLower(c) })
		stop, groups, said, first := i, 0, 0, i
		for groups < 5 {
			to := chars.RunOf(s, stop, chars.IsLower)
			if to-stop != 4 || to < len(s) && (chars.IsAlnum(s[to]) || s[to] >= 0x80) {
				break
			}
			if chars.IsFunctionWord(s[stop:to]) {
				said++
			}
			groups++
			i = to
			if to == len(s) || s[to] != ' ' && s[to] != '-' {
				break
			}
			stop = to + 1
		}
		if chars.RunOf(s, min(stop, len(s)), chars.IsLower) == len(s) || i+1 >= len(s) {
			r.hold(first) // the groups may go on
		}
		if begin := i - 19; groups == 4 && said < 2 && begin >= end && !chars.IsAlnum(s[begin-1]) {
			r.add("password", begin, i)
			return
		}
		i = chars.RunOf(s, i, chars.IsLower)
		if i < limit && !chars.IsLower(s[i]) {
			i++
		}
	}
}

// isAs reports whether w joins what is used and what for.
func isAs(w string) bool {
	switch w {
	case "as", "als", "comme", "como", "come", "som", "jako":
		return true
	}
	return false
}

// lastAs returns where the blank stands before the last of such words among the last few of before, or -1.
func lastAs(before string) int {
	end := strings.LastIndexByte(before, ' ')
	for n := 0; n < 5 && end > 0; n++ {
		k := strings.LastIndexByte(before[:end], ' ')
		if k < 0 || isAs(before[k+1:end]) {
			return k
		}
		end = k
	}
	return -1
}

// asUsed adds the name or the words that somebody uses as what the word at text[at] names: "I use X as my password".
func (r *Reader) asUsed(line, at int) bool {
	s := r.text
	before := s[max(line, at-96):at]
	k := lastAs(before)
	if k < 0 || strings.ContainsAny(before[k:], ".;!?,:") {
		return false
	}
	end := max(line, at-96) + k
	from := wordBefore(s, end)
	if from < line {
		return false // many blanks: the word is of another line, or far off
	}
	start, stop := trimmed(s, from, end)
	prev := strings.Trim(lastWord(s[line:from]), ",.;:*\"'`(")
	if start >= stop || !(isTyping(prev) || strings.HasSuffix(prev, "ed") || is(aLink, prev)) {
		return false
	}
	v := s[start:stop]
	c, _ := utf8.DecodeRuneInString(v)
	if chars.Thing(v).IsNone() || len(v) < 5 || !unicode.IsUpper(c) && !isJoined(v) && !isCamelWords(v) && !isMixed(v) &&
		gradeOf(v) == ordinary ||
		chars.Thing(v).IsProduct() || chars.Thing(v).IsFile() || chars.Thing(v).IsAdjective() || isCodeAround(s, start, stop) ||
		chars.IsUpper(v[len(v)-1]) {
		return false
	}
	r.add("password", start, stop)
	return true
}
