package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// A Conversation is a Transcript, the Prompt that is made of it, and the Window that the Prompt is to fit. It asks a model, and
// has what came of it recorded; what is said, how it is sent and what fits is theirs. It is not safe for
// concurrent use.
type Conversation struct {
	*Transcript
	*Prompt
	*Window
	o *Options
	q Question // that is being answered, as it was asked
}

// New returns an empty conversation.
func New(o Options) *Conversation {
	tr := &Transcript{o: &o, record: o.Record, pictures: pictures{o: &o}}
	o.Record = nil // another one may take its place: the transcript knows which
	p := &Prompt{o: &o, said: tr}
	return &Conversation{Transcript: tr, Prompt: p, Window: &Window{o: &o, said: tr, prompt: p}, o: &o}
}

const maxBefore = 4

// ErrNoQuestion says that a question has no text. Nothing was recorded or sent.
var ErrNoQuestion = errors.New("the question is empty")

// Ask records the question, sends the conversation and records the answer. show
// gets what streams in, as it comes; an error that it returns ends the answer.
//
// The error is ErrNoQuestion, the model's, or an *EmptyError. Whatever part of the answer arrived comes back and
// is recorded beside it, with Finish saying how it ended. What could not be
// recorded goes to Warn, and does not stop the answer. A question to which no word of
// an answer came stays in the session, which marks it, and is not sent with the next one.
func (c *Conversation) Ask(ctx context.Context, q Question, show func(llm.Delta) error) (Answer, error) {
	c.q = q
	return c.ask(ctx, q, show)
}

// ask is Ask beside the question that is being answered.
func (c *Conversation) ask(ctx context.Context, q Question, show func(llm.Delta) error) (Answer, error) {
	var a Answer
	if strings.TrimSpace(c.o.mask(termsafe.Clean(q.Text))) == "" {
		return a, ErrNoQuestion
	}
	asking := c.put(q)
	a.Q = asking.turn.N
	a.Evicted = c.evict(ctx)
	c.begin(ctx, q)
	summed := c.makeRoom(ctx, q)
	got, err := c.request(ctx, q, &a, show)
	if e := (*llm.Error)(nil); errors.As(err, &e) && e.TooLong() && e.Partial == nil {
		switch again, other := c.refit(ctx, q, e, a.size, summed); {
		case again:
			got, err = c.request(ctx, q, &a, show)
		case other != nil:
			err = other
		}
	} else if errors.As(err, &e) && e.NoImages() && e.Partial == nil && c.hasPictures() {
		a.NoPictures, c.pictures.deaf = true, true
		if !slices.ContainsFunc(q.Attached, func(f File) bool { return f.Kind == kindImage }) { // those of before need not go
			got, err = c.request(ctx, q, &a, show)
		}
	}
	at := len(c.turns) - 1
	a, err = c.answer(q, a, got, err)
	if err != nil && !speaks(got) {
		c.unanswered(q, asking, at)
	}
	return a, err
}

// answer records what came of a request, whose error is err.
func (c *Conversation) answer(q Question, a Answer, got llm.Answer, err error) (Answer, error) {
	c.measure(got.Usage, a.size, a.tools)
	a.Answer = got
	stranger := c.o.stranger()
	kept := true
	if got.Message.Content != "" || len(got.Message.ToolCalls) > 0 {
		a.N, kept = c.add(c.o.safe(session.Turn{
			Time: c.o.now(), Role: session.RoleAssistant, Content: got.Message.Content,
			Model: cmp.Or(got.Preset, q.Name), Finish: finish(got, err), Usage: got.Usage.JSON(), From: fromField(a.from),
			ToolCalls: llm.MarshalToolCalls(got.Message.ToolCalls), Raw: got.Message.Raw,
		}))
	}
	if err == nil && !(a.offered && len(got.Message.ToolCalls) > 0) {
		err = emptiness(got)
	}
	if !stranger {
		c.saidInPrivate()
	}
	a.Trace.N, a.Trace.Time = a.N, c.o.now()
	if a.N > 0 && a.Trace.Says() {
		if werr := c.record.AppendEvent(a.Trace.Event(c.o.seal())); werr != nil && kept {
			c.o.Voice.Warn(fmt.Errorf("the session does not know which memories this answer had: %w", werr))
		}
	}
	return a, err
}

