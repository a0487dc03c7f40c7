package expect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// How far from its marker a value may stand in a sentence, in bytes and in words.
const (
	maxSentence = 160
	maxAhead    = 12
	maxBehind   = 9
)

// readNoun looks at a word for a password at text[at:end]: for a value in its sentence,
// behind it or before it, and in the answer below.
func (r *Reader) readNoun(at, end int) {
	s := r.text
	for end > at && strings.IndexByte(" :?=\n,\"'", s[end-1]) >= 0 {
		end--
	}
	stop, ok := r.markerEnd(aNoun, at, end)
	if !ok {
		if s[at] >= 0xd7 && strings.HasPrefix(s[stop:], "(") {
			r.labelled(at, stop) // with what it is for in brackets
		}
		r.fallback(at, stop)
		return
	}
	if r.markerAt == at+1 {
		return // by a longer or a shorter word for the same
	}
	r.markerAt = at + 1
	if s[at:end] == "passwd" && (strings.HasSuffix(s[:at], "$ ") || strings.HasSuffix(s[:at], "# ") || strings.HasSuffix(s[:at], "sudo ")) {
		return // the command: what follows is an account
	}
	if r.fallback(at, stop) || s[at:end] == "PASS" || r.markupNext(stop) {
		return
	}
	foreign := s[at] >= 0xd7
	if r.column(at, stop) || r.aside(at, stop) {
		return
	}
	if r.ahead(stop, sentence{foreign: foreign, verb: chars.EqualFold(s[at:end], "pass") &&
		!strings.HasPrefix(s[stop:], " is "), strict: chars.EqualFold(s[at:end],
		"passwd")}) || r.readQuoted(stop) || r.quotedNext(stop) ||
		r.labelled(at, stop) ||
		is(aSpeech, s[at:stop]) && r.readSpokenWords(stop) || r.behind(at, foreign) || r.entered(stop) {
		return
	}
	if is(aNoun, s[at:end]) {
		r.mayBeSpelled(stop)
	}
	if found := len(r.Found); !r.answers(at, stop) && len(r.Found) == found {
		r.alone(stop)
	}
	if is(aNoun, s[at:end]) {
		r.entryNear(at, stop)
	}
}

// answers adds what is said below the line of text[at:stop]; it returns whether it is.
func (r *Reader) answers(at, stop int) bool {
	found := len(r.Found)
	r.answer(at, stop)
	r.answerWords(at, stop)
	return len(r.Found) > found
}

// markerEnd returns where the word that the marker s[at:end] begins ends, with its endings,
// and whether it is a word of a sentence and no name in code.
func (r *Reader) markerEnd(of kind, at, end int) (int, bool) {
	s := r.text
	c, _ := utf8.DecodeLastRuneInString(s[max(0, at-4):at])
	whole := !is(of, s[at:end])
	joined := at > 0 && (unicode.IsLetter(c) && c < 0x590 || chars.IsDigit(s[at-1]))
	if joined && (whole || s[at] < 0x80 && c < 0x80 && chars.IsUpper(s[at]) && chars.IsLower(s[at-1])) {
		return end, false
	}
	if at > 0 && strings.IndexByte("_-.$@</#\\", s[at-1]) >= 0 && s[at] < 0x80 && !(s[at-1] == '/' && whole) {
		return end, false
	}
	stop := end
	if s[end-1] < 0x80 || s[at] < 0xd7 {
		for stop < len(s) && stop < end+24 {
			c, n := utf8.DecodeRuneInString(s[stop:])
			if c >= 0x590 || !unicode.IsLower(c) && c != '’' {
				break
			}
			stop += n
		}
	}
	if whole && stop > end {
		return stop, false
	}
	if stop < len(s) && (chars.IsWordByte(s[stop]) || strings.IndexByte("([", s[stop]) >= 0 || s[stop] == '<' &&
		!strings.HasPrefix(s[stop:], "</") || s[stop] == '.' && stop+1 < len(s) && chars.IsAlnum(s[stop+1]) || s[stop] == '/' && whole) {
		return stop, s[at] >= 0xd7 && chars.IsAlnum(s[stop])
	}
	return stop, true
}

