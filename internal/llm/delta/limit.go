package delta

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"ken/internal/llm/wire"
)

const (
	// MostHeld is the most that is held of an answer where nobody says less, in bytes.
	MostHeld = 48 << 20
	// mostField is the longest field of a message that ken does not know and keeps,
	// in bytes: images and sounds come in such fields, and nothing here shows them.
	mostField = 1 << 20

	// What is held beside the bytes that came, in bytes: for each field and element, and
	// for each call. Many small ones would take a hundred times what was sent.
	costField = 128
	costCall  = 512
)

// Limit says how much of the answer is held at most, in bytes: its text, its reasoning
// (counted as often as it is kept), its calls and its other fields together. What comes
// behind that is cut off. 0 or less: MostHeld.
func (a *Assembler) Limit(most int) {
	if most > 0 {
		a.most = most
	}
}

// fits takes n bytes into account if there is room for them; else the answer is full.
func (a *Assembler) fits(n int) bool {
	if a.full || a.held+n > a.most {
		a.full = true
		return false
	}
	a.held += n
	return true
}

// clip is as much of s as there is room for, not cut inside a character.
func (a *Assembler) clip(s string) string {
	if a.full {
		return ""
	}
	if room := a.most - a.held; len(s) > room {
		for room > 0 && !utf8.RuneStart(s[room]) {
			room--
		}
		s, a.full = s[:max(room, 0)], true
	}
	a.held += len(s)
	return s
}

// addCall takes one element of tool_calls.
func (a *Assembler) addCall(raw []byte) {
	n := len(a.calls.list)
	if a.full || !a.fits(a.calls.cost(raw)) {
		return
	}
	a.calls.add(raw)
	a.held += (len(a.calls.list) - n) * costCall
	a.got = true
	if begins := a.calls.begins(); begins != a.calling {
		a.calling, a.current.Call = begins, begins
	}
}

// cost is about what one piece of a call adds to what is held, in bytes.
func (t *calls) cost(raw []byte) int {
	n := 0
	for name, v := range wire.Members(raw) {
		switch string(name) {
		case "index", "type":
		case "id":
			if t.byID[wire.Word(v)] == nil {
				n += len(v) + costField
			}
		case "function":
			for name, v := range wire.Members(v) {
				if string(name) != "arguments" && string(name) != "name" {
					n += len(name) + costField
				}
				n += len(v)
			}
		default:
			n += len(name) + len(v) + costField
		}
	}
	return n
}

// addRaw takes one field that is kept for the server. One that is too long is left
// out as a whole, reasoning excepted: servers refuse a conversation that lost it.
func (a *Assembler) addRaw(name string, v []byte) {
	if a.full || a.left[name] {
		return
	}
	f := a.raw.fields[name]
	n := costOf(name, v, f)
	if f != nil {
		n = max(n, 0)
	}
	if !isReasoning(name) && f.size()+n > mostField {
		if f != nil {
			a.held -= f.size()
			*f = field{gone: true}
		}
		if a.left == nil {
			a.left = make(map[string]bool)
		}
		if len(a.left) < maxWarned {
			a.warnings = append(a.warnings, fmt.Sprintf("the field %q of the answer is longer than %d KiB and was left out", wire.Line(name, 40), mostField>>10))
		}
		a.left[name] = true
		a.fits(len(name) + costField)
		return
	}
	if !a.fits(n) {
		return
	}
	a.raw.add(name, v)
	if f = a.raw.fields[name]; f != nil {
		f.held += n
	}
}

// costOf is about how much more is held once v is added to the field f, in bytes.
func costOf(name string, v []byte, f *field) int {
	switch {
	case string(v) == "null":
		return 0
	case f == nil:
		return len(name) + costField + spread(v)
	case v[0] == '"' && f.isText && !lastWins(name), v[0] == '[' && f.isList:
		return spread(v)
	}
	return spread(v) + len(name) + costField - f.held // the last one stays
}

// spread is what a value takes that is taken apart if it is a list.
func spread(v []byte) int {
	n := len(v)
	if v[0] == '[' {
		n += costField * (bytes.Count(v, []byte(",")) + bytes.Count(v, []byte("{")))
	}
	return n
}

// size is about how many bytes a field holds.
func (f *field) size() int {
	if f == nil {
		return 0
	}
	return f.held
}

func isReasoning(name string) bool {
	switch name {
	case "reasoning_content", "reasoning", "reasoning_details", "thinking_content", "thinking", "thought":
		return true
	}
	return false
}
