package risk

import "strings"

// Holds reports whether the rule is about a command of a line with that verdict, at any depth and
// behind any wrapper, and nothing excuses it. A rule that raises nothing never holds.
func (r Rule) Holds(v Assessment) bool {
	if len(r.Match) == 0 || r.Raise == Safe {
		return false
	}
	for _, c := range v.Commands {
		if r.holds(c, nil) {
			return true
		}
	}
	return false
}

// holds reports whether r holds for c, or for what c runs. set are the assignments before the
// commands around it.
func (r Rule) holds(c Simple, set []string) bool {
	set = append(append([]string(nil), set...), c.Set...)
	if matchWords(r.Match, c.Argv) && !r.excused(c.Argv, set) {
		return true
	}
	for _, inner := range c.Runs {
		if r.holds(inner, set) {
			return true
		}
	}
	return false
}

// matchWords reports whether a command begins with words: a path before its name and options
// between the name and a subcommand do not matter.
func matchWords(words, argv []string) bool {
	at := 0
	for i, w := range words {
		if w == "*" && i == len(words)-1 {
			return true
		}
		for i > 0 && at < len(argv) && argv[at] != w && strings.HasPrefix(argv[at], "-") && !strings.HasPrefix(w, "-") {
			if takesValue(argv[at]) && at+2 < len(argv) {
				at++
			}
			at++
		}
		switch {
		case at >= len(argv):
			return false
		case i == 0 && base(argv[0]) == base(w):
		case i > 0 && strings.HasPrefix(w, "-"):
			if !hasWord(argv[at:], w) {
				return false
			}
			continue
		case argv[at] != w && argv[at] != "": // a word that is not known may be any
			return false
		}
		at++
	}
	return true
}

// takesValue lists the options before a subcommand that have a value of their own.
func takesValue(flag string) bool {
	return in(flag, "-C", "-c", "-n", "--namespace", "--context", "-H", "--profile", "--region", "--project", "-f", "-R", "--prefix", "--git-dir", "--work-tree")
}

func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// hasWord finds a word, or an option within -abc and before "=".
func hasWord(argv []string, word string) bool {
	for _, a := range argv {
		if a == word || strings.HasPrefix(word, "--") && strings.HasPrefix(a, word+"=") ||
			len(word) == 2 && word[0] == '-' && len(a) > 2 && a[0] == '-' && a[1] != '-' && strings.Contains(a[1:], word[1:]) {
			return true
		}
	}
	return false
}

// excused reports whether what the rule asks for is there.
func (r Rule) excused(argv, set []string) bool {
	if r.Unless == "" {
		return false
	}
	for _, s := range set {
		if s == r.Unless || strings.HasSuffix(r.Unless, "=") && strings.HasPrefix(s, r.Unless) {
			return true
		}
	}
	for _, a := range argv {
		if a == r.Unless || strings.HasPrefix(r.Unless, "--") && strings.HasPrefix(a, r.Unless+"=") {
			return true
		}
	}
	return false
}

// String returns the rule as it is shown: "git push * unless --dry-run is danger".
func (r Rule) String() string {
	s := strings.Join(r.Match, " ")
	if r.Unless != "" {
		s += " without " + r.Unless
	}
	return s + " is " + r.Raise.String()
}

// ParseRule reads the part of a rule in prose that can be checked: "always confirm X", "ask before
// X", "never auto-run X", "never run X", "never run X without Y" and similar forms, English first.
// X must look like a command: quoted, or words of which the first is the usual name of a program.
// ok is false for everything else: such a rule can only stand in a prompt.
func ParseRule(prose string) (rule Rule, ok bool) {
	text := strings.Join(strings.Fields(prose), " ")
	text = strings.TrimRight(unquoted(text), ".!")
	for _, p := range phrases() {
		rest, found := cutFold(text, p.begin)
		if !found {
			continue
		}
		rule = Rule{Raise: p.raise}
		if p.tail != "" {
			i := strings.Index(strings.ToLower(rest), p.tail)
			if i < 0 {
				continue
			}
			rest = rest[:i]
		}
		for _, w := range []string{" without ", " unless ", " ohne "} {
			if what, unless, cut := cutWord(rest, w); cut {
				rest = what
				rule.Unless = unlessOf(unless)
				if rule.Unless == "" {
					return Rule{}, false
				}
				break
			}
		}
		if rule.Match = commandOf(rest); rule.Match != nil {
			verb := strings.ToLower(rule.Match[0])
			if p.begin == "never " && in(verb, "make", "kill", "touch", "cut", "join", "split", "link", "install", "time", "sleep") && !strings.Contains(prose, "`") {
				return Rule{}, false // a verb, and no command
			}
			return rule, true
		}
	}
	return Rule{}, false
}

// unquoted takes off the quotes that stand around all of a text, as one types them
// for a shell where there is none.
func unquoted(text string) string {
	for _, q := range [][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}} {
		rest, begins := strings.CutPrefix(text, q[0])
		inner, ends := strings.CutSuffix(rest, q[1])
		if begins && ends && !strings.ContainsAny(inner, q[0]+q[1]) {
			return strings.TrimSpace(inner)
		}
	}
	return text
}

// A phrase is how a rule begins, and ends, around a command.
type phrase struct {
	begin, tail string
	raise       Level
}

