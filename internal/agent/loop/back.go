package loop

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tool/edit"
	"ken/internal/undo"
)

// IsChange reports whether a word has the form of the name of a change of a file: no reference to a memory has it.
func IsChange(word string) bool { return undo.IsID(word) }

// taker takes changes back, of a conversation that is held or another one.
func (h *Loop) taker(live *session.Writer) (undo.Taker, error) {
	paths, err := h.home.Settings.Places()
	return undo.Taker{
		Room:     undo.Room{Path: config.UndoIn(paths), Lock: paths.State, Now: h.home.Now},
		Sessions: h.home.Conversations.Dir(), Live: live, Who: "user",
	}, err
}

// NewestChange is the name of the newest change of a file in a conversation that stands; "" if there is none, or nothing acts here.
func (h *Loop) NewestChange(live *session.Writer) string {
	if h.o.MemoryAlone {
		return ""
	}
	k, err := h.taker(live)
	if err != nil {
		return ""
	}
	act, err := k.Newest()
	if err != nil { // there is none, or taking it back says what is wrong
		return ""
	}
	return act.ID
}

// TakeBack takes a change of a file back that has a name, if the file is as that left it and the editor holds no other text of it. It returns
// what was done in a line, and the name by which that is taken back. Errors: kinds of package fault, with a next step.
func (h *Loop) TakeBack(ctx context.Context, live *session.Writer, name string) (done, again string, err error) {
	if h.o.MemoryAlone {
		return "", "", fault.Refusedf("no file is changed here").WithHint("at the terminal: ken undo %s", name)
	}
	if h.home.Settings.ReadOnly() {
		return "", "", fault.Refusedf("the memory is only read here, and nothing is changed that could not be taken back")
	}
	k, err := h.taker(live)
	if err != nil {
		return "", "", err
	}
	p := h.files.place(ctx)
	shown := func(path string) string {
		if rel, err := filepath.Rel(p.Dir, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
		return termsafe.Line(path)
	}
	act, _, err := k.Find(ctx, name)
	if err == nil && p.Unsaved(act.Path) {
		return "", "", fault.Refusedf("%s has changes in the editor that are not saved: nothing is undone", shown(act.Path))
	}
	var steps []undo.Step
	if err == nil {
		steps, err = k.Undo(ctx, act)
	}
	switch conflict := (*undo.Conflict)(nil); {
	case errors.Is(err, undo.ErrNone):
		return "", "", fault.New(fault.NotFound, err)
	case errors.As(err, &conflict), errors.Is(err, undo.ErrGone), errors.Is(err, session.ErrHeld):
		return "", "", fault.New(fault.Refused, err).WithHint("what it was: ken diff %s, at the terminal", name)
	case err != nil:
		return "", "", err
	}
	s := steps[0]
	added, removed := edit.Count(s.Diff)
	return fmt.Sprintf("undid %s: %s, +%d -%d", s.Act.Undoes, shown(s.Act.Path), added, removed), s.Act.ID, nil
}
