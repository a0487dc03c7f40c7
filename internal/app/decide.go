package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/session/feedback"
)

// What a person says to what waits, whatever face asks them.

// A Decided is what became of one answer.
type Decided struct {
	engine.Answer
	engine.Receipt       // of the lines that the memory got; Near is set by DecideOne alone
	Err            error // why nothing comes of it; nil: it is done
}

// A Round is what answers that were given together came to, in their order.
type Round []Decided

// Back returns the references that TakeBack takes the round back by: lines of the memory and proposals. None: nothing was
// decided that can be taken back. What was put off stays so.
func (r Round) Back() (refs []string) {
	for _, d := range r {
		switch {
		case d.Err != nil || d.Verdict == review.Later:
		case len(d.IDs) > 0:
			for _, id := range d.IDs {
				refs = append(refs, id.String())
			}
		case d.Verdict == review.No:
			refs = append(refs, d.Ref)
		}
	}
	return refs
}

// Decide gives answers together. One that cannot be followed keeps no other from being so: its Err says why. live
// learns what became of what it suggested. The error says that nothing was decided, but for an *engine.QueueError: then all
// was, and the queue does not know of it.
func (v *View) Decide(ctx context.Context, live feedback.Live, list ...engine.Answer) (Round, error) {
	if len(list) == 0 {
		return nil, nil
	}
	w, err := v.Memory.Writer()
	if err != nil {
		return nil, err
	}
	out, err := w.DecideAll(ctx, list...)
	if queue := (*engine.QueueError)(nil); err != nil && !errors.As(err, &queue) {
		return nil, err
	}
	round := make(Round, len(out))
	for i, o := range out {
		round[i] = Decided{Answer: list[i], Receipt: o.Receipt, Err: o.Err}
		if o.Err == nil {
			v.noteDecided(live, list[i])
		}
	}
	return round, err
}

// DecideOne is Decide of one answer to what waits, for a face that asks the person where it would relax a rule. What hardly
// holds beside what is let in is Near in the receipt. Errors: those of engine.Writer.Decide.
func (v *View) DecideOne(ctx context.Context, live feedback.Live, waits engine.Waiting, ans engine.Answer) (engine.Receipt, error) {
	w, err := v.Memory.Writer()
	if err != nil {
		return engine.Receipt{}, err
	}
	near := v.hardlyBeside(ctx, w, waits, ans)
	r, err := w.Decide(ctx, waits.Ref, ans)
	if queue := (*engine.QueueError)(nil); err != nil && !errors.As(err, &queue) {
		return r, err
	}
	ans.Ref = waits.Ref
	v.noteDecided(live, ans)
	if len(r.IDs) > 0 {
		r.Near = near
	}
	return r, err
}

// noteDecided has the conversation that is held know what became of a suggestion.
func (v *View) noteDecided(live feedback.Live, ans engine.Answer) {
	if ans.Verdict == review.Later {
		return
	}
	changed := ans.Content != nil || ans.Kind != nil || ans.Scope != nil
	if err := feedback.Note(live, feedback.OfSuggestion(ans.Verdict == review.Yes, changed, ans.Ref)); err != nil {
		v.Warn(fault.Once(err))
	}
}

// hardlyBeside are the memories that hardly hold beside what an answer lets in, as remember finds them.
func (v *View) hardlyBeside(ctx context.Context, by *engine.Writer, w engine.Waiting, ans engine.Answer) []engine.Alike {
	rec := w.Proposal.Record
	if ans.Verdict != review.Yes || rec.Kind.Changes() {
		return nil
	}
	d := engine.Draft{
		Kind: rec.Kind, Content: rec.Content, Scope: rec.Scope, Supersedes: rec.Details().Supersedes, Near: true,
		Holds: func(s memory.Scope) bool { return v.Here.Place().Holds(string(s)) },
	}
	if ans.Content != nil {
		d.Content = *ans.Content
	}
	if ans.Scope != nil {
		d.Scope = *ans.Scope
	}
	r, err := by.Preview(ctx, d)
	if err != nil {
		return nil // whoever keeps it says so
	}
	return slices.DeleteFunc(r.Near, func(it engine.Alike) bool { return !it.Relation.Contradicts() })
}

// TakeBack takes back what a Round decided, by the references of its Back: the lines together or none of them, then each
// proposal that was refused. It waits again. done are those that were taken back, lines first; the error says why the others
// were not.
func (v *View) TakeBack(ctx context.Context, refs ...string) (done []string, err error) {
	w, err := v.Memory.Writer()
	if err != nil {
		return nil, err
	}
	lines, proposals := []string(nil), []string(nil)
	for _, ref := range refs {
		if strings.HasPrefix(ref, "p") {
			proposals = append(proposals, ref)
		} else {
			lines = append(lines, ref)
		}
	}
	if len(lines) > 0 {
		ids, err := memory.ParseTyped(lines...)
		if err != nil {
			return nil, fault.New(fault.Usage, err)
		}
		if _, _, err := w.Undo(ctx, ids...); err != nil {
			return nil, err
		}
		done = lines
	}
	var errs []error
	for _, ref := range proposals {
		if _, err := w.Reopen(ctx, ref); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", ref, err))
			continue
		}
		done = append(done, ref)
	}
	return done, errors.Join(errs...)
}
