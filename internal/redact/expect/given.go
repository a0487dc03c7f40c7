package expect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// quotedNext adds the words in quotes right behind the word for a password that ends at text[stop]: `passphrase "old tin 58"`.
func (r *Reader) quotedNext(stop int) bool {
	s := r.text
	limit := chars.LineEnd(s, stop, maxSentence)
	i := chars.RunOf(s[:limit], stop, chars.IsBlank)
	start, end, ok := quotation(s, i, limit)
	if !ok || i == stop || end+1 < limit && !endsClause(s, end+1) {
		return false
	}
	v := s[start:end]
	if n := strings.Count(v, " "); n < 1 || n > 6 || strings.ContainsAny(v, "()[]{}<>|=;:?!,./\\%$") || chars.Thing(v).IsNone() {
		return false
	}
	words := strings.TrimRight(v, " 0123456789")
	if !isPlainWords(words, 2) {
		return false
	}
	r.add("passphrase", start, end)
	return true
}

// labelled adds the words that a line which begins with the word for a password at text[at:stop], and says what it is
// for, gives behind its colon: "password for the hut: Jam and snow".
func (r *Reader) labelled(at, stop int) bool {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	head := strings.TrimLeft(s[line:at], " \t-*•#>")
	if strings.Count(head, " ") > 2 || strings.ContainsAny(head, ".,;:!?=(){}<>|\"'`") {
		return false
	}
	k := strings.IndexAny(s[stop:limit], ":：")
	if k < 0 {
		return false
	}
	label := strings.TrimSpace(s[stop : stop+k])
	_, n := utf8.DecodeRuneInString(s[stop+k:])
	if strings.Count(label, " ") > 5 || strings.ContainsAny(label, ".;!?={}<>|\"`,") || !saysWhatFor(label) {
		return false
	}
	return r.restOfLine(stop+k+n, limit)
}

// saysWhatFor reports whether label, behind a word for a password, tells what it is for.
func saysWhatFor(label string) bool {
	switch strings.ToLower(firstWord(label)) {
	case "for", "für", "pour", "para", "per", "voor", "dla", "для", "för", "til", "till", "pro", "için", "master":
		return true
	}
	return (strings.HasPrefix(label, "(") || strings.HasPrefix(label, "（")) && strings.Count(label, " ") < 2
}

// readMaster looks at the name of what keeps passwords at text[at:end]: "Keepass master: X".
func (r *Reader) readMaster(at, end int) {
	s := r.text
	limit := chars.LineEnd(s, end, 24)
	rest, ok := strings.CutPrefix(lowerASCII(s[end:limit]), " master")
	if !ok || !chars.StartsWord(s, at) {
		return
	}
	if i := len(rest) - len(strings.TrimLeft(rest, " ")); i < len(rest) && rest[i] == ':' {
		_, limit = lineBounds(s, at, maxSentence)
		from := end + len(" master") + i + 1
		if n := len(strings.Fields(s[from:limit])); n > 1 && n < 4 {
			if limit == len(s) {
				r.hold(from)
			}
			return // a heading
		}
		r.restOfLine(from, limit)
	}
}

// restOfLine adds text[i:limit], the end of a line behind a label, if it is words and no remark.
func (r *Reader) restOfLine(i, limit int) bool {
	s := r.text
	start := chars.RunOf(s[:limit], i, chars.IsBlank)
	end := max(start, chars.RunBack(s, limit, chars.IsSpace))
	v := s[start:end]
	if limit == len(s) && len(v) <= 60 {
		r.hold(start) // the words may go on
	}
	if len(v) < 8 || len(v) > 60 || strings.ContainsAny(v, "()[]{}<>|=;:?!,./\\%$\"`*@") || !areWordsGiven(v) {
		return false
	}
	r.add("passphrase", start, end)
	return true
}

