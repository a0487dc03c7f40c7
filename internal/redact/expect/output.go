package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxShown is how many lines below the command that shows a secret are read.
const maxShown = 3

// readShown looks at what a command that prints a secret has at text[at:end], for what it
// printed: the first line below.
func (r *Reader) readShown(at, end int) {
	s := r.text
	line, stop := lineBounds(s, at, maxSentence*2)
	if stop >= len(s) || line == at && s[at] == '"' || strings.HasSuffix(s[line:stop], "{") {
		return
	}
	if k := strings.IndexByte(s[end:stop], '>'); k >= 0 && !strings.ContainsAny(s[end+k:stop], "'\"") && !strings.HasPrefix(s[line:], ">>>") {
		return // into a file
	}
	if stop > end && s[stop-1] == '"' && strings.Count(s[line:stop], "\"")%2 == 1 {
		return
	}
	i := stop + 1
	said := lowerASCII(s[line:stop])
	r.single = (strings.Contains(said, "base64 -") || strings.Contains(said, "cat ")) && (strings.Contains(said, "secret") ||
		strings.Contains(said, "pass") || strings.Contains(said, "pw"))
	log := 0 // what a container's name and a bar begin each line with
	if k := strings.Index(s[line:at], "| "); k > 0 && k < 40 && strings.IndexByte(strings.TrimRight(s[line:line+k], " "), ' ') < 0 {
		log = k + 1
	}
	for range maxShown {
		next := chars.LineEnd(s, i, maxAnswer)
		if log > 0 && next-i >= log && s[i:i+log] == s[line:line+log] {
			i += log
		}
		from := chars.RunOf(s[:next], i, chars.IsSpace)
		to := max(from, chars.RunBack(s, next, chars.IsSpace))
		if from < to {
			if isSole(said) && strings.IndexByte(s[from:to], ' ') < 0 && isSoleSecret(s[from:to], said) {
				if to == len(s) {
					r.hold(from)
				}
				r.add("password", from, to)
			} else if strings.Count(s[from:to], " ") < 8 {
				r.shown(from, to)
			}
			return
		}
		i = next + 1
		if i >= len(s) {
			return
		}
	}
}

// shown adds the words of text[from:to] if they are all secrets.
func (r *Reader) shown(from, to int) {
	s := r.text
	var all []token
	for i := from; i < to; {
		stop := chars.RunOf(s[:to], i, func(c byte) bool { return !chars.IsBlank(c) })
		start, end := i, stop
		for start < end && chars.IsQuote(s[start]) {
			start++
		}
		for end > start && chars.IsQuote(s[end-1]) {
			end--
		}
		v := s[start:end]
		if !(gradeOf(strings.TrimRight(v, ".,;:)]")) > ordinary ||
			r.single && i == from && stop == to && isShownWord(v) || isKeyText(v) || isHexKey(v) || isBase32(v)) ||
			strings.HasSuffix(v, ":") || isUserHost(v) {
			return
		}
		all = append(all, token{start, end, true})
		i = chars.RunOf(s[:to], stop, chars.IsBlank)
	}
	for _, t := range all {
		if to == len(s) {
			r.hold(from)
		}
		r.add("password", t.start, t.end)
	}
}

// isShownWord reports whether v, all that the file of a secret holds, is words with signs between.
func isShownWord(v string) bool {
	return strings.Count(v, "-")+strings.Count(v, "_")+strings.Count(v, ".")+strings.Count(v, "!") > 1 && chars.ShapeOf(v).Digit > 0 &&
		chars.Thing(v).IsGiven() && !chars.Thing(v).IsHost() && !chars.Thing(v).IsFile() && strings.IndexByte(v, '/') < 0
}

// isBase32 reports whether v is a key in base32.
func isBase32(v string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 16 && len(v) <= 64 && chars.RunOf(strings.TrimRight(v, "="), 0, chars.IsBase32) == len(strings.TrimRight(v,
		"=")) && sh.Distinct > 7 && sh.Digit > 0
}

// isUserHost reports whether v is of a prompt: "user@host".
func isUserHost(v string) bool {
	user, host, ok := strings.Cut(v, "@")
	return ok && chars.ShapeOf(user).Symbol == 0 && chars.ShapeOf(host).Upper == 0 && chars.IsWordy(host)
}

