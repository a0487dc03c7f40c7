package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/view"
	"ken/internal/view/port"
)

// What other assistants ask of a memory besides recalling and stating.

// A Block is what is known of the person at a place before anything is asked: rules first, a line for each memory.
type Block struct {
	Text string   // "" if there is nothing
	Refs []string // of what stands in it
	Left int      // how many lines did not fit
}

// Block returns the start-up block for where the actor stands, of at most so many bytes, masked; Gave notes that it was sent. It is empty
// where memory is off. Errors: what the files say.
func (v *View) Block(ctx context.Context, most int) (b Block, err error) {
	if on, err := v.on(); err != nil || !on {
		return b, err
	}
	choice, left, err := StandingBlock(ctx, v.Moment(), most)
	if err != nil {
		return b, err
	}
	var lines []string
	for _, p := range choice.Chosen {
		lines = append(lines, p.Line)
		b.Refs = append(b.Refs, p.Item.Ref())
	}
	b.Text, b.Left = strings.Join(lines, "\n"), left
	return b, nil
}

// Personal is the text that a name of the person's namespace stands for, masked: who they are ("user/profile") or what they were
// lately busy with ("user/working"), which every face shares; false if it is no such name. A text that is not there is "", and so is
// all where memory is off. Errors: of the settings.
func (v *View) Personal(name string) (text string, ok bool, err error) {
	on, err := v.on()
	if text, ok = personal(v, name); !on {
		text = ""
	}
	return text, ok, err
}

// Edit gives a memory another text, or suggests it where the actor is no person. Errors: those of
// engine.Writer.Edit, and a fault for a reference that is none.
func (v *View) Edit(ctx context.Context, ref, text, why string) (done view.Outcome, err error) {
	w, id, err := v.change(ctx, ref)
	if err != nil {
		return done, err
	}
	s, err := v.Memory.State(ctx)
	if err != nil {
		return done, err
	}
	if it, status := s.Get(id); status == memory.StatusActive && it.Record.Content == strings.TrimSpace(text) {
		same := view.Outcome{Did: "duplicate", Ref: id.String(), Text: text, Duplicate: id.String(), Note: ": it says so already"}
		return v.told(same), nil
	}
	r, err := w.Because(why).Edit(ctx, id, engine.Edit{Content: &text})
	switch {
	case err != nil:
		return done, err
	case len(r.Proposed) > 0:
		return v.told(Proposed(r, text)[0]), nil
	}
	return v.told(view.Outcome{Did: "edited", Ref: id.String(), Text: text, Undo: command("undo " + r.IDs[0].String())}), nil
}

// Pin has a memory stand in every start-up block where it holds, or no more, or suggests it where the actor is no
// person. Errors as of Edit.
func (v *View) Pin(ctx context.Context, ref string, on bool, why string) (done view.Outcome, err error) {
	w, id, err := v.change(ctx, ref)
	if err != nil {
		return done, err
	}
	r, err := w.Because(why).Pin(ctx, on, id)
	switch {
	case err != nil:
		return done, err
	case len(r.Proposed) > 0:
		return Proposed(r)[0], nil
	}
	done = view.Outcome{Did: "pinned", Ref: id.String(), Undo: command("undo " + r.IDs[0].String())}
	if !on {
		done.Did = "unpinned"
	}
	return done, nil
}

// change returns what changes the one memory that ref names.
func (v *View) change(ctx context.Context, ref string) (w *engine.Writer, id memory.ID, err error) {
	if id, err = one(ref); err != nil {
		return nil, id, err
	}
	if err := v.reach(ctx, id); err != nil {
		return nil, id, err
	}
	w, err = v.Memory.Writer()
	return w, id, err
}

// one is the memory that a reference names.
func one(ref string) (memory.ID, error) {
	ids, err := memory.ParseTyped(ref)
	if err != nil || len(ids) != 1 {
		return memory.ID{}, fault.Usagef("%q names no single memory", ref).WithHint("take the reference as recall gives it")
	}
	return ids[0], nil
}

// An UnknownError says that no memory that stands is meant: what it says is nobody's any more.
type UnknownError struct {
	Ref string
	Is  string // "forgotten", "not known", ...
}

// unknown is what is said of a memory that is none, as far as whoever asks may know.
const unknown = "not known"

func (e *UnknownError) Error() string { return "memory " + e.Ref + " is " + e.Is }

