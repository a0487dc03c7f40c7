package redact

import (
	"strings"

	"ken/internal/redact/look"
	"ken/internal/redact/naming"
)

// programRules reads command lines of programs that take a password in a short
// option. Long options are names, and namedRules reads them.
func programRules() []rule {
	attached := func(o ...string) func(f *finder, at, end int) { return options(o, nil, nil) }
	spaced := func(o ...string) func(f *finder, at, end int) { return options(nil, o, nil) }
	paired := func(o ...string) func(f *finder, at, end int) { return options(nil, nil, o) }
	return []rule{
		{"mysql-password", []string{"mysql", "mariadb", "mycli"}, attached("-p")},
		{"sshpass-password", []string{"sshpass"}, options([]string{"-p"}, []string{"-p"}, nil)},
		{"curl-password", []string{"curl", "xh ", "wget"}, paired("-u", "--user", "-U", "--proxy-user")},
		{"http-password", []string{"http ", "https "}, paired("-a", "--auth")},
		{"redis-password", []string{"redis-cli"}, spaced("-a", "--pass")},
		{"docker-password", []string{"docker", "podman", "helm", "skopeo", "oc login", "az login", "twine", "mongo", "htpasswd"}, spaced("-p")},
		{"ldap-password", []string{"ldap"}, spaced("-w")},
		{"zip-password", []string{"zip ", "7z ", "unrar "}, options([]string{"-p"}, []string{"-P"}, nil)},
		{"smb-password", []string{"smbclient", "rpcclient", "mount.cifs"}, percent("-U", "--user")},
		{"rdp-password", []string{"xfreerdp", "rdesktop"}, options([]string{"/p:", "-p"}, []string{"-p"}, nil)},
		{"openssl-password", []string{"pass:"}, (*finder).opensslPass},
		{"piped-password", []string{"echo ", "printf "}, (*finder).piped},
	}
}

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
	limit := look.LineEnd(s, i, maxCommand)
	for i < limit && len(out) < 200 {
		i = look.RunOf(s[:limit], i, look.IsBlank)
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
			if look.IsBlank(c) || c == '|' || c == ';' || c == '`' && i > start {
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
func options(attached, spaced, paired []string) func(f *finder, at, end int) {
	return func(f *finder, at, end int) {
		f.eachOption(at, end, func(a arg, next *arg) {
			text := f.s[a.start:a.end]
			for _, o := range attached {
				if len(text) > len(o) && strings.HasPrefix(text, o) {
					f.argument(arg{a.start + len(o), a.end, a.quoted}, 0)
				}
			}
			for _, o := range spaced {
				if text == o && next != nil {
					f.argument(*next, 0)
				}
			}
			for _, o := range paired {
				switch {
				case text == o && next != nil:
					f.argument(*next, ':')
				case len(o) == 2 && len(text) > 2 && strings.HasPrefix(text, o):
					f.argument(arg{a.start + 2, a.end, a.quoted}, ':')
				case len(o) > 2 && strings.HasPrefix(text, o+"="):
					f.argument(arg{a.start + len(o) + 1, a.end, a.quoted}, ':')
				}
			}
		})
	}
}

// percent returns a find for programs that take user%password.
func percent(options ...string) func(f *finder, at, end int) {
	return func(f *finder, at, end int) {
		f.eachOption(at, end, func(a arg, next *arg) {
			for _, o := range options {
				switch text := f.s[a.start:a.end]; {
				case text == o && next != nil:
					f.argument(*next, '%')
				case strings.HasPrefix(text, o+"="):
					f.argument(arg{a.start + len(o) + 1, a.end, a.quoted}, '%')
				}
			}
		})
	}
}

// eachOption calls do for each word behind the program name f.s[at:end], with
// the word after it, nil for the last.
func (f *finder) eachOption(at, end int, do func(a arg, next *arg)) {
	if !look.StartsWord(f.s, at) || at > 0 && f.s[at-1] == '-' || end < f.flagsDone {
		return
	}
	if look.IsNameByte(f.s[end-1]) {
		end = look.NameEnd(f.s, end)
	}
	words := args(f.s, end)
	for i, a := range words {
		if i+1 < len(words) {
			do(a, &words[i+1])
		} else {
			do(a, nil)
		}
	}
	if n := len(words); n > 0 {
		f.flagsDone = words[n-1].start
	}
}

// argument adds the value of an option. With sep, only what follows it is the
// password: the rest is the user.
func (f *finder) argument(a arg, sep byte) {
	s := f.s
	start, end := a.start, a.end
	if a.quoted && end-start > 1 && look.IsQuote(s[start]) && s[end-1] == s[start] {
		start, end = start+1, end-1
	}
	if sep != 0 {
		i := strings.IndexByte(s[start:end], sep)
		if i < 0 {
			return
		}
		start += i + 1
		if end-start > 1 && look.IsQuote(s[start]) && s[end-1] == s[start] {
			start, end = start+1, end-1
		}
	}
	for end > start && look.IsQuote(s[end-1]) {
		end--
	}
	v := s[start:end]
	if len(v) < 3 || look.IsReference(v) || look.IsSettled(v) || strings.HasPrefix(v, "-") || look.ShapeOf(v).Digit == len(v) && len(v) < 6 || isPort(v) {
		return
	}
	f.add(framed, "password", start, end)
}

// isPort reports whether v maps or names ports, as -p does elsewhere: "8080:80".
func isPort(v string) bool {
	return look.RunOf(v, 0, func(c byte) bool { return look.IsDigit(c) || c == ':' || c == '.' || c == '-' }) == len(v) && strings.ContainsAny(v, ":") ||
		strings.HasSuffix(v, "/tcp") || strings.HasSuffix(v, "/udp")
}

// opensslPass adds the password of "-passin pass:X".
func (f *finder) opensslPass(at, end int) {
	s := f.s
	if at == 0 || !look.IsBlank(s[at-1]) && !look.IsQuote(s[at-1]) {
		return
	}
	if w := look.LastWord(strings.TrimRight(s[max(0, at-16):at], "'\"")); w != "passin" && w != "passout" && w != "pass" && w != "k" {
		return
	}
	stop := naming.BareEnd(s, end)
	if v := s[end:stop]; len(v) >= 3 && !look.IsReference(v) {
		f.add(framed, "password", end, stop)
	}
}

// piped adds the last word that echo or printf writes into a program that reads
// a password: "echo X | sudo -S", "echo user:X | chpasswd".
func (f *finder) piped(at, end int) {
	s := f.s
	if !look.StartsWord(s, at) {
		return
	}
	words := args(s, end)
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	i := look.RunOf(s, last.end, look.IsBlank)
	line := look.LineEnd(s, i, maxCommand)
	if line == len(s) {
		f.hold(last.start)
	}
	if i == line || s[i] != '|' {
		return
	}
	switch into := s[i:line]; {
	case strings.Contains(into, "chpasswd"):
		f.argument(last, ':')
	case strings.Contains(into, "sudo -S"), strings.Contains(into, "sudo --stdin"), strings.Contains(into, "--password-stdin"),
		strings.Contains(into, "passwd --stdin"), strings.Contains(into, "cryptsetup"), strings.Contains(into, "--passphrase-fd"):
		f.argument(last, 0)
	}
}