// readTyped looks at a call that types its argument at text[at:end], for what is typed where a
// password is asked for: page.fill("#password", "X"), expect("assword:") and send("X") below.
func (r *Reader) readTyped(at, end int) {
	s := r.text
	line, stop := lineBounds(s, at, maxSentence*2)
	above, _ := lineBounds(s, max(0, line-1), maxSentence)
	stream := strings.HasPrefix(s[at:], "send") || s[at:end] == ".send(" || s[at:end] == ".write(" || strings.Contains(s[at:end], "line")
	asked := hasAsked(lowerASCII(s[line:stop]))
	if !asked && !(stream && line > 0 && hasAsked(lowerASCII(s[above:line]))) {
		return
	}
	found := literal{}
	last := chars.RunOf(s[:stop], end, chars.IsBlank)
	for i := last; i < stop; {
		l, ok := literalAt(s[:stop], i)
		if !ok || !chars.IsQuote(s[l.start-1]) {
			i++
			continue
		}
		if l.end-l.start > 3 && (!stream || found.after == 0) {
			found = l
		}
		i = l.after
	}
	start, to := found.start, found.end
	if found.after == 0 {
		if !strings.HasSuffix(lowerASCII(s[at:end]), " ") {
			return
		}
		// Robot: Input Password    id=pw    X
		to = chars.RunBack(s, stop, chars.IsSpace)
		start = max(last, strings.LastIndexAny(s[:to], " \t")+1)
	}
	for _, tail := range [...]string{"{enter}", "{Enter}", `\r\n`, `\r`, `\n`} {
		if v, ok := strings.CutSuffix(s[start:max(start, to)], tail); ok {
			to = start + len(v)
		}
	}
	if start < to && (gradeOf(s[start:to]) > ordinary || chars.Thing(s[start:to]).IsGiven()) && !isSelectorText(s[start:to]) &&
		!hasAsked(lowerASCII(s[start:to])) {
		r.add("password", start, to)
	}
}

// isSelectorText reports whether v names a part of a page.
func isSelectorText(v string) bool {
	return v[0] == '#' && chars.IsWordy(v) || strings.ContainsAny(v, " []<>") || strings.HasPrefix(v, "id=")
}

