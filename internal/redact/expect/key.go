package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxJWK is how much of an object with "kty" is read, in bytes to each side.
const maxJWK = 4 << 10

// readKey looks at what marks a private key, or the two halves of a sign-in, at text[at:end].
func (r *Reader) readKey(at, end int) {
	s := r.text
	switch head := lowerASCII(s[at:end]); {
	case head == "\"kty\"":
		r.jwk(at)
	case strings.HasPrefix(head, "secret key"):
		r.signingKey(at, end)
	case head == "auth plain ":
		i := chars.RunOf(s, end, chars.IsBlank)
		stop := chars.RunOf(s, i, chars.IsBase64)
		if b, ok := chars.Decode64(s[i:stop]); ok && stop-i >= 8 && (strings.Count(string(b), "\x00") == 2 || stop-i >= 24 &&
			chars.IsRandom(s[i:stop])) {
			r.add("password", i, stop)
		}
	case head == "auth login":
		r.signIn(end)
	case head == "wif" || head == "wallet" || head == "private key":
		r.wif(end, head == "wif")
	case head == "k10":
		// of a cluster of k3s: a hash, the user and the password
		stop := chars.RunOf(s, end, chars.IsLowerHex)
		if stop == len(s) && chars.StartsWord(s, at) && s[at] == 'K' {
			r.hold(at)
		}
		if stop-end >= 48 && chars.StartsWord(s, at) && s[at] == 'K' {
			r.add("token", at, chars.RunOf(s, stop, func(c byte) bool { return c == ':' || chars.IsURLByte(c) }))
		}
	case head == "> auth ":
		r.lastGiven(end)
	case strings.HasSuffix(head, " \""):
		// createUser monitor SHA "X" AES, of SNMP
		line, _ := lineBounds(s, at, maxSentence)
		if l, ok := literalAt(s, end-1); ok && strings.Contains(lowerASCII(s[line:at]), "user") && chars.Thing(s[l.start:l.end]).IsGiven() {
			r.add("password", l.start, l.end)
		}
	case head == ":fx":
		// of DeepL, for those who pay nothing
		if start := chars.RunBack(s, at, chars.IsUUIDByte); at-start == 36 && chars.IsUUID(s[start:at]) &&
			(end == len(s) || !chars.IsWordByte(s[end])) {
			r.add("token", start, end)
		}
	default:
		start := chars.RunBack(s, at, chars.IsLowerHex)
		if s[at:end] == "NRAL" && at-start == 36 && chars.IsRandom(s[start:at]) && chars.StartsWord(s, start) {
			r.add("token", start, end)
		}
	}
}

// lastGiven adds the last word of the command that goes on at text[i]: AUTH X, AUTH user X.
func (r *Reader) lastGiven(i int) {
	s := r.text
	stop := chars.RunBack(s, chars.LineEnd(s, i, maxSentence), chars.IsSpace)
	if stop <= i || strings.Count(s[i:stop], " ") > 1 {
		return
	}
	if start := i + strings.LastIndexByte(s[i:stop], ' ') + 1; chars.Thing(s[start:stop]).IsGiven() && !chars.Thing(s[start:stop]).IsFile() {
		if stop == len(s) {
			r.hold(start)
		}
		r.add("password", start, stop)
	}
}

// jwk adds the private members of a JSON web key.
func (r *Reader) jwk(at int) {
	s := r.text
	from, limit := max(0, at-maxJWK), min(len(s), at+maxJWK)
	open := strings.LastIndexByte(s[from:at], '{')
	if open < 0 {
		return
	}
	from += open
	if shut := strings.IndexByte(s[from:limit], '}'); shut > 0 {
		limit = from + shut
	}
	for _, member := range [...]string{"\"d\"", "\"p\"", "\"q\"", "\"dp\"", "\"dq\"", "\"qi\"", "\"k\""} {
		k := strings.Index(s[from:limit], member)
		if k < 0 {
			continue
		}
		i := chars.RunOf(s, from+k+len(member), func(c byte) bool { return chars.IsSpace(c) || c == ':' })
		if l, ok := literalAt(s, i); ok && l.end-l.start >= 16 && chars.RunOf(s, l.start, chars.IsURLByte) == l.end {
			r.add("private-key", l.start, l.end)
		}
	}
}

