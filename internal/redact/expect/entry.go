package expect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// An entry is what opens a door: four to eight digits, perhaps with a letter or two, at
// text[start:end]; digits is how many of them there are.
type entry struct {
	start, end int
	plain      bool // digits only
}

// entryAt reads the entry at text[i], past blanks, quotes and brackets.
func (r *Reader) entryAt(i, limit int) (entry, bool) {
	s := r.text
	i = chars.RunOf(s[:limit], i, func(c byte) bool { return strings.IndexByte(" \t\"'`([*:=", c) >= 0 })
	for _, mark := range [...]string{"「", "“", "„", "«", "【", "：", "（", "G-"} {
		if strings.HasPrefix(s[i:limit], mark) {
			i = chars.RunOf(s[:limit], i+len(mark), chars.IsBlank)
		}
	}
	stop := i
	digits, letters, gap := 0, 0, 0
	for stop < limit {
		c, n := utf8.DecodeRuneInString(s[stop:])
		switch {
		case unicode.IsDigit(c):
			digits++
		case c < 0x80 && chars.IsAlnum(byte(c)):
			letters++
		case (c == ' ' || c == '-') && digits == 3 && gap+letters == 0 && runDigits(s, stop+1) == 3:
			gap++
		default:
			n = 0
		}
		if n == 0 || letters > 2 {
			break
		}
		stop += n
	}
	if letters > 0 && (digits < 3 || chars.ShapeOf(s[i:stop]).Lower > 0) || digits+letters < minCode || digits > maxCode ||
		i > 0 && strings.IndexByte("$€£/.-+_@\\", s[i-1]) >= 0 && !strings.HasSuffix(s[:i], "G-") {
		return entry{}, false
	}
	if c, n := utf8.DecodeRuneInString(s[stop:]); stop < len(s) {
		if c < 0x590 && unicode.IsLetter(c) || strings.ContainsRune("%€$£_°/@\\{<=", c) || c < 0x80 && strings.IndexByte(".:-,", byte(c)) >= 0 &&
			digitAt(s, stop+n) && !(c == ',' && digits == 6) || c == '-' {
			return entry{}, false
		}
		if c == '#' || c == '*' {
			stop++ // as it is typed on a pad
		}
	}
	return entry{i, stop, letters == 0}, true
}

// runDigits is how many digits of ASCII stand at s[i].
func runDigits(s string, i int) int { return chars.RunOf(s, i, chars.IsDigit) - i }

// addEntry adds e; where no more text follows it may go on.
func (r *Reader) addEntry(e entry) {
	if e.end == len(r.text) {
		r.hold(e.start)
	}
	r.add("one-time-code", e.start, e.end)
}

// readWeak looks at a word at text[at:end] that names a secret only where something binds
// the two: "the code is X", "my PIN: X", "Kod do bramy X".
func (r *Reader) readWeak(at, end int) {
	s := r.text
	if c, _ := utf8.DecodeLastRuneInString(s[max(0, at-4):at]); at > 0 && c < 0x2e80 && (unicode.IsLetter(c) ||
		unicode.IsDigit(c) || c == '#') {
		return // the end of another word
	}
	stop, ok := r.markerEnd(aWeak, at, end)
	if ok && stop == end && r.ahead(stop, sentence{strict: true}) {
		return
	}
	if !ok && (stop < end || stop < len(s) && s[stop] != '-') {
		return
	}
	if stop > end && (stop > end+5 || s[end-1] < 0x80 && stop > end+min(3, end-at-1)) {
		return // an ending is shorter than its word
	}
	if strings.HasPrefix(s[stop:], "-") {
		stop = chars.RunOf(s, stop, func(c byte) bool {
			return c == '-' || chars.IsLower(c) || c >= 0xc3 && c < 0xcc || c >= 0x80 && c < 0xc0
		})
	}
	r.entryNear(at, stop)
}

