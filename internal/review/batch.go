package review

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/memory"
)

// An Answer is what a person says to something that waits. The fields that are
// not nil replace what was proposed; what the person changes does not change where
// the rest came from.
type Answer struct {
	Ref     string // what it is an answer to, see Waiting
	Verdict Verdict
	Content *string
	Kind    *memory.Kind
	Scope   *memory.Scope // empty means user
	// Done says of a yes to a draft of a skill that the draft has become one: the yes is noted, and nothing is written.
	Done bool
}

var (
	// ErrDecided says that somebody has answered already.
	ErrDecided = errors.New("it was answered already")
	// ErrNotWaiting says that a reference names nothing that waits.
	ErrNotWaiting = errors.New("nothing of that name waits")
	// ErrDraft says that a yes to a draft of a skill is not a line of the memory.
	ErrDraft = errors.New("a draft becomes a skill where it is shown whole")
)

// byUser is the By of a decision that the person made.
const byUser = "user"

// An Answered is an answer on its way to the files.
type Answered struct {
	IDs []memory.ID // of the lines that the memory got
	Err error       // why nothing comes of it

	w       Waiting
	verdict Verdict
	done    bool          // see Answer
	rec     memory.Record // what a yes writes
	lines   int           // how many lines the memory gets
	late    error         // Err, as it was seen under the memory's lock
}

// writes reports whether the memory gets a line: for a yes, and for a no to what
// stands in a log.
func (r *Answered) writes() bool {
	return r.Err == nil && !r.done && (r.verdict == Yes || r.verdict == No && !r.w.line.IsZero())
}

// notes reports whether the queue is written to.
func (r *Answered) notes() bool {
	return r.Err == nil && (r.w.line.IsZero() || r.verdict == No)
}

// A Batch is the answers that are given together.
type Batch []*Answered

// NewBatch finds what the answers are to. fit makes of a proposal and an answer what a
// yes writes; its By, Review and Source are set here.
func NewBatch(s *memory.State, queue *Queue, answers []Answer, fit func(memory.Record, Answer) (memory.Record, error)) Batch {
	find := finder(s, queue)
	taken := make(map[string]bool)
	b := make(Batch, len(answers))
	for i, a := range answers {
		r := &Answered{verdict: a.Verdict}
		b[i] = r
		if r.w, r.Err = find(strings.TrimPrefix(a.Ref, "#")); r.Err != nil {
			continue
		}
		switch {
		case taken[r.w.Ref]:
			r.Err = ErrDecided
		case a.Verdict == Yes && r.w.Proposal.Of == OfSkill:
			if r.done = a.Done && r.w.line.IsZero(); !r.done {
				r.Err = ErrDraft
			}
		case a.Verdict == Yes:
			rec := r.w.Proposal.Record
			rec.By, rec.Review, rec.Source = byUser, r.w.Proposal.ID, r.w.Proposal.Source
			d := rec.Details()
			d.Supersedes = slices.DeleteFunc(slices.Clone(d.Supersedes), func(id memory.ID) bool { return !isItem(s, id) })
			rec.Detail = &d
			r.rec, r.Err = fit(rec, a)
		case a.Verdict != No && a.Verdict != Later:
			r.Err = fmt.Errorf("no verdict %q", a.Verdict)
		}
		taken[r.w.Ref] = true
	}
	return b
}

// isItem reports whether there is an item of that name, whatever became of it: what
// names one that is still to come would hide it.
func isItem(s *memory.State, id memory.ID) bool {
	status := s.Status(id)
	return status != memory.StatusUnknown && status != memory.StatusChange
}

// finder returns what finds what waits under a reference.
func finder(s *memory.State, queue *Queue) func(ref string) (Waiting, error) {
	rests := RestsOf(s)
	var lines map[memory.ID]Waiting
	return func(ref string) (Waiting, error) {
		if n, ok := strings.CutPrefix(ref, refMark); ok {
			id, err := strconv.ParseInt(n, 10, 64)
			if err != nil || queue.Get(id) == nil {
				return Waiting{}, ErrNotWaiting
			}
			if status := queue.Status(id, rests); status != Pending {
				return Waiting{}, fmt.Errorf("%w (%s)", ErrDecided, status)
			}
			return ofProposal(queue.Get(id)), nil
		}
		id, err := memory.ParseID(ref)
		if err != nil {
			return Waiting{}, err
		}
		if lines == nil {
			lines = make(map[memory.ID]Waiting)
			for _, w := range WaitingLines(s) {
				lines[w.line] = w
			}
		}
		w, ok := lines[id.From(s.OwnLog())]
		if !ok {
			return Waiting{}, ErrNotWaiting
		}
		return w, nil
	}
}

