package command

import (
	"slices"
	"strings"

	"ken/internal/redact/chars"
)

// A Program is what is known of one that takes a password in a short option, or of a
// few that take it in the same way.
type Program struct {
	// Name tells the programs apart; it is no kind of a hit, which is "password".
	Name string
	// Anchors are names of the programs, in lower case.
	Anchors []string
	// Read is called with the offsets of an anchor in the text of r.
	Read func(r *Reader, at, end int)
}

// A Span is where a password stands, in byte offsets.
type Span struct{ Start, End int }

// A Reader reads the command lines of one text, from its start to its end.
type Reader struct {
	text string
	// Found are the passwords found so far.
	Found []Span
	// Open is where the first piece of text begins that may turn out to be a
	// password when more text follows; the length of the text if there is none.
	Open int
	// done is how far words were read: without it a text of nothing but names of
	// programs would cost quadratic time.
	done int
}

// NewReader returns a Reader of text.
func NewReader(text string) *Reader { return &Reader{text: text, Open: len(text)} }

func (r *Reader) add(start, end int) {
	if start < end && !slices.Contains(r.Found[max(0, len(r.Found)-4):], Span{start, end}) {
		r.Found = append(r.Found, Span{start, end})
	}
}

func (r *Reader) hold(at int) { r.Open = min(r.Open, at) }

// maxCommand is how far a command line is read.
const maxCommand = 2048

// An arg is one word of a command line, its quotes off.
type arg struct {
	start, end int
	quoted     bool
}

// args splits the command line that goes on at s[i] into words, to the end of
// the simple command. It is a rough reading: enough to find options.
func args(s string, i int) []arg {
	var out []arg
	limit := chars.LineEnd(s, i, maxCommand)
	for i < limit && len(out) < 200 {
		i = chars.RunOf(s[:limit], i, chars.IsBlank)
		if i == limit || s[i] == '|' || s[i] == ';' || s[i] == '&' || s[i] == ')' {
			break
		}
		start, quoted := i, false
		var quote byte
		for ; i < limit; i++ {
			c := s[i]
			if quote != 0 {
				if c == quote {
					quote = 0
				}
				continue
			}
			if chars.IsBlank(c) || c == '|' || c == ';' || c == '`' && i > start {
				break
			}
			if c == '"' || c == '\'' {
				quote, quoted = c, true
			}
		}
		if i == start {
			i++
			continue
		}
		out = append(out, arg{start, i, quoted})
	}
	return out
}

// options returns a find for a program that takes its password attached to one
// option (-pX), after another (-a X), or in a pair with the user after a third
// (-u user:X).
func options(attached, spaced, paired []string) func(r *Reader, at, end int) {
	return func(r *Reader, at, end int) {
		r.eachOption(at, end, func(a arg, next *arg) {
			text := r.text[a.start:a.end]
			for _, o := range attached {
				if len(text) > len(o) && strings.HasPrefix(text, o) {
					r.argument(arg{a.start + len(o), a.end, a.quoted}, 0)
				}
			}
			for _, o := range spaced {
				switch {
				case text == o && next != nil:
					r.argument(*next, 0)
				case len(o) == 2 && len(text) > 3 && text[:2] == o && chars.IsQuote(text[2]): // -b"VALUE"
					r.argument(arg{a.start + 2, a.end, a.quoted}, 0)
				}
			}
			for _, o := range paired {
				switch {
				case text == o && next != nil:
					r.argument(*next, ':')
				case next != nil && len(o) == 2 && isJoined(text, o[1]):
					r.argument(*next, ':')
				case len(o) == 2 && len(text) > 2 && strings.HasPrefix(text, o):
					r.argument(arg{a.start + 2, a.end, a.quoted}, ':')
				case len(o) > 2 && strings.HasPrefix(text, o+"="):
					r.argument(arg{a.start + len(o) + 1, a.end, a.quoted}, ':')
				}
			}
		})
	}
}