// entryNear adds the entry that belongs to the word for one at text[at:stop]: behind it in the
// same line, if something binds it, or in the answer below.
func (r *Reader) entryNear(at, stop int) {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	if !r.mayEnter(line, limit) {
		return
	}
	if e, ok := r.entryAt(line, at); ok && e.end < at {
		// "X is your code"
		rest := strings.Fields(s[e.end:at])
		if len(rest) > 1 && len(rest) < 5 && is(aLink, rest[0]) && is(anOwn, rest[1]) {
			r.addEntry(e)
			return
		}
	}
	i := stop
	for n := 0; n < 10 && i < limit; n++ {
		if e, ok := r.entryAt(i, limit); ok {
			if r.tied(line, at, stop, e, limit) && !r.numbersElse(line, at, stop, limit) {
				r.addEntry(e)
			}
			return
		}
		t := nextToken(s, i, limit)
		if t.start >= limit {
			break
		}
		if from, to := trimmed(s, t.start, t.end); isTicket(s[from:to]) && r.bindsTicket(line, at, stop, from) ||
			(isBell(s[from:to]) || isFlatCode(s[from:to])) && r.says(aPlace, line) ||
			isDialled(s[from:to]) && (strings.HasSuffix(strings.TrimRight(s[stop:from], " \"'`*"), ":") || r.says(aPlace, line)) &&
				!r.numbersElse(line, at, stop, limit) {
			if to == len(s) {
				r.hold(from)
			}
			r.add("secret", from, to)
			return
		}
		i = t.end
	}
	r.answerEntry(line, at, stop)
}

// mayEnter reports whether digits stand in text[stop:limit], the rest of a line, or in the next
// few: without any there is nothing to look for.
func (r *Reader) mayEnter(stop, limit int) bool {
	s := r.text
	for i := stop; i < min(len(s), limit+96); i++ {
		if c := s[i]; chars.IsDigit(c) || c >= 0xd9 {
			return true
		}
	}
	return false
}

// isTicket reports whether v is groups of capitals and digits, as codes are that are given once.
func isTicket(v string) bool {
	sh := chars.ShapeOf(v)
	if len(v) < 8 || len(v) > 48 || sh.Lower+sh.Other > 0 || sh.Digit < 2 || sh.Upper < 2 || strings.Count(v, "-") != sh.Symbol ||
		sh.Symbol == 0 {
		return false
	}
	for part := range strings.SplitSeq(v, "-") {
		if len(part) < 3 || len(part) > 8 {
			return false
		}
	}
	return true
}

// isBell reports whether v is a flat and its code as one types them at a door: "12#4075".
func isBell(v string) bool {
	flat, code, ok := strings.Cut(v, "#")
	code = strings.TrimSuffix(code, "#")
	return ok && len(flat) < 5 && chars.RunOf(flat, 0, chars.IsDigit) == len(flat) && len(code) > 2 && len(code) < 7 && flat != "" &&
		chars.RunOf(code, 0, chars.IsDigit) == len(code)
}

// isDialled reports whether v is two to four groups of digits with hyphens between, as one types them on a lock or
// for a pairing, and no date and no number of a telephone: "290-06-469".
func isDialled(v string) bool {
	sh := chars.ShapeOf(v)
	if sh.Digit < 6 || sh.Digit > 10 || sh.Symbol == 0 || sh.Symbol > 3 || sh.Digit+strings.Count(v, "-") != len(v) {
		return false
	}
	parts := strings.Split(v, "-")
	for _, p := range parts {
		if p == "" || len(p) > 4 {
			return false
		}
	}
	return !(len(parts) == 3 && (len(parts[0]) == 4 || len(parts[2]) == 4))
}

// bindsTicket reports whether what begins at text[from] is of the word at text[at:stop]: one for
// a code that is given once, with nothing else between.
func (r *Reader) bindsTicket(line, at, stop, from int) bool {
	s := r.text
	before := strings.Trim(lastWord(strings.TrimSpace(s[line:at])), ".,:;()\"'")
	if !is(anOnce, before) && !is(anOnce, s[at:stop]) {
		return false
	}
	between := strings.Trim(s[stop:from], " \"'`(*")
	return between == "" || strings.HasSuffix(between, ":") || is(aLink, lastWord(between)) || strings.HasSuffix(between, ",") ||
		is(anOnce, s[at:stop])
}

