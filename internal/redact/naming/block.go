package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxBlock is how far from its name a value may stand in the same block, in bytes.
const maxBlock = 320

// beyond adds the values that stand apart from the name s[start:stop]: in the block of
// which the name is the value of "name" or "key", in the pair that it introduces, and in
// the column of which it is the head.
func (r *Reader) beyond(lv level, start, stop int) {
	if lv == sessionID {
		return
	}
	if r.block(lv, start, stop) {
		return
	}
	if lv == token || lv == login {
		r.pair(start, stop)
	}
	r.column(lv, start, stop)
}

// isNaming reports whether word, in lower case, is a setting whose value is the name of
// another one.
func isNaming(word string) bool {
	switch word {
	case "name", "key", "variable", "parameterkey", "variablename", "k", "id", "option", "field", "setting", "env", "param", "parameter":
		return true
	}
	return false
}

// isGiving reports whether word, in lower case, is a setting that has the value of the
// one that the same block names.
func isGiving(word string) bool {
	switch word {
	case "value", "default", "parametervalue", "val", "v", "data", "content", "stringvalue", "defaultvalue", "plaintext":
		return true
	}
	return false
}

// block adds the value of a setting that is named by another: variable "x_pass" {
// default = "X" }, {"key":"db/password","type":"string","value":"X"}.
func (r *Reader) block(lv level, start, stop int) bool {
	s := r.text
	least := max(0, start-maxName) // the path that the name ends
	i := least + chars.RunBack(s[least:], start-least, func(c byte) bool { return chars.IsNameByte(c) || c == '/' || c == '.' || c == ':' })
	quoted := i > 0 && chars.IsQuote(s[i-1])
	i = chars.RunBack(s, i, func(c byte) bool { return chars.IsQuote(c) || chars.IsBlank(c) || c == '=' || c == ':' || c == '\\' })
	least = max(0, i-maxName)
	from := least + chars.RunBack(s[least:], i-least, chars.IsWordByte)
	word := strings.ToLower(s[from:i])
	if i == start || !isNaming(word) || word == "key" && !strings.ContainsAny(s[i:start], "=:") {
		return false
	}
	if quoted && stop < len(s) && s[stop] != s[start-1] && !chars.IsQuote(s[stop]) && s[stop] != '\\' {
		return false // the name is a sentence
	}
	limit := min(len(s), stop+maxBlock)
	for at := stop; at < limit; {
		at = chars.RunOf(s[:limit], at, func(c byte) bool { return !chars.IsWordByte(c) && c != '}' && c != '#' })
		if at >= limit || s[at] == '}' {
			break
		}
		if s[at] == '#' {
			at = chars.LineEnd(s, at, maxBlock)
			continue
		}
		end := chars.RunOf(s[:limit], at, chars.IsWordByte)
		switch w := strings.ToLower(s[at:end]); {
		case isGiving(w):
			v := chars.RunOf(s, end, func(c byte) bool { return chars.IsQuote(c) || c == '\\' })
			v = chars.RunOf(s, v, chars.IsBlank)
			if v < len(s) && (s[v] == ':' || s[v] == '=') {
				fr := frame{level: lv, at: chars.RunOf(s, v+1, chars.IsBlank), colon: s[v] == ':'}
				return r.assigned(fr)
			}
		case isNaming(w) && w != "env":
			if k := chars.RunOf(s, end, func(c byte) bool { return chars.IsQuote(c) || chars.IsBlank(c) }); k < len(s) && (s[k] == ':' ||
				s[k] == '=') {
				return false // of the next setting
			}
		}
		at = end
	}
	return r.blockBefore(lv, from)
}

// blockBefore adds the value that stands before the name in its block, on the same line:
// {"value":"X","name":"DB_PASSWORD"}.
func (r *Reader) blockBefore(lv level, from int) bool {
	s := r.text
	line := strings.LastIndexByte(s[max(0, from-maxBlock):from], '\n') + 1 + max(0, from-maxBlock)
	open := strings.LastIndexAny(s[line:from], "{(<")
	if open < 0 {
		return false
	}
	for at := line + open; at < from; {
		at = chars.RunOf(s[:from], at, func(c byte) bool { return !chars.IsWordByte(c) })
		end := chars.RunOf(s[:from], at, chars.IsWordByte)
		if isGiving(strings.ToLower(s[at:end])) {
			v := chars.RunOf(s, end, func(c byte) bool { return chars.IsQuote(c) || c == '\\' || chars.IsBlank(c) })
			if v < from && (s[v] == ':' || s[v] == '=') {
				v = chars.RunOf(s, v+1, chars.IsBlank)
				start, stop, quoted := readValue(s, frame{at: v})
				if quoted && stop < from && (frame{level: lv, quoted: true, tight: true}).accepts(s[start:stop]) {
					r.add(lv.kind(), start, stop)
					return true
				}
			}
		}
		if end == at {
			break
		}
		at = end
	}
	return false
}

