//go:build linux || darwin

package edit

import (
	"errors"
	"slices"
	"strings"

	"ken/internal/typed"
)

// isearch is the library's name for the keys of a search of the history.
const isearch = "isearch"

// spanAction is what Tab does: in such a search it goes to the next span. The library lets
// go of the entry that it has found, to look anew, for actions of a few names only, and has
// none that is called so itself.
const spanAction = "history-incremental-search-backward"

// A span is a part of the history: what was typed in one part of the world.
type span int

const (
	inDir span = iota
	inRepo
	everywhere
	spans // how many there are
)

// String names a span as the person sees it.
func (s span) String() string {
	return [...]string{"this directory", "this repository", "everywhere"}[s]
}

// has reports whether what was typed at a place is of the span, for who stands here.
func (s span) has(here, at typed.Where) bool {
	switch s {
	case inDir:
		return here.Dir != "" && at.Dir == here.Dir
	case inRepo:
		return here.Scope != "" && at.Scope == here.Scope
	}
	return true
}

// A look is a search of the history that is under way.
type look struct {
	on    bool
	span  span
	lists [spans][]int // of each span: which entries it has
}

// begin begins a search at the narrowest span that has anything.
func (l *look) begin(h *History) {
	*l = look{on: true}
	for i, at := range h.at {
		for s := range spans {
			if s.has(h.here, at) {
				l.lists[s] = append(l.lists[s], i)
			}
		}
	}
	for l.span < everywhere && len(l.lists[l.span]) == 0 {
		l.span++
	}
}

// next is the span after the one that is searched that has anything.
func (l *look) next() span {
	for n := span(1); n < spans; n++ {
		if s := (l.span + n) % spans; len(l.lists[s]) > 0 {
			return s
		}
	}
	return l.span
}

// search looks through the history, all of the span: the library would look for what
// begins like the line. The line comes back if nothing else is chosen.
func (e *Editor) search(theirs func()) {
	if e.rl.Keymap.Local() == "" {
		if e.rl.Line().Len() > 0 {
			e.rl.History.Save()
			e.put, e.putAt = slices.Clone(*e.rl.Line()), e.rl.Cursor().Pos()
			e.rl.Line().Set()
			e.rl.Cursor().Set(0)
		}
		e.look.begin(e.o.History)
		delete(e.rl.Config.Binds[isearch], "\t")
	}
	theirs()
}

// leaveSearch ends a search of the history that Esc alone was pressed in: nothing is chosen.
// The library takes the beginning of any other key for Esc as well.
func (e *Editor) leaveSearch(theirs func()) {
	if e.look.on && e.rl.Keymap.Local() == isearch && e.pump.escape.Load() {
		theirs = e.rl.Keymap.Commands()["abort"]
	}
	theirs()
}

// narrow has the library look anew for what is searched, to which a letter was added. It
// does so itself for keys that it looks up, which those beyond ASCII are not, so it gets one
// that does nothing.
func (e *Editor) narrow() {
	if e.idle != 0 && e.rl.Keymap.Local() == isearch {
		e.rl.Keys.Feed(true, e.idle)
	}
}

// bindIdle binds a key that nothing else has, for narrow.
func (e *Editor) bindIdle() {
	for _, key := range []rune{0x1e, 0x1c, 0x1f, 0x1d} {
		free := true
		for _, keymap := range typing() {
			for seq := range e.rl.Config.Binds[keymap] {
				free = free && !strings.HasPrefix(escaped(seq), string(key)) ||
					e.rl.Config.Binds[keymap][seq].Action == "self-insert" && seq == string(key)
			}
		}
		if free {
			e.idle = key
			for _, keymap := range typing() {
				if binds := e.rl.Config.Binds[keymap]; binds != nil {
					bind(binds, string(key), "self-insert")
				}
			}
			return
		}
	}
}

// nextSpan has a search of the history look through the next span, and does what theirs
// does in any other.
func (e *Editor) nextSpan(theirs func()) {
	if !e.look.on {
		theirs()
		return
	}
	e.rl.History.SkipSave()
	e.look.span = e.look.next()
}

// tellSpan puts the span into what the library says of a search, and ends the search
// if it has ended.
func (e *Editor) tellSpan(cols int) {
	if !e.look.on {
		return
	}
	if e.rl.Keymap.Local() != isearch {
		e.endLook()
		return
	}
	const theirs = "history (inc-search)"
	text := e.rl.Hint.Text()
	if !strings.Contains(text, theirs) {
		return
	}
	of := "history: " + e.look.span.String()
	if next := e.look.next(); next != e.look.span {
		of += " (Tab: " + next.String() + ")"
	}
	if cols < len(of)+30 { // what is looked for has to have room
		of = e.look.span.String()
	}
	e.rl.Hint.Set(strings.Replace(text, theirs, of, 1))
}

// endLook ends the search, and Tab does in others what it did.
func (e *Editor) endLook() {
	e.look = look{}
	bind(e.rl.Config.Binds[isearch], "\t", "menu-complete")
}

// A source is the history as the library asks for it: what the search looks through,
// else all. It gives nothing to a question.
type source struct{ e *Editor }

var errNone = errors.New("no such entry")

// Write is called for every line; what is kept is the editor's business.
func (s source) Write(string) (int, error) { return s.Len(), nil }

// GetLine returns an entry, folded; none before a line is drawn, when the library looks
// through all of the history for what it does not show.
func (s source) GetLine(i int) (string, error) {
	if i < 0 || i >= s.Len() || s.e.drawing {
		return "", errNone
	}
	if l := &s.e.look; l.on {
		i = l.lists[l.span][i]
	}
	return s.e.folder.foldEntry(s.e.o.History.entries[i]), nil
}

// Len says how many entries there are.
func (s source) Len() int {
	switch l := &s.e.look; {
	case s.e.asking:
		return 0
	case l.on:
		return len(l.lists[l.span])
	}
	return len(s.e.o.History.entries)
}

// Dump is not used.
func (s source) Dump() any { return nil }
