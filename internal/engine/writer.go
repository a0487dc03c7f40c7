package engine

import (
	"context"
	"errors"
	"slices"

	"ken/internal/memory"
)

// A Writer is an Engine in the hands of an actor, and the only way to write. What the actor may not
// write is proposed, or refused with a *RefusedError.
type Writer struct {
	*Engine
	who Actor
	why string
}

// As returns a Writer for the actor who.
func (e *Engine) As(who Actor) *Writer { return &Writer{Engine: e, who: who} }

// Because returns the Writer with a reason, on one line, for the person who decides on a proposal.
func (w *Writer) Because(why string) *Writer { return &Writer{Engine: w.Engine, who: w.who, why: why} }

// Actor returns who writes.
func (w *Writer) Actor() Actor { return w.who }

// Suggests reports whether what this actor states or changes waits for a person.
func (w *Writer) Suggests() bool { return w.may(states) != writing }

// told notifies those who asked for it of what a write came to.
func (w *Writer) told(changed bool, r Receipt, err error) (Receipt, error) {
	if len(r.IDs) > 0 && w.wrote != nil {
		w.wrote(changed)
	}
	return r, err
}

// does is what a person does to the memory: they are asked where it would relax a rule.
// changed is as told has it.
func (w *Writer) does(ctx context.Context, changed bool, do func(context.Context) (Receipt, error)) (r Receipt, err error) {
	err = w.relaxing(ctx, func(ctx context.Context) error {
		r, err = do(ctx)
		return err
	})
	return w.told(changed, r, err)
}

// may returns the authority of the actor in this memory: none, if the memory is only read.
func (w *Writer) may(what act) authority {
	if w.readOnly {
		return refusing
	}
	return w.who.may(what)
}

func (w *Writer) refused(what act) error {
	if w.readOnly {
		return OnlyRead()
	}
	return &RefusedError{Actor: w.who, What: string(what)}
}

// Remember appends one memory as the person's own word, or proposes it for any other actor. If an
// active item of the same kind and scope says the same already, it writes nothing, and Same of the
// receipt names that item.
//
// The cost hardly grows with the log, because Remember does not read it. The exceptions are a draft
// that supersedes something, that binds, or that takes a key which a rule may have or another log
// names, and a draft to which some line is similar.
//
// Errors: ErrEmpty, *KindError, *SecretError, one that wraps ErrNotActive if it supersedes what
// does not stand, *RefusedError, or those of the log. Then nothing was written.
func (w *Writer) Remember(ctx context.Context, d Draft) (Receipt, error) {
	switch w.may(states) {
	case writing:
		return w.does(ctx, false, func(ctx context.Context) (Receipt, error) { return w.remember(ctx, d) })
	case proposing:
		if _, _, err := d.stating(); err != nil {
			return Receipt{}, err
		}
		return w.wait(ctx, d.line())
	}
	return Receipt{}, w.refused(states)
}

// line is what a draft would be.
func (d Draft) line() memory.Record {
	return memory.Record{
		Kind: d.Kind, Content: d.Content, Scope: d.Scope, Key: d.Key, Tags: d.Tags, Pinned: d.Pinned, Importance: d.Importance,
		Source: d.Source,
		Detail: &memory.Detail{
			Phase: d.Phase, Expires: d.Expires, ValidFrom: d.ValidFrom, ValidTo: d.ValidTo, Supersedes: d.Supersedes,
		},
	}
}

// wait proposes lines instead of writing them.
func (w *Writer) wait(ctx context.Context, lines ...memory.Record) (Receipt, error) {
	list := make([]Suggestion, len(lines))
	for i, rec := range lines {
		list[i] = Suggestion{Record: rec, Why: w.why}
	}
	out, err := w.Propose(ctx, list...)
	if err == nil && len(out) > 0 && !slices.ContainsFunc(out, func(p Proposed) bool { return p.Known != Relaxing }) {
		return Receipt{}, w.refused(relaxes)
	}
	return Receipt{Proposed: out}, err
}

// proposeChanges proposes a line of that kind for each of ids.
func (w *Writer) proposeChanges(ctx context.Context, kind memory.Kind, reason string, ids []memory.ID) (Receipt, error) {
	lines := make([]memory.Record, len(ids))
	for i, id := range ids {
		lines[i] = memory.Record{Kind: kind, Target: id, Detail: &memory.Detail{Reason: reason}}
	}
	return w.wait(ctx, lines...)
}

// ErrTextOnly says that an actor other than a person may propose a new text for a memory, and no
// other change of it.
var ErrTextOnly = errors.New("a model or a tool can propose to change the text of a memory alone")

