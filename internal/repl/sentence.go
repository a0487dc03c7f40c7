package repl

import (
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"ken/internal/risk"
)

// A kin is what a bare word of a line reads as.
type kin int

const (
	coded kin = iota // an option, a path, a number, a reference: no sentence has one
	name             // a word that is none of English
	prose            // an ordinary word of English, which may be a name all the same
	glue             // it holds sentences together
)

// kinOf says what a bare word reads as.
func kinOf(word string) kin {
	bare := strings.TrimRight(word, ",.;:!…)\"")
	ends := bare != word
	switch {
	case bare == "" || len(word) == 1 && word != "I":
		return coded // dots, a dash, a letter
	case !isASCII(word) && strings.ContainsFunc(word, unicode.IsLetter) && !strings.ContainsAny(word, "/=@"):
		return glue // no program and no option has such a name
	case strings.ContainsAny(bare, "/@=*?[]{}$~%#<>|&;\\^+:_.,0123456789"):
		return coded
	case bare[0] == '-' || bare[0] == '+':
		return coded
	case ends:
		return glue
	case len(bare) > 1 && strings.ToUpper(bare) == bare && bare != "I":
		return coded
	}
	low := strings.ToLower(strings.ReplaceAll(bare, "’", "'"))
	switch {
	case has(sentenceWords(), low):
		return glue
	case has(" staging production testing develop release feature hotfix ", low):
		return name // as people call branches and places
	case strings.Contains(low, "-"):
		return name
	case isProse(low):
		return prose
	}
	return name
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

func has(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// isProse reports whether a word is an ordinary one of English, in any of its forms.
func isProse(word string) bool {
	list := proseWords()
	if has(list, word) {
		return true
	}
	for _, end := range []string{"'s", "s", "es", "ies", "ed", "ied", "ing", "er", "ers", "ly", "ness", "ment"} {
		stem, ok := strings.CutSuffix(word, end)
		if !ok || len(stem) < 2 {
			continue
		}
		if has(list, stem) || has(list, stem+"e") || (end == "ies" || end == "ied") && has(list, stem+"y") {
			return true
		}
		if n := len(stem); n > 2 && stem[n-1] == stem[n-2] && has(list, stem[:n-1]) {
			return true
		}
	}
	if len(word) > 6 {
		for _, end := range []string{"able", "ible", "tion", "ness", "ment", "ful", "less", "ity", "ous", "ive"} {
			if strings.HasSuffix(word, end) {
				return true
			}
		}
	}
	for _, end := range []string{"up", "down", "out", "over", "through", "back", "off"} { // "cleanup", "walkthrough"
		if stem, ok := strings.CutSuffix(word, end); ok && len(stem) > 2 && has(list, stem) {
			return true
		}
	}
	return len(word) > 5 && (strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ed"))
}

// isKindNoun reports whether a word says what kind of thing is meant, so that it is
// the name of none: "git push commits".
func isKindNoun(word string) bool {
	low := strings.ToLower(word)
	for _, end := range []string{"", "s", "es"} {
		if stem, ok := strings.CutSuffix(low, end); ok && has(" container image volume network pod service package branch file command request commit repo repository "+
			"repositories dependency dependencies library libraries module plugin strategy strategies message workflow option flag policy policies limit key "+
			"connection tunnel directory directories folder history version change process networking stuff thing ", stem) {
			return true
		}
	}
	return false
}

// readsAsSentence reports whether text, a line that begins with the name of a
// program, has bare words that a command line would not have: see docs/shell.md. A
// line that only reads is looked at less closely where any word may be looked for.
func (w LineContext) readsAsSentence(text string) bool {
	if contracts(text) {
		return true
	}
	f, err := parse(text)
	if err != nil {
		// The shell says what is wrong with it. Up to the quote that is not closed it
		// has to look like one.
		head := text
		for i := range text {
			if (text[i] == '"' || text[i] == '\'') && i > 0 && (text[i-1] == ' ' || text[i-1] == '=') {
				head = text[:i]
				break
			}
		}
		return !w.isLine(strings.Fields(head), nil, false)
	}
	safe := false
	if v := risk.Judge(text, risk.Here{}); v.Level == risk.Safe {
		safe = true
	}
	sentence, calls := false, 0
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false // no sentence has one
		case *syntax.CallExpr:
			words, quoted := bareWords(n.Args)
			if calls++; calls > 1 && len(words) > 0 && !slices.Contains(w.Known, words[0]) {
				sentence = sentence || !w.isInner(words, quoted, safe)
			} else {
				sentence = sentence || !w.isWordsOf(words, quoted, safe)
			}
		case *syntax.Redirect:
			if n.Word != nil && n.Hdoc == nil {
				word, plain := flat(n.Word)
				sentence = sentence || plain && kinOf(word) >= prose && !w.exists(word)
			}
		}
		return true
	})
	return sentence
}