// commaPaired returns a find for a program that takes user,password after one of
// options.
func commaPaired(options ...string) func(r *Reader, at, end int) {
	return func(r *Reader, at, end int) {
		r.eachOption(at, end, func(a arg, next *arg) {
			if next != nil && slices.Contains(options, r.text[a.start:a.end]) {
				r.argument(*next, ',')
			}
		})
	}
}

// nth returns a find for a program whose password is a word at a fixed place: the
// n-th that is no option, from 0.
func nth(n int) func(r *Reader, at, end int) {
	return func(r *Reader, at, end int) {
		if !chars.StartsWord(r.text, at) {
			return
		}
		seen := 0
		if chars.IsNameByte(r.text[end-1]) {
			end = chars.NameEnd(r.text, end) // the rest of an option: -bc
		}
		for _, a := range args(r.text, end) {
			if r.text[a.start] == '-' {
				continue
			}
			if seen == n {
				r.argument(a, 0)
				return
			}
			seen++
		}
	}
}

// isAssigned reports whether v is name=value.
func isAssigned(v string) bool {
	name, _, ok := strings.Cut(v, "=")
	return ok && chars.ShapeOf(name).Upper == 0
}

// nthOf adds what stands behind sep in the n-th word.
func (r *Reader) nthOf(at, end, n int, sep byte) {
	if words := args(r.text, end); chars.StartsWord(r.text, at) && len(words) > n {
		r.argument(words[n], sep)
	}
}

// target adds the password of a target that a program of Python is given: domain/user:X@host.
func (r *Reader) target(_, end int) {
	for _, a := range args(r.text, end) {
		v := strings.Trim(r.text[a.start:a.end], "'\"")
		user, rest, ok := strings.Cut(v, ":")
		if !ok || !strings.Contains(user, "/") || strings.HasPrefix(rest, "/") || strings.ContainsAny(user, ".\\") &&
			strings.Count(user, "/") > 1 {
			continue
		}
		if i := strings.LastIndexByte(rest, '@'); i >= 0 {
			rest = rest[:i]
		} else if chars.ShapeOf(rest).Digit == len(rest) {
			continue
		}
		start := a.start + strings.Index(r.text[a.start:a.end], ":") + 1
		r.argument(arg{start, start + len(rest), false}, 0)
		return
	}
}

// netUse adds the password of "net use", behind the user or before it.
func (r *Reader) netUse(_, end int) {
	words := args(r.text, end)
	for i, a := range words {
		if !chars.HasPrefixFold(r.text[a.start:a.end], "/user:") {
			continue
		}
		if i+1 < len(words) {
			r.argument(words[i+1], 0)
		}
		// before the user, behind the share
		if i > 1 && !strings.ContainsAny(r.text[words[i-1].start:words[i-1].end], "\\/*") {
			r.argument(words[i-1], 0)
		}
	}
}

// hereString adds what is given on standard input to a program that reads a
// password there: sudo -S ls <<< X.
func (r *Reader) hereString(at, end int) {
	line := r.text[chars.RunBack(r.text, at, func(c byte) bool { return c != '\n' }):at]
	for _, program := range [...]string{"sudo", "kinit", "cryptsetup", "passwd", "su ", "gpg", "--password-stdin", "read -s", "smbpasswd", "vncpasswd", "ssh-add"} {
		if strings.Contains(line, program) {
			if words := args(r.text, end); len(words) > 0 {
				r.argument(words[0], 0)
			}
			return
		}
	}
}

// identifiedBy adds the quoted password of SQL: IDENTIFIED BY 'X'.
func (r *Reader) identifiedBy(_, end int) {
	line := chars.LineEnd(r.text, end, 96)
	i := end + strings.IndexAny(r.text[end:line]+"'", "'\"")
	if i >= line {
		return
	}
	if gap := strings.ToLower(strings.TrimSpace(r.text[end:i])); gap != "" && !strings.HasSuffix(gap, " by") && !strings.HasSuffix(gap, " as") && gap != "password" && gap != "by" {
		return
	}
	stop := strings.IndexByte(r.text[i+1:line], r.text[i])
	if stop < 0 {
		return
	}
	r.argument(arg{i, i + stop + 2, true}, 0)
}

