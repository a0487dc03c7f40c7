package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/llm"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// A Model answers requests; *llm.Client is one.
type Model interface {
	Stream(ctx context.Context, req llm.Request, show func(llm.Delta) error) (llm.Answer, error)
}

// A Recorder keeps turns; *session.Writer is one.
type Recorder interface {
	// AppendTurn records t and gives its number.
	AppendTurn(t session.Turn) (n int, err error)
	// AppendEvent records what happened beside the turns.
	AppendEvent(e session.Event) error
}

// Options says what a Conversation stands on.
type Options struct {
	// Background chooses the start-up block. It is asked before the first
	// request, and again after Refresh. nil: the conversation has no memory,
	// as with --no-memory.
	Background func(context.Context) (recall.Choice, error)
	// Hidden says which live turns are not sent any more, since what they taught was
	// forgotten. It is asked like Background. nil: all are sent.
	Hidden   func(context.Context, Recorder) func(session.Turn) bool
	Record   Recorder            // required; session.Discard() keeps nothing
	Mask     func(string) string // what is sent and recorded passes through it; nil: nothing is masked
	Now      func() time.Time    // required
	MaxTurns int                 // most turns that are sent; 0: no limit. See evict
	// OutputTokens is the budget of what the person's commands printed, for
	// each turn; 0: none of it is sent.
	OutputTokens int
	// Warn is told of faults that did not stop an answer, in one line each.
	Warn func(error)
}

// A Conversation holds the turns that the model sees. It is not safe for
// concurrent use.
type Conversation struct {
	o      Options
	turns  []session.Turn // live, oldest first
	left   int            // turns that were live and were evicted, since the last Reset or Continue
	choice recall.Choice
	chosen bool // choice is up to date
	hides  bool // hidden is up to date
	hidden func(session.Turn) bool
	scope  string // where the session says that the person stands
	ran    outputs
}

// New returns an empty conversation.
func New(o Options) *Conversation {
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	return &Conversation{o: o}
}

// A Question is one turn of the person.
type Question struct {
	Text  string
	Model Model
	Name  string // of the preset, for the record, where the answer does not say which one it was
	Scope string // where the person stands; recorded when it changed. Empty: as before
	From  string // the least trusted origin of text in it ("external" with piped text); empty: the person's own
}

// An Answer is the model's turn as it was recorded.
type Answer struct {
	llm.Answer
	Q       int // number of the person's turn; 0 if it could not be recorded
	N       int // number of the answer's turn; 0 if nothing came, or it could not be recorded
	Evicted int // turns that left the context before this request
	// Memories are the references of the items in the start-up block that was
	// sent.
	Memories []string
}

// ErrNoQuestion says that a question has no text. Nothing was recorded or sent.
var ErrNoQuestion = errors.New("the question is empty")

// Ask records the question, sends the conversation and records the answer. show
// gets what streams in, as it comes; an error that it returns ends the answer.
//
// The error is ErrNoQuestion or the model's. Whatever part of the answer arrived comes back and
// is recorded beside it, with Finish telling how it ended. What could not be
// recorded is told to Warn, and does not stop the answer.
func (c *Conversation) Ask(ctx context.Context, q Question, show func(llm.Delta) error) (Answer, error) {
	var a Answer
	if strings.TrimSpace(c.o.Mask(termsafe.Clean(q.Text))) == "" {
		return a, ErrNoQuestion
	}
	turn := c.safe(c.asTurn(q))
	a.Q = c.add(turn)
	a.Evicted = c.evict()
	req := c.Request(ctx)
	for _, p := range c.choice.Chosen {
		a.Memories = append(a.Memories, p.Item.Ref())
	}
	got, err := q.Model.Stream(ctx, req, show)
	if perr := (*llm.Error)(nil); errors.As(err, &perr) && perr.Partial != nil {
		got = *perr.Partial
	}
	a.Answer = got
	a.N = c.addAnswer(got, cmp.Or(got.Preset, q.Name), finish(got, err))
	return a, err
}

// asTurn is a question as it is recorded and sent, with what the person's commands
// printed since the last one in front of it.
func (c *Conversation) asTurn(q Question) session.Turn {
	t := session.Turn{Time: c.now(), Role: session.RoleUser, Content: q.Text, From: q.From}
	if q.Scope != "" && q.Scope != c.scope {
		t.Scope, c.scope = q.Scope, q.Scope
	}
	if block := c.ran.block(c.o.OutputTokens); block != "" {
		t.Content = block + "\n\n" + t.Content
		if t.From == "" {
			t.From = "tool" // text that came from outside is trusted less still
		}
	}
	c.ran = outputs{}
	return t
}

