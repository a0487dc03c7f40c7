package review

import (
	"cmp"
	"fmt"
	"slices"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// A Status says how a proposal stands.
type Status string

// The statuses.
const (
	Pending  Status = "pending"
	Accepted Status = "accepted"
	Refused  Status = "refused"
	Erased   Status = "erased" // an erasing took its text
)

// A Memory is asked which proposals were let in, since the memory's own lines are
// the truth about it.
type Memory interface {
	// Reviewed reports whether any line of the memory names the proposal as what
	// it rests on, and whether one that does still counts: an undone line does
	// not, a forgotten one does.
	Reviewed(proposal int64) (named, counts bool)
}

// Queue is what the lines of the file mean.
type Queue struct {
	proposals []*Proposal // in file order
	byID      map[int64]*Proposal
	erased    map[int64]bool
	answers   map[int64]*Decision // by proposal: the newest that was not taken back
	decisions map[int64]*Decision // by their own number
	most      int64               // the largest number that any line names
	problems  []jsonl.Problem
	byHash    map[string]*Proposal // the newest of each; made by Same
}

// fold makes a queue of lines.
func fold(lines []jsonl.Record[entry]) *Queue {
	b := &Queue{
		byID: make(map[int64]*Proposal), erased: make(map[int64]bool),
		answers: make(map[int64]*Decision), decisions: make(map[int64]*Decision),
	}
	undone := make(map[int64]bool)
	for _, line := range lines {
		e := line.Value
		b.most = max(b.most, e.most)
		switch {
		case line.Err != nil:
			b.problems = append(b.problems, line.Problem())
		case e.proposal != nil:
			switch first := b.byID[e.proposal.ID]; {
			case first == nil:
				b.proposals = append(b.proposals, e.proposal)
				b.byID[e.proposal.ID] = e.proposal
			case first.Hash != e.proposal.Hash:
				line.Err = fmt.Errorf("another line has the number %d already, and counts", e.proposal.ID)
				b.problems = append(b.problems, line.Problem())
			}
		case e.decision != nil:
			b.decisions[e.decision.ID] = e.decision
		case e.undo != nil:
			undone[e.undo.Target] = true
		case e.erased > 0:
			b.erased[e.erased] = true
		}
	}
	for _, line := range lines {
		if d := line.Value.decision; d != nil && !undone[d.ID] {
			b.answers[d.Target] = d
		}
	}
	return b
}

// Get returns a proposal; nil if there is none of that number, or if its text was
// erased.
func (b *Queue) Get(id int64) *Proposal {
	if b.erased[id] {
		return nil
	}
	return b.byID[id]
}

// Decision returns the decision of that number, nil if there is none.
func (b *Queue) Decision(id int64) *Decision { return b.decisions[id] }

// Answer returns the decision on a proposal that counts, nil if there is none.
func (b *Queue) Answer(proposal int64) *Decision { return b.answers[proposal] }

// Status returns how a proposal stands, as far as m knows; m may be nil.
func (b *Queue) Status(id int64, m Memory) Status {
	if b.erased[id] {
		return Erased
	}
	named, counts := false, false
	if m != nil {
		named, counts = m.Reviewed(id)
	}
	d := b.answers[id]
	switch {
	case counts:
		return Accepted
	case d == nil || d.Verdict == Later:
		return Pending
	case d.Verdict == Yes && named: // what it wrote was taken back
		return Pending
	case d.Verdict == Yes: // what it wrote was deleted, or erased
		return Accepted
	}
	return Refused
}

// Pending returns the proposals that wait, oldest first, those that were put off
// after the others in the order in which they were.
func (b *Queue) Pending(m Memory) []*Proposal {
	list := b.with(Pending, m)
	put := func(p *Proposal) int64 {
		if d := b.answers[p.ID]; d != nil && d.Verdict == Later {
			return d.ID
		}
		return 0
	}
	slices.SortStableFunc(list, func(x, y *Proposal) int { return cmp.Compare(put(x), put(y)) })
	return list
}

// Refused returns the proposals that a person said no to, newest answer first.
func (b *Queue) Refused(m Memory) []*Proposal {
	list := b.with(Refused, m)
	slices.SortStableFunc(list, func(x, y *Proposal) int { return cmp.Compare(b.answers[y.ID].ID, b.answers[x.ID].ID) })
	return list
}

func (b *Queue) with(s Status, m Memory) []*Proposal {
	var list []*Proposal
	for _, p := range b.proposals {
		if b.Status(p.ID, m) == s {
			list = append(list, p)
		}
	}
	return list
}

// Same returns the newest proposal by which r is known (Known), and that so need not
// be made again: one that waits, was accepted, or was refused. nil if there is none. It
// goes by what the proposals say now, not by the hashes on their lines.
func (b *Queue) Same(r *memory.Record) *Proposal {
	if b.byHash == nil {
		b.byHash = make(map[string]*Proposal)
		for _, p := range b.All() {
			b.byHash[Hash(&p.Record)] = p
		}
	}
	for _, hash := range Known(r) {
		if p := b.byHash[hash]; p != nil {
			return p
		}
	}
	return nil
}

// All returns the proposals whose text is there, in the order of the file.
func (b *Queue) All() []*Proposal {
	return slices.DeleteFunc(slices.Clone(b.proposals), func(p *Proposal) bool { return b.erased[p.ID] })
}

// Problems returns the lines that cannot be read, and those that do not count because
// another one has their number.
func (b *Queue) Problems() []jsonl.Problem { return b.problems }