// percent returns a find for programs that take user%password.
func percent(options ...string) func(r *Reader, at, end int) {
	return func(r *Reader, at, end int) {
		r.eachOption(at, end, func(a arg, next *arg) {
			for _, o := range options {
				switch text := r.text[a.start:a.end]; {
				case text == o && next != nil:
					r.argument(*next, '%')
				case strings.HasPrefix(text, o+"="):
					r.argument(arg{a.start + len(o) + 1, a.end, a.quoted}, '%')
				}
			}
		})
	}
}

// eachOption calls do for each word behind the program name r.text[at:end], with
// the word after it, nil for the last.
func (r *Reader) eachOption(at, end int, do func(a arg, next *arg)) {
	if !chars.StartsWord(r.text, at) || at > 0 && r.text[at-1] == '-' || end < r.done {
		return
	}
	if chars.IsNameByte(r.text[end-1]) {
		end = chars.NameEnd(r.text, end)
	}
	words := args(r.text, end)
	for i, a := range words {
		if i+1 < len(words) {
			do(a, &words[i+1])
		} else {
			do(a, nil)
		}
	}
	if n := len(words); n > 0 {
		r.done = words[n-1].start
	}
}

// argument adds the value of an option. With sep, only what follows it is the
// password: the rest is the user.
func (r *Reader) argument(a arg, sep byte) {
	s := r.text
	start, end := a.start, a.end
	if a.quoted && end-start > 1 && chars.IsQuote(s[start]) && s[end-1] == s[start] {
		start, end = start+1, end-1
	}
	if sep != 0 {
		i := strings.IndexByte(s[start:end], sep)
		if i < 0 {
			return
		}
		start += i + 1
		if end-start > 1 && chars.IsQuote(s[start]) && s[end-1] == s[start] {
			start, end = start+1, end-1
		}
	}
	for end > start && chars.IsQuote(s[end-1]) {
		end--
	}
	v := s[start:end]
	if len(v) < 3 || chars.IsReference(v) || chars.IsSettled(v) || strings.HasPrefix(v, "-") || chars.ShapeOf(v).Digit == len(v) && len(v) < 6 || isPort(v) {
		return
	}
	r.add(start, end)
}

// isPort reports whether v maps or names ports, as -p does elsewhere: "8080:80".
func isPort(v string) bool {
	return chars.RunOf(v, 0, func(c byte) bool { return chars.IsDigit(c) || c == ':' || c == '.' || c == '-' }) == len(v) && strings.ContainsAny(v, ":") ||
		strings.HasSuffix(v, "/tcp") || strings.HasSuffix(v, "/udp")
}

// opensslPass adds the password of "-passin pass:X".
func (r *Reader) opensslPass(at, end int) {
	s := r.text
	if at == 0 || !chars.IsBlank(s[at-1]) && !chars.IsQuote(s[at-1]) {
		return
	}
	if w := chars.LastWord(strings.TrimRight(s[max(0, at-16):at], "'\"")); w != "passin" && w != "passout" && w != "pass" && w != "k" {
		return
	}
	stop := chars.RunOf(s[:min(len(s), end+maxCommand)], end, func(c byte) bool { return !chars.IsSpace(c) && !chars.IsQuote(c) && c != ';' && c != '|' && c != ')' })
	if v := s[end:stop]; len(v) >= 3 && !chars.IsReference(v) {
		r.add(end, stop)
	}
}