// Edit appends one line that changes fields of the item id. The earlier text stays in the file and
// in the history of the item. For any other actor than a person it proposes a new text.
//
// Errors: ErrNoChange, ErrEmpty, ErrNever, ErrTextOnly, *SecretError, *RefusedError, one that wraps
// ErrNotActive, or those of the log. Then nothing was written.
func (w *Writer) Edit(ctx context.Context, id memory.ID, ed Edit) (Receipt, error) {
	switch w.may(changes) {
	case writing:
		return w.does(ctx, true, func(ctx context.Context) (Receipt, error) { return w.edit(ctx, id, ed) })
	case proposing:
		text := ed.Content
		if ed.Content = nil; text == nil || ed != (Edit{}) {
			return Receipt{}, ErrTextOnly
		}
		return w.wait(ctx, memory.Record{Kind: memory.KindEdit, Target: id, Content: *text})
	}
	return Receipt{}, w.refused(changes)
}

// Forget appends one tombstone for each item that ids name, or proposes it for any other actor than
// a person. If an id names no item that stands, the error wraps ErrNotActive, and nothing at all is
// written.
func (w *Writer) Forget(ctx context.Context, reason string, ids ...memory.ID) (Receipt, error) {
	switch w.may(changes) {
	case writing:
		return w.does(ctx, true, func(ctx context.Context) (Receipt, error) { return w.forget(ctx, reason, ids...) })
	case proposing:
		return w.proposeChanges(ctx, memory.KindForget, reason, ids)
	}
	return Receipt{}, w.refused(changes)
}

// Pin appends a line for each item that ids name, which pins or unpins the item. It fails, and is
// proposed, like Forget.
func (w *Writer) Pin(ctx context.Context, on bool, ids ...memory.ID) (Receipt, error) {
	kind := memory.KindPin
	if !on {
		kind = memory.KindUnpin
	}
	switch w.may(changes) {
	case writing:
		r, err := w.pin(ctx, kind, ids...)
		return w.told(true, r, err)
	case proposing:
		return w.proposeChanges(ctx, kind, "", ids)
	}
	return Receipt{}, w.refused(changes)
}

// ForgetBulk appends one tombstone for everything that b names, so that one undo brings all of it
// back. It appends several only if one line would be too long. The receipt has an id for each line.
// It fails like Forget, and is for a person.
func (w *Writer) ForgetBulk(ctx context.Context, b Bulk) (Receipt, error) {
	if w.may(together) != writing {
		return Receipt{}, w.refused(together)
	}
	return w.does(ctx, true, func(ctx context.Context) (Receipt, error) { return w.forgetBulk(ctx, b) })
}

// Undo appends a line that takes back each of the lines ids. Without ids it takes back the newest
// line of this device that can be taken back. It returns the lines that it took back, each once,
// and the receipt has the id of each undo. It is for a person.
//
// Errors: ErrNothingToUndo, *RefusedError, one that wraps ErrNotActive for a reference that names
// no line, or one that is undone or erased already, or those of the log. Then nothing was written.
func (w *Writer) Undo(ctx context.Context, ids ...memory.ID) (Receipt, []memory.Change, error) {
	if w.may(undoes) != writing {
		return Receipt{}, nil, w.refused(undoes)
	}
	var undone []memory.Change
	r, err := w.does(ctx, true, func(ctx context.Context) (r Receipt, err error) {
		r, undone, err = w.undo(ctx, ids...)
		return r, err
	})
	return r, undone, err
}

// Propose puts the suggestions of list into the review queue. None of them is memory before a
// person says so. No text gets a more trusted origin than the actor. Propose cleans the texts and
// masks their secrets. It does not propose what is known already.
//
// Errors: *KindError, ErrEmpty, *RefusedError, one that wraps ErrNotActive for a change of what
// does not stand, ErrNoQueue, or those of the files. Then nothing was written.
func (w *Writer) Propose(ctx context.Context, list ...Suggestion) ([]Proposed, error) {
	if w.may(proposes) != writing {
		return nil, w.refused(proposes)
	}
	return w.propose(ctx, w.stamped(list))
}

// stamped returns list with origins that are no more trusted than the actor.
func (w *Writer) stamped(list []Suggestion) []Suggestion {
	own := w.who.Origin()
	if own == "" {
		return list
	}
	out := make([]Suggestion, len(list))
	for i, g := range list {
		g.Record.Origin = g.Record.Origin.Lowest(own)
		out[i] = g
	}
	return out
}