// hasAsked reports whether text, in lower case, asks for a password.
func hasAsked(text string) bool {
	for _, w := range [...]string{
		"assword", "passwd", "passphrase", "pwd", "passcode", "#pass", "passwor", "kennwort", "=pw",
		"\"pw\"", "'pw'", "#pw", "'pass'", "\"pass\"", "'pin'",
	} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// readDecoded looks at a call that makes bytes of hexadecimal digits at text[at:end], for a key
// that is given to it.
func (r *Reader) readDecoded(at, end int) {
	s := r.text
	l, ok := literalAt(s, chars.RunOf(s, end, chars.IsBlank))
	if !ok || !isHexKey(s[l.start:l.end]) && !isKeyText(s[l.start:l.end]) {
		return
	}
	line, stop := lineBounds(s, at, maxSentence)
	around := lowerASCII(s[line:at]) + " " + lowerASCII(s[l.after:max(l.after, stop)])
	if isOfKey(around) {
		r.add("secret", l.start, l.end)
	}
}

// isOfKey reports whether text, in lower case, tells of a key that is secret.
func isOfKey(text string) bool {
	for _, w := range [...]string{
		"public", "pubkey", "pub_key", "digest", "hash", "sha1", "sha2", "sha5", "checksum", "expected", "fingerprint", "want", "etag",
		"signature", "nonce", "salt", "ciphertext", "plaintext", "keycode", "keymap", "keyboard", "iv =", "iv:",
	} {
		if strings.Contains(text, w) {
			return false
		}
	}
	for _, w := range [...]string{"key", "secret", "cipher", "aes", "hmac", "psk", "password", "seed", "crypt", "priv"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// readBytes looks at the end of a name at text[at:end], behind which a list of bytes may stand:
// "key[16] = {0x1f, ...}".
func (r *Reader) readBytes(at, end int) {
	s := r.text
	if chars.HasPrefixFold(s[at:], "keygen") || chars.HasPrefixFold(s[at:], "keypair") {
		r.decimals(end)
		return
	}
	i := chars.RunOf(s, end, chars.IsWordByte)
	if r.decimalKey(at, i) {
		return
	}
	if r.escapedKey(at, i) {
		return
	}
	limit := min(len(s), i+72)
	k := strings.Index(s[i:limit], "0x")
	if open := strings.LastIndexAny(s[i:limit], "{[("); k < 0 && limit == len(s) && open > 0 && strings.ContainsAny(s[i:i+open], "=:") {
		r.hold(i + open)
	}
	if k < 2 || strings.ContainsAny(s[i:i+k], "\"'.+?\n") && !strings.HasSuffix(strings.TrimSpace(s[i:i+k]), "{") ||
		!strings.ContainsAny(s[i:i+k], "=:") {
		return
	}
	if open := strings.TrimSpace(s[i : i+k]); strings.IndexByte("{[(", open[len(open)-1]) < 0 {
		return
	}
	start := i + k
	stop, n, different := start, 0, map[string]bool{}
	for p := start; p+3 < len(s) && n < 256; n++ {
		if s[p] != '0' || s[p+1]|0x20 != 'x' || !chars.IsHex(s[p+2]) {
			break
		}
		stop = chars.RunOf(s, p+2, chars.IsHex)
		different[s[p:stop]] = true
		p = chars.RunOf(s, stop, func(c byte) bool { return c == ',' || chars.IsSpace(c) })
	}
	if chars.RunOf(s, stop, func(c byte) bool { return c == ',' || c == 'x' || chars.IsHex(c) || chars.IsSpace(c) }) == len(s) {
		r.hold(start)
	}
	line, _ := lineBounds(s, at, maxSentence)
	if n >= 8 && n <= 64 && len(different) > n/2+1 && isOfKey(lowerASCII(s[line:start])) {
		r.add("secret", start, stop)
	}
}

// decimals adds the 32 or 64 bytes in decimal digits that a list behind text[i] has.
func (r *Reader) decimals(i int) {
	s := r.text
	k := strings.IndexByte(s[i:min(len(s), i+2*maxSentence)], '[')
	if k < 0 {
		return
	}
	start := i + k
	n, p := 0, start+1
	for ; n < 65; n++ {
		p = chars.RunOf(s, p, func(c byte) bool { return c == ',' || chars.IsSpace(c) })
		digits := runDigits(s, p)
		if digits == 0 || digits > 3 {
			break
		}
		p += digits
	}
	if p == len(s) && n > 0 {
		r.hold(start)
	}
	if (n == 32 || n == 64) && p < len(s) && s[p] == ']' {
		r.add("private-key", start, p+1)
	}
}

// readDump looks at the first offset of a dump at text[at:end]: one of a key has its name above.
func (r *Reader) readDump(at, end int) {
	s := r.text
	if at > 0 && s[at-1] != '\n' || at < 2 || end >= len(s) || s[end] != ':' && s[end] != ' ' {
		return
	}
	above, _ := lineBounds(s, at-1, maxSentence)
	head := lowerASCII(s[above : at-1])
	if !isOfKey(head) || strings.Contains(head, ".pub") {
		return
	}
	for line := at; line < len(s) && line < at+maxBlock; {
		stop := chars.LineEnd(s, line, maxSentence)
		i := chars.RunOf(s[:stop], line, chars.IsHex)
		if i < line+7 {
			return
		}
		i = chars.RunOf(s[:stop], i, func(c byte) bool { return c == ':' || chars.IsBlank(c) })
		to := i
		for p := i; p < stop; {
			q := chars.RunOf(s[:stop], p, chars.IsHex)
			if q-p != 2 && q-p != 4 && q-p != 8 {
				break
			}
			to = q
			gap := chars.RunOf(s[:stop], q, chars.IsBlank)
			if gap-q > 1 && gap-q != 2 || gap-q == 2 && q-p != 2 {
				break
			}
			p = gap
		}
		if to-i >= 8 {
			r.add("private-key", i, to)
		}
		line = stop + 1
	}
}

// readList looks at the name of a file of accounts at text[at:end], in a remark, for the last
// word of each line below or of the line above.
func (r *Reader) readList(at, end int) {
	s := r.text
	line, stop := lineBounds(s, at, maxSentence)
	head := strings.TrimLeft(s[line:at], " \t")
	if r.pairs(end, stop) || strings.Contains(head, "# ") && head[0] != '#' && r.remark(line, at) {
		return
	}
	if head == "" || strings.IndexByte("#;/", head[0]) < 0 || strings.ContainsAny(s[end:stop], "=(") {
		return
	}
	if above, _ := lineBounds(s, max(0, line-1), maxSentence); above < line-1 {
		r.account(above, line-1)
	}
	for i, n := stop+1, 0; i < len(s) && n < 24; n++ {
		next := chars.LineEnd(s, i, maxSentence)
		if !r.account(i, next) && strings.TrimSpace(s[i:next]) != "" && s[i] != '#' {
			return
		}
		i = next + 1
	}
}

// pairs adds the second of each two literals of a list of accounts that is given to the name
// which ends at text[i].
func (r *Reader) pairs(i, stop int) bool {
	s := r.text
	i = chars.RunOf(s[:stop], i, chars.IsBlank)
	if i+2 >= stop || s[i] != '=' {
		return false
	}
	if i = chars.RunOf(s[:stop], i+1, chars.IsBlank); i >= stop || strings.IndexByte("[{(", s[i]) < 0 {
		return false
	}
	found := false
	for limit, n := min(len(s), i+maxAnswer), 0; i < limit && s[i] != ';'; {
		l, ok := literalAt(s[:limit], i)
		if !ok || chars.IsAlnum(s[max(0, i-1)]) {
			i++
			continue
		}
		if n++; n%2 == 0 {
			if gradeOf(s[l.start:l.end]) == ordinary {
				return found
			}
			r.add("password", l.start, l.end)
			found = true
		}
		i = l.after
	}
	return found
}

// account adds the secret of a line that is all an account: "user" "X", user:X, user * X *.
func (r *Reader) account(i, end int) bool {
	s := r.text
	to := chars.RunBack(s, end, func(c byte) bool { return chars.IsSpace(c) || c == '*' })
	i = chars.RunOf(s[:end], i, chars.IsBlank)
	if to <= i || strings.Count(s[i:to], " ") > 3 {
		return false
	}
	from := i + strings.LastIndexAny(s[i:to], " \t") + 1
	if from == i {
		k := strings.IndexByte(s[i:to], ':')
		if k <= 0 {
			return false
		}
		from = i + k + 1
	}
	start, stop := trimmed(s, from, to)
	two := s[i] == '"' && s[from] == '"' && s[to-1] == '"' && strings.Count(s[i:to], "\"") == 4
	if start >= stop || gradeOf(s[start:stop]) == ordinary && !(two && chars.Thing(s[start:stop]).IsGiven()) {
		return false
	}
	r.add("password", start, stop)
	return true
}

// readSlash looks at " / " at text[at:end], where an account stands before it and its password
// is all that follows.
func (r *Reader) readSlash(at, end int) {
	s := r.text
	from := chars.RunBack(s, at, func(c byte) bool { return chars.IsDotByte(c) || c == '@' })
	user := strings.ToLower(s[from:at])
	if user == "" || len(user) > 40 || from > 0 && !chars.IsSpace(s[from-1]) {
		return
	}
	stop := chars.RunOf(s, end, func(c byte) bool { return !chars.IsSpace(c) })
	start, to := trimmed(s, end, stop)
	if start >= to {
		return
	}
	v := s[start:to]
	g := gradeOf(v)
	sure := is(anAccount, user) || chars.Thing(user).IsMail()
	line, _ := lineBounds(s, from, maxSentence)
	told := strings.HasSuffix(strings.TrimRight(s[line:from], " "), ":") || strings.Contains(s[line:from], "....") || sure
	if stop == len(s) && g > ordinary {
		r.hold(start)
	}
	if s[at:end] != " / " && !sure && !strings.ContainsAny(user, "@.") {
		return // what becomes what
	}
	over := endsClause(s, to) || strings.HasPrefix(strings.TrimLeft(s[stop:], " "), "(") || strings.HasPrefix(s[stop:], " |")
	if over && (sure && chars.Thing(v).IsGiven() && (chars.ShapeOf(v).Digit+chars.ShapeOf(v).Upper > 0 || isJoined(v)) &&
		!chars.Thing(v).IsFile() ||
		told && chars.ShapeOf(user).Digit > 2 && isJoined(v) && chars.ShapeOf(v).Upper > 1 ||
		g == made && (told || strings.ContainsAny(v, odd)) || g == worded && sure) && !isCodeAround(s, start, to) {
		r.add("password", start, to)
	}
}