// request sends the conversation with what the memory has for the question.
func (c *Conversation) request(ctx context.Context, q Question, a *Answer, show func(llm.Delta) error) (llm.Answer, error) {
	req := c.For(ctx, q, a)
	if q.Watcher != nil {
		q.Watcher.Given(a.Trace)
	}
	got, err := q.Model.Stream(ctx, req, c.parts(q, a, show))
	if perr := (*llm.Error)(nil); errors.As(err, &perr) && perr.Partial != nil {
		got = *perr.Partial
	}
	return got, err
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

// Refresh makes the next request choose the start-up block again, and read the docs and the index of skills.
func (c *Conversation) Refresh() {
	c.hides = false
	c.Prompt.refresh()
}

// Reset drops the live turns and chooses the start-up block anew. The turns
// stay in the session, which gets an event.
func (c *Conversation) Reset() {
	c.Prompt.reset(true)
	c.full = false
	if c.Transcript.reset() {
		c.pause = 0
	}
}

// Continue takes what is live of an earlier session, and goes on
// recording to rec, in which the person stood last at scope. A file may have been edited, or written while masking was
// off: all of it is cleaned and masked like new turns.
func (c *Conversation) Continue(ctx context.Context, live session.Live, rec Recorder, scope string) {
	c.Prompt.reset(len(c.turns) > 0) // another one was live: what it was told is its own
	c.full, c.pause = false, 0
	c.Transcript.goOn(ctx, live, rec, scope)
}

// Erase takes out of what is held what says something that was erased, and what is erased in the record of the conversation.
func (c *Conversation) Erase(says func(string) bool, record []session.Turn) {
	c.Transcript.erase(says, record)
	c.context = without(c.context, says)
	if says(c.q.Text) || says(c.q.Activation.Text) || c.q.Again != nil && says(c.q.Again.Content) {
		c.q = Question{}
	}
}

// A Returned is what came of one call of a tool, as it goes back to the model and into the record.
type Returned struct {
	Call string // its id
	Text string
	From memory.Origin // the least trusted origin of the text; "": tool
}

// Return records what came of the calls of the last answer, in the order in which they were made.
func (c *Conversation) Return(results ...Returned) {
	for _, r := range results {
		from := r.From
		if from == "" {
			from = memory.OriginTool
		}
		c.add(c.o.safe(session.Turn{Time: c.o.now(), Role: session.RoleTool, Content: r.Text, ToolCallID: r.Call, From: fromField(from)}))
	}
}

// GoOn sends the conversation once more, behind results, and records the answer; memory is not looked up again.
// The error is that of Conversation.Ask.
func (c *Conversation) GoOn(ctx context.Context, show func(llm.Delta) error) (Answer, error) {
	a := Answer{Q: c.asked.N}
	c.makeWay(ctx, &c.q)
	got, err := c.request(ctx, c.q, &a, show)
	if e := (*llm.Error)(nil); errors.As(err, &e) && e.TooLong() && e.Partial == nil && c.fewerStill(ctx, &c.q, e, a.size) {
		got, err = c.request(ctx, c.q, &a, show)
	}
	return c.answer(c.q, a, got, err)
}

// Resume has the requests that follow be for a question that another process asked: GoOn and Follow send them.
func (c *Conversation) Resume(q Question) { c.q = q }

// Printed are command lines of the last answer with what came of them, as the model is to see it.
type Printed struct {
	Line, Text string
	From       memory.Origin // the least trusted origin of the text; "": tool
}

// Follow sends the conversation once more, with what came of the command lines of the last answer and, in
// the place of a question, text; memory is not looked up again. The error is that of Conversation.Ask. With nudge the
// text is ken's, else the person's own.
func (c *Conversation) Follow(
	ctx context.Context, text string, nudge bool, printed []Printed, show func(llm.Delta) error,
) (Answer, error) {
	q := c.q
	q.Text, q.From, q.Nudge, q.Attached, q.Again = text, "", nudge, nil, nil
	if nudge {
		q.From = string(memory.OriginTool)
	}
	if len(printed) > 0 {
		parts := []string{frame.Output}
		for _, p := range printed {
			parts = append(parts, "$ "+frame.Data(c.o.mask(p.Line)), frame.Data(p.Text))
			if q.From == "" || p.From.Rank() > memory.Origin(q.From).Rank() {
				q.From = fromField(memory.Origin(p.From))
			}
		}
		q.Text = strings.Join(append(parts, frame.OutputEnd), "\n") + "\n\n" + text
		if q.From == "" {
			q.From = string(memory.OriginTool)
		}
	}
	return c.ask(ctx, q, show)
}