// signingKey adds the key on the line below "... secret key" of minisign and signify.
func (r *Reader) signingKey(at, end int) {
	s := r.text
	line, _ := lineBounds(s, at, maxSentence)
	if !strings.Contains(lowerASCII(s[line:at]), "comment:") {
		return
	}
	i := chars.RunOf(s, end, chars.IsSpace)
	stop := chars.RunOf(s, i, chars.IsBase64)
	if stop-i >= 40 {
		if stop == len(s) {
			r.hold(i)
		}
		r.add("private-key", i, stop)
	}
}

// signIn adds what a client of SMTP answers to the second question of AUTH LOGIN.
func (r *Reader) signIn(end int) {
	s := r.text
	const ask = "UGFzc3dvcmQ6" // "Password:"
	limit := min(len(s), end+400)
	k := strings.Index(s[end:limit], ask)
	if k < 0 {
		return
	}
	i := chars.RunOf(s, end+k+len(ask), chars.IsSpace)
	for _, head := range [...]string{"C: ", "> ", "<- ", "-> ", "<~ ", "~> "} {
		i += len(head) * strings.Count(s[i:min(len(s), i+len(head))], head)
	}
	stop := chars.RunOf(s, i, chars.IsBase64)
	if stop == len(s) {
		r.hold(i)
	}
	if stop-i >= 4 {
		r.add("password", i, stop)
	}
}

// wif adds a private key of a wallet as it is imported, which stands behind its name. named: that is its form's, so
// that one with a slip in its letters counts.
func (r *Reader) wif(end int, named bool) {
	s := r.text
	limit := chars.LineEnd(s, end, maxSentence)
	for i := end; i < limit; {
		i = chars.RunOf(s[:limit], i, func(c byte) bool { return !chars.IsAlnum(c) })
		stop := chars.RunOf(s, i, chars.IsAlnum)
		if v := s[i:stop]; stop-i >= 50 && stop-i <= 54 && strings.IndexByte("59KLTQ6cp", v[0]) >= 0 &&
			(named || !strings.ContainsAny(v, "0OIl")) &&
			chars.IsRandom(v) {
			r.add("private-key", i, stop)
			return
		}
		i = stop
	}
}

// readCharacters looks at the end of a literal that is made an array of characters at text[at:], as Java wants passwords:
// the literal is one, in a line that tells of a key, a login or a store.
func (r *Reader) readCharacters(at, _ int) {
	s := r.text
	line, _ := lineBounds(s, at, maxSentence)
	open := strings.LastIndexByte(s[line:at], '"')
	if open < 0 {
		return
	}
	v := s[line+open+1 : at]
	around := lowerASCII(s[line : line+open])
	if store := strings.Contains(around, ".load("); store && len(v) >= 6 && !chars.Thing(v).IsNone() {
		r.add("password", line+open+1, at)
		return
	}
	if !chars.Thing(v).IsGiven() || chars.ShapeOf(v).Distinct > 14 && !strings.ContainsAny(v, "-_!") {
		return
	}
	for _, w := range [...]string{"key", "store", "pass", "login", "auth", "cred", "pbe", "secret", "load(", "connect"} {
		if strings.Contains(around, w) {
			r.add("password", line+open+1, at)
			return
		}
	}
}

// readWalletKey looks at a word at text[at:end] behind which the keys of accounts of a chain stand: 64 hexadecimal digits,
// in quotes, with or without their mark.
func (r *Reader) readWalletKey(_, end int) {
	s := r.text
	limit := chars.LineEnd(s, end, 2*maxSentence)
	if k := strings.IndexAny(s[end:limit], "'\"`"); k < 0 || strings.ContainsAny(s[end:end+k], ";.") {
		return
	}
	for i := end; i < limit; {
		l, ok := literalAt(s[:limit], i)
		if !ok {
			if strings.IndexByte(" \t:=([{,\"'?", s[i]) < 0 {
				return
			}
			i++
			continue
		}
		if v := strings.TrimPrefix(s[l.start:l.end], "0x"); len(v) == 64 && isHexKey(v) {
			r.add("private-key", l.start, l.end)
		}
		i = l.after
	}
}
