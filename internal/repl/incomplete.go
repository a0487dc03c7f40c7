package repl

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Incomplete reports whether Enter at the end of text begins another line of it:
// it is a command line and what the shell would wait for is missing, or it ends
// in a backslash.
func Incomplete(text string, w LineContext) bool {
	intent, line := Dispatch(text, w)
	switch intent {
	case Exec:
		return continues(line)
	case Say:
		return endsInBackslash(text)
	}
	return false
}

// endsInBackslash reports whether the last character is a backslash that no other
// one takes its meaning from.
func endsInBackslash(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// continues reports whether a shell would read on after line.
func continues(line string) bool {
	if endsInBackslash(line) {
		return true
	}
	_, err := parse(line + "\n") // a here-document waits only behind a line end
	return syntax.IsIncomplete(err)
}

func parse(line string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
}

// isOneCommand reports whether text, which has several lines, is a single
// command: the first line begins it and cannot end it.
func (w LineContext) isOneCommand(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	if strings.Contains(text, "\r") || !w.isShell(first) || !continues(first) {
		return false
	}
	f, err := parse(text)
	return syntax.IsIncomplete(err) || err == nil && len(f.Stmts) == 1
}
