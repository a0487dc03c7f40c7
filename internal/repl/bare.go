package repl

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// KnownCommands returns the names that run without a sigil unless the settings name
// others: programs that people run all day and whose names are no English
// words, or so rarely the first word of a sentence that isSentence catches those.
func KnownCommands() []string {
	return []string{
		"apt", "awk", "brew", "btop", "cargo", "cd", "chmod", "chown", "cmake", "cp", "curl",
		"df", "docker", "du", "echo", "emacs", "fd", "gcc", "gh", "git", "grep", "gunzip",
		"gzip", "htop", "journalctl", "jq", "kubectl", "ln", "ls", "mkdir", "mv", "nano", "npm", "npx",
		"nvim", "pip", "pip3", "pnpm", "podman", "printf", "ps", "psql", "pwd", "python", "python3", "rg",
		"rm", "rmdir", "rsync", "rustc", "scp", "sed", "sqlite3", "ssh", "sudo", "systemctl", "tar", "terraform",
		"tmux", "uname", "unset", "unzip", "vi", "vim", "wc", "wget", "whoami", "xargs", "yarn",
	}
}

// isWordToo reports whether name is a program and an English word.
func isWordToo(name string) bool {
	switch name {
	case "cat", "cut", "date", "diff", "env", "file", "find", "free", "head", "join", "kill", "less", "make", "man", "more",
		"node", "open", "paste", "patch", "ping", "sleep", "sort", "split", "tail", "test", "time", "top", "touch", "tree", "type",
		"watch", "which", "who":
		return true
	}
	return false
}

// isUseful reports whether a program that is called by its name alone does something for
// the person, and the name is no answer to a question.
func isUseful(name string) bool {
	switch name {
	case "btop", "cd", "df", "du", "emacs", "env", "htop", "journalctl", "ls", "nano", "nvim", "ps", "psql", "pwd", "python", "python3",
		"sqlite3", "systemctl", "tmux", "uname", "vi", "vim", "whoami":
		return true
	}
	return false
}

// isShell reports whether text, one line that begins with no sigil, is a
// command line.
func (w LineContext) isShell(text string) bool {
	rest := cutAssignments(text)
	name := rest
	if i := strings.IndexAny(rest, " \t;|&<>()"); i >= 0 {
		name = rest[:i]
	}
	listed := slices.Contains(w.Known, name)
	switch {
	case name == "":
		return false
	case isPath(name):
		return w.isPathRun(name, rest)
	case rest == name && !listed && !isUseful(name) && text == rest:
		return false // a word
	case listed, len(w.Known) == 0 && slices.Contains(KnownCommands(), name):
		return !w.readsAsSentence(rest)
	case name == "export":
		return exports(rest)
	case name == "go":
		return w.isGo(rest)
	case isWordToo(name):
		return w.isLookUp(rest) || w.parsesAsCommand(text)
	}
	return false
}

// isLookUp reports whether text asks about programs by their names, as "man ls" does,
// makes a target that there is, or sleeps for a while.
func (w LineContext) isLookUp(text string) bool {
	word, rest := cutWord(text)
	args := strings.Fields(rest)
	if len(args) == 0 {
		return false
	}
	for _, arg := range args {
		ok := false
		switch word {
		case "man", "which", "type":
			ok = arg[0] == '-' || slices.Contains(KnownCommands(), arg) || isWordToo(arg) && len(args) == 1 ||
				word == "man" && len(arg) == 1 && arg[0] >= '1' && arg[0] <= '9' || kinOf(arg) != glue && w.program(arg)
		case "make":
			ok = arg[0] == '-' || strings.Contains(arg, "=") || w.Makes != nil && w.Makes(arg)
		case "sleep":
			ok = arg[0] >= '0' && arg[0] <= '9' || arg == "&"
		}
		if !ok {
			return false
		}
	}
	return true
}

// isPathRun reports whether text, the first word of which is a path, is to run: it is a
// program, or nothing is there, which the shell says better than a model. A sentence
// about a file is none.
func (w LineContext) isPathRun(name, text string) bool {
	if name[0] == '/' && !w.runs(name) {
		top, _, deep := strings.Cut(name[1:], "/")
		if !deep || top == "" || !w.exists("/"+top) {
			return false // a command of ken that was mistyped, or none
		}
	}
	if w.exists(name) && !w.runs(name) {
		return false
	}
	return !w.readsAsSentence(text)
}

// isPath reports whether a first word says where a program is.
func isPath(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, "./") ||
		strings.HasPrefix(name, "../") || strings.HasPrefix(name, "~/")
}