// Unclear reports whether a line that Dispatch takes for words begins with the name of a
// program, and nothing in it says that it is a sentence: the person may have meant it
// to run.
func Unclear(line string, w LineContext) bool {
	text := cutAssignments(strings.TrimSpace(line))
	words := strings.Fields(text)
	if len(words) < 2 || strings.ContainsAny(text, "\n\r") || contracts(text) || strings.HasSuffix(text, "?") {
		return false
	}
	if !slices.Contains(KnownCommands(), words[0]) && !slices.Contains(w.Known, words[0]) {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(word string) bool { return kinOf(word) == glue })
}

// bareWords are the words of a command. quoted are those that have a quote or an
// expansion in them, of which nothing is judged.
func bareWords(args []*syntax.Word) (words []string, quoted []bool) {
	for _, arg := range args {
		lit := arg.Lit()
		words, quoted = append(words, lit), append(quoted, lit == "")
	}
	return words, quoted
}

// contracts reports whether a word outside double quotes is a contraction, as "don't".
// To a shell it begins a quote.
func contracts(text string) bool {
	double := false
	for i := range len(text) {
		if text[i] == '"' {
			double = !double
		}
		if double || text[i] != '\'' || i == 0 || !isLetter(text[i-1]) {
			continue
		}
		end := i + 1
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		switch strings.ToLower(text[i+1 : end]) {
		case "t", "s", "re", "ve", "ll", "d", "m":
			if end == len(text) || strings.IndexByte(" ,.;:!", text[end]) >= 0 {
				return true
			}
		}
	}
	return false
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// isWordsOf reports whether the words of one simple command are those of one. A program
// of which nothing is known has its words judged as bare names.
func (w LineContext) isWordsOf(words []string, quoted []bool, safe bool) bool {
	if len(words) < 2 {
		return true
	}
	if sh := programShape(words[0]); safe && sh.pattern && (words[1] == "" || kinOf(words[1]) != glue) {
		return true // any text may be looked for
	}
	return w.isLine(words, quoted, safe)
}

// A reading is how far the words of a command were understood.
type reading struct {
	w       LineContext
	program string
	shape   shape
	next    []string // the words that may follow a subcommand
	want    bool     // a subcommand

	free    []string // bare words that nothing accounts for
	proses  int      // of all words, options' values included
	options bool
	sub     bool // a subcommand was read
	seen    int  // words that are no options
	glues   int
	foreign int
	unknown bool // nothing is known of the program; the person listed it
	behind  int  // words behind "--"; -1 if there is none
	safe    bool // the line changes nothing
	bare    int  // words that are no option, no path and no subcommand
	guessed int  // those of bare of which nothing says that there is such a thing
}

// isLine reports whether words, the first of which is a program, are a command line.
// quoted may be nil. safe says that the line they are of only reads: what one that
// changes something is to do has to be known word by word.
func (w LineContext) isLine(words []string, quoted []bool, safe bool) bool {
	if len(words) == 0 || words[0] == "" {
		return true
	}
	r := reading{w: w, program: words[0], shape: programShape(words[0]), want: subcommands(words[0]) != "", behind: -1, safe: safe && words[0] != "unset"}
	r.unknown = !slices.Contains(KnownCommands(), r.program)
	if r.shape.any && r.shape.most < 0 || r.shape.any && len(words) == 2 {
		return true
	}
	for i := 1; i < len(words); i++ {
		word := words[i]
		if word == "" || quoted != nil && quoted[i] {
			r.seen++ // it is quoted, or an expansion
			r.want = false
			continue
		}
		if r.shape.runs && word[0] != '-' && !strings.Contains(word, "=") || r.shape.host && r.seen+len(r.free) > 0 {
			return w.isInner(words[i:], sub(quoted, i), safe) && r.verdict()
		}
		after := ""
		if i > 1 {
			after = words[i-1]
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if !r.take(word, after, next, i+1 < len(words)) {
			return false
		}
	}
	return r.verdict()
}

func sub(quoted []bool, from int) []bool {
	if quoted == nil {
		return nil
	}
	return quoted[from:]
}

// isInner reports whether words, which another program runs, are a command line.
func (w LineContext) isInner(words []string, quoted []bool, safe bool) bool {
	first := words[0]
	switch {
	case first == "" || kinOf(first) == coded || slices.Contains(KnownCommands(), first) || isAdmin(first):
	case isWordToo(first):
		for _, word := range words[1:] {
			if word != "" && kinOf(word) >= prose && !w.exists(word) {
				return first == "make" && len(words) == 2 && kinOf(word) == prose
			}
		}
	case kinOf(first) >= prose, !w.program(first) && (len(words) > 2 || !safe && len(words) > 1 && isBare(words[1])):
		return false
	}
	return w.isLine(words, quoted, safe)
}

// isAdmin reports whether name is a program that people run as root and nothing else.
func isAdmin(name string) bool {
	switch name {
	case "reboot", "shutdown", "poweroff", "mount", "umount", "ufw", "dpkg", "ip", "iptables", "nft", "useradd", "usermod", "userdel", "passwd", "visudo", "nginx",
		"su", "dnf", "yum", "pacman", "snap", "tee", "pkill", "killall", "service", "apt-get", "zypper", "dmesg", "lsof", "netstat", "ss", "modprobe",
		"fdisk", "mkfs", "swapon", "crontab", "hostnamectl", "timedatectl", "sysctl", "update-alternatives", "groupadd", "bash", "sh", "zsh":
		return true
	}
	return false
}

// take reads the next word; false if it settles that this is a sentence. after is the
// word before it, next the one behind it, and more says that there is one.
func (r *reading) take(word, after, next string, more bool) bool {
	if r.behind >= 0 {
		r.behind++
		if kinOf(word) == glue {
			r.glues++
		}
		return r.glues == 0 || r.behind < 2
	}
	if word == "--" {
		r.behind = 0
		return true
	}
	value := len(after) > 1 && after[0] == '-' && after != "--"
	k := kinOf(word)
	if word[0] == '-' {
		r.options = r.options || r.seen+len(r.free) == 0
		return true
	}
	if (r.program == "scp" || r.program == "rsync") && strings.HasSuffix(word, ":") {
		return true
	}
	if k == coded && (word != "a" && word != "A" || len(next) < 2) {
		if !value || !r.shape.host {
			r.seen++
		}
		r.want = false
		return true
	}
	low := strings.ToLower(word)
	switch {
	case r.want && !value:
		return r.takeSubcommand(word, more)
	case r.want: // the value of an option before the subcommand, or the subcommand
		if _, _, ok := subcommand(r.program, word); ok {
			return r.takeSubcommand(word, more)
		}
	}
	if r.program == "git" && value && (strings.HasSuffix(after, "m") || after == "--message") && !strings.HasPrefix(after, "--p") {
		return true // what a commit is called
	}
	if value && strings.HasPrefix(after, "--") && isSwitch(low) {
		return true
	}
	if has(foreignWords(), low) {
		r.foreign++
	}
	switch {
	case r.seen == 0 && r.shape.pattern && (!more || kinOf(next) == coded || r.w.exists(next)):
		r.seen++
		return true
	case r.shape.files && r.w.exists(word):
		r.seen++
		return true
	case k == glue || k == coded: // the article, before another word
		return false
	case isAccounted(r.program, low):
		r.seen++
		r.bare++
		return true
	}
	if !value || r.isSet() && isLoneOption(after) {
		r.bare++
		if !strings.Contains(word, "-") && !r.w.exists(word) && (r.program != "tar" || len(r.free) > 0) {
			r.guessed++
		}
	}
	if k == prose {
		r.proses++
	}
	if value && !r.safe && r.sub && r.shape.files && len(after) == 2 && strings.Contains("pAuifvqrNa", after[1:]) {
		return false // of files, and there is none
	}
	if value && r.isSet() && k == prose && isLoneOption(after) {
		return false
	}
	if value && !isKindNoun(word) && (k != prose || !r.shape.files || !r.sub) {
		return true
	}
	if r.seen == 0 && len(r.free) == 0 && !r.first(word, k) {
		return false
	}
	if r.seen == 0 && r.shape.pattern {
		r.seen++
		return true
	}
	r.free = append(r.free, word)
	return true
}

// isSwitch reports whether a word that holds sentences together is what options are
// set to as well.
func isSwitch(word string) bool {
	switch word {
	case "always", "never", "no", "yes", "all", "none", "on", "off", "same", "any", "every":
		return true
	}
	return false
}

// first reports whether word can be the first one that a program takes.
func (r *reading) first(word string, k kin) bool {
	switch {
	case r.program == "tar":
		return strings.Trim(word, "xctzjJvfapkruOPh") == ""
	case r.shape.code:
		return strings.Contains(word, "-")
	case r.shape.named:
		return k == name
	}
	return true
}

// takeSubcommand reads the word that has to be a subcommand.
func (r *reading) takeSubcommand(word string, more bool) bool {
	if r.next != nil {
		r.want = false
		return slices.Contains(r.next, word)
	}
	sh, next, ok := subcommand(r.program, word)
	if !ok {
		r.want = false
		r.shape = shapeOf("*")
		return r.w.extends(r.program, word) || !more && len(word) < 4 && kinOf(word) == name
	}
	r.shape, r.next, r.want, r.sub = sh, next, next != nil, true
	return true
}

// verdict is what the words come to, once all are read.
func (r *reading) verdict() bool {
	n := len(r.free)
	if r.isGuessed() {
		return false
	}
	if r.shape.most >= 0 && n > r.shape.most || r.proses > 1 || n > 1 && r.foreign > 0 {
		return false
	}
	for _, word := range r.free {
		switch {
		case isKindNoun(word):
			return false
		case kinOf(word) != prose:
		case r.shape.mixed, r.shape.code && !r.shape.files && r.seen > 0, r.removes(), n == 1 && r.unknown && !inflected(word):
		default:
			return false
		}
	}
	return true
}

// isGuessed reports whether too many words of a line that changes something are no options,
// no paths, no subcommands and no names that many things have: it may be a sentence of
// any language. Of what is put in, taken out, started or stopped each is to be known if
// there are several.
func (r *reading) isGuessed() bool {
	switch {
	case r.safe, r.shape.any, r.program == "mkdir", r.removes():
		return false
	case r.isSet():
		return r.guessed > 0 && r.bare > 1
	}
	return r.guessed > 1
}

// isSet reports whether the words are a set of things that are put in, taken out, started
// or stopped.
func (r *reading) isSet() bool {
	switch r.program {
	case "npm", "pnpm", "yarn", "pip", "pip3", "apt", "brew", "cargo", "docker", "podman", "systemctl":
		return r.sub && r.shape.most < 0 && !r.shape.files && !r.shape.host
	}
	return false
}

// isLoneOption reports whether an option of one letter has no value, as far as programs
// that put something in or take it out have it.
func isLoneOption(option string) bool {
	return len(option) == 2 && strings.IndexByte("gyfDdqvaisSUxE", option[1]) >= 0
}

// isBare reports whether a word is no option, path, number or reference.
func isBare(word string) bool { return word != "" && kinOf(word) != coded }

// removes reports whether these are names of files behind options, as in "rm -rf dist
// build", and nothing else: what is no file yet, or no longer, is named so as well.
func (r *reading) removes() bool {
	return r.shape.files && !r.sub && r.options && r.seen == 0 && r.proses < 2
}

// inflected reports whether a word is a form of a verb, or an adverb, which name nothing.
func inflected(word string) bool {
	for _, end := range []string{"ing", "ed", "ly"} {
		if stem, ok := strings.CutSuffix(word, end); ok && (end == "ly" || isProse(stem) || isProse(stem+"e")) {
			return true
		}
	}
	return false
}

// extends reports whether word is a subcommand that is there beside those of a program.
func (w LineContext) extends(program, word string) bool {
	return w.Extends != nil && w.Extends(program, word)
}

// program reports whether there is a program of that name.
func (w LineContext) program(name string) bool { return w.Program != nil && w.Program(name) }
