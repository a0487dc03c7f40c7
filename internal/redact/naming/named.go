package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

// maxName is the most bytes of a name that are looked at.
const maxName = 80

// maxValue is the most bytes of a value: a longer one is taken for what it is in
// pieces, by other rules.
const maxValue = 4096

// Read looks at the stem of a name, an anchor of Stems, that stands at
// text[at:end], and finds the value behind the name: in an assignment of any
// language or file format, after an option, or in a sentence.
func (r *Reader) Read(at, end int) {
	s := r.text
	if at < r.done {
		return // inside a value
	}
	if c := s[end-1]; c < 0x80 && !chars.IsNameByte(c) {
		end-- // the anchors of "pw" end behind it
	}
	start := chars.NameStart(s, at, maxName)
	stop := chars.NameEnd(s, end)
	if stop-at > maxName {
		return
	}
	if stop < len(s) && s[stop] == '>' && s[stop-1] == '-' && stop-1 > at {
		stop-- // password->X
	}
	if start >= 2 && s[start-1] == '\\' && start < at && strings.IndexByte("nrt", s[start]) >= 0 {
		start++ // the letter of an escape
	}
	for s[start] == '.' || s[start] == '-' && start+1 < at && s[start+1] != '-' && (start == 0 || s[start-1] != '-') {
		start++
	}
	if stop+1 < len(s) && s[stop] == '.' && chars.IsLower(s[stop+1]) {
		return // password.length: a member of it
	}
	name := s[start:stop]
	lv := levelOf(name, s[max(0, start-24):start])
	if lv == noSecret || isHandshake(name) || strings.Contains(s[max(0, start-64):start], "arn:aws:") &&
		!strings.ContainsAny(s[max(0, start-24):start], " \t\n") {
		return
	}
	if lv == anyKey && name == "key" && strings.HasSuffix(s[:start], "option ") && stop+1 < len(s) && s[stop+1] == '\'' {
		lv = password // of a wireless network of OpenWrt
	}
	if lv == anyKey && name == "key" && namesNetwork(s[max(0, start-64):start]) {
		lv = password // of a wireless network
	}
	if name == "passwd" && (strings.HasSuffix(s[:start], "$ ") || strings.HasSuffix(s[:start], "# ") ||
		strings.HasSuffix(s[:start], "sudo ")) {
		return // the command: what follows is an account
	}
	r.beyond(lv, start, stop)
	// "pass" and "pwd" alone are words of reports, of code and of command lines
	// more often than names.
	bare := chars.EqualFold(name, "pass")
	if fr, ok := separator(s, start, stop); ok {
		fr.level = lv
		fr.option = fr.option || lv == password && name == "key"
		fr.capitals = name == strings.ToUpper(name)
		fr.double = strings.HasPrefix(name, "--")
		fr.line = fr.colon && isBeyondASCII(name)
		if lv == password && r.rest(start, fr) {
			return
		}
		if bare && passes(s, start, fr) || r.assigned(fr) || lv == sessionID || lv == password && fr.colon && (r.below(start, fr.at) ||
			r.plain(start, fr.at)) ||
			!fr.colon || fr.at < len(s) && chars.IsQuote(s[fr.at]) {
			return
		}
	}
	if (lv == password || lv == secret || lv == anyKey) && r.numbered(start, stop) || lv == sessionID || lv == password &&
		(r.before(start, stop) || r.said(start, stop)) {
		return
	}
	if lv == password && beginsLine(s, start) && r.below(start, chars.RunOf(s, stop, chars.IsBlank)) {
		return
	}
	foreign := name[0] >= 0xce
	r.phrase(phrase{
		level: lv, start: start, stop: stop,
		near:    bare || chars.EqualFold(name, "pwd") || chars.EqualFold(name, "ww") || isCamel(name),
		foreign: lv == password && foreign,
		bound:   lv == password && isBeyondASCII(name),
	})
}

// isHandshake reports whether name is a header of the opening of a web socket, whose
// values prove that both sides speak it and nothing else.
func isHandshake(name string) bool { return chars.HasPrefixFold(name, "sec-websocket-") }

// isBeyondASCII reports whether name is of a language that no code is written in.
func isBeyondASCII(name string) bool {
	return strings.ContainsFunc(name, func(c rune) bool { return c >= 0x80 })
}

// isCamel reports whether name is an identifier in mixed case, which sentences
// mention without giving its value.
func isCamel(name string) bool {
	for i := 1; i < len(name); i++ {
		if chars.IsUpper(name[i]) && chars.IsLower(name[i-1]) {
			return true
		}
	}
	return false
}