// numbersElse reports whether the word at text[at:stop] is of a thing that has numbers for
// other ends: an error, a post code, a product.
func (r *Reader) numbersElse(line, at, stop, limit int) bool {
	s := r.text
	before, after := lastWord(strings.TrimSpace(s[line:at])), firstWord(s[stop:limit])
	if strings.EqualFold(s[at:stop], "pin") && s[at:stop] != "PIN" && (after == "the" || after == "it" || after == "this" || after == "that") {
		return true // a verb
	}
	if partsIn(before)&aPlace != 0 {
		before = ""
	}
	return is(aNumber, strings.Trim(before, "-.,;:()\"'")) || is(aNumber, strings.Trim(after, ".,;:?!()\"'")) ||
		r.says(aNumbered, line)
}

// tied reports whether the entry e belongs to the word at text[at:stop].
func (r *Reader) tied(line, at, stop int, e entry, limit int) bool {
	s := r.text
	if e.start-stop > maxSentence/2 {
		return false
	}
	between := strings.Trim(s[stop:e.start], " \"'`([*“„「«")
	if rest, ok := strings.CutPrefix(between, "?"); ok && (rest == "" || strings.Trim(rest, " –—-") == "") {
		return !isYear(s[e.start:e.end]) // asked and answered in one line
	}
	if between == "=" && r.says(aPlace, line) && at > 0 && s[at-1] == ' ' {
		return !isYear(s[e.start:e.end])
	}
	if strings.ContainsAny(between, ".;!?=()<>{}") || strings.Count(between, " ") > 8 {
		return false
	}
	next := strings.Trim(firstWord(s[e.end:limit]), ".,:;)")
	place := r.says(aPlace, line)
	if is(aNumber, strings.Trim(lastWord(between), ".:#")) || is(aNumber, next) && !place {
		return false
	}
	year := e.plain && isYear(s[e.start:e.end])
	own := is(anOwn, strings.Trim(lastWord(strings.TrimSpace(s[line:at])), ",.:;")) || hasWord(aPress, s[line:at])
	colon := strings.HasSuffix(between, ":") || strings.HasSuffix(between, "：") || s[e.start-1] == ':'
	ends := endsClause(s, e.end) || next != "" && isPadKey(next) || s[min(e.end, len(s)-1)] >= 0x80 || isWide(s[at])
	linked := is(aLink, lastWord(between)) || between != "" && isWide(between[len(between)-1]|0x80) && is(aLink, between)
	near := true
	for w := range strings.FieldsSeq(between) {
		w = strings.Trim(strings.ToLower(w), ",:：")
		if w == "" {
			continue
		}
		near = near && (isWide(s[at]) || is(aWhere, w) || is(anArticle, w) || is(aLink, w) ||
			partsIn(w)&aPlace != 0 || is(anOwn, w))
	}
	switch {
	case colon:
		return (near || e.plain) && strings.Count(between, " ") < 4 || place || own
	case year:
		return false
	case linked:
		return near && ends || place || own
	case strings.Contains(between, ","):
		return false
	}
	if mark := s[e.end-1]; mark == '#' && between == "" && ends {
		return true // as it is typed on a pad
	}
	return near && (place || own) && (ends || strings.HasPrefix(s[e.end:], " – ") || place && (is(aWhere, next) || is(aLink, next)))
}

// says reports whether the line at text[line], or what of it is near its beginning, has a part of
// one of kinds. What was found out of the last line is kept.
func (r *Reader) says(kinds kind, line int) bool {
	if r.saidText == "" || r.saidLine != line {
		r.saidLine = line
		r.saidText = strings.ToLower(r.text[line:chars.LineEnd(r.text, line, 2*maxSentence)])
		r.said = partsIn(r.saidText)
	}
	return r.said&kinds != 0
}

