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
	"ken/internal/view/history"
	"ken/internal/view/port"
)

// What other assistants ask of a memory besides recalling and stating.

// A Block is what is known of the person at a place before anything is asked: rules first, a line for each memory.
type Block struct {
	Text string   // "" if there is nothing
	Refs []string // of what stands in it
	Left int      // how many lines did not fit
}

// Block returns the start-up block for a place, of at most so many bytes, masked; Gave notes that it was sent. It is empty
// where memory is off. Errors: what the files say.
func (c *Caller) Block(ctx context.Context, at Place, most int) (b Block, err error) {
	err = c.app.with(c.who, c.place(at), func(h *View) error {
		if !h.Settings.MemoryOn() {
			return nil
		}
		choice, left, err := Standing(ctx, h.Moment(), most)
		if err != nil {
			return err
		}
		var lines []string
		for _, p := range choice.Chosen {
			lines = append(lines, p.Line)
			b.Refs = append(b.Refs, p.Item.Ref())
		}
		b.Text, b.Left = strings.Join(lines, "\n"), left
		return nil
	})
	return b, err
}

// Personal is the text that a name of the person's namespace stands for, masked: who they are ("user/profile") or what they were
// lately busy with ("user/working"), which every face shares; false if it is no such name. A text that is not there is "", and so is
// all where memory is off. Errors: of the settings.
func (c *Caller) Personal(ctx context.Context, name string) (text string, ok bool, err error) {
	err = c.app.with(c.who, c.place(""), func(h *View) error {
		if text, ok = personal(h, name); !h.Settings.MemoryOn() {
			text = ""
		}
		return ctx.Err()
	})
	return text, ok, err
}

// Edit gives a memory another text, or suggests it where the actor is no person. Errors: those of
// engine.Writer.Edit, and a fault for a reference that is none.
func (c *Caller) Edit(ctx context.Context, ref, text, why string) (view.Outcome, error) {
	var done view.Outcome
	err := c.change(ctx, ref, func(h *View, w *engine.Writer, id memory.ID) error {
		defer func() { done = c.told(h, done) }()
		s, err := h.Memory.State(ctx)
		if err != nil {
			return err
		}
		if it, status := s.Get(id); status == memory.StatusActive && it.Record.Content == strings.TrimSpace(text) {
			done = view.Outcome{Did: "duplicate", Ref: id.String(), Text: text, Duplicate: id.String(), Note: ": it says so already"}
			return nil
		}
		r, err := w.Because(why).Edit(ctx, id, engine.Edit{Content: &text})
		switch {
		case err != nil:
			return err
		case len(r.Proposed) > 0:
			done = Proposed(r, text)[0]
		default:
			done = view.Outcome{Did: "edited", Ref: id.String(), Text: text, Undo: command("undo " + r.IDs[0].String())}
		}
		return nil
	})
	return done, err
}

// Pin has a memory stand in every start-up block where it holds, or no more, or suggests it where the actor is no
// person. Errors as of Edit.
func (c *Caller) Pin(ctx context.Context, ref string, on bool, why string) (view.Outcome, error) {
	var done view.Outcome
	err := c.change(ctx, ref, func(_ *View, w *engine.Writer, id memory.ID) error {
		r, err := w.Because(why).Pin(ctx, on, id)
		switch {
		case err != nil:
			return err
		case len(r.Proposed) > 0:
			done = Proposed(r)[0]
		default:
			done = view.Outcome{Did: "pinned", Ref: id.String(), Undo: command("undo " + r.IDs[0].String())}
			if !on {
				done.Did = "unpinned"
			}
		}
		return nil
	})
	return done, err
}