// AcceptByPolicy appends suggestions as let in by the policy that the actor is (by: policy:NAME).
// It skips what the memory says or said already, and what waits or was refused. The receipt has an
// id for each line.
//
// Errors: ErrPolicy, *RefusedError, those of Propose, or those of the files. Then nothing was
// written.
func (w *Writer) AcceptByPolicy(ctx context.Context, list ...Suggestion) (Receipt, error) {
	if w.may(accepts) != writing {
		return Receipt{}, w.refused(accepts)
	}
	r, err := w.acceptByPolicy(w.signed(ctx), w.who.Name, list)
	return w.told(true, r, err)
}

// ApplyPlan appends the lines that plan returns for the memory as it stands under the lock of the
// log. So two who carry out the same plan at once do it once. plan must be pure, and may be called
// again. No lines are no error, and nothing is written. A line puts items into a tier or phase, or
// forgets them, and names who did it: "policy:" and the name of the actor, or any policy or "user"
// if a person carries it out.
//
// Errors: *KindError for another line, ErrNeedsReview, *RefusedError, one that wraps ErrNotActive,
// or those of the log. Then nothing was written.
func (w *Writer) ApplyPlan(ctx context.Context, plan func(*memory.State) []memory.Record) (Receipt, error) {
	if w.may(plans) != writing {
		return Receipt{}, w.refused(plans)
	}
	by := ""
	if w.who.Kind == Policy {
		by = "policy:" + w.who.Name
	}
	return w.does(ctx, false, func(ctx context.Context) (Receipt, error) { return w.applyPlan(ctx, by, plan) })
}

// Decide is DecideAll for one answer to ref.
func (w *Writer) Decide(ctx context.Context, ref string, a Answer) (Receipt, error) {
	a.Ref = ref
	var r Receipt
	err := w.relaxing(ctx, func(ctx context.Context) error {
		out, err := w.DecideAll(ctx, a)
		if len(out) == 1 && out[0].Err != nil {
			return out[0].Err
		}
		if len(out) > 0 {
			r = out[0].Receipt
		}
		return err
	})
	return r, err
}

// DecideAll answers any number of waiting proposals, with one append to each file. A yes appends
// what was proposed to the memory, by the person's own act; the queue is written after that. There
// is an outcome for each answer, in that order. An answer that cannot be followed does not stop the
// others: its outcome has the error review.ErrNotWaiting, review.ErrDecided, or one of Remember and
// Edit. It is for a person.
//
// Errors: ErrNoQueue, *RefusedError or those of the files. Then nothing was written, unless it is a
// *QueueError.
func (w *Writer) DecideAll(ctx context.Context, answers ...Answer) ([]Outcome, error) {
	if w.may(decides) != writing {
		return nil, w.refused(decides)
	}
	out, err := w.decide(w.signed(ctx), answers)
	var all Receipt
	for _, o := range out {
		all.IDs = append(all.IDs, o.IDs...)
	}
	_, err = w.told(true, all, err)
	return out, err
}

// Reopen takes back the answer to a proposal: the lines of a yes are undone, and the proposal waits
// again. For a line of a log use Undo. It is for a person.
func (w *Writer) Reopen(ctx context.Context, ref string) (Receipt, error) {
	if w.may(decides) != writing {
		return Receipt{}, w.refused(decides)
	}
	return w.does(ctx, true, func(ctx context.Context) (Receipt, error) { return w.reopen(ctx, ref) })
}

// Erase takes the text of items out of the replicas and of the log, and leaves
// lines that say nothing but that they were erased. files is run first: it takes
// the text out of whatever else holds it. If it fails, or anything after it, the
// log still holds the items or says that they are erased, never one without the
// other, and erasing them again does the rest. What was begun and not finished is
// reported by State. It is for a person.
//
// ids may name what was erased already. One that no line has is an error that
// wraps ErrNotActive, and then nothing is done.
func (w *Writer) Erase(ctx context.Context, files func(context.Context) error, ids ...memory.ID) error {
	if w.may(erases) != writing {
		return w.refused(erases)
	}
	return w.relaxing(ctx, func(ctx context.Context) error { return w.erase(ctx, files, ids) })
}

// Mask replaces each line of the own log by to(entry, line), and returns how many lines it changed.
// It is for texts without the secrets that they had: what an item is, and what was forgotten or
// erased, stays as it was. If the file changes meanwhile, the error wraps jsonl.ErrChanged, and
// nothing was done. It is for a person.
func (w *Writer) Mask(ctx context.Context, to func(memory.Entry, []byte) []byte) (changed int, err error) {
	if w.may(masks) != writing {
		return 0, w.refused(masks)
	}
	return w.maskLines(ctx, to)
}