// passes reports whether "pass" at s[start] is the verdict of a test run, or is
// otherwise followed by no value: "--- PASS: TestX/1".
func passes(s string, start int, fr frame) bool {
	if strings.HasSuffix(s[:start], "- ") {
		return true
	}
	end := BareEnd(s, fr.at)
	v := s[fr.at:end]
	if len(v) > 512 {
		return true // of nothing but verdicts, which would each be read to the end
	}
	return !fr.tight && (strings.Contains(v, "/") || strings.HasPrefix(v, "Test") || v != "" && !chars.IsQuote(v[0]) &&
		!acceptSpoken(password, v, false))
}

// A frame is what stands around a value: how it is told apart from the text.
type frame struct {
	level level
	at    int  // where the value begins, quotes included
	tight bool // NAME=value
	// colon: "name: value"; option: "--name value"; element: <name>value<;
	// call: f("name", "value").
	colon, option, element, call bool
	capitals                     bool // the name is in capitals
	quoted                       bool
	double                       bool // --name=value
	line                         bool // the name and the value are all of the line, in a language that no code is in
	// whole: the name begins its line, and the value ends it; account: so do those of a user or a host
	// in the line before or behind it.
	whole, account bool
}

// separator looks for what binds the name s[start:stop] to a value.
func separator(s string, start, stop int) (frame, bool) {
	i := qualified(s, stop)
	if i > stop {
		stop = i
	}
	for i < len(s) && i < stop+8 && (chars.IsQuote(s[i]) || s[i] == '%' && start > 0 && s[start-1] == '%' || s[i] == '\\' || s[i] == ']' || s[i] == ')' || s[i] == '*') {
		i++
	}
	if i < len(s) && s[i] == '>' && start > 0 && (s[start-1] == '<' || s[start-1] == ':' || i > stop && start > 1 &&
		chars.IsQuote(s[start-1]) && s[start-2] == '=') {
		i++
		for _, tag := range [...]string{"<value>", "<string>"} {
			if k := chars.RunOf(s, i, chars.IsSpace); strings.HasPrefix(s[k:], tag) {
				i = k + len(tag)
			}
		}
		return frame{at: i, element: true}, true
	}
	if strings.HasPrefix(s[i:], "</") && start > 0 && s[start-1] == '>' {
		// <key>Password</key> <string>X</string>
		if k := strings.IndexByte(s[i:min(len(s), i+24)], '>'); k > 0 {
			if k = chars.RunOf(s, i+k+1, chars.IsSpace); strings.HasPrefix(s[k:], "<string>") || strings.HasPrefix(s[k:], "<value>") {
				return frame{at: k + strings.IndexByte(s[k:], '>') + 1, element: true}, true
			}
		}
	}
	if j := valueField(s, i); j > 0 {
		return frame{at: j, colon: true}, true
	}
	if j := formField(s, start, i); j > 0 {
		return frame{at: j, tight: true, whole: true}, true
	}
	if j := argument(s, start, i); j > 0 {
		return frame{at: j, call: true}, true
	}
	if j := called(s, start, stop); j > 0 {
		return frame{at: j, call: true}, true
	}
	gap := chars.RunOf(s, i, chars.IsBlank)
	if gap > stop && gap+1 < len(s) && s[gap] == '\\' && chars.IsSpace(s[gap+1]) {
		gap = chars.RunOf(s, gap+1, chars.IsSpace) // the line goes on
	}
	i = gap
	if gap > stop && gap < len(s) && s[gap] != '=' && s[gap] != ':' && (isOption(s, start) || start > 1 && s[start-2] == '/' &&
		s[start-1] == ':' && s[start] == '_') {
		return frame{at: gap, option: true}, true
	}
	if gap > stop && gap < len(s) && chars.IsQuote(s[gap]) && (start > 0 && s[start-1] == ':' && (start < 2 ||
		strings.IndexByte(" \t\n({[", s[start-2]) >= 0) ||
		chars.EqualFold(s[start:stop], "psk") || chars.EqualFold(s[start:stop], "xauth")) {
		return frame{at: gap, tight: true}, true // :password "X" of Lisp, : PSK "X" of IPsec
	}
	if gap > stop && gap < len(s) && chars.IsQuote(s[gap]) && (strings.HasSuffix(strings.TrimRight(s[:start], " \t"), "#define") ||
		s[gap] == '\'' && strings.HasSuffix(s[:start], "option ")) {
		return frame{at: gap, tight: true}, true
	}
	if k := gap; k == stop && k < len(s) && s[k] == '{' && k+1 < len(s) && chars.IsQuote(s[k+1]) {
		return frame{at: k + 1, tight: true}, true // kSecret{"X"} of C++
	}
	if strings.HasPrefix(s[i:], "->") && (gap == stop || stop > 0 && (s[stop-1] == ')' || s[stop-1] == ']')) {
		return frame{at: chars.RunOf(s, i+2, chars.IsBlank), colon: true}, true
	}
	if gap > stop && strings.HasPrefix(s[i:], "| ") && strings.HasSuffix(strings.TrimRight(s[max(0, start-4):start], " *`"), "|") {
		return frame{at: chars.RunOf(s, i+1, chars.IsBlank), colon: true}, true // a row of a table
	}
	if strings.HasPrefix(s[start:stop+2+min(0, len(s)-stop-2)], "PASSWORD '") {
		return frame{at: gap, tight: true}, true // of SQL as well
	}
	if strings.HasPrefix(s[start:], "PASSWORD(") && stop+1 < len(s) && chars.IsQuote(s[stop+1]) {
		return frame{at: stop + 1, call: true}, true // of SQL
	}
	if j := declared(s, stop); j > 0 {
		return frame{at: j, tight: true}, true
	}
	fr := frame{tight: gap == stop}
	begin := i
	if strings.HasPrefix(s[i:], "!=") {
		// compared with a literal: pw !== 'X'
		if j := chars.RunOf(s, chars.RunOf(s, i+1, func(c byte) bool { return c == '=' }), chars.IsBlank); j < len(s) && chars.IsQuote(s[j]) {
			return frame{at: j}, true
		}
	}
	for i < len(s) && i < begin+3 {
		switch {
		case s[i] == ':':
			fr.colon = true
			i++
			continue
		case s[i] == '=', s[i] == '>' && i > begin:
			fr.colon = false
			i++
			continue
		case strings.HasPrefix(s[i:], "%3D"), strings.HasPrefix(s[i:], "%3A"), strings.HasPrefix(s[i:], "%3d"), strings.HasPrefix(s[i:], "%3a"):
			i += 3
			fr.at = i
			return fr, true
		case s[i] == '?' && i == begin && strings.HasPrefix(s[i:], "?="):
			i++
			continue
		}
		break
	}
	if i == begin {
		return frame{}, false
	}
	fr.at = chars.RunOf(s, i, chars.IsBlank)
	fr.tight = fr.tight && fr.at == i
	if fr.colon && strings.HasPrefix(s[fr.at:], "!!str ") {
		fr.at += len("!!str ")
	}
	if strings.HasPrefix(s[fr.at:], "\"\"\"") || strings.HasPrefix(s[fr.at:], "'''") {
		fr.at += 2 // a string in three quotes
	}
	if fr.colon && strings.HasPrefix(s[fr.at:], "**") {
		fr.at = chars.RunOf(s, fr.at+2, chars.IsBlank) // **Password:** X
	}
	return fr, true
}