// change has do change the one memory that ref names.
func (c *Caller) change(ctx context.Context, ref string, do func(*View, *engine.Writer, memory.ID) error) error {
	return c.app.with(c.who, c.place(""), func(h *View) error {
		id, err := one(ref)
		if err != nil {
			return err
		}
		if err := c.reach(ctx, h, id); err != nil {
			return err
		}
		w, err := h.Memory.Writer()
		if err != nil {
			return err
		}
		return do(h, w, id)
	})
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
func (c *Caller) About(ctx context.Context, at Place, ref string) (a history.About, err error) {
	err = c.app.with(c.who, c.place(at), func(h *View) error {
		id, err := one(ref)
		if err != nil {
			return err
		}
		s, err := h.Memory.State(ctx)
		if err != nil {
			return err
		}
		it, status := s.Get(id)
		if err := c.reach(ctx, h, id); err != nil {
			return err
		}
		if status != memory.StatusActive || h.Here.ScopeOff(string(view.ScopeOf(it))) {
			what := status.String()
			if status == memory.StatusUnknown || status == memory.StatusActive {
				what = unknown
			}
			return &UnknownError{Ref: ref, Is: what}
		}
		a = history.About{Item: c.seen(h, view.ItemOf(it)), Here: h.Here.Place().Holds(string(view.ScopeOf(it)))}
		for _, change := range s.History(id) {
			a.History = append(a.History, history.Head(change))
		}
		return nil
	})
	return a, err
}

// Status returns how the memory stands at a place, in numbers. Errors: what the files say.
func (c *Caller) Status(ctx context.Context, at Place) (st port.Holding, err error) {
	err = c.app.with(c.who, c.place(at), func(h *View) error {
		st = port.Holding{On: h.Settings.MemoryOn()}
		s, err := h.Memory.State(ctx)
		if err != nil {
			return err
		}
		here := h.Here.Place()
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
		e, err := h.Memory.Engine()
		if err != nil {
			return err
		}
		pending, _, _, err := e.Queue(ctx)
		if err != nil {
			return fmt.Errorf("what waits cannot be read: %w", err)
		}
		st.Waiting = len(pending)
		for _, w := range pending {
			if w.Proposal.Origin() == c.who.Origin() {
				st.Mine++
			}
		}
		return nil
	})
	return st, err
}

// List returns the active memories that hold at a place, newest first, from one on, at most so many; masked where the
// actor is no person. Errors: what the files say.
func (c *Caller) List(ctx context.Context, at Place, from, most int) (list []view.Item, err error) {
	list = []view.Item{}
	err = c.app.with(c.who, c.place(at), func(h *View) error {
		sel, err := Items(ctx, h, ItemFilter{})
		if err != nil {
			return err
		}
		n, here := 0, h.Here.Place()
		for it := range sel.Items.Each() {
			scope := string(view.ScopeOf(it.Item))
			if !here.Holds(scope) || h.Here.ScopeOff(scope) {
				continue
			}
			if n++; n <= from {
				continue
			}
			if len(list) == most {
				break
			}
			list = append(list, c.seen(h, view.ItemOf(it.Item)))
		}
		return nil
	})
	return list, err
}

// Waiting returns what the actor has suggested and waits for the person, oldest first, masked; a person is given all that
// waits. What others suggested is nobody's memory, and goes to no program. Errors: what the files say.
func (c *Caller) Waiting(ctx context.Context) (list []engine.Waiting, err error) {
	list = []engine.Waiting{}
	err = c.app.with(c.who, c.place(""), func(h *View) error {
		e, err := h.Memory.Engine()
		if err != nil {
			return err
		}
		pending, _, _, err := e.Queue(ctx)
		if err != nil {
			return fmt.Errorf("what waits cannot be read: %w", err)
		}
		for _, p := range pending {
			if c.who.Kind != engine.Person && p.Proposal.Origin() != c.who.Origin() {
				continue
			}
			if c.who.Kind != engine.Person {
				seen, mask := *p.Proposal, h.Keys.MaskText
				seen.Record.Content, seen.Record.Key, seen.Why = mask(seen.Record.Content), mask(seen.Record.Key), mask(seen.Why)
				p.Proposal = &seen
			}
			list = append(list, p)
		}
		return nil
	})
	return list, err
}

// seen is an item as the actor may see it.
func (c *Caller) seen(h *View, it view.Item) view.Item {
	if c.who.Kind == engine.Person {
		return it
	}
	mask := h.Keys.MaskText
	it.Content, it.Key = mask(it.Content), mask(it.Key)
	it.Tags = slices.Clone(it.Tags)
	for i, tag := range it.Tags {
		it.Tags[i] = mask(tag)
	}
	it.Log, it.Line, it.Extra = "", 0, nil // where it stands is nobody's business but the person's
	return it
}
