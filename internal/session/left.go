package session

import (
	"cmp"
	"slices"

	"ken/internal/termsafe"
)

// Left says why a turn is not in the context, though no summary stands for it and nothing
// was begun anew since; "" is a turn that is in it. Reasons that are not listed here are kept.
type Left string

// The reasons.
const (
	LeftUnanswered Left = "unanswered" // the question got no answer
	LeftDropped    Left = "dropped"    // the person took it out
	LeftReplaced   Left = "replaced"   // the question was asked anew
)

// Taken reports whether the person took the turn out, so that it can come back. A question without
// an answer stays out by itself.
func (l Left) Taken() bool { return l != "" && l != LeftUnanswered }

// Text says it in a word or two, for people.
func (l Left) Text() string {
	switch l {
	case LeftUnanswered:
		return "no answer"
	case LeftReplaced:
		return "asked again"
	}
	return termsafe.Line(string(l))
}

// Mark sets Left of each turn by the events behind it. Reading a file does so; it is for
// who takes entries out of a transcript.
func (t *Transcript) Mark() {
	for i, e := range t.Entries {
		if e.Turn != nil {
			t.Entries[i].Left, t.Entries[i].LeftAt, t.Entries[i].LeftBy = "", 0, 0
			continue
		}
		n := e.Event.Int("n")
		if n == 0 {
			continue
		}
		last := max(e.Event.Int("to"), n)
		switch e.Event.Name {
		case EventUnanswered, EventLeft:
			switch why := Left(e.Event.Text("why")); {
			case why.Taken():
				t.leave(i, n, last, why, t.takes(i, why))
			case e.Event.Name == EventUnanswered:
				t.leave(i, n, MaxTurn, LeftUnanswered, 0)
			case why == "":
				t.restore(i, n, last)
			}
		}
	}
}

// leave marks the turns before entry i with the numbers from n to last, if they are in the context.
func (t *Transcript) leave(i, n, last int, why Left, by int) {
	for j := range t.Entries[:i] {
		if e := &t.Entries[j]; e.Turn != nil && e.Left == "" && e.Turn.N >= n && e.Turn.N <= last {
			e.Left, e.LeftAt, e.LeftBy = why, t.Entries[i].Line, by
		}
	}
}

// Became says why turn n is not in the context any more, and the number of the answer that stands
// in its place, if its question was asked again: 0 if there is none. Left is "" while it is in it.
func (t *Transcript) Became(n int) (why Left, by int) {
	question := 0
	for _, e := range t.Entries {
		if e.Turn != nil && e.Turn.N == n {
			why, question = e.Left, e.LeftBy
		}
	}
	asked := false
	for _, e := range t.Entries {
		switch {
		case e.Turn == nil || question == 0:
		case e.Turn.N == question:
			asked = true
		case asked && e.Turn.Role == RoleAssistant:
			return why, e.Turn.N
		case asked && e.Turn.ByPerson(): // the next question: that one got no answer
			return why, 0
		}
	}
	return why, 0
}

// takes is the question that takes the place of those that the event at i says were replaced: the
// one that it names, else the next one; 0: there is none.
func (t *Transcript) takes(i int, why Left) int {
	if why != LeftReplaced {
		return 0
	}
	if by := t.Entries[i].Event.Int("by"); by > 0 {
		return by
	}
	for _, e := range t.Entries[i:] {
		if e.Turn != nil && e.Turn.ByPerson() {
			return e.Turn.N
		}
	}
	return 0
}

// restore brings back those that left together with turn n, but not what got no answer.
func (t *Transcript) restore(i, n, last int) {
	at := 0
	for _, e := range t.Entries[:i] {
		if e.Turn != nil && e.Turn.N == n && e.Left.Taken() {
			at = e.LeftAt
		}
	}
	for j := range t.Entries[:i] {
		if e := &t.Entries[j]; e.Turn != nil && e.LeftAt == at && e.Left.Taken() && e.Turn.N >= n && e.Turn.N <= last {
			e.Left, e.LeftAt, e.LeftBy = "", 0, 0
		}
	}
}

// dropped takes a turn into those that may come back, which are together as they left, in the
// order of the events.
func dropped(spans [][]Entry, e Entry) [][]Entry {
	i, there := slices.BinarySearchFunc(spans, e.LeftAt, func(s []Entry, at int) int { return cmp.Compare(s[0].LeftAt, at) })
	if !there {
		spans = slices.Insert(spans, i, []Entry(nil))
	}
	spans[i] = append(spans[i], e)
	return spans
}

// gone reports whether all turns of a span are before turn number from, or that is 0.
func gone(span []Entry, from int) bool {
	return !slices.ContainsFunc(span, func(e Entry) bool { return from > 0 && e.Turn.N >= from })
}
