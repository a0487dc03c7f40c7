package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ken/internal/session"
	"ken/internal/termsafe"
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
func (c *Conversation) leftEvent(n, last int, why session.Left, by int) session.Event {
	e := session.Event{Time: c.o.now(), Name: session.EventLeft}
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
func (c *Conversation) Asked(ctx context.Context) (session.Turn, error) {
	if c.failed != nil {
		return *c.failed, nil
	}
	i := c.questionAt(1)
	if i < 0 {
		return session.Turn{}, ErrNoQuestions
	}
	t := c.Sent(ctx)[i]
	if whole := c.asked; t.N > 0 && t.N == whole.N && t.Content == c.turns[i].Content {
		t = whole // what is live may have its middle cut out
	}
	if t.Content == Forgotten || t.Content == session.Gone {
		return session.Turn{}, ErrForgotten
	}
	return t, nil
}

// Answered returns the newest answer that is live and has a text; ErrNoQuestions if there is none.
func (c *Conversation) Answered(ctx context.Context) (session.Turn, error) {
	for _, t := range slices.Backward(c.Sent(ctx)) {
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
func (c *Conversation) questionAt(n int) int {
	for i, t := range slices.Backward(c.turns) {
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
func (c *Conversation) Drop(n int) (Span, error) {
	i := c.questionAt(n)
	if n < 1 || i < 0 {
		return Span{}, ErrNoQuestions
	}
	return c.drop(i, len(c.turns), session.LeftDropped, 0)
}

// drop takes the live turns from i on, before j, out of the context; by is the question that comes
// in their place, 0 if that is not known yet.
func (c *Conversation) drop(i, j int, why session.Left, by int) (Span, error) {
	gone := Span{Turns: slices.Clone(c.turns[i:j]), Why: why, private: min(max(0, c.private-i), j-i), by: by}
	if first, last := numbers(gone.Turns); first > 0 {
		if err := c.o.Record.AppendEvent(c.leftEvent(first, last, why, by)); err != nil {
			return Span{}, fmt.Errorf("nothing was dropped: %w", err)
		}
	}
	c.turns = slices.Concat(c.turns[:i], c.turns[j:])
	c.private -= gone.private
	c.dropped, c.instead = append(c.dropped, gone), false
	for _, t := range gone.Turns {
		c.aside = append(c.aside, session.Entry{Turn: &t, Left: why})
	}
	c.full = false
	return gone, nil
}

// Restore brings back what left last, by Drop or for a question that was asked once more, to where it
// stood; the latter changes places with what was asked and answered in its place.
// ErrNothingDropped, or the error of recording; nothing comes back then.
func (c *Conversation) Restore() (Span, error) {
	last := len(c.dropped) - 1
	if last < 0 {
		return Span{}, ErrNothingDropped
	}
	back := c.dropped[last]
	if i, j := c.inPlaceOf(back); i < j {
		first, _ := numbers(back.Turns)
		if _, err := c.drop(i, j, session.LeftReplaced, first); err != nil {
			return Span{}, err
		}
	}
	return back, c.restore(last, 0)
}

// inPlaceOf is where the question stands among the live turns that was asked in the place of one
// that was replaced, with its answer. i is not before j if it is not live.
func (c *Conversation) inPlaceOf(s Span) (i, j int) {
	i = slices.IndexFunc(c.turns, func(t session.Turn) bool { return s.by > 0 && t.N == s.by })
	if i < 0 {
		return 0, 0
	}
	for j = i + 1; j < len(c.turns) && !c.turns[j].ByPerson(); {
		j++
	}
	return i, j
}

// restore brings a span back, to where the numbers of its turns belong; failed is the number of the
// question that was asked in its place in vain.
func (c *Conversation) restore(n, failed int) error {
	back := c.dropped[n]
	first, end := numbers(back.Turns)
	if first > 0 {
		if err := c.o.Record.AppendEvent(c.leftEvent(first, end, "", failed)); err != nil {
			return fmt.Errorf("nothing came back: %w", err)
		}
	}
	at := slices.IndexFunc(c.turns, func(t session.Turn) bool { return t.N > end })
	if at < 0 || end == 0 {
		at = len(c.turns)
	}
	c.dropped, c.instead = slices.Delete(c.dropped, n, n+1), failed > 0
	c.turns = slices.Concat(c.turns[:at], back.Turns, c.turns[at:])
	switch {
	case c.private > at:
		c.private += len(back.Turns)
	case back.private > 0:
		c.private = at + back.private
	}
	c.aside = slices.DeleteFunc(c.aside, func(e session.Entry) bool {
		return slices.ContainsFunc(back.Turns, func(t session.Turn) bool { return t.N == e.Turn.N })
	})
	return nil
}

// Aside are the turns that were said since the context began and are not in it, without those
// that a summary stands for. Their numbers and reasons count; what is erased may still be in their texts.
func (c *Conversation) Aside() []session.Entry { return c.aside }

// takeBack makes the question that is live turn i, number q, and what came behind it live no more:
// it got no answer. What commands printed goes with the next one.
func (c *Conversation) takeBack(i, q int, ran outputs) {
	for _, t := range c.turns[i:] {
		c.aside = append(c.aside, session.Entry{Turn: &t, Left: session.LeftUnanswered})
	}
	c.turns, c.ran = c.turns[:i:i], ran
	c.private = min(c.private, i)
	if q == 0 {
		return // it is not in the session
	}
	event := session.Event{Time: c.o.now(), Name: session.EventUnanswered, Fields: []session.Field{session.IntField("n", q)}}
	if err := c.o.Record.AppendEvent(event); err != nil {
		c.o.Voice.Warn(fmt.Errorf("the session does not know that this question got no answer: %w", err))
	}
}

// replace takes the question out of the context in whose place another one is asked, with what was
// said since. It reports whether one was there.
func (c *Conversation) replace(q Question) bool {
	if q.Again == nil || c.failed != nil && !c.instead {
		return false // what failed is not in the context
	}
	i := c.questionAt(1)
	if i < 0 {
		return false
	}
	if _, err := c.drop(i, len(c.turns), q.Why, 0); err != nil {
		c.o.Voice.Warn(err)
		return false
	}
	return true
}

// putBack is Restore for a question that was asked again in vain.
func (c *Conversation) putBack(failed int) {
	if last := len(c.dropped) - 1; last >= 0 {
		if err := c.restore(last, failed); err != nil {
			c.o.Voice.Warn(err)
		}
	}
}

// unanswered is a question that got no answer as it can be asked once more: what commands
// printed goes with it anew.
func (c *Conversation) unanswered(q Question, t session.Turn) *session.Turn {
	t.Content, t.From = c.o.mask(termsafe.Clean(q.Text)), q.From
	return &t
}

// continueLeft takes what left an earlier session, which this conversation goes on with.
func (c *Conversation) continueLeft(live session.Live) {
	c.aside, c.dropped, c.failed, c.instead, c.asked = slices.Clone(live.Aside), nil, nil, live.Instead, session.Turn{}
	for _, span := range live.Dropped {
		s := Span{Why: span[0].Left, private: len(span), by: span[0].LeftBy}
		for _, e := range span {
			s.Turns = append(s.Turns, c.safe(*e.Turn))
		}
		c.dropped = append(c.dropped, s)
	}
	if live.Failed != nil {
		t := c.safe(*live.Failed)
		c.failed = &t
	}
}

// eraseLeft takes what was erased out of what is not in the context and could come back.
func (c *Conversation) eraseLeft(gone func(session.Turn) bool) {
	for _, s := range c.dropped {
		for i, t := range s.Turns {
			if gone(t) {
				s.Turns[i] = emptied(t, session.Gone)
			}
		}
	}
	if c.failed != nil && gone(*c.failed) {
		c.failed = nil
	}
	if gone(c.asked) {
		c.asked = session.Turn{}
	}
}

// summedUp forgets what was dropped before turn keepFrom, which is the first that was not
// summed up: it stays dropped.
func (c *Conversation) summedUp(keepFrom int) {
	c.dropped = slices.DeleteFunc(c.dropped, func(s Span) bool {
		_, last := numbers(s.Turns)
		return last < keepFrom
	})
}