// areWordsGiven reports whether v, all that stands behind the label of a password, is words that say nothing of it.
func areWordsGiven(v string) bool {
	c, _ := utf8.DecodeRuneInString(v)
	list := strings.Fields(v)
	if len(list) == 1 {
		return isJoined(v)
	}
	if len(list) > 7 || len(list) == 2 && !isPlainWords(v, 2) || !unicode.IsUpper(c) && !isPlainWords(v, 2) {
		return false
	}
	if partsIn(strings.ToLower(v))&aNoun != 0 {
		return false
	}
	for n, w := range list {
		l := strings.ToLower(w)
		switch l {
		case "old", "new", "short", "long", "clear", "plain", "here", "never", "always", "any":
			continue
		case "use", "sent", "bitte", "siehe", "steht", "voir", "demander", "ver", "vedi", "zie", "vraag", "se", "spør", "fråga",
			"via", "contact", "printed", "is", "ist", "est", "are", "was", "will", "you", "it":
			return false
		}
		if is(anAsk|aSaid|anOwn, l) || n == 0 && is(aTyping, l) || len(w) >= 4 && chars.Thing(w).IsNone() {
			return false
		}
	}
	return true
}

// readPrinted looks at the label at text[at:end] that a program prints a key behind, which is one whatever it looks like.
func (r *Reader) readPrinted(_, end int) {
	s := r.text
	limit := chars.LineEnd(s, end, maxSentence)
	i := chars.RunOf(s[:limit], end, chars.IsBlank)
	if i >= limit || s[i] != ':' {
		return
	}
	start := chars.RunOf(s[:limit], i+1, chars.IsBlank)
	stop := max(start, chars.RunBack(s, limit, chars.IsSpace))
	if v := s[start:stop]; len(v) >= 8 && len(v) <= 64 && !chars.IsReference(v) {
		if limit == len(s) {
			r.hold(start)
		}
		r.add("password", start, stop)
	}
}

// readBraced looks at "add password" at text[at:end], of the file of cloginrc: a host, and one or two passwords, in braces or not.
func (r *Reader) readBraced(at, end int) {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	list := strings.Fields(s[end:limit])
	if strings.TrimSpace(s[line:at]) != "" || len(list) < 2 || len(list) > 3 || !strings.ContainsAny(list[0], "*.") {
		return
	}
	i := end + strings.Index(s[end:limit], list[0]) + len(list[0])
	for _, w := range list[1:] {
		i += strings.Index(s[i:limit], w)
		v := strings.Trim(w, "{}")
		from := i + strings.Index(w, v)
		if (v != w || chars.Thing(v).IsGiven()) && !chars.Thing(v).IsNone() && !strings.ContainsAny(v, "<>") {
			if limit == len(s) {
				r.hold(from)
			}
			r.add("password", from, from+len(v))
		}
		i += len(w)
	}
}

// readRelay looks at the port of a relay at text[at:end], behind which a map of Postfix has user:password.
func (r *Reader) readRelay(_, end int) {
	s := r.text
	i := chars.RunOf(s, end, chars.IsBlank)
	stop := chars.RunOf(s, i, func(c byte) bool { return !chars.IsSpace(c) })
	k := strings.IndexByte(s[i:stop], ':')
	if k < 2 || stop-i-k < 5 || chars.IsReference(s[i+k+1:stop]) || strings.HasPrefix(s[i+k:], "://") || strings.ContainsAny(s[i:stop], "<>") {
		return
	}
	if stop == len(s) {
		r.hold(i)
	}
	r.add("password", i+k+1, stop)
}

// readPair looks at a word for a login at text[at:end]: for user:password in its line, which somebody says to use.
func (r *Reader) readPair(at, _ int) {
	s := r.text
	line, limit := lineBounds(s, at, maxSentence)
	for i, prev := line, ""; i < limit; {
		from := chars.RunOf(s[:limit], i, chars.IsSpace)
		stop := chars.RunOf(s[:limit], from, func(c byte) bool { return !chars.IsSpace(c) })
		start, end := trimmed(s, from, stop)
		k := strings.IndexByte(s[from:stop], ':')
		switch prev {
		case "with", "mit", "avec", "con", "com", "using", "use", "met", "med", "via":
			if user := s[start:max(start, from+k)]; k > 0 && start < from+k && from+k+1 < end && isPairOf(user, s[from+k+1:end]) {
				if stop == len(s) {
					r.hold(start)
				}
				r.add("password", from+k+1, end)
				return
			}
		}
		prev = lowerASCII(s[from:stop])
		i = max(stop, i+1)
	}
}

