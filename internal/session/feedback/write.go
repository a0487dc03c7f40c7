package feedback

import (
	"errors"
	"fmt"

	"ken/internal/memory"
	"ken/internal/session"
)

// A Live gives the record of the conversation that is held; it may be nil, and give nil, where none is.
type Live = func() *session.Writer

// Note adds outcomes to the record of the conversation that is held; where none is they are of none, and that is no error.
func Note(live Live, list ...Outcome) error {
	if live == nil {
		return nil
	}
	w := live()
	if w == nil {
		return nil
	}
	for _, o := range list {
		if err := w.AppendEvent(o.Event()); err != nil {
			return fmt.Errorf("the session does not know what became of %s %s: %w", o.Of, o.Ref, err)
		}
	}
	return nil
}

// Undo notes that a memory was taken back: in the conversation that it is from, or where it is from none, in the one that is
// held. One that another process holds, or that is gone, does not learn of it, and that is no error.
func Undo(dir session.Dir, live Live, ref string, from *memory.Source) error {
	o := Outcome{Kind: Undone, Of: Memory, Ref: ref}
	if from == nil || from.Session == "" {
		return Note(live, o)
	}
	o.N = from.Turn
	err := Add(dir, live, from.Session, o)
	if errors.Is(err, session.ErrHeld) || errors.Is(err, session.ErrNone) {
		return nil
	}
	return err
}

// Add adds an outcome to the conversation with an id: to the one that live gives if that is it, and else to its file. Errors:
// session.ErrNone, there is none; session.ErrHeld, another process holds it; what writing says.
func Add(dir session.Dir, live Live, id string, o Outcome) error {
	if live != nil {
		if w := live(); w != nil && w.ID() == id {
			return Note(live, o)
		}
	}
	path, err := dir.Find(id)
	if err != nil {
		return err
	}
	w, _, err := dir.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(Note(func() *session.Writer { return w }, o), w.Close())
}