// piped adds the last word that echo or printf writes into a program that reads
// a password: "echo X | sudo -S", "echo user:X | chpasswd".
func (r *Reader) piped(at, end int) {
	s := r.text
	if !chars.StartsWord(s, at) {
		return
	}
	words := args(s, end)
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	i := chars.RunOf(s, last.end, chars.IsBlank)
	if i < len(s) && (s[i] == ';' || s[i] == ')') { // (echo X; echo X) | smbpasswd
		if k := strings.Index(s[i:chars.LineEnd(s, i, 256)], ") |"); k >= 0 {
			i += k + 2
		}
	}
	if chars.HasPrefixFold(s[at:], "yes") && chars.RunOf(s, i, chars.IsBlank) < len(s) && s[i] == '|' && strings.Contains(s[i:chars.LineEnd(s, i, 256)], "passwd") {
		r.argument(words[0], 0)
		return
	}
	line := chars.LineEnd(s, i, maxCommand)
	if line == len(s) {
		r.hold(last.start)
	}
	if r.written(words, i, line) {
		return
	}
	if i == line || s[i] != '|' {
		return
	}
	switch into := s[i:line]; {
	case strings.Contains(into, "chpasswd"), strings.Contains(into, "base64"):
		r.argument(last, ':')
	case strings.Contains(into, "sudo -S"), strings.Contains(into, "sudo --stdin"), strings.Contains(into, "--password-stdin"),
		strings.Contains(into, "passwd --stdin"), strings.Contains(into, "cryptsetup"), strings.Contains(into, "--passphrase-fd"), strings.Contains(into, "kinit"), strings.Contains(into, "smbpasswd"),
		strings.Contains(into, "vncpasswd"), strings.Contains(into, "ssh-add"), strings.Contains(into, "htpasswd -i"), strings.Contains(into, "pass insert"), strings.Contains(into, "su -"), strings.Contains(into, "-pass stdin"),
		strings.Contains(into, "--password-fd"), strings.Contains(into, "--password-file"), strings.Contains(into, "secret create"),
		strings.Contains(into, "secret set"), strings.Contains(into, "secret put"), strings.Contains(into, "create secret"),
		strings.Contains(into, "secrets set"), strings.Contains(into, "--with-token"),
		strings.Contains(into, "wpa_passphrase"), strings.Contains(into, "keyctl"), strings.Contains(into, "secret-tool"), strings.Contains(into, "lpass login"), strings.Contains(into, "openconnect"), strings.Contains(into, "passwd"):
		r.argument(last, 0)
	}
}

// loginWord adds a word behind the subcommand of a program that logs in, if nobody would
// call an account, a host or an option so: lpass login bob@x.test X.
func (r *Reader) loginWord(at, end int) {
	s := r.text
	from := at
	for from > 0 && at-from < 64 && s[from-1] != '\n' && strings.IndexByte("|;&$#>(`\"'", s[from-1]) < 0 {
		from--
	}
	if program := strings.Fields(s[from:at]); len(program) == 0 || len(program) > 3 || chars.ShapeOf(program[0]).Upper > 0 || strings.IndexByte(".,:", program[0][len(program[0])-1]) >= 0 {
		return
	}
	words := args(s, end)
	if len(words) > 8 {
		return
	}
	for i, a := range words {
		if k := strings.IndexAny(s[a.start+1:a.end], "\"'"); k >= 0 && !chars.IsQuote(s[a.start]) {
			a.end = a.start + 1 + k // of what the line stands in
		}
		v := strings.Trim(s[a.start:a.end], "'\"")
		sh := chars.ShapeOf(v)
		if len(v) < 8 || s[a.start] == '-' || i > 0 && s[words[i-1].start] == '-' && !strings.Contains(s[words[i-1].start:words[i-1].end], "=") || sh.Digit == 0 || sh.Letters() == 0 ||
			sh.Upper == 0 && sh.Symbol == 0 && sh.Digit < 2 || strings.ContainsAny(v, "/:,<>[]{}") || isAssigned(v) ||
			strings.Contains(v, "@") && strings.Contains(v[strings.LastIndexByte(v, '@'):], ".") ||
			strings.Count(v, ".") > 1 || chars.IsUUID(v) || chars.IsHexText(v) || chars.IsWordy(v) && strings.Count(v, "-") < 2 && sh.Upper == 0 {
			continue
		}
		r.argument(a, 0)
	}
}