// Writes reports whether the memory is to get a line.
func (b Batch) Writes() bool { return slices.ContainsFunc(b, (*Answered).writes) }

// Records returns the lines for the memory, as things stand under its lock. It may be
// called again with another state. queue is the queue as it stands then; check
// refuses a change of what does not stand any more.
func (b Batch) Records(s *memory.State, queue *Queue, check func(*memory.State, *memory.Record) error) []memory.Record {
	rests := RestsOf(s)
	var recs []memory.Record
	for _, r := range b {
		if r.lines, r.late = 0, nil; !r.writes() {
			continue
		}
		var mine []memory.Record
		if mine, r.late = r.records(s, queue, rests, check); r.late == nil {
			recs, r.lines = append(recs, mine...), len(mine)
		}
	}
	return recs
}

// Written notes that the last Records of the batch were written, and as what.
func (b Batch) Written(ids []memory.ID) {
	for _, r := range b {
		if r.late != nil {
			r.Err = r.late
			continue
		}
		r.IDs, ids = ids[:r.lines:r.lines], ids[r.lines:]
	}
}

// Refuses reports whether one of the answers is a no to a proposal.
func (b Batch) Refuses() bool {
	return slices.ContainsFunc(b, func(r *Answered) bool { return r.Err == nil && r.w.line.IsZero() && r.verdict == No })
}

// Overtaken notes what the memory rests on after the queue was written: a
// yes of somebody else that was on its way stands there now, or has found the no.
func (b Batch) Overtaken(rests Rests) {
	for _, r := range b {
		if r.Err == nil && r.w.line.IsZero() && r.verdict == No && rests[r.w.Proposal.ID] {
			r.Err = fmt.Errorf("%w (%s)", ErrDecided, Accepted)
		}
	}
}

// records are the lines of one answer: of two who answer at once the second gets
// none.
func (r *Answered) records(s *memory.State, queue *Queue, rests Rests, check func(*memory.State, *memory.Record) error) ([]memory.Record, error) {
	if r.w.line.IsZero() {
		if status := queue.Status(r.w.Proposal.ID, rests); status != Pending {
			return nil, fmt.Errorf("%w (%s)", ErrDecided, status)
		}
		return []memory.Record{r.rec}, check(s, &r.rec)
	}
	if ch, ok := s.Line(r.w.line); !ok || ch.Undone {
		return nil, ErrDecided
	}
	back := memory.Record{Kind: memory.KindUndo, Target: r.w.line}
	if r.verdict == No {
		return []memory.Record{back}, nil
	}
	rec, err := r.letIn(s)
	if err == nil {
		err = check(s, &rec)
	}
	return []memory.Record{rec, back}, err
}

// letIn is a line that waits once more, by the person's act; with it the waiting one
// is taken back. Its text, its origin and what it changes stay what they were.
func (r *Answered) letIn(s *memory.State) (memory.Record, error) {
	rec := r.rec
	if rec.Kind.Changes() {
		return rec, nil
	}
	if s.Status(r.w.line) != memory.StatusWaiting {
		return rec, ErrDecided
	}
	d := rec.Details()
	d.Supersedes = append(d.Supersedes[:len(d.Supersedes):len(d.Supersedes)], r.w.line)
	rec.Detail = &d
	return rec, nil
}

// Notes reports whether the queue is to be written to.
func (b Batch) Notes() bool { return slices.ContainsFunc(b, (*Answered).notes) }

// Draft returns what is to be written to the queue, as it stands under its lock. What a line of a log
// says is proposed with the no to it, so that it is known again.
func (b Batch) Draft(queue *Queue, rests Rests) Draft {
	draft := Draft{Above: rests.Most()}
	for _, r := range b {
		if !r.notes() {
			continue
		}
		d := &Decision{Target: r.w.Proposal.ID, Verdict: r.verdict, By: byUser}
		switch {
		case !r.w.line.IsZero():
			d.Proposal = r.w.Proposal
			draft.Proposals = append(draft.Proposals, r.w.Proposal)
		case (r.verdict != Yes || r.done) && queue.Status(d.Target, rests) != Pending:
			r.Err = ErrDecided
			continue
		case r.verdict == Yes:
			for _, id := range r.IDs {
				d.Wrote = append(d.Wrote, id.String())
			}
		}
		draft.Decisions = append(draft.Decisions, d)
	}
	return draft
}
