package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ken/internal/session"
)

// Reasons why turns cannot leave, come back or be asked once more. Nothing was changed.
var (
	// ErrNoQuestions says that so many questions are not in the context.
	ErrNoQuestions = errors.New("the context has no such question")
	// ErrNothingDropped says that nothing that was dropped can come back.
	ErrNothingDropped = errors.New("nothing was dropped since the context began or was summed up")
	// ErrForgotten says that what the question taught was forgotten.
	ErrForgotten = errors.New("what this question said was forgotten")
)

// A Span is turns that left the context, or are back in it, oldest first.
type Span struct {
	Turns []session.Turn
	Why   session.Left

	private int // so many of them were not said to a stranger
	by      int // the question that was asked in their place; 0: none
}

// leftEvent says that turns left the context for why, or without one that they are back; by is the
// question that came in their place, or was asked there in vain. 0: none, or the next one. What leaves
// is the end of what is live, so that a ken which knows unanswered questions alone leaves it out too.
func leftEvent(n, last int, why session.Left, by int, at time.Time) session.Event {
	e := session.Event{Time: at, Name: session.EventLeft}
	e.Fields = append(e.Fields, session.IntField("n", n), session.IntField("to", last))
	if why != "" {
		e.Name = session.EventUnanswered
		e.Fields = append(e.Fields, session.StringField("why", string(why)))
	}
	if by > 0 {
		e.Fields = append(e.Fields, session.IntField("by", by))
	}
	return e
}

// numbers are the first and the last number of turns; 0 if none has one.
func numbers(turns []session.Turn) (first, last int) {
	for _, t := range turns {
		if t.N > 0 {
			if first == 0 {
				first = t.N
			}
			last = t.N
		}
	}
	return first, last
}

// Asked returns the last question as it was recorded: that to which no answer came, if
// nothing was said since, else the newest that is live. ErrNoQuestions, or ErrForgotten
// where it must not come back.
func (tr *Transcript) Asked(ctx context.Context) (session.Turn, error) {
	if tr.failed != nil {
		return *tr.failed, nil
	}
	i := tr.questionAt(1)
	if i < 0 {
		return session.Turn{}, ErrNoQuestions
	}
	t := tr.Sent(ctx)[i]
	if whole := tr.asked; t.N > 0 && t.N == whole.N && t.Content == tr.turns[i].Content {
		t = whole // what is live may have its middle cut out
	}
	if t.Content == Forgotten || t.Content == session.Gone {
		return session.Turn{}, ErrForgotten
	}
	return t, nil
}

// Answered returns the newest answer that is live and has a text; ErrNoQuestions if there is none.
func (tr *Transcript) Answered(ctx context.Context) (session.Turn, error) {
	for _, t := range slices.Backward(tr.Sent(ctx)) {
		if t.Role == session.RoleAssistant && t.Content != "" {
			if t.Content == Forgotten || t.Content == session.Gone {
				return session.Turn{}, ErrForgotten
			}
			return t, nil
		}
	}
	return session.Turn{}, ErrNoQuestions
}

// questionAt is where the n-th question from the end is among the live turns; -1 if there
// are fewer.
func (tr *Transcript) questionAt(n int) int {
	for i, t := range slices.Backward(tr.turns) {
		if t.ByPerson() {
			if n--; n <= 0 {
				return i
			}
		}
	}
	return -1
}

// Drop takes the last n questions out of the context, with all that was said from the first of them
// on. The session keeps them, and Restore brings them back. The error is ErrNoQuestions, or that
// of recording; nothing leaves then.
func (tr *Transcript) Drop(n int) (Span, error) {
	i := tr.questionAt(n)
	if n < 1 || i < 0 {
		return Span{}, ErrNoQuestions
	}
	return tr.drop(i, len(tr.turns), session.LeftDropped, 0)
}

// drop takes the live turns from i on, before j, out of the context; by is the question that comes
// in their place, 0 if that is not known yet.
func (tr *Transcript) drop(i, j int, why session.Left, by int) (Span, error) {
	gone := Span{Turns: slices.Clone(tr.turns[i:j]), Why: why, private: min(max(0, tr.private-i), j-i), by: by}
	if first, last := numbers(gone.Turns); first > 0 {
		if err := tr.record.AppendEvent(leftEvent(first, last, why, by, tr.o.now())); err != nil {
			return Span{}, fmt.Errorf("nothing was dropped: %w", err)
		}
	}
	tr.turns = slices.Concat(tr.turns[:i], tr.turns[j:])
	tr.private -= gone.private
	tr.dropped, tr.instead = append(tr.dropped, gone), false
	for _, t := range gone.Turns {
		tr.aside = append(tr.aside, session.Entry{Turn: &t, Left: why})
	}
	tr.drops++
	return gone, nil
}

// Restore brings back what left last, by Drop or for a question that was asked once more, to where it
// stood; the latter changes places with what was asked and answered in its place.
// ErrNothingDropped, or the error of recording; nothing comes back then.
func (tr *Transcript) Restore() (Span, error) {
	last := len(tr.dropped) - 1
	if last < 0 {
		return Span{}, ErrNothingDropped
	}
	back := tr.dropped[last]
	if i, j := tr.inPlaceOf(back); i < j {
		first, _ := numbers(back.Turns)
		if _, err := tr.drop(i, j, session.LeftReplaced, first); err != nil {
			return Span{}, err
		}
	}
	return back, tr.restore(last, 0)
}