func phrases() []phrase {
	var out []phrase
	for _, who := range []string{"", "please ", "always ", "please always ", "you must ", "you must always "} {
		for _, verb := range []string{
			"confirm before running ", "confirm before you run ", "confirm before ", "confirm with me before running ", "confirm with me before ", "confirm running ", "confirm every ", "confirm any ", "confirm ",
			"ask before running ", "ask before you run ", "ask me before running ", "ask me before you run ", "ask me before ", "ask before any ", "ask before every ", "ask before doing ", "ask before ", "ask first before ", "check with me before running ", "check with me before ", "get my ok before ", "ask for confirmation before running ", "ask for confirmation before ", "require confirmation for ", "require confirmation before ", "warn me before ",
		} {
			out = append(out, phrase{who + verb, "", Caution})
		}
	}
	// Not by itself: the person wants to be asked, and no more.
	for _, no := range []string{"never ", "don't ", "do not ", "please never ", "please don't ", "you must never ", "don't ever ", "do not ever "} {
		for _, verb := range []string{"auto-run ", "autorun ", "auto run ", "automatically run ", "auto-execute ", "automatically execute ", "auto-approve ", "auto-accept ", "auto-start "} {
			out = append(out, phrase{no + verb, "", Caution})
		}
		for _, verb := range []string{"run ", "execute ", "start "} {
			for _, tail := range []string{" automatically", " by yourself", " on your own", " unattended", " unasked", " without asking", " without my ok", " without my okay", " without confirmation", " without confirming", " without approval", " without my approval", " without permission", " without my permission"} {
				out = append(out, phrase{no + verb, tail, Caution})
			}
		}
	}
	for _, verb := range []string{"never run ", "never use ", "never execute ", "never call ", "never do ", "don't run ", "don't ever run ", "do not run ", "do not ever run ", "don't use ", "do not use ", "never ", "you must never run ", "please never run ", "please don't run "} {
		out = append(out, phrase{verb, "", Danger})
	}
	out = append(out,
		phrase{"before running ", ", ask", Caution}, phrase{"before you run ", ", ask", Caution}, phrase{"before ", ", ask", Caution}, phrase{"before running ", ", confirm", Caution},
		phrase{"", " needs confirmation", Caution}, phrase{"", " must be confirmed", Caution}, phrase{"", " always needs my ok", Caution}, phrase{"", " is forbidden", Danger},
		phrase{"immer nachfragen vor ", "", Caution}, phrase{"frag vor ", "", Caution}, phrase{"niemals ", " ausführen", Danger}, phrase{"nie ", " ausführen", Danger})
	return out
}

func cutFold(text, begin string) (string, bool) {
	if len(text) < len(begin) || !strings.EqualFold(text[:len(begin)], begin) {
		return "", false
	}
	return text[len(begin):], true
}

// cutWord cuts text at a word outside quotes.
func cutWord(text, word string) (before, after string, found bool) {
	i := strings.Index(strings.ToLower(text), word)
	if i < 0 || strings.Count(text[:i], "`")%2 == 1 {
		return text, "", false
	}
	return text[:i], text[i+len(word):], true
}

// unlessOf is the one word that excuses a command.
func unlessOf(text string) string {
	text = strings.TrimSpace(text)
	for _, p := range []string{"the ", "a ", "setting ", "using ", "passing ", "flag ", "option "} {
		if rest, ok := cutFold(text, p); ok {
			text = rest
		}
	}
	text = strings.Trim(text, "`'\" ")
	for _, p := range []string{" set", " flag", " option", " is set", " is given"} {
		text = strings.TrimSuffix(text, p)
	}
	text = strings.Trim(text, "`'\" ")
	if text == "" || strings.ContainsAny(text, " ;|&$()") {
		return ""
	}
	if strings.HasPrefix(text, "-") || strings.Contains(text, "=") {
		return text
	}
	return ""
}

// commandOf reads the words of a command, or nil if text is none.
func commandOf(text string) []string {
	text = strings.TrimSpace(text)
	for _, article := range []string{"a ", "an ", "any ", "every ", "each ", "the command ", "the "} {
		if rest, ok := cutFold(text, article); ok {
			text = rest
		}
	}
	quoted := false
	if q := strings.Trim(text, "`'\""); q != text && len(q)+2 == len(text) {
		text, quoted = q, true
	}
	text = strings.TrimSuffix(strings.TrimSuffix(text, " commands"), " command")
	text = strings.Trim(text, "`")
	if text == "" || strings.ContainsAny(text, ";|&$()<>`'\"\\{}\n?!,:") && !quoted {
		return nil
	}
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 8 || !quoted && !isProgramWord(words) {
		return nil
	}
	for i, w := range words {
		if strings.ContainsAny(w, ";|&$()<>`'\"\\{}") || w == "*" && i != len(words)-1 {
			return nil
		}
	}
	if words[0] == "*" || strings.HasPrefix(words[0], "-") {
		return nil
	}
	return words
}

// isProgramWord reports whether words, without quotes, are meant as a command: a known program, and
// then no more prose than subcommands and options.
func isProgramWord(words []string) bool {
	v := Judge(words[0], Here{})
	for _, r := range v.Reasons {
		if strings.Contains(r.Why, "nothing is known") {
			return false
		}
	}
	if len(words) > 4 {
		return false
	}
	for _, w := range words[1:] {
		if in(strings.ToLower(w), "to", "the", "a", "an", "and", "or", "my", "your", "on", "in", "with", "for", "it", "is", "are", "if", "when", "that", "this", "of", "files", "anything", "everything", "things") {
			return false
		}
	}
	return !in(strings.ToLower(words[0]), "commit", "make", "test", "time", "find", "sort", "open", "write", "say", "read", "type", "set", "let", "start", "kill", "watch", "look", "view", "more", "less", "who", "w", "last", "users", "which", "delete", "update", "drop") || len(words) == 1 && in(words[0], "make", "kill", "sort", "find") || len(words) > 1 && in(words[0], "make", "find", "kill") && (strings.HasPrefix(words[1], "-") || words[0] == "make")
}
