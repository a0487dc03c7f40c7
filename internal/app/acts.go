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

// on reports whether memory is on here.
func (v *View) on() (bool, error) {
	_, err := v.Settings.Read()
	return err == nil && v.Settings.MemoryOn(), err
}

// reaches reports whether the actor may name a scope, in full, where they stand.
func (v *View) reaches(scope string) bool { return !v.o.Kept || v.Here.Place().Holds(scope) }

// reach refuses memories that the caller may not name, in the words for what is not known.
func (v *View) reach(ctx context.Context, ids ...memory.ID) error {
	if !v.o.Kept {
		return nil
	}
	s, err := v.Memory.State(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if it, status := s.Get(id); status != memory.StatusActive || !v.reaches(string(view.ScopeOf(it))) {
			return &UnknownError{Ref: id.String(), Is: unknown}
		}
	}
	return nil
}

// outside says that a scope is not the caller's.
func outside(scope string) error {
	return fault.Usagef("scope %q is not within reach here", scope).WithHint("leave it out, or give user")
}

// A Statement is a text to be remembered, in the words in which a person or a program names where it holds.
type Statement struct {
	Text  string
	Kind  string // a stating kind; "" means fact
	Scope string // user, here, repo, dir or a full one; "" means user
	Key   string // a later memory with the same key and scope takes this one's place
	Tags  []string
	Why   string // for the person who decides, in a line, where it waits
}

// Remember is State for a Statement. Errors: those of State, and a fault for a scope that is none or not within reach.
func (v *View) Remember(ctx context.Context, s Statement) (done view.Outcome, err error) {
	d := engine.Draft{Kind: memory.Kind(s.Kind), Content: s.Text, Key: s.Key, Tags: s.Tags, Near: true}
	if who := v.o.Actor; who.Kind == engine.Person && who.Face != "" {
		d.Source = &memory.Source{Channel: who.Face}
	}
	if isFacts(s.Scope) {
		s.Scope = string(memory.ScopeUser)
	}
	if s.Scope != "" {
		full, err := v.Memory.FullScope(ctx, s.Scope)
		if err != nil {
			return done, err
		}
		if !v.reaches(full) {
			return done, outside(s.Scope)
		}
		d.Scope = memory.Scope(full)
	}
	st, err := v.State(ctx, d, s.Why)
	return st.Outcome, err
}

// A Stated is what became of a text that was stated.
type Stated struct {
	view.Outcome
	Receipt engine.Receipt // for who goes on with the lines, and with what is near
}

// State keeps a draft, or has it wait for the person where the actor is none: why is for the person then. It is the one way by which
// what is said becomes a memory, at every face. What the memory says already is not written again, and saying it is a use of it.
// Errors: those of engine.Writer.Remember; then nothing was written.
func (v *View) State(ctx context.Context, d engine.Draft, why string) (Stated, error) {
	if d.Scope == memory.ScopeUser {
		d.Scope = ""
	}
	if d.Holds == nil {
		d.Holds = func(scope memory.Scope) bool { return v.Here.Place().Holds(string(scope)) }
	}
	w, err := v.Memory.Writer()
	if err != nil {
		return Stated{}, err
	}
	r, err := w.Because(why).Remember(ctx, d)
	if err != nil {
		return Stated{}, err
	}
	if !r.Same.IsZero() {
		v.Uses.Used(ctx, r.Same.String())
	}
	return Stated{v.told(Remembered(r, d, command)), r}, nil
}

// told is what became of a write as the actor may see it: what they said themselves may hold a secret.
func (v *View) told(o view.Outcome) view.Outcome {
	if v.o.Actor.Kind != engine.Person {
		o.Text = v.Keys.MaskText(o.Text)
	}
	return o
}

// Forget hides the memories that refs name, or suggests it where the actor is no person.
// An error says that nothing was done.
func (v *View) Forget(ctx context.Context, reason string, refs ...string) (done []view.Outcome, err error) {
	ids, err := memory.ParseTyped(refs...)
	if err != nil {
		return done, fault.New(fault.Usage, err)
	}
	if err := v.reach(ctx, ids...); err != nil {
		return done, err
	}
	before, err := v.Memory.State(ctx)
	if err != nil {
		return done, err
	}
	w, err := v.Memory.Writer()
	if err != nil {
		return done, err
	}
	r, err := w.Because(reason).Forget(ctx, reason, ids...)
	if err != nil {
		return done, err
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
	return done, nil
}

// ForgetAll hides memories and turns of conversations by one line, which one undo takes back; it is for
// a person. An error says that nothing was done.
func (v *View) ForgetAll(ctx context.Context, refs []string, turns []memory.Turn) (done view.Outcome, err error) {
	var ids []memory.ID
	if len(refs) > 0 {
		var err error
		if ids, err = memory.ParseTyped(refs...); err != nil {
			return done, fault.New(fault.Usage, err)
		}
	}
	if err := v.reach(ctx, ids...); err != nil {
		return done, err
	}
	w, err := v.Memory.Writer()
	if err != nil {
		return done, err
	}
	r, err := w.ForgetBulk(ctx, engine.Bulk{IDs: ids, Turns: turns})
	if err != nil {
		return done, err
	}
	done = view.Outcome{Did: "forgot", Ref: r.Span(), Line: r.Span(), Undo: command("undo " + r.Span())}
	return done, nil
}

// Along are the memories that are forgotten along with the memories ids of a state, since these
// replaced them, but for what is forgotten already.
func Along(s *memory.State, ids ...memory.ID) []memory.Item {
	return slices.DeleteFunc(s.Replaced(ids...), func(it memory.Item) bool { return s.Status(it.ID) == memory.StatusForgotten })
}

// Undo takes back the lines that refs name, or the newest that can be; it is for a person. What was taken back is said in a
// line for each. Errors: those of engine.Writer.Undo; then nothing was done.
func (v *View) Undo(ctx context.Context, refs ...string) (lines []string, err error) {
	ids, err := memory.ParseTyped(refs...)
	if err != nil {
		return lines, fault.New(fault.Usage, err)
	}
	if err := v.reach(ctx, ids...); err != nil {
		return lines, err
	}
	w, err := v.Memory.Writer()
	if err != nil {
		return lines, err
	}
	_, undone, err := w.Undo(ctx, ids...)
	for _, ch := range undone {
		lines = append(lines, "took back #"+ch.ID.String()+" ("+view.ChangeText(ch)+")")
	}
	return lines, err
}

// command is how a command is written where nobody stands in a shell.
func command(c string) string { return "ken " + c }
