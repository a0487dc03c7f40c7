package repl

import (
	"slices"
	"strings"
	"testing"
)

// testContext has some commands of ken, some files, and two programs in them.
func testContext() LineContext {
	has := func(list ...string) func(string) bool {
		return func(s string) bool { return slices.Contains(list, s) }
	}
	return LineContext{
		IsCommand: has("remember", "forget", "memory", "quit", "help", "clear", "q", "exec", "etc"),
		Exists:    has("/etc", "/etc/hosts", "Makefile", "main.go", "names.txt", ".", "..", "docs", "./run.sh", "the", "/usr", "/usr/bin/env"),
		Runs:      has("./run.sh", "../bin/build", "/usr/bin/env", "~/bin/deploy"),
		Program:   has("go", "make", "env"),
		Extends:   func(program, word string) bool { return program == "git" && word == "unstage" },
		Makes:     has("test", "docs"),
		IsNear:    has("remembr", "memroy", "usr"),
	}
}

// TestDispatch: what a line asks for is decided by the line and by what exists;
// nothing that could be a sentence is taken for a command.
func TestDispatch(t *testing.T) {
	t.Parallel()
	const asIs = "\x00"
	for _, c := range []struct {
		line   string
		intent Intent
		text   string // asIs: the line
	}{
		// Nothing, and the sigils.
		{"", Nothing, ""},
		{"   ", Nothing, ""},
		{"\t \t", Nothing, ""},
		{"\u00a0", Nothing, ""},
		{":", Command, ""},
		{":  ", Command, ""},
		{":help", Command, "help"},
		{"  :help  ", Command, "help"},
		{": help", Command, "help"},
		{":remember don't use tabs", Command, "remember don't use tabs"},
		{":remember  two  spaces", Command, "remember  two  spaces"},
		{":nonsense", Command, "nonsense"},
		{"::", Command, ":"},
		{":)", Command, ")"},
		{":/etc/hosts", Command, "/etc/hosts"},
		{":$ ls", Command, "$ ls"},
		{":is it?", Command, "is it?"},
		{"$", Exec, ""},
		{"$ls", Exec, "ls"},
		{"$ ls -l", Exec, "ls -l"},
		{"  $ ls", Exec, "ls"},
		{"$HOME is what?", Exec, "HOME is what?"},
		{"$ls file?", Exec, "ls file?"},
		{"$find me a book", Exec, "find me a book"},
		{"$quit", Exec, "quit"},
		{"$:help", Exec, ":help"},
		{"$for i in 1 2; do echo $i; done", Exec, "for i in 1 2; do echo $i; done"},
		{":exec ls", Exec, "ls"},
		{":exec  ls  -l ", Exec, "ls  -l"},
		{"/exec ls -l", Exec, "ls -l"},
		{":exec", Command, "exec"},
		{":exec --json ls", Command, "exec --json ls"},
		{":execute ls", Command, "execute ls"},
		{"/remember tea", Command, "remember tea"},
		{"/memory list", Command, "memory list"},
		{"/q", Command, "q"},
		{"exit", Command, "quit"},
		{"quit", Command, "quit"},
		{" quit ", Command, "quit"},
		{"help", Command, "help"},
		{"clear", Command, "clear"},

		// What looks like one and is none.
		{"/", Say, asIs},
		{"/ remember", Say, asIs},
		{"/etc", Say, asIs}, // a command of that name, and a file
		{"/etc/hosts is odd", Say, asIs},
		{"/memory/list", Say, asIs},
		{"/rememberme", Say, asIs},
		{"/REMEMBER tea", Say, asIs},
		{"/remember what?", Say, asIs},
		{"//remember", Say, asIs},
		{"exit now", Say, asIs},
		{"quit smoking?", Say, asIs},
		{"help me", Say, asIs},
		{"clear the table", Say, asIs},
		{"Quit", Say, asIs},
		{"exit.", Say, asIs},
		{"q", Say, asIs},
		{"remember tea", Say, asIs},
		{"hello", Say, asIs},
		{"why :help", Say, asIs},
		{"costs $5", Say, asIs},
		{"-h", Say, asIs},
		{"日本語で :help", Say, asIs},
		{"：help", Say, asIs}, // a full-width colon is none
		{"＄ls", Say, asIs},
		{"a\tb", Say, asIs},
		{"x=1", Say, asIs},
		{"# a heading", Say, asIs},
		{"(ls)", Say, asIs},
		{"`ls`", Say, asIs},
		{"> quoted", Say, asIs},
		{"- a point", Say, asIs},
		{"git log\nand more", Say, asIs},
		{"ls\rrm", Say, asIs},
		{"ls -l\nrm -rf /", Say, asIs}, // two commands, as in what was pasted
		{"git commit -m \"one\ntwo\"", Exec, asIs},
		{"git log \\\n  --oneline", Exec, asIs},
		{"git commit -m \"one\ntwo\"\nrm -rf /", Say, asIs},
		{"git isn't for me\nit's", Say, asIs},
		{"$ls\npwd", Exec, "ls\npwd"},

		// Names that are no words.
		{"ls", Exec, asIs},
		{"ls -la", Exec, asIs},
		{"ls docs", Exec, asIs},
		{"ls\t-l", Exec, asIs},
		{"ls|wc -l", Exec, asIs},
		{"ls;pwd", Exec, asIs},
		{"ls>out", Exec, asIs},
		{"ls && pwd", Exec, asIs},
		{"git", Say, asIs}, // a word, which does nothing by itself
		{"git unstage main.go", Exec, asIs},
		{"git status", Exec, asIs},
		{"git commit -m \"it's the fix\"", Exec, asIs},
		{"git commit -m \"open", Exec, asIs}, // the shell says what is wrong
		{"git log -- the", Exec, asIs},
		{"cd", Exec, asIs},
		{"cd ..", Exec, asIs},
		{"cd ~/src", Exec, asIs},
		{"cd the", Exec, asIs},
		{"cd this", Exec, asIs},
		{"vim a.txt", Exec, asIs},
		{"ssh kettle", Exec, asIs},
		{"docker ps -a", Exec, asIs},
		{"docker compose up", Exec, asIs},
		{"npm i express", Exec, asIs},
		{"npm run build", Exec, asIs},
		{"mkdir a b", Exec, asIs},
		{"cp a b", Exec, asIs},
		{"rm the", Exec, asIs}, // there is a file "the"
		{"rm the other", Say, asIs},
		{"echo the weather is nice", Exec, asIs},
		{"printf '%s\\n' it is", Exec, asIs},
		{"python3 -m http.server", Exec, asIs},
		{"grep -rn foo .", Exec, asIs},
		{"sudo apt update", Exec, asIs},
		{"unset A", Exec, asIs},
		{"DEBUG=1 npm start", Exec, asIs},
		{"A=1 B=2 ls", Exec, asIs},
		{"export A=1", Exec, asIs},
		{"export A='x y' B=2", Exec, asIs},
		{"export PATH", Exec, asIs},
		{"export", Say, asIs},
		{"go build", Exec, asIs},
		{"go test ./...", Exec, asIs},
		{"go test -run TestX -count 1 ./internal/repl", Exec, asIs},
		{"go get example.org/x@v1.2.3", Exec, asIs},
		{"go mod tidy", Exec, asIs},
		{"go run .", Exec, asIs},
		{"go run main.go", Exec, asIs},
		{"go env GOPATH", Exec, asIs},
		{"go version", Exec, asIs},
		{"./run.sh", Exec, asIs},
		{"./run.sh the whole thing", Say, asIs},
		{"./run.sh --all docs", Exec, asIs},
		{"../bin/build -v", Exec, asIs},
		{"/usr/bin/env", Exec, asIs},
		{"~/bin/deploy --now", Exec, asIs},

		// The same names in sentences.
		{"man ls", Exec, asIs},
		{"man 3 printf", Exec, asIs},
		{"which ls", Exec, asIs},
		{"which one", Say, asIs},
		{"man up", Say, asIs},
		{"sleep 30 &", Exec, asIs},
		{"sleep well", Say, asIs},
		{"!ls", Exec, "ls"},
		{"!./x", Exec, "./x"},
		{"!important does nothing", Say, asIs},
		{"!", Say, asIs},
		{"!= is odd", Say, asIs},
		{"! wow", Say, asIs},
		{"ls?", Say, asIs},
		{"git status?", Say, asIs},
		{"what does git status do", Say, asIs},
		{"git is confusing", Say, asIs},
		{"git's rebase is odd", Say, asIs},
		{"git, how I hate it", Say, asIs},
		{"Git status", Say, asIs},
		{"vim or emacs", Say, asIs},
		{"vim vs. nano", Say, asIs},
		{"docker won't start", Say, asIs},
		{"docker won’t start", Say, asIs},
		{"npm keeps failing with EACCES", Say, asIs},
		{"rm all old logs", Say, asIs},
		{"cd into it", Say, asIs},
		{"ssh to the server fails", Say, asIs},
		{"ls doesn't show hidden files", Say, asIs},
		{"python is slow", Say, asIs},
		{"curl gives 403", Say, asIs},
		{"export my notes as PDF", Say, asIs},
		{"export data to csv", Say, asIs},
		{"go", Say, asIs},
		{"go on", Say, asIs},
		{"go ahead", Say, asIs},
		{"go fix the bug", Say, asIs},
		{"go get me coffee", Say, asIs},
		{"go work on the docs", Say, asIs},
		{"go test it", Say, asIs},
		{"go build something nice", Say, asIs},
		{"./missing.sh", Exec, asIs}, // the shell says that it is not there
		{"./missing.sh is not there", Say, asIs},
		{"./docs is a directory", Say, asIs},
		{"../secret", Exec, asIs},
		{"/usr/bin/missing -v", Exec, asIs},
		{"/mdel fast", Say, asIs},
		// A command that was mistyped is refused; a path, a question and what is near nothing is none.
		{"/remembr tea is hot", Command, "remembr tea is hot"},
		{"/memroy", Command, "memroy"},
		{"/memroy?", Say, asIs},
		{"/etc/memroy", Exec, asIs},
		{"/usr", Say, asIs},
		{"/xyzzy", Say, asIs},
		{"and/or", Say, asIs},

		// Names that are words too.
		{"make test", Exec, asIs}, // a target that there is
		{"make docs", Exec, asIs},
		{"make -j4", Exec, asIs},
		{"make -C docs", Exec, asIs},
		{"CC=gcc make", Exec, asIs},
		{"find . -name '*.go'", Exec, asIs},
		{"find . -name main.go", Exec, asIs},
		{"find docs -type f -newer names.txt", Exec, asIs},
		{"cat main.go", Exec, asIs},
		{"cat *.txt", Exec, asIs},
		{"cat names.txt | sort | head -n 3", Exec, asIs},
		{"sort < names.txt", Exec, asIs},
		{"sort names.txt > sorted.txt", Exec, asIs},
		{"less names.txt", Exec, asIs},
		{"time ls", Exec, asIs},
		{"time make -j", Exec, asIs},
		{"env", Exec, asIs},
		{"date +%s", Exec, asIs},
		{"who | wc -l", Exec, asIs},
		{"kill $PID", Exec, asIs},
		{"kill -9 1234", Exec, asIs},
		{"touch \"$HOME/new\"", Exec, asIs},
		{"open .", Exec, asIs},
		{"test -f Makefile", Exec, asIs},
		{"test -f Makefile && echo yes", Exec, asIs},
		{"make && ./run.sh", Exec, asIs},

		{"make sense of this", Say, asIs},
		{"make tests", Say, asIs},
		{"make test pass", Say, asIs},
		{"make me a sandwich", Say, asIs},
		{"make -j4 faster please", Say, asIs},
		{"find me a recipe", Say, asIs},
		{"find . for me", Say, asIs},
		{"find - if you can - a book", Say, asIs},
		{"cat videos", Say, asIs},
		{"cat's out of the bag", Say, asIs},
		{"time flies", Say, asIs},
		{"time and again", Say, asIs},
		{"test this idea", Say, asIs},
		{"who are you", Say, asIs},
		{"which one is better", Say, asIs},
		{"which?", Say, asIs},
		{"sort out my notes", Say, asIs},
		{"man is mortal", Say, asIs},
		{"date of birth of Gauss", Say, asIs},
		{"kill the process on port 8080", Say, asIs},
		{"touch typing tips", Say, asIs},
		{"less is more", Say, asIs},
		{"less > more", Say, asIs},
		{"more please", Say, asIs},
		{"open the door (slowly)", Say, asIs},
		{"open don't close", Say, asIs}, // does not parse
		{"top 10 songs", Say, asIs},
		{"free beer & more fun", Say, asIs},
		{"watch this", Say, asIs},
		{"join us", Say, asIs},
		{"cut it out", Say, asIs},
		{"head over heels", Say, asIs},
		{"Make", Say, asIs},
		{"make\u00a0it", Say, asIs},
		{"make it() { :; }", Say, asIs},
		{"if make; then who; fi", Say, asIs},
	} {
		want := c.text
		if want == asIs {
			want = strings.TrimSpace(c.line)
		}
		if intent, text := Dispatch(c.line, testContext()); intent != c.intent || text != want {
			t.Errorf("Dispatch(%q) = %d, %q, want %d, %q", c.line, intent, text, c.intent, want)
		}
	}
}

