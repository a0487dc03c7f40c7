package review

import (
	"slices"
	"strconv"

	"ken/internal/memory"
)

// A Waiting is one thing that a person is to decide: a proposal of the queue, or a
// line that stands in a log already and that no human act has let in.
type Waiting struct {
	// Ref names it: "p7" for a proposal, else the reference of the line.
	Ref string
	// Proposal is what would be written. For a line of a log its ID is 0.
	Proposal *Proposal
	// Log is the name of the log that others write too, as a repository's, in which
	// the line stands, and By the act by which the person let that log in; else "".
	Log, By string
	line    memory.ID
}

// refMark begins the reference of a proposal.
const refMark = "p"

// WaitingProposals are proposals of the queue as things that wait.
func WaitingProposals(list []*Proposal) []Waiting {
	out := make([]Waiting, len(list))
	for i, p := range list {
		out[i] = ofProposal(p)
	}
	return out
}

func ofProposal(p *Proposal) Waiting {
	return Waiting{Ref: refMark + strconv.FormatInt(p.ID, 10), Proposal: p}
}

// WaitingLines returns the lines of logs that wait, those of the own log first. Of a log that
// others can write to only rules: it is let in as a whole or not at all, but for
// those.
func WaitingLines(s *memory.State) []Waiting {
	var list []Waiting
	for _, own := range []bool{true, false} {
		for _, l := range s.Logs() {
			if l.Own == own {
				list = append(list, linesOf(s, &l)...)
			}
		}
	}
	return list
}

func linesOf(s *memory.State, l *memory.Lines) []Waiting {
	var list []Waiting
	limited := l.Ceiling.Rank() > 0
	for i := range l.Entries {
		r := l.Entries[i].Record
		if r == nil || l.Entries[i].Meta != nil {
			continue
		}
		id := r.ID.In(l.Log).From(s.OwnLog())
		if r.Kind.Changes() {
			if ch, ok := s.Line(id); limited || !ok || !ch.Waits || ch.Undone || r.Kind == memory.KindErased {
				continue
			}
		} else if it, status := s.Get(id); status != memory.StatusWaiting || it.Line != l.Entries[i].Line || limited && r.Kind != memory.KindRule {
			continue
		}
		w := Waiting{Ref: id.String(), Proposal: ofLine(s, id, r), line: id}
		if limited {
			w.Log, w.By = l.Log, l.By
		}
		list = append(list, w)
	}
	return list
}

// ofLine is what a line that waits would be as a proposal. The text of an item is
// the one that it has now.
func ofLine(s *memory.State, id memory.ID, r *memory.Record) *Proposal {
	p := &Proposal{Time: r.Time, Of: OfMemory, Record: *r, Source: r.Source}
	switch {
	case r.Kind.Changes():
		p.Of = OfChange
		p.Record.Target = r.Target.In(id.In(s.OwnLog()).Log).From(s.OwnLog())
	default:
		it, _ := s.Get(id)
		p.Record, p.Source = *it.Record, it.Record.Source
		p.Record.Origin = it.Origin
		if r.Kind == memory.KindRule {
			p.Of = OfRule
		}
	}
	p.Record.ID, p.Record.By, p.Record.Review = memory.ID{}, "", 0
	p.Hash = Hash(&p.Record)
	return p
}

// Said returns the hashes of all that lines of the memory say, or said before they were
// forgotten or replaced. A line that was taken back says nothing.
func Said(s *memory.State) map[string]bool {
	hashes := make(map[string]bool)
	for _, l := range s.Logs() {
		for i := range l.Entries {
			r := l.Entries[i].Record
			if r == nil || r.Content == "" || l.Ceiling.Rank() > 0 {
				continue
			}
			if ch, ok := s.Line(r.ID.In(l.Log).From(s.OwnLog())); ok && !ch.Undone {
				hashes[Hash(r)] = true
				bare := *r // it is remembered, by whatever key
				bare.Key = ""
				hashes[Hash(&bare)] = true
			}
		}
	}
	return hashes
}

// Rests says for each proposal that lines of the own log name whether one of them
// counts. What others write rests on queues of their own, whose numbers mean other
// proposals.
type Rests map[int64]bool

// RestsOf returns what the lines of s rest on.
func RestsOf(s *memory.State) Rests {
	rests := make(Rests)
	eachResting(s, func(id memory.ID, r *memory.Record) {
		ch, ok := s.Line(id)
		rests[r.Review] = rests[r.Review] || ok && !ch.Undone
	})
	return rests
}

// eachResting calls do for the lines of the own log that rest on a proposal.
func eachResting(s *memory.State, do func(memory.ID, *memory.Record)) {
	logs := s.Logs()
	own := slices.IndexFunc(logs, func(l memory.Lines) bool { return l.Own })
	if own < 0 {
		return
	}
	for i := range logs[own].Entries {
		if r := logs[own].Entries[i].Record; r != nil && r.Review != 0 {
			do(r.ID.In(logs[own].Log).From(s.OwnLog()), r)
		}
	}
}

// Reviewed implements Memory.
func (r Rests) Reviewed(id int64) (named, counts bool) {
	counts, named = r[id]
	return named, counts
}

// Most returns the largest number of a proposal that the memory names. It is spent, also
// if the queue's file is not what it was.
func (r Rests) Most() int64 {
	most := int64(0)
	for id := range r {
		most = max(most, id)
	}
	return most
}

// Wrote returns the lines that rest on the proposal and count.
func Wrote(s *memory.State, proposal int64) []memory.ID {
	var list []memory.ID
	eachResting(s, func(id memory.ID, r *memory.Record) {
		if ch, ok := s.Line(id); r.Review == proposal && ok && !ch.Undone {
			list = append(list, id)
		}
	})
	return list
}
