package repl

import (
	"slices"
	"strings"
	"testing"
)

// TestDispatch: what a line asks for is decided by the line alone, and nothing
// that could be a sentence or a path is taken for a command.
func TestDispatch(t *testing.T) {
	t.Parallel()
	isCommand := func(word string) bool {
		return slices.Contains([]string{"remember", "forget", "memory", "quit", "help", "clear", "q"}, word)
	}
	for _, c := range []struct {
		text string
		do   deed
		rest string
	}{
		{"", nothing, ""},
		{"   ", nothing, ""},
		{"\t \t", nothing, ""},
		{"\u00a0", nothing, ""},
		{":", command, ""},
		{":  ", command, ""},
		{":help", command, "help"},
		{"  :help  ", command, "help"},
		{": help", command, "help"},
		{":remember don't use tabs", command, "remember don't use tabs"},
		{":remember  two  spaces", command, "remember  two  spaces"},
		{":nonsense", command, "nonsense"},
		{"::", command, ":"},
		{":)", command, ")"},
		{":/etc/hosts", command, "/etc/hosts"},
		{":$ ls", command, "$ ls"},
		{"$", shell, ""},
		{"$ls", shell, "ls"},
		{"$ ls -l", shell, "ls -l"},
		{"  $ ls", shell, "ls"},
		{"$HOME is what?", shell, "HOME is what?"},
		{"/remember tea", command, "remember tea"},
		{"/memory list", command, "memory list"},
		{"/q", command, "q"},
		{"/", say, "/"},
		{"/ remember", say, "/ remember"},
		{"/etc/hosts is odd", say, "/etc/hosts is odd"},
		{"/memory/list", say, "/memory/list"},
		{"/rememberme", say, "/rememberme"},
		{"/REMEMBER tea", say, "/REMEMBER tea"},
		{"//remember", say, "//remember"},
		{"exit", command, "quit"},
		{"quit", command, "quit"},
		{" quit ", command, "quit"},
		{"help", command, "help"},
		{"clear", command, "clear"},
		{"exit now", say, "exit now"},
		{"quit smoking?", say, "quit smoking?"},
		{"help me", say, "help me"},
		{"clear the table", say, "clear the table"},
		{"Quit", say, "Quit"},
		{"exit.", say, "exit."},
		{"q", say, "q"},
		{"remember tea", say, "remember tea"},
		{"hello", say, "hello"},
		{"  why :help?  ", say, "why :help?"},
		{"costs $5", say, "costs $5"},
		{"-h", say, "-h"},
		{"ls -l", say, "ls -l"},
		{"日本語で :help", say, "日本語で :help"},
		{"：help", say, "：help"}, // a full-width colon is none
		{"a\tb", say, "a\tb"},
	} {
		if do, rest := dispatch(c.text, isCommand); do != c.do || rest != c.rest {
			t.Errorf("dispatch(%q) = %d, %q, want %d, %q", c.text, do, rest, c.do, c.rest)
		}
	}
}

// FuzzDispatch: every line asks for one thing, and nothing of it is lost but
// blanks around it and the sigil.
func FuzzDispatch(f *testing.F) {
	for _, seed := range []string{"", ":", "/", "$", ":help", "/etc", "quit", " : x", "\x00", "\xff", ":\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		do, rest := dispatch(text, func(word string) bool { return word == "etc" })
		bare := strings.TrimSpace(text)
		switch {
		case do == nothing:
			if bare != "" {
				t.Errorf("%q asks for nothing", text)
			}
		case do == say:
			if rest != bare {
				t.Errorf("%q: says %q", text, rest)
			}
		case bare == "exit" || bare == "quit":
			if rest != "quit" {
				t.Errorf("%q: runs %q", text, rest)
			}
		case rest == bare && (bare == "help" || bare == "clear"):
		case rest != strings.TrimSpace(bare[1:]):
			t.Errorf("%q: %q is left", text, rest)
		}
	})
}