// answerEntry adds the entry that is all that somebody says below the line of text[at:stop],
// which asks for it.
func (r *Reader) answerEntry(line, at, stop int) {
	s := r.text
	end := chars.LineEnd(s, stop, maxSentence)
	if end >= len(s) || s[end] != '\n' || r.mayNotAnswer(end+1) || strings.ContainsAny(s[line:end], "{};|\\=") {
		return
	}
	said := strings.TrimRight(s[line:end], " \t\r*_\"")
	asks := strings.HasSuffix(said, "?") || strings.HasSuffix(said, "？") || strings.HasSuffix(said, ":") || hasWord(anAsk, s[line:end])
	if !asks {
		return
	}
	limit := min(len(s), end+maxAnswer)
	for i, n := end+1, 0; i < limit && n < 3; n++ {
		next := chars.LineEnd(s, i, maxAnswer)
		from, _ := afterSpeaker(s, i, next)
		for _, dash := range [...]string{"—", "–", "「"} {
			if strings.HasPrefix(s[from:next], dash) {
				from = chars.RunOf(s[:next], from+len(dash), chars.IsBlank)
			}
		}
		if r.answeredEntry(from, next, func() bool { return r.numbersElse(line, at, stop, end) }) {
			return
		}
		i = next + 1
	}
}

// mayNotAnswer reports whether the line at text[i] is too long for an answer.
func (r *Reader) mayNotAnswer(i int) bool {
	i = chars.RunOf(r.text, i, chars.IsSpace)
	return chars.LineEnd(r.text, i, 72) >= i+72
}

// answeredEntry adds the entry that the short answer text[from:to] gives, unless the question
// asks for something else.
func (r *Reader) answeredEntry(from, to int, other func() bool) bool {
	s := r.text
	if strings.Count(strings.TrimSpace(s[from:to]), " ") > 4 {
		return false
	}
	for i, n := from, 0; i < to && n < 3; n++ {
		if e, ok := r.entryAt(i, to); ok {
			rest := strings.TrimLeft(s[e.end:to], " ")
			if next := strings.Trim(firstWord(rest), ".,:;)!"); is(aNumber, next) || rest != "" && chars.IsLower(rest[0]) && n == 0 &&
				e.end < to && s[e.end] == ' ' {
				return false
			}
			if !other() {
				r.addEntry(e)
			}
			return true
		}
		t := nextToken(s, i, to)
		if t.start >= to || !is(aLink, strings.Trim(s[t.start:t.end], ",.:…")) && !is(anArticle, s[t.start:t.end]) &&
			!isInterjection(s[t.start:t.end]) {
			return false
		}
		i = t.end
	}
	return false
}

// isInterjection reports whether w is what people say before an answer.
func isInterjection(w string) bool {
	switch strings.Trim(strings.ToLower(w), ",.!…:-") {
	case "sorry", "oh", "ah", "hm", "sure", "ok", "okay", "yes", "yeah", "yep", "ja", "oui", "si", "sí", "sim", "da", "да", "klar",
		"moment", "uh", "um", "err", "well", "here", "hier", "voilà", "ups", "oops", "tak", "jo", "entschuldigung", "perdón",
		"pardon",
		"scusa", "desculpa", "сейчас", "ой":
		return true
	}
	return false
}

// readPress looks at words at text[at:end] that tell what to type where one has no keyboard:
// "punch in X", "disarm with X".
func (r *Reader) readPress(at, end int) {
	s := r.text
	if !chars.StartsWord(s, at) || end < len(s) && chars.IsAlnum(s[end]) {
		return
	}
	line, limit := lineBounds(s, at, maxSentence)
	if !r.says(aPlace, line) && !r.askedAbove(line) {
		return
	}
	for i, n := end, 0; n < 6 && i < limit; n++ {
		if e, ok := r.entryAt(i, limit); ok {
			next := strings.Trim(firstWord(s[e.end:limit]), ".,:;)")
			ends := endsClause(s, e.end) || is(aWhere|aLink|anArticle, next) || isThen(next)
			prev := lastWord(strings.TrimSpace(s[end:e.start]))
			if ends && !isYear(s[e.start:e.end]) && prev != "at" && !is(aNumber, prev) && !is(aNumber, next) &&
				!(n == 0 && len(s[e.start:e.end]) == 4 && s[e.start] == '0') || isPadCode(s[e.start:e.end]) {
				r.addEntry(e)
			}
			return
		}
		t := nextToken(s, i, limit)
		if start, stop := trimmed(s, t.start, t.end); t.start < limit && (isDialled(s[start:stop]) || isPadCode(s[start:stop])) {
			r.addCode(start, stop)
			return
		}
		if t.start >= limit || strings.ContainsAny(s[t.start:t.end], ".,;!?") && !isPadKey(s[t.start:t.end]) || is(aJoint,
			s[t.start:t.end]) {
			return
		}
		i = t.end
	}
}

