package talk

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
	edited "ken/internal/tool/files"
	"ken/internal/undo"
)

// taker takes changes of files back; ok is false where nothing acts, so that there are none.
func (t *Talk) taker() (k undo.Taker, ok bool) {
	paths, err := t.home.Settings.Places()
	if err != nil || t.o.Approver == nil || t.home.Settings.ReadOnly() {
		return k, false
	}
	return undo.Taker{
		Room:     undo.Room{Path: config.UndoIn(paths), Lock: paths.State, Now: t.home.Now},
		Sessions: t.home.Conversations.Dir(), Live: t.d.Recorder(), Who: "user",
	}, true
}

// newestFile is the newest change of a file in this conversation that stands; "" if there is none.
func (t *Talk) newestFile() (id string) {
	if k, ok := t.taker(); ok {
		if act, err := k.Newest(); err == nil {
			return act.ID
		}
	}
	return ""
}

// undoFile takes the change of an id back, if the file is as that left it and the person's editor holds no other text of it.
func (t *Talk) undoFile(ctx context.Context, id string) (string, error) {
	k, ok := t.taker()
	if !ok {
		return "", fault.Refusedf("files are not changed here").WithHint("at the terminal: ken undo %s", id)
	}
	act, _, err := k.Find(ctx, id)
	if err == nil && t.o.Editor != nil {
		p := edited.Place{Held: func(path string) (string, bool) { return t.o.Editor.Read(ctx, path) }}
		if p.Unsaved(act.Path) {
			return "", fault.Refusedf("%s has changes in the editor that are not saved: nothing is undone", t.name(act.Path))
		}
	}
	var steps []undo.Step
	if err == nil {
		steps, err = k.Undo(ctx, act)
	}
	switch conflict := (*undo.Conflict)(nil); {
	case errors.Is(err, undo.ErrNone):
		return "", fault.New(fault.NotFound, err)
	case errors.As(err, &conflict), errors.Is(err, undo.ErrGone), errors.Is(err, session.ErrHeld):
		return "", fault.New(fault.Refused, err).WithHint("what it was: ken diff %s, at the terminal", id)
	case err != nil:
		return "", err
	}
	s := steps[0]
	added, removed := edit.Count(s.Diff)
	back := t.o.Press("undo", s.Act.ID)
	return fmt.Sprintf("undid %s: %s, +%d -%d (undo: %s)", s.Act.Undoes, t.name(s.Act.Path), added, removed, back), nil
}

// name is a path as it is shown: from where the conversation is held, if it is below.
func (t *Talk) name(path string) string {
	if rel, err := filepath.Rel(t.o.Dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return termsafe.Line(path)
}