// About returns how a memory that stands came to be what it is, masked where the actor is no person. Of one that was forgotten, erased or
// replaced the error says so, and nothing of what it said.
func (v *View) About(ctx context.Context, ref string) (a view.ChangedMemory, err error) {
	id, err := one(ref)
	if err != nil {
		return a, err
	}
	s, err := v.Memory.State(ctx)
	if err != nil {
		return a, err
	}
	it, status := s.Get(id)
	if err := v.reach(ctx, id); err != nil {
		return a, err
	}
	if status != memory.StatusActive || v.Here.ScopeOff(string(view.ScopeOf(it))) {
		what := status.String()
		if status == memory.StatusUnknown || status == memory.StatusActive {
			what = unknown
		}
		return a, &UnknownError{Ref: ref, Is: what}
	}
	a = view.ChangedMemory{Item: v.seen(view.ItemOf(it)), Here: v.Here.Place().Holds(string(view.ScopeOf(it)))}
	for _, change := range s.History(id) {
		a.History = append(a.History, view.HistoryHead(change))
	}
	return a, nil
}

// Status returns how the memory stands at a place, in numbers. Errors: what the files say.
func (v *View) Status(ctx context.Context) (st port.Holding, err error) {
	s, err := v.Memory.State(ctx)
	if err != nil {
		return st, err
	}
	st.On = v.Settings.MemoryOn()
	here := v.Here.Place()
	st.Scope = string(memory.ScopeUser)
	if full, err := here.Resolve("here"); err == nil {
		st.Scope = full
	}
	st.Active = s.Len()
	for it := range s.Each(memory.StatusActive) {
		if here.Holds(string(view.ScopeOf(it))) {
			st.Here++
		}
	}
	e, err := v.Memory.Engine()
	if err != nil {
		return st, err
	}
	pending, _, _, err := e.Queue(ctx)
	if err != nil {
		return st, fmt.Errorf("what waits cannot be read: %w", err)
	}
	st.Waiting = len(pending)
	for _, w := range pending {
		if w.Proposal.Origin() == v.o.Actor.Origin() {
			st.Mine++
		}
	}
	return st, nil
}

// List returns the active memories that hold at a place, newest first, from one on, at most so many; masked where the
// actor is no person. Errors: what the files say.
func (v *View) List(ctx context.Context, from, most int) (list []view.Item, err error) {
	list = []view.Item{}
	sel, err := Items(ctx, v, ItemFilter{})
	if err != nil {
		return list, err
	}
	n, here := 0, v.Here.Place()
	for it := range sel.Items.Each() {
		scope := string(view.ScopeOf(it.Item))
		if !here.Holds(scope) || v.Here.ScopeOff(scope) {
			continue
		}
		if n++; n <= from {
			continue
		}
		if len(list) == most {
			break
		}
		list = append(list, v.seen(view.ItemOf(it.Item)))
	}
	return list, nil
}

// Waiting returns what the actor has suggested and waits for the person, oldest first, masked; a person is given all that
// waits. What others suggested is nobody's memory, and goes to no program. Errors: what the files say.
func (v *View) Waiting(ctx context.Context) (list []engine.Waiting, err error) {
	list = []engine.Waiting{}
	e, err := v.Memory.Engine()
	if err != nil {
		return list, err
	}
	pending, _, _, err := e.Queue(ctx)
	if err != nil {
		return list, fmt.Errorf("what waits cannot be read: %w", err)
	}
	for _, p := range pending {
		if v.o.Actor.Kind != engine.Person && p.Proposal.Origin() != v.o.Actor.Origin() {
			continue
		}
		if v.o.Actor.Kind != engine.Person {
			seen, mask := *p.Proposal, v.Keys.MaskText
			seen.Record.Content, seen.Record.Key, seen.Why = mask(seen.Record.Content), mask(seen.Record.Key), mask(seen.Why)
			p.Proposal = &seen
		}
		list = append(list, p)
	}
	return list, nil
}

// seen is an item as the actor may see it.
func (v *View) seen(it view.Item) view.Item {
	if v.o.Actor.Kind == engine.Person {
		return it
	}
	mask := v.Keys.MaskText
	it.Content, it.Key = mask(it.Content), mask(it.Key)
	it.Tags = slices.Clone(it.Tags)
	for i, tag := range it.Tags {
		it.Tags[i] = mask(tag)
	}
	it.Log, it.Line, it.Extra = "", 0, nil // where it stands is nobody's business but the person's
	return it
}