// askedAbove reports whether the line above text[line] asks about a place that a code opens.
func (r *Reader) askedAbove(line int) bool {
	if line == 0 {
		return false
	}
	above, _ := lineBounds(r.text, line-1, maxSentence)
	said := strings.ToLower(r.text[above : line-1])
	return strings.Contains(said, "?") && partsIn(said)&aPlace != 0
}

// isThen reports whether w joins what is pressed next.
func isThen(w string) bool {
	switch lowerASCII(w) {
	case "followed", "before", "bevor", "avant", "antes", "prima", "and", "then", "plus", "puis", "et", "und", "dann", "gefolgt",
		"y", "luego", "seguido", "e", "poi", "seguito",
		"depois", "en", "dan", "gevolgd", "i", "potem", "och", "sedan", "og", "så", "и", "потом", "затем":
		return true
	}
	return false
}

// isPadKey reports whether w is a key of a pad that is pressed before a code.
func isPadKey(w string) bool {
	switch strings.Trim(strings.ToLower(w), ",.;") {
	case "star", "hash", "pound", "stern", "raute", "étoile", "dièse", "asterisco", "almohadilla", "cancelletto", "sterretje",
		"hekje",
		"звёздочку", "звездочку", "решётку", "решетку", "gwiazdkę", "ster", "asterisk", "*", "#":
		return true
	}
	return false
}

// isPadCode reports whether v is a letter and three to five digits, as pads at doors want them.
func isPadCode(v string) bool {
	c, n := utf8.DecodeRuneInString(v)
	return unicode.IsLetter(c) && len(v)-n >= 3 && len(v)-n <= 5 && chars.RunOf(v, n, chars.IsDigit) == len(v)
}

// readTurns looks at the way a lock is turned at text[at:end]: numbers, each with a
// direction, are its combination.
func (r *Reader) readTurns(at, _ int) {
	s := r.text
	if at < r.turnsDone {
		return
	}
	line, limit := lineBounds(s, at, maxSentence)
	if r.dialled(at, limit) {
		return
	}
	r.turnsDone = limit
	if !r.says(aPlace, line) && !r.says(aLock, line) {
		return
	}
	start, stop, numbers, turns := -1, -1, 0, 0
	for i := line; i < limit; {
		i = chars.RunOf(s[:limit], i, func(c byte) bool { return strings.IndexByte(" ,.-–>\t(", c) >= 0 })
		to := chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsAlnum(c) || c >= 0x80 })
		w := strings.ToLower(s[i:to])
		switch digits := runDigits(s, i); {
		case to == i:
			i++
		case digits == len(w) && digits < 3:
			if start < 0 {
				start = i
			}
			numbers, stop = numbers+1, to
		case is(aTurn, w) && (numbers > 0 || nextNumber(s, to, limit)):
			if start < 0 {
				start = i
			}
			turns, stop = turns+1, to
		case is(aLink, w) || is(anArticle, w) || w == "and" || w == "then":
		default:
			if (numbers < 3 || turns < 2) && to < len(s) {
				start, stop, numbers, turns = -1, -1, 0, 0
			}
		}
		if numbers >= 3 && turns >= 2 && start >= 0 && to > stop {
			break
		}
		i = max(i, to)
	}
	if limit == len(s) && start >= 0 {
		r.hold(start)
	}
	if numbers >= 3 && numbers <= 5 && turns >= 2 && turns <= numbers {
		r.addCode(start, stop)
	}
}

// nextNumber reports whether a short number follows s[i].
func nextNumber(s string, i, limit int) bool {
	i = chars.RunOf(s[:limit], i, func(c byte) bool { return strings.IndexByte(" ,:to", c) >= 0 })
	n := runDigits(s[:limit], i)
	return n == 1 || n == 2
}