// inPlaceOf is where the question stands among the live turns that was asked in the place of one
// that was replaced, with its answer. i is not before j if it is not live.
func (tr *Transcript) inPlaceOf(s Span) (i, j int) {
	i = slices.IndexFunc(tr.turns, func(t session.Turn) bool { return s.by > 0 && t.N == s.by })
	if i < 0 {
		return 0, 0
	}
	for j = i + 1; j < len(tr.turns) && !tr.turns[j].ByPerson(); {
		j++
	}
	return i, j
}

// restore brings a span back, to where the numbers of its turns belong; failed is the number of the
// question that was asked in its place in vain.
func (tr *Transcript) restore(n, failed int) error {
	back := tr.dropped[n]
	first, end := numbers(back.Turns)
	if first > 0 {
		if err := tr.record.AppendEvent(leftEvent(first, end, "", failed, tr.o.now())); err != nil {
			return fmt.Errorf("nothing came back: %w", err)
		}
	}
	at := slices.IndexFunc(tr.turns, func(t session.Turn) bool { return t.N > end })
	if at < 0 || end == 0 {
		at = len(tr.turns)
	}
	tr.dropped, tr.instead = slices.Delete(tr.dropped, n, n+1), failed > 0
	tr.turns = slices.Concat(tr.turns[:at], back.Turns, tr.turns[at:])
	switch {
	case tr.private > at:
		tr.private += len(back.Turns)
	case back.private > 0:
		tr.private = at + back.private
	}
	tr.aside = slices.DeleteFunc(tr.aside, func(e session.Entry) bool {
		return slices.ContainsFunc(back.Turns, func(t session.Turn) bool { return t.N == e.Turn.N })
	})
	return nil
}

// Aside are the turns that were said since the context began and are not in it, without those
// that a summary stands for. Their numbers and reasons count; what is erased may still be in their texts.
func (tr *Transcript) Aside() []session.Entry { return tr.aside }

// takeBack makes the question that is live turn i, number q, and what came behind it live no more:
// it got no answer. What commands printed goes with the next one.
func (tr *Transcript) takeBack(i, q int, ran outputs) {
	for _, t := range tr.turns[i:] {
		tr.aside = append(tr.aside, session.Entry{Turn: &t, Left: session.LeftUnanswered})
	}
	tr.turns, tr.ran = tr.turns[:i:i], ran
	tr.private = min(tr.private, i)
	if q == 0 {
		return // it is not in the session
	}
	event := session.Event{Time: tr.o.now(), Name: session.EventUnanswered, Fields: []session.Field{session.IntField("n", q)}}
	if err := tr.record.AppendEvent(event); err != nil {
		tr.o.Voice.Warn(fmt.Errorf("the session does not know that this question got no answer: %w", err))
	}
}

// replace takes the question out of the context in whose place another one is asked, with what was
// said since. It reports whether one was there.
func (tr *Transcript) replace(q Question) bool {
	if q.Again == nil || tr.failed != nil && !tr.instead {
		return false // what failed is not in the context
	}
	i := tr.questionAt(1)
	if i < 0 {
		return false
	}
	if _, err := tr.drop(i, len(tr.turns), q.Why, 0); err != nil {
		tr.o.Voice.Warn(err)
		return false
	}
	return true
}

// putBack is Restore for a question that was asked again in vain.
func (tr *Transcript) putBack(failed int) {
	if last := len(tr.dropped) - 1; last >= 0 {
		if err := tr.restore(last, failed); err != nil {
			tr.o.Voice.Warn(err)
		}
	}
}

// continueLeft takes what left an earlier session, which this conversation goes on with.
func (tr *Transcript) continueLeft(live session.Live) {
	tr.aside, tr.dropped, tr.failed, tr.instead, tr.asked = slices.Clone(live.Aside), nil, nil, live.Instead, session.Turn{}
	for _, span := range live.Dropped {
		s := Span{Why: span[0].Left, private: len(span), by: span[0].LeftBy}
		for _, e := range span {
			s.Turns = append(s.Turns, tr.o.safe(*e.Turn))
		}
		tr.dropped = append(tr.dropped, s)
	}
	if live.Failed != nil {
		t := tr.o.safe(*live.Failed)
		tr.failed = &t
	}
}

// eraseLeft takes what was erased out of what is not in the context.
func (tr *Transcript) eraseLeft(gone func(session.Turn) bool) {
	for i, e := range tr.aside {
		if gone(*e.Turn) {
			t := emptied(*e.Turn, session.Gone)
			tr.aside[i].Turn = &t
		}
	}
	for _, s := range tr.dropped {
		for i, t := range s.Turns {
			if gone(t) {
				s.Turns[i] = emptied(t, session.Gone)
			}
		}
	}
	if tr.failed != nil && gone(*tr.failed) {
		tr.failed = nil
	}
	if gone(tr.asked) {
		tr.asked = session.Turn{}
	}
}

// summedUp forgets what was dropped before turn keepFrom, which is the first that was not
// summed up: it stays dropped.
func (tr *Transcript) summedUp(keepFrom int) {
	tr.dropped = slices.DeleteFunc(tr.dropped, func(s Span) bool {
		_, last := numbers(s.Turns)
		return last < keepFrom
	})
}
