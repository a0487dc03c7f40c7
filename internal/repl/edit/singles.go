//go:build linux || darwin

package edit

import (
	"unicode/utf8"

	"github.com/reeflective/readline/inputrc"
)

// mark stands behind a key that does nothing but insert itself. The library sorts all its
// bindings for each key that it looks up, but does not look up what is a character of
// several code points. Unicode has this one go with whatever stands before it, and no text
// has it behind a letter of ASCII.
const mark = '\U000E01EF'

// singles are the characters of ASCII that insert themselves in a keymap, whatever follows.
type singles [utf8.RuneSelf]bool

func singlesOf(binds map[string]inputrc.Bind) *singles {
	var s singles
	for c := byte(' '); c < 0x7f; c++ {
		b := binds[string(rune(c))]
		s[c] = b.Action == "self-insert" && !b.Macro
	}
	for seq := range binds {
		if seq := escaped(seq); len(seq) > 1 && seq[0] < utf8.RuneSelf {
			s[seq[0]] = false
		}
	}
	return &s
}

// plainKeys are the keys that insert themselves in the line as it is now; nil if it is not
// known of any.
func (e *Editor) plainKeys() *singles {
	if e.rl.Keymap.Local() != "" {
		return nil
	}
	return e.single[string(e.rl.Keymap.Main())]
}

// withoutMark is what was typed without the mark behind its first character.
func withoutMark(typed []rune) []rune {
	switch {
	case len(typed) == 1 && typed[0] == mark: // a macro that was recorded gives it alone
		return nil
	case len(typed) > 1 && typed[1] == mark && typed[0] < utf8.RuneSelf:
		return append(typed[:1:1], typed[2:]...)
	}
	return typed
}
