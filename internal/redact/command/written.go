package command

import (
	"strings"

	"ken/internal/redact/chars"
)

// written adds the word that echo or printf writes into a file whose name promises a
// secret: echo X > .vault_pass, echo X | tee .vault_pass. The words are those of echo;
// text[i:line] is what follows them.
func (r *Reader) written(words []arg, i, line int) bool {
	s := r.text
	value, file := arg{}, ""
	for n, a := range words {
		text := s[a.start:a.end]
		rest, ok := strings.CutPrefix(strings.TrimLeft(text, "12"), ">")
		if !ok {
			continue
		}
		if rest = strings.TrimLeft(rest, ">|"); rest == "" && n+1 < len(words) {
			rest = s[words[n+1].start:words[n+1].end]
		}
		if n > 0 {
			value, file = words[n-1], rest
		}
		break
	}
	if file == "" && i < line && s[i] == '|' {
		if words2 := args(s, chars.RunOf(s, i+1, chars.IsBlank)); len(words2) > 1 {
			for k, a := range words2[:len(words2)-1] {
				if k < 4 && s[a.start:a.end] == "tee" {
					last := words2[len(words2)-1]
					value, file = words[len(words)-1], s[last.start:last.end]
				}
			}
		}
	}
	if file == "" || !promises(file) || !isMade(strings.Trim(s[value.start:value.end], "'\"")) {
		return false
	}
	r.argument(value, 0)
	return true
}

// promises reports whether the name of a file says that it holds a secret.
func promises(file string) bool {
	l := strings.ToLower(strings.Trim(file, "'\""))
	for _, tail := range [...]string{".log", ".test", ".md", ".go", ".py", ".js", ".html", ".out", "version.txt", ".done", ".lock", ".pid", "count", "status"} {
		if strings.HasSuffix(l, tail) {
			return false
		}
	}
	l = l[strings.LastIndexByte(strings.TrimRight(l, "/"), '/')+1:]
	for _, w := range [...]string{"pass", "pwd", "secret", "token", "credential", "psk", "apikey", "api_key", "api-key", "private", "kennwort"} {
		if strings.Contains(l, w) && !strings.Contains(l, "compass") && !strings.Contains(l, "bypass") {
			return true
		}
	}
	return strings.HasSuffix(l, ".key") || l == "key"
}

// substituted adds what echo prints where a file is wanted, behind a word that says that
// it is a secret: private-key <(echo X).
func (r *Reader) substituted(at, end int) {
	s := r.text
	before := strings.TrimRight(s[max(0, at-40):at], " \t='\"@")
	word := strings.ToLower(before[strings.LastIndexAny(before, " \t\n")+1:])
	found := false
	for _, w := range [...]string{"pass", "key", "psk", "secret", "token", "auth", "cred", "pwd", "pin"} {
		found = found || strings.Contains(word, w)
	}
	if !found {
		return
	}
	words := args(s, end)
	for len(words) > 0 && (s[words[0].start] == '-' || strings.Contains(s[words[0].start:words[0].end], "%s")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	a := words[0]
	if k := strings.IndexByte(s[a.start:a.end], ')'); k > 0 && !a.quoted {
		a.end = a.start + k
	} else if a.quoted && s[a.end-1] == ')' {
		a.end--
	}
	if isMade(strings.Trim(s[a.start:a.end], "'\"")) {
		r.argument(a, 0)
	}
}

// isMade reports whether v is letters with digits or signs among them, as secrets are.
func isMade(v string) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= 6 && sh.Letters() > 0 && sh.Digit+sh.Symbol > 0 && !strings.ContainsAny(v, " <>{}") && v[0] != '$' &&
		!strings.Contains(v, "$(") &&
		(sh.Digit > 1 || sh.Digit > 0 && len(v) > 7 || sh.Digit > 0 && sh.Upper+sh.Symbol > 0 || strings.ContainsAny(v, "!#%&*+?@^~=") || strings.Count(v, "-") > 2)
}