// A token is a piece of a sentence that is written without a blank in letters of ASCII, or
// a word of another script.
type token struct {
	start, end int
	ascii      bool
}

// nextToken returns the token at or behind s[i], before s[limit].
func nextToken(s string, i, limit int) token {
	i = chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsSpace(c) || chars.IsQuote(c) })
	start := i
	if i >= limit {
		return token{i, i, false}
	}
	if wideAt(s, i) {
		for i < limit && wideAt(s, i) {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
		return token{start, min(i, limit), false}
	}
	ascii := true
	for i < limit && !chars.IsSpace(s[i]) && !chars.IsQuote(s[i]) && !wideAt(s, i) {
		ascii = ascii && s[i] < 0x80
		i++
	}
	return token{start, i, ascii}
}

// isWide reports whether c begins a character that no Latin, Greek, Cyrillic, Hebrew or
// Arabic word has: a sign, or a letter of a script whose words ASCII stands out of.
func isWide(c byte) bool { return c >= 0xd6 && c < 0xf8 || c == 0xc2 }

// wideAt is isWide for the character at s[i], where the letters of Vietnamese are Latin.
func wideAt(s string, i int) bool {
	return isWide(s[i]) && !(s[i] == 0xe1 && i+1 < len(s) && s[i+1] >= 0xb8 && s[i+1] <= 0xbb)
}

// A sentence says how a marker stands in its own.
type sentence struct {
	foreign bool // it is of a script that ASCII stands out of
	firm    bool // the marker itself binds
	verb    bool // the marker may be a verb, which binds what is passed to its place
	door    bool // it tells how one gets in
	strict  bool // only what is bound counts
}