// isOption reports whether the name at s[start] is an option of a command or the
// name in a directive, behind which a blank binds the value: --password X,
// -storepass X, ENV PASSWORD X.
func isOption(s string, start int) bool {
	if strings.HasPrefix(s[start:], "--") {
		return true
	}
	if start > 0 && s[start-1] == '-' {
		return start == 1 || chars.IsSpace(s[start-2])
	}
	before := s[max(0, start-8):start]
	for _, w := range [...]string{"ENV ", "ARG ", "set ", "setenv ", "set -x ", "set -gx "} {
		if strings.HasSuffix(before, w) && (len(before) == len(w) || chars.IsSpace(before[len(before)-len(w)-1]) ||
			before[len(before)-len(w)-1] == '-') {
			return true
		}
	}
	return false
}

// declared returns where the literal begins that a declaration gives to the name before s[stop], with a type between or the
// sign of a language of its own: X Pic X(8) Value 'v', x As String = "v", x VARCHAR2(8) := 'v', x <- "v", x←'v'; -1 if none does.
func declared(s string, stop int) int {
	limit := chars.LineEnd(s, stop, 48)
	k := strings.IndexAny(s[stop:limit], "\"'")
	if k < 1 {
		return -1
	}
	said := strings.Fields(strings.ToLower(s[stop : stop+k]))
	if len(said) == 0 {
		return -1
	}
	last, given := said[len(said)-1], false
	switch first := said[0]; {
	case len(said) == 1:
		given = last == "\u2190" || last == "<-" || last == "<<-"
	case first == "pic" || first == "picture":
		given = last == "value" || last == "is" && said[len(said)-2] == "value"
	case first == "as":
		given = last == "=" && (len(said) == 3 || len(said) == 5 && said[2] == "*")
	default:
		given = last == ":=" && (strings.Contains(first, "char") || first == "text" || first == "string" || first == "constant")
	}
	if !given {
		return -1
	}
	return stop + k
}