// Request is what would be sent now. Choosing the start-up block is part of
// it, the first time and after Refresh.
func (c *Conversation) Request(ctx context.Context) llm.Request {
	system := llm.Message{Role: roleSystem, Content: systemPrompt(c.o.Mask(c.Background(ctx).Block()))}
	return llm.Request{Messages: append([]llm.Message{system}, messages(c.Sent(ctx), c.o.Mask)...)}
}

// Background is the start-up block in force. A fault of the memory is told, and
// there is none until Refresh or Reset; but if it was ctx that ended, the next
// request tries again.
func (c *Conversation) Background(ctx context.Context) recall.Choice {
	if c.chosen || c.o.Background == nil {
		return c.choice
	}
	choice, err := c.o.Background(ctx)
	if err != nil {
		c.o.Warn(fmt.Errorf("going on without memory: %w", err))
		choice = recall.Choice{}
	}
	c.choice, c.chosen = choice, err == nil || ctx.Err() == nil
	return c.choice
}

// Refresh makes the next request choose the start-up block again.
func (c *Conversation) Refresh() { c.chosen, c.hides = false, false }

// Turns are the live turns, oldest first, as they were said.
func (c *Conversation) Turns() []session.Turn { return c.turns }

// Reset drops the live turns and chooses the start-up block anew. The turns
// stay in the session, which gets an event.
func (c *Conversation) Reset() {
	c.chosen, c.ran = false, outputs{}
	if len(c.turns) == 0 {
		return
	}
	c.turns, c.left = nil, 0
	if err := c.o.Record.AppendEvent(session.Event{Time: c.now(), Name: session.EventReset}); err != nil {
		c.o.Warn(fmt.Errorf("the session does not know of the reset: %w", err))
	}
}

// Continue takes turns of an earlier session as the live ones, and goes on
// recording to rec, in which the person stood last at scope. A file may have been edited, or written while masking was
// off: the turns are cleaned and masked like new ones.
func (c *Conversation) Continue(turns []session.Turn, rec Recorder, scope string) {
	c.turns, c.left, c.o.Record, c.scope, c.hides = slices.Clone(turns), 0, rec, scope, false
	for i := range c.turns {
		c.turns[i] = c.safe(c.turns[i])
	}
}

func (c *Conversation) now() time.Time { return c.o.Now().UTC().Truncate(time.Second) }

// add records a turn and makes it live; it gives the turn's number, 0 if it
// could not be recorded.
func (c *Conversation) add(t session.Turn) int {
	n, err := c.o.Record.AppendTurn(t)
	if err != nil {
		c.o.Warn(fmt.Errorf("this turn is not in the session: %w", err))
	}
	t.N = n
	c.turns = append(c.turns, t)
	return t.N
}

func (c *Conversation) addAnswer(a llm.Answer, preset, finish string) int {
	if a.Message.Content == "" && len(a.Message.ToolCalls) == 0 {
		return 0
	}
	return c.add(c.safe(session.Turn{
		Time: c.now(), Role: session.RoleAssistant, Content: a.Message.Content,
		Model: preset, Finish: finish, Usage: a.Usage.JSON(),
		ToolCalls: llm.MarshalToolCalls(a.Message.ToolCalls), Raw: a.Message.Raw,
	}))
}

// finish says in the session's words how an answer ended.
func finish(a llm.Answer, err error) string {
	var e *llm.Error
	switch {
	case err == nil && a.Truncated:
		return session.FinishTruncated
	case err == nil && a.Finish == "":
		return session.FinishStop
	case err == nil:
		return termsafe.Line(a.Finish)
	case errors.Is(err, context.Canceled), errors.As(err, &e) && e.Kind == llm.Cancelled:
		return session.FinishCancelled
	case errors.As(err, &e) && e.Kind == llm.Incomplete:
		return session.FinishTruncated
	}
	return session.FinishError
}

// evict drops oldest turns once more than MaxTurns are live: a quarter of
// MaxTurns at a time, so that a server's prompt cache holds for the turns between
// two such steps, and on until the first one left is the person's, so that a pair
// leaves together. How many are gone depends on nothing but how many there were,
// so that a process that resumes the session sends the same ones.
func (c *Conversation) evict() int {
	most, all := c.o.MaxTurns, c.left+len(c.turns)
	if most <= 0 || all <= most {
		return 0
	}
	step := max(1, most/4)
	gone := (all - most + step - 1) / step * step
	n := gone - c.left
	if n <= 0 {
		return 0
	}
	for n < len(c.turns)-1 && c.turns[n].Role != session.RoleUser {
		n++
	}
	c.turns = append([]session.Turn(nil), c.turns[n:]...)
	c.left += n
	return n
}
