package repl

import (
	"slices"
	"strings"

	"ken/internal/verbs"
)

// An Intent is what a line asks for.
type Intent int

// The intents.
const (
	Nothing Intent = iota // the line is blank
	Command               // a command of ken, without its sigil
	Exec                  // a command line for the person's shell, without its sigil
	Say                   // words for the model
)

// A LineContext is what Dispatch asks about what is not on the line. Functions that
// are nil know nothing.
type LineContext struct {
	// IsCommand reports whether word names a command of ken.
	IsCommand func(word string) bool
	// IsNear reports whether word may be meant for the name of a command of ken.
	IsNear func(word string) bool
	// Known are the names that run without a sigil, as the person wants them;
	// none: KnownCommands.
	Known []string
	// Exists reports whether there is a file of that path, "~/" and relative
	// ones included.
	Exists func(path string) bool
	// Runs reports whether that path is a file that may be run.
	Runs func(path string) bool
	// Program reports whether a program of that name is found in PATH.
	Program func(name string) bool
	// Extends reports whether word is a subcommand that somebody added to program: an
	// alias of git, a plugin.
	Extends func(program, word string) bool
	// Makes reports whether the Makefile where the person stands has that target.
	Makes func(target string) bool
}

// Dispatch decides what a line asks for, and returns that without its sigil. It
// looks at the line and asks w, and does nothing.
//
// A sigil always decides: ":" a command of ken, "$" a command line, and so does "!"
// right before a word. Without one, a line is a command only where it can hardly be a
// sentence; in doubt it goes to the model, which runs nothing. So a line that ends in a question
// mark is never a command, one that has line ends inside only if its first line is
// one that asks for the others (an open quote, a backslash at its end), and
// "/word" only if ken has a command of that name, or one that is near, and there is no such file.
func Dispatch(line string, w LineContext) (Intent, string) {
	text := strings.TrimSpace(line)
	switch {
	case text == "":
		return Nothing, ""
	case text[0] == ':':
		return colon(strings.TrimSpace(text[1:]))
	case text[0] == '$':
		return Exec, strings.TrimSpace(text[1:])
	case w.isBang(text):
		return Exec, strings.TrimSpace(text[1:])
	}
	if v, ok := verbs.Bare(text); ok {
		return Command, v.Name
	}
	switch word, _ := cutWord(text); {
	case strings.ContainsAny(text, "\n\r"):
		if w.isOneCommand(text) {
			return Exec, text
		}
	case strings.HasSuffix(text, "?"):
	case text[0] == '/' && w.isCommand(word[1:]) && !w.exists(word):
		return colon(text[1:])
	case w.isMistyped(word):
		return Command, text[1:]
	case w.isShell(text):
		return Exec, text
	}
	return Say, text
}

// isMistyped reports whether a line begins with a command behind "/" that was mistyped: it is
// refused as one, and sent to nobody. A path that is there is none, nor is a question.
func (w LineContext) isMistyped(word string) bool {
	name := strings.TrimPrefix(word, "/")
	if w.IsNear == nil || len(word)-len(name) != 1 || len(name) < 3 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return false
	}
	return !w.exists(word) && w.IsNear(name)
}

// colon is what follows a colon. ":exec LINE" is "$LINE".
func colon(text string) (Intent, string) {
	if word, rest := cutWord(text); word == "exec" && rest != "" && rest[0] != '-' {
		return Exec, rest
	}
	return Command, text
}

// isBang reports whether a line is a command line behind "!", as in other shells and
// editors. "!important does nothing" is none.
func (w LineContext) isBang(text string) bool {
	if len(text) < 2 || text[0] != '!' || !isLetter(text[1]) && strings.IndexByte("./~", text[1]) < 0 {
		return false
	}
	name, _ := cutWord(text[1:])
	if strings.ContainsAny(text, "\n\r") || slices.Contains(KnownCommands(), name) {
		return true
	}
	return !w.readsAsSentence(text[1:])
}

// cutWord cuts the first word off a line.
func cutWord(s string) (word, rest string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], " \t")
}

func (w LineContext) isCommand(word string) bool { return w.IsCommand != nil && w.IsCommand(word) }
func (w LineContext) exists(path string) bool    { return w.Exists != nil && w.Exists(path) }
func (w LineContext) runs(path string) bool      { return w.Runs != nil && w.Runs(path) }
