package app

import (
	"context"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/home"
	"ken/internal/memory"
	"ken/internal/view"
)

// A Caller is an App in the hands of an actor. It is safe for concurrent use.
type Caller struct {
	app *App
	who Actor
}

// A Statement is a text to be remembered.
type Statement struct {
	Text  string
	Kind  string // a stating kind; "" means fact
	Scope string // user, here, repo, dir or a full one; "" means user
	Key   string // a later memory with the same key and scope takes this one's place
	Tags  []string
	Why   string // for the person who decides, in a line, where it waits
}

// Remember keeps a statement, or has it wait for the person where the actor is none.
// Errors: those of engine.Writer.Remember, and a fault for a scope that is none.
func (c *Caller) Remember(ctx context.Context, at Place, s Statement) (view.Outcome, error) {
	var done view.Outcome
	err := c.app.with(c.who, at, func(h *home.Home) error {
		d := engine.Draft{Kind: memory.Kind(s.Kind), Content: s.Text, Key: s.Key, Tags: s.Tags, Near: true}
		if s.Scope != "" {
			full, err := h.Memory.FullScope(ctx, s.Scope)
			if err != nil {
				return err
			}
			if full != string(memory.ScopeUser) {
				d.Scope = memory.Scope(full)
			}
		}
		w, err := h.Memory.Writer()
		if err != nil {
			return err
		}
		r, err := w.Because(s.Why).Remember(ctx, d)
		if err != nil {
			return err
		}
		if !r.Same.IsZero() {
			h.Uses.Used(ctx, r.Same.String()) // saying it again is a use of it
		}
		done = Remembered(r, d, command)
		return nil
	})
	return done, err
}

// Forget hides the memories that refs name, or suggests it where the actor is no person.
// An error says that nothing was done.
func (c *Caller) Forget(ctx context.Context, reason string, refs ...string) ([]view.Outcome, error) {
	var done []view.Outcome
	err := c.app.with(c.who, "", func(h *home.Home) error {
		ids, err := memory.ParseTyped(refs...)
		if err != nil {
			return fault.New(fault.Usage, err)
		}
		w, err := h.Memory.Writer()
		if err != nil {
			return err
		}
		r, err := w.Because(reason).Forget(ctx, reason, ids...)
		if err != nil {
			return err
		}
		done = Proposed(r)
		for i, line := range r.IDs {
			done = append(done, view.Outcome{
				Did: "forgot", Ref: ids[i].String(), Line: line.String(), Undo: command("undo " + line.String()),
			})
		}
		return nil
	})
	return done, err
}

// At returns what is known now, as the actor may see it: masked for whoever is no person.
func (c *Caller) At(ctx context.Context, at Place) (*Snapshot, error) {
	s := &Snapshot{app: c.app, who: c.who, at: at}
	err := c.app.with(c.who, at, func(h *home.Home) error { return s.open(ctx, h) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// command is how a command is written where nobody stands in a shell.
func command(c string) string { return "ken " + c }