// argument returns where the argument begins that follows the name, itself a
// quoted argument that ends before s[i]: define('DB_PASSWORD', 'X'). It returns -1
// if there is none.
func argument(s string, start, i int) int {
	if start < 2 || !chars.IsQuote(s[start-1]) || i == 0 || !chars.IsQuote(s[i-1]) || i == len(s) {
		return -1
	}
	if open := chars.RunBack(s, start-1, chars.IsSpace); !strings.HasPrefix(s[start:], "--") && (open == 0 || s[open-1] != '(') {
		return -1
	}
	if i = chars.RunOf(s, i, chars.IsBlank); i == len(s) || s[i] != ',' {
		return -1
	}
	if j := chars.RunOf(s, i+1, chars.IsSpace); j < len(s) && chars.IsQuote(s[j]) {
		return j
	}
	return -1
}

// valueField returns where the value begins of a list of settings as pairs, as
// in name: DB_PASSWORD, newline, value: hunter2 (or in JSON), or -1.
func valueField(s string, i int) int {
	if chars.HasPrefixFold(s[i:], " (value ") {
		// a key and its value, as a log tells of them
		if j := chars.RunOf(s, i+len(" (value "), chars.IsBlank); j < len(s) && chars.IsQuote(s[j]) {
			return j
		}
	}
	j := i
	for j < len(s) && j < i+64 && (chars.IsSpace(s[j]) || s[j] == ',' || chars.IsQuote(s[j]) || s[j] == '\\') {
		j++
	}
	if j == i || !chars.HasPrefixFold(s[j:], "value") {
		return -1
	}
	loose := strings.ContainsAny(s[i:j], ",\n")
	j += len("value")
	if !loose {
		// <add key="NAME" value="X" />
		if strings.HasPrefix(s[j:], "=\"") || strings.HasPrefix(s[j:], "='") {
			return j + 1
		}
		return -1
	}
	for j < len(s) && (chars.IsQuote(s[j]) || s[j] == '\\' || chars.IsBlank(s[j])) {
		j++
	}
	if j == len(s) || s[j] != ':' {
		return -1
	}
	return chars.RunOf(s, j+1, chars.IsBlank)
}

// assigned adds the value of fr if it is one.
func (r *Reader) assigned(fr frame) bool {
	if r.joined(fr) {
		return true
	}
	start, end, quoted := readValue(r.text, fr)
	if !quoted && start > fr.at && chars.LineEnd(r.text, start, maxValue) == len(r.text) {
		r.hold(start) // a quote that is not closed yet
	}
	if end-start > maxValue || start >= end {
		return false
	}
	fr.quoted = quoted
	v := r.text[start:end]
	if !quoted && !fr.whole && fr.level != login && fr.level != sessionID {
		fr.whole, fr.account = inSettings(r.text, fr, end)
	}
	if quoted && closesQuote(r.text, fr.at, v) {
		return false
	}
	if fr.level == login {
		i := strings.IndexByte(v, ':')
		if i <= 0 || strings.HasPrefix(v[i:], "://") || !acceptSpoken(password, v[i+1:], false) {
			return false
		}
		start += i + 1
	} else if !fr.accepts(v) && !r.standsAlone(fr, start, end) && !r.besideAccount(fr, start, v) {
		// "password: str = 'x'": a type stands before the value.
		return r.typed(fr, end)
	}
	r.add(fr.level.kind(), start, end)
	r.done = end
	return true
}

// standsAlone reports whether text[start:end] is the value of a whole password=value
// between blanks, as people paste one, also if it is an ordinary word: unlike an
// argument in code, it has no comma or bracket on either side.
func (r *Reader) standsAlone(fr frame, start, end int) bool {
	v := r.text[start:end]
	if fr.level != password || !fr.tight || fr.colon || fr.quoted || len(v) < 6 || chars.ShapeOf(v).Letters() < len(v) ||
		chars.IsReference(v) || chars.IsSettled(v) || chars.HasPrefixFold(v, "required") || strings.Contains(strings.ToLower(v), "pass") {
		return false
	}
	if end < len(r.text) && !chars.IsSpace(r.text[end]) && r.text[end] != '&' {
		return false
	}
	name := fr.at - 1
	for name > 0 && chars.IsNameByte(r.text[name-1]) {
		name--
	}
	if word := r.text[chars.RunBack(r.text, name, func(c byte) bool { return c > ' ' && c < 0x7f }):name]; strings.HasSuffix(word, ",") &&
		(strings.HasPrefix(word, "user") || strings.Contains(word, ",user")) && strings.Contains(word, "=") {
		return true // mount -o user=bob,pass=X
	}
	before := strings.TrimRight(r.text[:name], " \t")
	return before == "" || before[len(before)-1] != ',' && before[len(before)-1] != '(' && chars.IsSpace(r.text[name-1]) ||
		r.text[name-1] == '?' || r.text[name-1] == '&'
}