// ahead adds the value that stands behind a marker, in the same line.
func (r *Reader) ahead(from int, in sentence) bool {
	s := r.text
	limit := chars.LineEnd(s, from, maxSentence)
	bound, avoid, asked := 0, false, false // for how many words more something binds
	if in.firm {
		bound = 1
	}
	for i, n := from, 0; n < maxAhead; n++ {
		t := nextToken(s, i, limit)
		if t.start >= limit || strings.HasPrefix(s[t.start:], chars.PlaceholderHead) {
			return false
		}
		quoted := strings.ContainsAny(s[i:t.start], "\"'`")
		word := s[t.start:t.end]
		i = t.end
		if !t.ascii {
			if start, end := trimmed(s, t.start, t.end); bound > 0 && !avoid && !in.strict && !wideAt(s, t.start) && isNamed(s[start:end]) {
				if t.end == len(s) {
					r.hold(t.start)
				}
				r.add("password", start, end)
				return true
			}
			if in.foreign || t.start == from || isInitial(word) ||
				is(aLink, strings.Trim(word, ":,")) || strings.ContainsAny(word, "：“„«「『→") ||
				strings.HasSuffix(word, ":") {
				bound = 2
			} else {
				bound--
			}
			avoid = is(aWhere, word)
			continue
		}
		if n == 0 && word[0] == ':' {
			bound = 2
		}
		start, end := trimmed(s, t.start, t.end)
		v := s[start:end]
		g := gradeOf(v)
		if t.end == len(s) && g > ordinary {
			r.hold(t.start)
		}
		tight := g == worded && (n == 0 || n < 4 && !in.verb) && (endsClause(s, end) ||
			n == 0 && is(aLink, strings.Trim(firstWord(s[end:limit]), ".,;!")))
		loose := in.foreign && n == 0 && len(v) >= 8 && chars.ShapeOf(v).Digit > 0 && chars.ShapeOf(v).Upper > 1 &&
			!isOrdinary(v, chars.ShapeOf(v))
		given := !in.verb && !in.strict && !strings.ContainsAny(v, "./_\\:%") && (bound > 0 || quoted && n < 2) &&
			(endsClause(s, end) || endsMark(s, end)) && !avoid && isJoined(v) && !hasFunctionWord(v) ||
			n == 0 && endsClause(s, end) && (isShortMade(v) ||
				!in.strict && isTail(v) && (end == len(s) || s[end] != '?') || !in.verb && !in.strict && isTwoWords(v)) || (bound > 0 ||
			n == 0) && isDigitKey(v) || bound > 0 && !in.verb && !in.strict && !avoid && endsClause(s, end) && isUnderscored(v) &&
			!tellsOfCode(s[max(0, from-maxSentence):t.start])
		if (given || g == made && (!avoid || bound > 0) && (!in.strict || bound > 0) || g == worded && !avoid && (bound > 0 ||
			quoted && n < 2 ||
			in.foreign || tight && !in.strict) || loose) && !isCodeAround(s, start, end) {
			r.add("password", start, end)
			return true
		}
		if g > ordinary && isCodeAround(s, start, end) || asked && g == ordinary && !is(aLink, v) {
			return false
		}
		bare := strings.TrimRight(strings.Trim(word, ",.;*()"), ":")
		switch {
		case is(aLink, bare) && !(in.verb && is(aWhere, bare)) && !(in.verb &&
			isLoose(bare)), strings.HasSuffix(word, ":"), bare == "=":
			bound = 2
		case n == 0 && isInitial(bare), in.door && isTyping(bare):
			bound = 1
		default:
			bound--
		}
		avoid = is(aWhere, bare) && !(in.door && bare == "using") && !(n > 0 && bare == "in" && chars.HasPrefixFold(s[max(0,
			t.start-5):], "type"))
		if strings.ContainsAny(word, "{}();|<>") {
			return false
		}
		asked = strings.HasSuffix(word, "?") && !in.foreign
	}
	return false
}

// isInitial reports whether w, behind a noun, says that a password is the first one or for a time.
func isInitial(w string) bool {
	switch strings.ToLower(w) {
	case "inicial", "initial", "provisório", "provisória", "provisional", "temporal", "temporária", "provisoire",
		"iniziale", "provvisoria":
		return true
	}
	return false
}

// hasFunctionWord reports whether one of the words of v, with signs between, is one that sentences are built with.
func hasFunctionWord(v string) bool {
	for w := range strings.FieldsFuncSeq(lowerASCII(v), func(c rune) bool { return c < 0x80 && !chars.IsAlnum(byte(c)) }) {
		if chars.IsFunctionWord(w) || w == "to" || w == "of" || w == "in" {
			return true
		}
	}
	return false
}

// isTwoWords reports whether v is words with a hyphen between and a capital that begins another than the first.
func isTwoWords(v string) bool {
	k := strings.IndexByte(v, '-')
	return k > 2 && k+4 < len(v) && chars.IsUpper(v[k+1]) && chars.IsLower(v[0]) && strings.Count(v, "-") == chars.ShapeOf(v).Symbol &&
		chars.Thing(v).IsGiven() && !chars.Thing(v).IsAdjective()
}

// isShortMade reports whether v is six letters and digits that change too often for a word: "x7dk2m".
func isShortMade(v string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 6 && len(v) < 12 && sh.Symbol+sh.Other == 0 && sh.Digit > 1 && sh.Lower > 1 && piecesOf(v) > 3 &&
		!chars.IsHexText(v) && !chars.Thing(v).IsNone() && !chars.Thing(v).IsProduct()
}