// isPairOf reports whether user is the name of an account and v what may be its password: no port, no version, no word.
func isPairOf(user, v string) bool {
	sh := chars.ShapeOf(v)
	return len(user) >= 2 && len(user) <= 24 && chars.RunOf(user, 0, func(c byte) bool { return chars.IsAlnum(c) || c == '_' }) == len(user) &&
		sh.Digit > 0 && sh.Letters() > 2 && sh.Distinct > 4 && chars.Thing(v).IsGiven() && !chars.Thing(v).IsFile() &&
		!chars.Thing(v).IsProduct() && !chars.Thing(v).IsHost()
}

// decimalKey adds the 16 or 32 bytes in decimal digits of the list that is given to the name which ends at text[i].
func (r *Reader) decimalKey(at, i int) bool {
	s := r.text
	open := chars.RunOf(s[:min(len(s), i+8)], i, func(c byte) bool { return chars.IsBlank(c) || strings.IndexByte(":=\"'", c) >= 0 })
	if open == i || open >= len(s) || s[open] != '[' && s[open] != '{' {
		return false
	}
	different, n, p, up := map[string]bool{}, 0, open+1, 0
	start, stop, last := 0, 0, -1
	for ; n < 33; n++ {
		p = chars.RunOf(s, p, func(c byte) bool { return c == ',' || chars.IsSpace(c) })
		digits := runDigits(s, p)
		if digits == 0 || digits > 3 {
			break
		}
		if n == 0 {
			start = p
		}
		if v := chars.Atoi(s[p : p+digits]); v > 255 {
			return false
		} else if v > last {
			up++
		}
		last = chars.Atoi(s[p : p+digits])
		different[s[p:p+digits]] = true
		p += digits
		stop = p
	}
	if p == len(s) && n > 0 {
		r.hold(open)
	}
	line, _ := lineBounds(s, at, maxSentence)
	if (n != 16 && n != 32) || p >= len(s) || s[p] != ']' && s[p] != '}' || len(different) < n*2/3 || up == n ||
		!isOfKey(lowerASCII(s[line:start])) {
		return false
	}
	r.add("secret", start, stop)
	return true
}

// isSole reports whether the command said, in lower case, prints one secret and nothing before it.
func isSole(said string) bool {
	if _, what, ok := strings.Cut(said, "output -raw "); ok {
		return strings.Contains(what, "pass") || strings.Contains(what, "secret") || strings.Contains(what, "pwd") ||
			strings.Contains(what, "token") || strings.Contains(what, "key")
	}
	return strings.Contains(said, "pass show ") && !strings.ContainsAny(said, "|>")
}

// isSoleSecret reports whether v, the first line that the command said printed, is one.
func isSoleSecret(v, said string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 8 && len(v) <= 128 && sh.Digit+sh.Symbol > 0 && sh.Letters() > 3 && !strings.ContainsAny(v, "/<>[]{}├└|") &&
		!strings.Contains(said, strings.ToLower(v)) && !chars.Thing(v).IsMail() && !chars.Thing(v).IsFile() && !chars.IsReference(v) &&
		!strings.HasSuffix(v, ":")
}

// isFlatCode reports whether v is digits with one capital between, as the bell of a house has them: "34B5071".
func isFlatCode(v string) bool {
	i := chars.RunOf(v, 0, chars.IsDigit)
	c, n := utf8.DecodeRuneInString(v[i:])
	rest := v[min(len(v), i+n):]
	return i > 0 && i < 4 && unicode.IsUpper(c) && len(rest) > 2 && len(rest) < 6 && chars.RunOf(rest, 0, chars.IsDigit) == len(rest)
}
