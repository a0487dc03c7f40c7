package fault

import (
	"fmt"
	"slices"
)

// A Command is a command line of ken without the program's name: "undo 3".
type Command string

// String returns the command as it is written on a command line: "ken undo 3".
func (c Command) String() string { return "ken " + string(c) }

// A Text is a line for people that may name commands of ken. The zero Text is
// empty.
type Text struct {
	plain  string
	format string
	args   []any // nil if none is a Command
}

// Textf makes a text as fmt.Sprintf does. Arguments of type Command are written
// by whoever shows the text.
func Textf(format string, args ...any) Text {
	t := Text{plain: fmt.Sprintf(format, args...)}
	if slices.ContainsFunc(args, namesCommand) {
		t.format, t.args = format, slices.Clone(args)
	}
	return t
}

// namesCommand reports whether whoever shows a text has a say in arg.
func namesCommand(arg any) bool {
	switch arg.(type) {
	case Command, Text:
		return true
	}
	return false
}

// String returns the text as the command line writes it.
func (t Text) String() string { return t.plain }

// In returns the text with its commands as verb writes them; nil is String.
func (t Text) In(verb func(Command) string) string {
	if t.args == nil || verb == nil {
		return t.plain
	}
	args := make([]any, len(t.args))
	for i, a := range t.args {
		switch a := a.(type) {
		case Command:
			args[i] = verb(a)
		case Text:
			args[i] = a.In(verb)
		default:
			args[i] = a
		}
	}
	return fmt.Sprintf(t.format, args...)
}
