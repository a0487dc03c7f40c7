package app

import (
	"context"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/view"
)

// A Caller is an App in the hands of an actor. It is safe for concurrent use.
type Caller struct {
	app *App
	who Actor
	to  *Place // the only place that there is for it; nil: any
}

// Within returns the caller kept to a place: whatever place, scope, memory or directory a call names, it is given what
// holds there, suggests what holds there, and of all else it learns as much as of what is not known.
func (c *Caller) Within(at Place) *Caller { return &Caller{app: c.app, who: c.who, to: &at} }

// place is where a call is for that names at.
func (c *Caller) place(at Place) Place {
	if c.to != nil {
		return *c.to
	}
	return at
}

// reaches reports whether the caller may name a scope, in full, at the place of the call.
func (c *Caller) reaches(h *View, scope string) bool {
	return c.to == nil || h.Here.Place().Holds(scope)
}

// reach refuses memories that the caller may not name, in the words for what is not known.
func (c *Caller) reach(ctx context.Context, h *View, ids ...memory.ID) error {
	if c.to == nil {
		return nil
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if it, status := s.Get(id); status != memory.StatusActive || !c.reaches(h, string(view.ScopeOf(it))) {
			return &UnknownError{Ref: id.String(), Is: unknown}
		}
	}
	return nil
}

// outside says that a scope is not the caller's.
func outside(scope string) error {
	return fault.Usagef("scope %q is not within reach here", scope).WithHint("leave it out, or give user")
}

// Do has do use what the person has, alone, as of a place: for the packages of the house that stand on this one and need more of it
// than the calls here. Faces have no use for it.
func (c *Caller) Do(at Place, do func(*View) error) error {
	return c.app.with(c.who, c.place(at), do)
}

// A Statement is a text to be remembered.
type Statement struct {
	Text  string
	Kind  string // a stating kind; "" means fact
	Scope string // user, here, repo, dir or a full one; "" means user
	Key   string // a later memory with the same key and scope takes this one's place
	Tags  []string
	Why   string // for the person who decides, in a line, where it waits
	// Channel is the face on which a person said it, for the record; "": none is noted.
	Channel string
}

// Remember keeps a statement, or has it wait for the person where the actor is none.
// Errors: those of engine.Writer.Remember, and a fault for a scope that is none.
func (c *Caller) Remember(ctx context.Context, at Place, s Statement) (view.Outcome, error) {
	var done view.Outcome
	err := c.app.with(c.who, c.place(at), func(h *View) error {
		d := engine.Draft{Kind: memory.Kind(s.Kind), Content: s.Text, Key: s.Key, Tags: s.Tags, Near: true}
		d.Holds = func(scope memory.Scope) bool { return h.Here.Place().Holds(string(scope)) }
		if s.Channel != "" {
			d.Source = &memory.Source{Channel: s.Channel}
		}
		if isFacts(s.Scope) {
			s.Scope = string(memory.ScopeUser)
		}
		if s.Scope != "" {
			full, err := h.Memory.FullScope(ctx, s.Scope)
			if err != nil {
				return err
			}
			if !c.reaches(h, full) {
				return outside(s.Scope)
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
		done = c.told(h, Remembered(r, d, command))
		return nil
	})
	return done, err
}

// told is what became of a write as the actor may see it: what they said themselves may hold a secret.
func (c *Caller) told(h *View, o view.Outcome) view.Outcome {
	if c.who.Kind != engine.Person {
		o.Text = h.Keys.MaskText(o.Text)
	}
	return o
}

// Forget hides the memories that refs name, or suggests it where the actor is no person.
// An error says that nothing was done.
func (c *Caller) Forget(ctx context.Context, reason string, refs ...string) ([]view.Outcome, error) {
	var done []view.Outcome
	err := c.app.with(c.who, c.place(""), func(h *View) error {
		ids, err := memory.ParseTyped(refs...)
		if err != nil {
			return fault.New(fault.Usage, err)
		}
		if err := c.reach(ctx, h, ids...); err != nil {
			return err
		}
		before, err := h.Memory.State(ctx)
		if err != nil {
			return err
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
			o := view.Outcome{Did: "forgot", Ref: ids[i].String(), Line: line.String(), Undo: command("undo " + line.String())}
			for _, it := range Along(before, ids[i]) {
				o.Along = append(o.Along, it.Ref())
			}
			if len(o.Along) > 0 {
				o.Note = ", with what it had replaced: #" + strings.Join(o.Along, " #")
			}
			done = append(done, o)
		}
		return nil
	})
	return done, err
}

// ForgetAll hides memories and turns of conversations by one line, which one undo takes back; it is for
// a person. An error says that nothing was done.
func (c *Caller) ForgetAll(ctx context.Context, refs []string, turns []memory.Turn) (view.Outcome, error) {
	var done view.Outcome
	err := c.app.with(c.who, c.place(""), func(h *View) error {
		var ids []memory.ID
		if len(refs) > 0 {
			var err error
			if ids, err = memory.ParseTyped(refs...); err != nil {
				return fault.New(fault.Usage, err)
			}
		}
		if err := c.reach(ctx, h, ids...); err != nil {
			return err
		}
		w, err := h.Memory.Writer()
		if err != nil {
			return err
		}
		r, err := w.ForgetBulk(ctx, engine.Bulk{IDs: ids, Turns: turns})
		if err != nil {
			return err
		}
		done = view.Outcome{Did: "forgot", Ref: r.Span(), Line: r.Span(), Undo: command("undo " + r.Span())}
		return nil
	})
	return done, err
}

// Along are the memories that are forgotten along with the memories ids of a state, since these
// replaced them, but for what is forgotten already.
func Along(s *memory.State, ids ...memory.ID) []memory.Item {
	return slices.DeleteFunc(s.Replaced(ids...), func(it memory.Item) bool { return s.Status(it.ID) == memory.StatusForgotten })
}

// Undo takes back the lines that refs name, or the newest that can be; it is for a person. What was taken back is said in a
// line for each. Errors: those of engine.Writer.Undo; then nothing was done.
func (c *Caller) Undo(ctx context.Context, refs ...string) (lines []string, err error) {
	err = c.app.with(c.who, c.place(""), func(h *View) error {
		ids, err := memory.ParseTyped(refs...)
		if err != nil {
			return fault.New(fault.Usage, err)
		}
		if err := c.reach(ctx, h, ids...); err != nil {
			return err
		}
		w, err := h.Memory.Writer()
		if err != nil {
			return err
		}
		_, undone, err := w.Undo(ctx, ids...)
		for _, ch := range undone {
			lines = append(lines, "took back #"+ch.ID.String()+" ("+view.ChangeText(ch)+")")
		}
		return err
	})
	return lines, err
}

// At returns what is known now, as the actor may see it: masked for whoever is no person.
func (c *Caller) At(ctx context.Context, at Place) (*Snapshot, error) {
	at = c.place(at)
	s := &Snapshot{app: c.app, who: c.who, at: at, reaches: c.reaches}
	err := c.app.with(c.who, c.place(at), func(h *View) error { return s.open(ctx, h) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// command is how a command is written where nobody stands in a shell.
func command(c string) string { return "ken " + c }