// pair adds the second of two quoted texts that are an account and its secret:
// auth=("bob", "X"), HTTPBasicAuth('bob', 'X').
func (r *Reader) pair(start, stop int) {
	s := r.text
	name := strings.ToLower(s[start:stop])
	if !strings.HasSuffix(name, "auth") && !strings.HasSuffix(name, "credentials") && !strings.HasSuffix(name, "creds") &&
		!strings.HasSuffix(name, "login") && !strings.HasSuffix(name, "credential") {
		return
	}
	i := chars.RunOf(s, stop, func(c byte) bool { return chars.IsQuote(c) || chars.IsBlank(c) || c == '=' || c == ':' })
	if i == len(s) || s[i] != '(' && s[i] != '[' {
		return
	}
	_, end, ok := literal(s, chars.RunOf(s, i+1, chars.IsSpace))
	if !ok {
		return
	}
	i = chars.RunOf(s, end, chars.IsSpace)
	if i == len(s) || s[i] != ',' {
		return
	}
	i = chars.RunOf(s, i+1, chars.IsSpace)
	_, end, ok = literal(s, i)
	if ok && i+1 < end-1 && acceptsCalled(password, s[i+1:end-1]) && !isSelector(s[i+1:end-1]) {
		r.add("password", i+1, end-1)
	}
}

// literal returns the bounds of the quoted text at s[i], its quotes with them.
func literal(s string, i int) (start, end int, ok bool) {
	start = i
	if i+1 < len(s) && strings.IndexByte("bru@$", s[i]|0x20) >= 0 && chars.IsQuote(s[i+1]) {
		i++
	}
	if i >= len(s) || !chars.IsQuote(s[i]) {
		return start, i, false
	}
	for j := i + 1; j < len(s) && j < i+maxValue && s[j] != '\n'; j++ {
		switch s[j] {
		case '\\':
			j++
		case s[i]:
			return start, j + 1, true
		}
	}
	return start, i, false
}

// called returns where the quoted text begins that a call gives to what its name calls
// so: withToken("X"), setPassword('X'). It returns -1 if there is none, or the name says
// that something is got, not given.
func called(s string, start, stop int) int {
	if stop+1 >= len(s) || s[stop] != '(' {
		return -1
	}
	at := unwrapped(s, chars.RunOf(s, stop+1, chars.IsSpace))
	if at == len(s) || !chars.IsQuote(s[at]) {
		return -1
	}
	name := strings.ToLower(s[start:stop])
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, verb := range [...]string{"get", "fetch", "load", "read", "find", "look", "env", "has", "is", "from", "ask", "prompt", "input", "require", "check", "verify", "test", "compare", "delete", "remove"} {
		if strings.HasPrefix(name, verb) {
			return -1
		}
	}
	open, end, ok := literal(s, at)
	if !ok {
		return -1
	}
	v := s[open+1 : end-1]
	lv := levelOf(name, "")
	// What a method takes or a setter is given, and is no label.
	given := lv == password && (strings.HasPrefix(name, "set") || strings.HasPrefix(name, "with") || start > 0 &&
		strings.IndexByte(".>:", s[start-1]) >= 0) &&
		(frame{level: lv, quoted: true, tight: true}).closed(v)
	if !given && !acceptsCalled(lv, v) {
		return -1
	}
	return at
}

// acceptsCalled reports whether v, a quoted argument, is a secret and no name of one.
func acceptsCalled(lv level, v string) bool {
	sh := chars.ShapeOf(v)
	if chars.IsReference(v) || chars.IsSettled(v) || chars.Thing(v).IsMail() || strings.ContainsAny(v, " \t") || strings.Contains(v, "://") || chars.IsUUID(v) {
		return false
	}
	if lv == password || lv == login {
		return len(v) >= 6 && sh.Letters() > 0 && sh.Digit > 0 && (sh.Upper > 0 ||
			sh.Symbol-strings.Count(v, "_")-strings.Count(v, ".") > 0 || sh.Digit > 1) && acceptsBound(v) && !strings.HasPrefix(v, "-")
	}
	return len(v) >= 16 && sh.Digit > 0 && sh.Letters() > 0 && !chars.IsWordy(v) && chars.IsRandom(v) && !chars.IsCodeName(v) &&
		!strings.Contains(strings.ToLower(v), "password")
}