// TestDispatchKnown: names that the person lists run as they stand, and take the
// place of the built-in list.
func TestDispatchKnown(t *testing.T) {
	t.Parallel()
	w := testContext()
	w.Known = []string{"make", "deploy"}
	for line, want := range map[string]Intent{
		"make test":      Exec,
		"make it so":     Say,
		"make it so?":    Say,
		"deploy":         Exec,
		"deploy staging": Exec,
		"deploy is slow": Say,
		"git status":     Say,
		"cd ..":          Say,
		"./run.sh":       Exec,
		"cat main.go":    Exec,
		"find me a book": Say,
		"export A=1":     Exec,
		"time deploy":    Exec,
		"time git":       Say,
	} {
		if intent, _ := Dispatch(line, w); intent != want {
			t.Errorf("Dispatch(%q) = %d, want %d", line, intent, want)
		}
	}
	if intent, text := Dispatch("make -j4", LineContext{}); intent != Exec || text != "make -j4" {
		t.Errorf("with no context at all: %d, %q", intent, text)
	}
}

// TestOneWord: a name that is a word as well says something when it stands alone; a
// program that is of use without arguments, and whose name is no word, runs.
func TestOneWord(t *testing.T) {
	t.Parallel()
	for _, word := range strings.Fields("more which time find kill make open cat sort touch join cut test type who man date top free tree file head " +
		"tail patch split watch less diff node go yarn cargo git npm docker ssh rm cp mv grep sed xargs curl export echo") {
		if intent, _ := Dispatch(word, testContext()); intent != Say {
			t.Errorf("%q runs", word)
		}
	}
	for _, word := range strings.Fields("ls pwd htop vim python3 ps df cd whoami") {
		if intent, _ := Dispatch(word, testContext()); intent != Exec {
			t.Errorf("%q goes to the model", word)
		}
	}
}