// expectSend adds what a script of expect sends: the text up to \r, behind a prompt for
// a password, or if it looks like nothing else.
func (r *Reader) expectSend(at, end int) {
	s := r.text
	if !chars.StartsWord(s, at) {
		return
	}
	i := chars.RunOf(s, end, func(c byte) bool { return chars.IsBlank(c) || c == '-' || c == '\\' })
	if i >= len(s) || s[i] != '"' && s[i] != '{' && s[i] != '\'' {
		return
	}
	shut := s[i]
	if shut == '{' {
		shut = '}'
	}
	line := chars.LineEnd(s, i, 256)
	k := strings.IndexByte(s[i+1:line], shut)
	if k < 0 {
		return
	}
	v := strings.TrimRight(s[i+1:i+1+k], "\\")
	text := v
	for _, tail := range [...]string{`\r`, `\n`, "\r"} {
		text = strings.TrimSuffix(text, tail)
	}
	text = strings.TrimRight(text, "\\")
	before := strings.ToLower(s[max(0, at-200):at])
	asked := strings.Contains(before, "assword") || strings.Contains(before, "assphrase") || strings.Contains(before, "kennwort") || strings.Contains(before, "passwort")
	sh := chars.ShapeOf(text)
	if text == v && !asked || strings.ContainsAny(text, " /$") || !asked && (sh.Digit == 0 || sh.Letters() == 0 || len(text) < 8 || sh.Upper == 0 && sh.Symbol == 0) {
		return
	}
	r.argument(arg{i + 1, i + 1 + len(text), false}, 0)
}

// passwordCommand adds what a command prints whose output is a password:
// --password-command 'echo X'.
func (r *Reader) passwordCommand(_, end int) {
	s := r.text
	line := chars.LineEnd(s, end, 256)
	for _, program := range [...]string{"echo ", "printf ", "Write-Output ", "print "} {
		k := strings.Index(s[end:line], program)
		if k < 0 || k > 24 {
			continue
		}
		from := end + k
		words := args(s, from+len(program))
		for len(words) > 0 && (s[words[0].start] == '-' || strings.HasPrefix(s[words[0].start:words[0].end], "%") || strings.HasPrefix(s[words[0].start:words[0].end], "'%")) {
			words = words[1:]
		}
		if len(words) == 0 || words[0].start >= line {
			return
		}
		a := words[0]
		// The quote that the command stands in ends the word.
		if q := s[from-1]; chars.IsQuote(q) {
			if k := strings.IndexByte(s[a.start:line], q); k > 0 && (a.start+k < a.end || s[a.start] != q) {
				a.end = min(a.end, a.start+k)
			}
		}
		r.argument(arg{a.start, a.end, chars.IsQuote(s[a.start])}, 0)
		return
	}
}

// slashed adds the password of user/password@service, as programs of Oracle take it.
func (r *Reader) slashed(at, end int) {
	if !chars.StartsWord(r.text, at) {
		return
	}
	for _, a := range args(r.text, end) {
		if r.text[a.start] == '-' {
			continue
		}
		v := r.text[a.start:a.end]
		user, rest, ok := strings.Cut(v, "/")
		if !ok || user == "" || strings.HasPrefix(rest, "/") {
			return
		}
		sure := strings.Contains(r.text[at:end], "sqlplus") || strings.HasSuffix(r.text[at:end], "dp ") ||
			strings.HasPrefix(r.text[at:end], "rman")
		if i := strings.IndexByte(rest, '@'); i >= 0 {
			rest = rest[:i]
			sure = sure || i > 0 && !chars.IsWordy(rest)
		}
		if sh := chars.ShapeOf(rest); !sure && (sh.Digit == 0 || sh.Upper == 0 || sh.Lower == 0 || strings.Contains(rest, "/")) {
			return
		}
		start := a.start + len(user) + 1
		r.argument(arg{start, start + len(rest), false}, 0)
		return
	}
}

// secureString adds the quoted text that PowerShell makes a secure string of.
func (r *Reader) secureString(_, end int) {
	words := args(r.text, end)
	if i := slices.IndexFunc(words, func(a arg) bool { return a.quoted }); i >= 0 {
		r.argument(words[i], 0)
	}
}