// isTail reports whether v is a word, or some with hyphens between, and a number of two digits or more at their end, and
// no name of a way to write something: "uncle1957", "jar-of-plums-24".
func isTail(v string) bool {
	head := strings.TrimRight(v, "0123456789")
	digits := len(v) - len(head)
	titled := len(head) > 3 && chars.IsUpper(head[0]) && chars.RunOf(head, 1, chars.IsLower) == len(head) && !isYear(v[len(head):])
	if titled {
		return digits == 2 && chars.Thing(v).IsGiven() && !chars.Thing(v).IsProduct() && len(v) < 9
	}
	if digits < 2 || digits > 4 || len(head) < 5 || strings.Contains(head, "--") || chars.IsPlaceholder(v) || chars.IsHexText(v) ||
		chars.RunOf(head, 0, func(c byte) bool { return chars.IsLower(c) || c == '-' || c >= 0x80 }) < len(head) {
		return false
	}
	if strings.HasSuffix(head, "-") {
		return strings.Count(head, "-") > 1 && chars.Thing(v).IsGiven()
	}
	return strings.IndexByte(head, '-') < 0 && chars.Thing(v).IsGiven() && !chars.Thing(v).IsProduct()
}

// isNamed reports whether v is words of a script with letters beyond ASCII and a digit, as no sentence has one.
func isNamed(v string) bool {
	sh := chars.ShapeOf(v)
	return sh.Digit > 0 && sh.Other > 1 && len(v) >= 8 && strings.Count(v, "-")+strings.Count(v, "_") > 0 && sh.Lower > 1 &&
		chars.Thing(v).IsGiven() && chars.RunOf(v, 0, func(c byte) bool { return chars.IsAlnum(c) || c >= 0x80 || c == '-' || c == '_' }) == len(v)
}

// isLoose reports whether word binds what is passed to something as well.
func isLoose(word string) bool {
	return word == "to" || word == "with" || word == "on" || word == "be" || word == "through"
}

// endsClause reports whether the word that ends before s[i] is the last of its clause.
func endsClause(s string, i int) bool {
	i = chars.RunOf(s, i, func(c byte) bool { return chars.IsQuote(c) || chars.IsBlank(c) && false })
	k := chars.RunOf(s, i, chars.IsBlank)
	return k >= len(s) || s[k] == '\n' || s[k] == '\r' || k == i && strings.IndexByte(",.;!?)", s[i]) >= 0 && (i+1 == len(s) ||
		chars.IsSpace(s[i+1]))
}

// isCodeAround reports whether what stands at s[start:end] is part of an expression.
func isCodeAround(s string, start, end int) bool {
	if end+1 < len(s) && (s[end] == '(' || s[end] == '[' || s[end] == '{') && s[end+1] < 0x80 || start > 0 &&
		strings.IndexByte("$/\\.#@", s[start-1]) >= 0 {
		return true
	}
	return end+1 < len(s) && s[end] == '.' && chars.IsLower(s[end+1]) || end < len(s) && s[end] == '/'
}

// behind adds the value that stands before a marker, in the same line.
func (r *Reader) behind(at int, foreign bool) bool {
	s := r.text
	line, _ := lineBounds(s, at, maxSentence)
	if noneIs(strings.ToLower(s[max(line, at-24):at])) {
		return false
	}
	var tokens []token
	for i := line; i < at; {
		t := nextToken(s, i, at)
		if t.start >= at {
			break
		}
		tokens = append(tokens, t)
		i = t.end
	}
	// The line above ends with it: "..., the second mail: X", "(that's the password)".
	if len(tokens) < 4 && line > 1 && len(tokens) > 0 {
		above, _ := lineBounds(s, line-1, maxSentence)
		end := chars.RunBack(s, line-1, chars.IsSpace)
		start := above + strings.LastIndexByte(s[above:max(above, end)], ' ') + 1
		if from, to := trimmed(s, start, end); start > above+2 && s[start-2] == ':' && gradeOf(s[from:to]) > ordinary {
			r.add("password", from, to)
			return true
		}
	}
	if r.remark(line, at) || r.asWords(line, at) || r.asUsed(line, at) {
		return true
	}
	for n := len(tokens) - 1; n >= max(0, len(tokens)-maxBehind); n-- {
		t := tokens[n]
		if !t.ascii {
			continue
		}
		start, end := trimmed(s, t.start, t.end)
		g := gradeOf(s[start:end])
		if g > ordinary {
			prev := ""
			if n > 0 {
				prev = strings.Trim(s[tokens[n-1].start:tokens[n-1].end], ",.;*(")
			}
			avoid := is(aWhere, strings.TrimRight(prev, ":")) && !strings.HasSuffix(lowerASCII(s[line:t.start]), "type in ")
			bound := n == 0 || is(aLink, prev) || strings.HasSuffix(prev, ":") || foreign
			if (g == made && !avoid || g == worded && bound && !avoid) && !isCodeAround(s, start, end) {
				r.add("password", start, end)
				return true
			}
		}
		if word := s[t.start:t.end]; strings.ContainsAny(word, "{}=|<>;") || strings.IndexByte(word, '(') > 0 {
			return false
		}
	}
	return false
}