// closesQuote reports whether the quote at s[at] ends a literal that the name
// stands in, as in "password=" + v, so that v is not quoted but between quotes.
func closesQuote(s string, at int, v string) bool {
	if v == "" || strings.IndexByte("+,;).: ", v[0]) < 0 || !chars.IsQuote(s[at]) {
		return false
	}
	line := at
	for line > 0 && line > at-256 && s[line-1] != '\n' {
		line--
	}
	return strings.Count(s[line:at], s[at:at+1])%2 == 1
}

// typed tries again behind a type that stands between a name and its value.
func (r *Reader) typed(fr frame, end int) bool {
	if !fr.colon {
		return false
	}
	i := chars.RunOf(r.text, end, chars.IsBlank)
	if i == len(r.text) || r.text[i] != '=' {
		return false
	}
	fr.colon, fr.at = false, chars.RunOf(r.text, i+1, chars.IsBlank)
	return r.assigned(fr)
}

// readValue returns the bounds of the value at fr.at, without quotes.
func readValue(s string, fr frame) (start, end int, quoted bool) {
	i := fr.at
	if fr.element {
		k := strings.IndexByte(s[i:min(len(s), i+maxValue)], '<')
		if i < len(s) && s[i] == '@' && (k < 0 || !strings.HasPrefix(s[i+k:], "</")) {
			k = 0 // https://<token>@host
		} else if k < 0 {
			k = chars.LineEnd(s, i, maxValue) - i
		}
		return i, i + k, true
	}
	i = unwrapped(s, i)
	// A letter before the quote is a kind of literal: b"...", r'...'.
	if i+1 < len(s) && strings.IndexByte("bruf@", s[i]|0x20) >= 0 && chars.IsQuote(s[i+1]) {
		i++
	}
	q := chars.RunOf(s, i, func(c byte) bool { return c == '\\' })
	if q < len(s) && chars.IsQuote(s[q]) {
		escape, quote := s[i:q], s[q]
		limit := min(len(s), q+1+maxValue)
		for j := q + 1; j < limit; j++ {
			if s[j] == '\n' {
				break
			}
			if s[j] == '\\' && escape == "" {
				j++
				continue
			}
			if s[j] == quote {
				return q + 1, j - len(escape), true
			}
		}
		i = q + 1 // no closing quote: as without
	}
	end = BareEnd(s, i)
	return i, end, false
}

// BareEnd returns the end of a value without quotes that begins at s[i]: up to
// white space or a quote, less the punctuation of what stands around it.
func BareEnd(s string, i int) int {
	end := i
	for end < len(s) && end < i+maxValue {
		c := s[end]
		if chars.IsSpace(c) || chars.IsQuote(c) || c == '<' && end > i || c == 0 {
			break
		}
		if c == '\\' && end+1 < len(s) && (chars.IsQuote(s[end+1]) || s[end+1] == 'n' || s[end+1] == 'r' || s[end+1] == '\\') {
			break
		}
		if (c == '&' || c == ';' || c == ',') && end > i && nextPair(s, end+1) {
			break
		}
		if c == '%' && end > i && i > 2 && s[i-3] == '%' && (strings.HasPrefix(s[end:], "%26") || strings.HasPrefix(s[end:], "%22") ||
			strings.HasPrefix(s[end:], "%20") || strings.HasPrefix(s[end:], "%0A")) {
			break
		}
		end++
	}
	for end > i {
		switch s[end-1] {
		case ',', ';', ')', ']', '.':
			end--
			continue
		case ':':
			if end-1 > i && s[end-2] == ')' {
				end--
				continue
			}
		case '}':
			if strings.Count(s[i:end], "}") > strings.Count(s[i:end], "{") {
				end--
				continue
			}
		}
		break
	}
	return end
}

// nextPair reports whether what follows a separator inside a value without
// quotes is another pair, name=value, or nothing: then the separator ends it.
func nextPair(s string, i int) bool {
	if i >= len(s) || chars.IsSpace(s[i]) || chars.IsQuote(s[i]) {
		return true
	}
	j := chars.RunOf(s, i, func(c byte) bool { return chars.IsNameByte(c) || c == '.' })
	return j > i && j < len(s) && (s[j] == '=' || s[j] == ':')
}