// qualified returns the end of a note in brackets behind a name that is bound to its
// value: "password(prod) -> X", "pw[nas]: X". It returns stop if there is none.
func qualified(s string, stop int) int {
	i := chars.RunOf(s, stop, chars.IsBlank)
	if i == len(s) || s[i] != '(' && s[i] != '[' || i > stop+1 {
		return stop
	}
	end := chars.RunOf(s[:min(len(s), i+28)], i+1, func(c byte) bool {
		return chars.IsNameByte(c) || c >= 0x80 || c == ' ' || c == '.' || c == '\'' || c == '/' || c == ','
	})
	if end == i+1 || end == len(s) || s[end] != ')' && s[end] != ']' {
		return stop
	}
	k := chars.RunOf(s, end+1, chars.IsBlank)
	if k < len(s) && (s[k] == ':' || s[k] == '=' && s[i] == '(' || strings.HasPrefix(s[k:], "->") || strings.HasPrefix(s[k:], "=>") ||
		strings.HasPrefix(s[k:], "\u2192")) {
		return end + 1
	}
	return stop
}

// numbered adds the value behind a name and the number of its form, as routers are
// configured: enable secret 0 X, username bob password 7 X.
func (r *Reader) numbered(start, stop int) bool {
	s := r.text
	i := chars.RunOf(s, stop, chars.IsBlank)
	if i == stop || i+2 >= len(s) {
		return false
	}
	firm := false
	switch name := s[start:stop]; {
	case name == "key" && namesRouter(s[max(0, start-64):start]):
		if firm = true; chars.IsDigit(s[i]) && chars.IsBlank(s[i+1]) {
			i = chars.RunOf(s, i+1, chars.IsBlank)
		}
	case name == "secret" && strings.HasSuffix(s[:start], "enable ") && strings.HasPrefix(s[i:], "0 "):
		if j := i + 2; BareEnd(s, j) > j+3 && !chars.IsReference(s[j:BareEnd(s, j)]) {
			r.add("password", j, BareEnd(s, j))
			r.done = BareEnd(s, j)
			return true
		}
	case name == "secret" && strings.HasSuffix(s[:start], "enable ") || strings.HasSuffix(name, "user-pass") || strings.HasSuffix(name, "user_pass"):
		if firm = true; strings.HasSuffix(name, "pass") {
			i = chars.RunOf(s, chars.RunOf(s, i, func(c byte) bool { return !chars.IsSpace(c) }), chars.IsBlank)
		} else if chars.IsDigit(s[i]) && chars.IsBlank(s[i+1]) {
			i = chars.RunOf(s, i+1, chars.IsBlank)
		}
	case (name == "secret" || name == "password") && r.ofRouterUser(start, i):
		end := BareEnd(s, i)
		r.add("password", i, end)
		r.done = end
		return true
	case chars.IsDigit(s[i]) && chars.IsBlank(s[i+1]):
		i, firm = chars.RunOf(s, i+1, chars.IsBlank), true
	case strings.HasSuffix(name, "community"), name == "key-string", strings.HasSuffix(name, "-psk"):
		firm = true
	}
	if !firm {
		return false
	}
	end := BareEnd(s, i)
	v := s[i:end]
	if sh := chars.ShapeOf(v); len(v) < 4 || chars.IsReference(v) || chars.IsSettled(v) || sh.Digit+sh.Symbol == 0 && sh.Upper == 0 ||
		!acceptsBound(v) {
		return false
	}
	r.add("password", i, end)
	r.done = end
	return true
}

// ofRouterUser reports whether the line of text[start], up to there, gives a router a user and his rights, and the word at text[i]
// is the rest of it: username admin privilege 15 secret X.
func (r *Reader) ofRouterUser(start, i int) bool {
	s := r.text
	from := max(0, start-maxName)
	said := strings.Fields(s[from+strings.LastIndexByte(s[from:start], '\n')+1 : start])
	end := BareEnd(s, i)
	rest := chars.RunOf(s, end, chars.IsBlank)
	if v := s[i:end]; len(said) < 2 || len(said) > 5 || said[0] != "username" || len(v) < 5 || chars.IsReference(v) || chars.IsSettled(v) ||
		chars.ShapeOf(v).Letters() == 0 || rest < len(s) && s[rest] != '\n' && s[rest] != '\r' {
		return false
	}
	for _, w := range said[1:] {
		if chars.RunOf(w, 0, chars.IsURLByte) < len(w) {
			return false
		}
	}
	return true
}

// namesRouter reports whether before, the text in front of "key", is a line of the
// configuration of a router.
func namesRouter(before string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	for _, w := range [...]string{"tacacs", "radius", "isakmp", "ipsec", "ike ", "ntp authentication", "ospf", "bgp"} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// namesNetwork reports whether before, the text in front of "key", tells of a network
// that one joins with it.
func namesNetwork(before string) bool {
	before = strings.ToLower(before[strings.LastIndexByte(before, '\n')+1:])
	return strings.Contains(before, "wifi") || strings.Contains(before, "wi-fi") || strings.Contains(before, "wlan") ||
		strings.Contains(before, "ssid")
}