// isJoined reports whether text is short options written as one, the last of them o: -su.
func isJoined(text string, o byte) bool {
	return len(text) > 2 && text[0] == '-' && text[len(text)-1] == o && chars.RunOf(text, 1, func(c byte) bool { return chars.IsLower(c | 0x20) }) == len(text)
}

// slashOption adds the value of an option of Windows, which goes on to a blank.
func (r *Reader) slashOption(_, end int) {
	if words := args(r.text, end); len(words) > 0 && words[0].start == end {
		r.argument(words[0], 0)
	}
}

// verbOfKey adds the argument behind a subcommand that ends with a word for a key: walletpassphrase X, importprivkey
// X, connect home password X; and the second one behind +login.
func (r *Reader) verbOfKey(at, end int) {
	s := r.text
	line := at
	for line > 0 && at-line < 256 && s[line-1] != '\n' && strings.IndexByte("|;&", s[line-1]) < 0 {
		line--
	}
	start := chars.NameStart(s, at, 40)
	if s[at] == ' ' {
		start = at + 1
	}
	if start < len(s) && s[start] == '-' || !isCommandLine(s, args(s[:start], line)) {
		return
	}
	words := args(s, end)
	if len(words) == 0 {
		return
	}
	a := words[0]
	if s[at:end] == "+login " {
		if len(words) < 2 {
			return
		}
		a = words[1]
	}
	v := strings.Trim(s[a.start:a.end], "'\"")
	if s[a.start] == '-' || start > 0 && s[start-1] == '/' || strings.ContainsAny(v, "/%\\,:") ||
		!(chars.Thing(strings.TrimRight(v, ".!?")).IsGiven() || a.quoted && strings.Contains(v, " ") && !chars.Thing(v).IsNone()) ||
		strings.ContainsAny(v, "<>") {
		return
	}
	r.argument(a, 0)
}

// isCommandLine reports whether words, which a line begins with, are of a command: the name of a program and what it is given.
func isCommandLine(s string, words []arg) bool {
	if len(words) > 0 && (s[words[0].start:words[0].end] == "$" || s[words[0].start:words[0].end] == "#" ||
		s[words[0].start:words[0].end] == ">" || s[words[0].start:words[0].end] == "sudo") {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 9 {
		return false
	}
	firm := false
	for i, a := range words {
		w := s[a.start:a.end]
		if !a.quoted && (chars.RunOf(w, 0, func(c byte) bool {
			return chars.IsLowerAlnum(c) ||
				strings.IndexByte("-_./+=@~", c) >= 0 || i > 0 && chars.IsAlnum(c)
		}) < len(w) ||
			w[len(w)-1] == '.' || chars.IsFunctionWord(w) || i == 0 && chars.ShapeOf(w).Letters() == 0) {
			return false
		}
		firm = firm || i > 0 && (a.quoted || w[0] == '-' || w[0] == '+') || i == 0 && (strings.ContainsAny(w, "-_./") ||
			len(w) < 7) || len(words) == 1
	}
	return firm
}

// userAndPassword adds what follows -p on a line that has -u before it: whatever the
// program is, the one is a user and the other a password.
func (r *Reader) userAndPassword(at, end int) {
	line := r.text[max(0, at-200) : at+1]
	line = line[strings.LastIndexAny(line, "\n;|")+1:]
	if r.text[end-2] != 'p' || !strings.Contains(line, " -u ") && !strings.Contains(line, " --user ") && !strings.Contains(line, " --username ") && !strings.Contains(line, " -U ") {
		return
	}
	for _, program := range [...]string{"mysql", "mariadb", "mycli", "ssh ", "psql", "nmap", "docker run", "docker exec"} {
		if strings.Contains(line, program) {
			return // -p is a switch or a port there
		}
	}
	if words := args(r.text, end-1); len(words) > 0 {
		r.argument(words[0], 0)
	}
}