// TestKnownCommands: the list is sorted, without repeats, and no name is on both
// lists.
func TestKnownCommands(t *testing.T) {
	t.Parallel()
	list := KnownCommands()
	if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("not sorted, or a name twice: %q", list)
	}
	for _, name := range list {
		if isWordToo(name) || kinOf(name) == glue || strings.ContainsAny(name, " \t/") {
			t.Errorf("%q is a word", name)
		}
	}
}

// FuzzDispatch: every line asks for one thing, and nothing of it is lost but
// blanks around it and the sigil. Without a sigil a question is none for the
// shell.
func FuzzDispatch(f *testing.F) {
	for _, seed := range []string{
		"", ":", "/", "$", ":help", "/etc", "quit", " : x", "\x00", "\xff", ":\n", ":exec x", "/exec  x", "ls?", "git x?", "make <<a", "time",
		"find . -name '*'", "sort <(ls)", "A=1 ls", "export A=", "go test -", "cat \"a", "kill $((1))", "test ${x:-?}", "who &", "man !", "!a ", "git \"\n0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		intent, text := Dispatch(line, testContext())
		bare := strings.TrimSpace(line)
		if intent == Nothing {
			if bare != "" {
				t.Errorf("%q asks for nothing", line)
			}
			return
		}
		sigil := strings.ContainsRune(":$/!", rune(bare[0]))
		first, _, several := strings.Cut(bare, "\n")
		if intent == Exec && !sigil &&
			(strings.HasSuffix(bare, "?") && !several || strings.Contains(bare, "\r") || several && !continues(first)) {
			t.Errorf("%q runs", line)
		}
		switch {
		case text == bare && (intent == Say || intent == Exec):
		case intent == Command && text == bare && (bare == "help" || bare == "clear"):
		case intent == Command && text == "quit" && (bare == "exit" || bare == "quit"):
		case intent == Command && sigil && text == strings.TrimSpace(bare[1:]):
		case intent == Exec && (bare[0] == '$' || bare[0] == '!') && text == strings.TrimSpace(bare[1:]):
		case intent == Exec && sigil && strings.HasPrefix(strings.TrimSpace(bare[1:]), "exec") && strings.HasSuffix(bare, text):
		default:
			t.Errorf("%q: %d, %q", line, intent, text)
		}
	})
}