// noneIs reports whether before says that there is no password.
func noneIs(before string) bool {
	for _, w := range [...]string{"no ", "without ", "without a ", "ohne ", "kein ", "sans ", "sin ", "senza ", "sem ", "без "} {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	return false
}

// readDoor looks at words at text[at:end] that say that what stands in their sentence lets
// one in.
func (r *Reader) readDoor(at, end int) {
	if !chars.StartsWord(r.text, at) || end < len(r.text) && chars.IsWordByte(r.text[end]) {
		return
	}
	marker := lowerASCII(r.text[at:end])
	if strings.HasSuffix(marker, ":") {
		// user: bob / X
		limit := chars.LineEnd(r.text, end, 56)
		if k := strings.Index(r.text[end:limit], " / "); k > 0 && strings.Count(strings.TrimSpace(r.text[end:end+k]), " ") == 0 {
			r.ahead(end+k+3, sentence{firm: true, strict: true})
		}
		return
	}
	if from, to := trimmed(r.text, wordBefore(r.text, at), chars.RunBack(r.text, at, chars.IsBlank)); from < to &&
		gradeOf(r.text[from:to]) > ordinary &&
		!isCodeAround(r.text, from, to) && !isUserHost(r.text[from:to]) {
		r.add("password", from, to)
		return
	}
	if strings.HasSuffix(marker, "with") && r.accountAnd(end) {
		return
	}
	if !r.ahead(end, sentence{door: true, firm: strings.HasSuffix(marker, "with") || strings.HasSuffix(marker, " mit")}) {
		r.behind(at, false)
	}
}

// accountAnd adds the second of an account and its password that words which end at text[i] say to log in with: "admin
// and X".
func (r *Reader) accountAnd(i int) bool {
	s := r.text
	limit := chars.LineEnd(s, i, maxSentence/2)
	user := nextToken(s, i, limit)
	if user.start >= limit {
		return false
	}
	and := nextToken(s, user.end, limit)
	switch lowerASCII(s[and.start:and.end]) {
	case "and", "/", "und", "et", "y", "e", "en", "i", "og", "och", "&", "plus":
	default:
		return false
	}
	v := nextToken(s, and.end, limit)
	start, end := trimmed(s, v.start, v.end)
	if start >= end || !endsClause(s, end) || chars.ShapeOf(s[start:end]).Digit+chars.ShapeOf(s[start:end]).Symbol == 0 ||
		!chars.Thing(s[start:end]).IsGiven() || chars.Thing(s[start:end]).IsAdjective() ||
		isCodeAround(s, start, end) {
		return false
	}
	if v.end == len(s) {
		r.hold(v.start)
	}
	r.add("password", start, end)
	return true
}

// wordBefore returns where the word begins that ends, with its blanks, before s[at].
func wordBefore(s string, at int) int {
	end := chars.RunBack(s, at, chars.IsBlank)
	from := max(0, end-maxValue)
	return from + chars.RunBack(s[from:end], end-from, func(c byte) bool { return !chars.IsSpace(c) })
}

// remark adds the quoted text that a remark at the end of the same line, up to the marker at
// text[at], calls a password: {"bob": "X"} # user: password.
func (r *Reader) remark(line, at int) bool {
	s := r.text
	k := max(strings.LastIndex(s[line:at], "# "), strings.LastIndex(s[line:at], "// "), strings.LastIndex(s[line:at], "/* "))
	nth := -1 // of the literals, where the remark lists what they are
	if k > 0 && strings.Contains(s[line+k:at], ",") {
		nth = strings.Count(s[line+k:at], ",")
	}
	if k > 0 && strings.IndexByte("}])", s[line]) >= 0 {
		// of the list that ends here
		if open := strings.LastIndexAny(s[max(0, line-maxAnswer):line], "{[("); open >= 0 {
			open += max(0, line-maxAnswer)
			k += line - open
			line = open
		}
	}
	if k <= 0 {
		return false
	}
	found, n := literal{}, 0
	for i := line; i < line+k; {
		l, ok := literalAt(s[:line+k], i)
		if !ok {
			i++
			continue
		}
		if v := s[l.start:l.end]; nth < 0 && gradeOf(v) > ordinary || nth == n && (gradeOf(v) > ordinary ||
			chars.Thing(v).IsGiven()) {
			found = l
		}
		n++
		i = l.after
	}
	if found.after == 0 {
		return false
	}
	r.add("password", found.start, found.end)
	return true
}

// readName looks at a part of the name of a setting at text[at:end], for the value that code
// has for it where nothing gives another.
func (r *Reader) readName(at, end int) { r.fallback(at, chars.RunOf(r.text, end, chars.IsURLByte)) }

// readPhrase looks at a word for a passphrase at text[at:end], behind which words in a row
// are all of the line.
func (r *Reader) readPhrase(at, end int) {
	s := r.text
	stop, ok := r.markerEnd(aPhrase, at, end)
	if !ok {
		return
	}
	limit := chars.LineEnd(s, stop, maxSentence)
	k := strings.IndexAny(s[stop:limit], ":«„“\"")
	if k < 0 || strings.Count(s[stop:stop+k], " ") > 6 {
		return
	}
	open, n := utf8.DecodeRuneInString(s[stop+k:])
	start := stop + k + n
	start += len(s[start:limit]) - len(strings.TrimLeft(s[start:limit], " \"'«„“`"))
	if start == limit && limit == len(s) {
		r.hold(stop)
		return
	}
	to := start + len(strings.TrimRight(s[start:limit], " \r\"'.`"))
	if shut := strings.IndexAny(s[start:limit], "»“”\""); shut >= 0 {
		to = start + len(strings.TrimRight(s[start:start+shut], " \u00a0"))
	} else if open != ':' {
		return
	}
	if limit == len(s) {
		r.hold(start)
	}
	list := strings.Fields(s[start:to])
	letters, titles := 0, 0
	for _, w := range list {
		letters += utf8.RuneCountInString(w)
		first, n := utf8.DecodeRuneInString(w)
		if unicode.IsUpper(first) {
			titles++
		}
		if strings.ContainsFunc(w[n:], func(c rune) bool { return !unicode.IsLower(c) }) || !unicode.IsLetter(first) || len(w) < 3 ||
			len(w) > 24 || chars.IsFunctionWord(w) || chars.IsSettled(w) ||
			is(aWhere, w) || is(aLink, w) || is(anAsk, w) {
			return
		}
	}
	if len(list) >= 4 && len(list) <= 12 && letters*2 >= 9*len(list) && (titles == 0 || titles == len(list)) {
		r.add("passphrase", start, to)
	}
}