// cutAssignments cuts NAME=value words off the beginning, as in
// "DEBUG=1 npm start". Values with quotes are left to the sigil.
func cutAssignments(text string) string {
	for {
		word, rest := cutWord(text)
		name, value, ok := strings.Cut(word, "=")
		if !ok || rest == "" || !isName(name) || strings.ContainsAny(value, "'\"`\\$();|&<>") {
			return text
		}
		text = rest
	}
}

// isName reports whether s can be the name of a variable.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// exports reports whether a line that begins with "export" exports variables,
// and no notes as a file.
func exports(text string) bool {
	_, rest := cutWord(text)
	for rest != "" {
		var word string
		word, rest = cutWord(rest)
		name, _, assigns := strings.Cut(word, "=")
		switch {
		case assigns && isName(name):
			return true // a quoted value may have any words
		case !strings.HasPrefix(word, "-") && (!isName(word) || word != strings.ToUpper(word)):
			return false
		}
	}
	return true
}

// isGo reports whether a line that begins with "go" is for the go command, and
// does not tell the assistant to go on or to build something.
func (w LineContext) isGo(text string) bool {
	_, rest := cutWord(text)
	verb, rest := cutWord(rest)
	next, behind := cutWord(rest)
	switch verb {
	case "version":
		return rest == "" || next[0] == '-'
	case "doc", "env", "tool":
		return next == "" || kinOf(next) != glue
	case "mod", "work":
		switch next {
		case "init":
			return len(strings.Fields(behind)) < 2
		case "tidy", "download", "edit", "graph", "vendor", "verify", "why", "sync", "use":
			return !slices.ContainsFunc(strings.Fields(behind), func(word string) bool { return isBare(word) && !w.exists(word) })
		}
		return false
	case "build", "clean", "fix", "fmt", "generate", "get", "install", "list", "run", "test", "vet":
	default:
		return false
	}
	option := false
	for word := range strings.FieldsSeq(rest) {
		value := option // of the option before it
		option = word[0] == '-'
		if !option && !value && !strings.ContainsAny(word, "./@=|>") && !w.exists(word) {
			return false
		}
	}
	return true
}

// parsesAsCommand reports whether text is a command line in which every word
// can only be meant so: its commands are names of programs, and every further
// word is an option or its value, an existing path, a glob or an expansion.
func (w LineContext) parsesAsCommand(text string) bool {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || len(f.Stmts) == 0 {
		return false
	}
	ok := true
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ParamExp, *syntax.ArithmExp, *syntax.ProcSubst:
			return false // no sentence has one
		case *syntax.CallExpr:
			ok = ok && w.isCall(n)
		case *syntax.Redirect:
			ok = ok && w.isTarget(n)
		case *syntax.File, *syntax.Stmt, *syntax.BinaryCmd, *syntax.TimeClause, *syntax.Assign, *syntax.Word,
			*syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted, nil:
		default:
			ok = false // functions, loops, tests: those are typed with a sigil
		}
		return ok
	})
	return ok
}

// isCall reports whether a simple command can only be one.
func (w LineContext) isCall(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return len(c.Assigns) > 0
	}
	name := c.Args[0].Lit()
	known := w.Known
	if len(known) == 0 {
		known = KnownCommands()
	}
	switch {
	case slices.Contains(known, name):
		return true
	case isPath(name):
		return w.runs(name)
	case !isWordToo(name):
		return false
	}
	option := false
	for _, arg := range c.Args[1:] {
		word, plain := flat(arg)
		value := option // of the option before it
		option = plain && len(word) > 1 && (word[0] == '-' || word[0] == '+') && word != "--"
		if plain && !option && !value && !strings.ContainsAny(word, "*?[") && !w.exists(word) {
			return false
		}
	}
	return true
}

// isTarget reports whether a redirection is meant as one: "sort < names", and
// not "less > more".
func (w LineContext) isTarget(r *syntax.Redirect) bool {
	if r.Word == nil {
		return true
	}
	word, plain := flat(r.Word)
	return !plain || strings.ContainsAny(word, "./") || w.exists(word) || r.Op == syntax.DplOut || r.Op == syntax.DplIn
}

// flat is a word without its quotes. plain is false if it holds an expansion,
// so that what it stands for is not known.
func flat(word *syntax.Word) (text string, plain bool) {
	var b strings.Builder
	plain = flatten(&b, word.Parts)
	return b.String(), plain
}

func flatten(b *strings.Builder, parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if !flatten(b, p.Parts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
