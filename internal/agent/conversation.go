package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/search"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/trace"
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
	tr := &Transcript{o: &o, record: o.Record}
	p := &Prompt{o: &o, said: tr}
	return &Conversation{Transcript: tr, Prompt: p, Window: &Window{o: &o, said: tr, prompt: p}, o: &o}
}

// A Question is one turn of the person.
type Question struct {
	Text  string
	Model Model
	Name  string // of the preset, for the record, where the answer does not say which one it was
	Scope string // where the person stands; recorded when it changed. Empty: as before
	From  string // the least trusted origin of text in it ("external" with piped text); empty: the person's own
	Nudge bool   // ken says it by itself, to have the model go on
	// Attached are the files that Text has blocks of. Pictures among them go with it, unless
	// NoPictures says that the model takes none.
	Attached   []File
	NoPictures bool
	// Skills are the names of those that the person wants to go with it.
	Skills []string
	// Whole has a question sent as it is that is larger than the window; else its middle is left
	// out.
	Whole bool
	// Activation says what memory is activated for. Its Text is Text if empty.
	Activation search.ActivationQuery
	Watcher    Watcher // nil: nobody wants to know
	Window     int     // the size of the model's window, in tokens; 0: unknown
	Server     Server  // that of the model; nil: it says nothing of the window
	// Again is the question in whose place this one is asked: as Asked gives it, with its last
	// place among what is live. It leaves the context with its answer, for Why; should no word of an
	// answer come, it comes back. nil: a question of its own.
	Again *session.Turn
	Why   session.Left

	told bool // nobody knows more of Window
}

// wait has Window be what the server says by now, which may be larger than what was known so far, or smaller.
func (q *Question) wait(ctx context.Context) (asked bool) {
	if q.Server == nil || q.told {
		return false
	}
	q.Window = q.Server.Wait(ctx)
	return true
}

// tooLong is the window as it is known after a refusal; 0: no more is known than before.
func (q *Question) tooLong(ctx context.Context, e *llm.Error) int {
	if q.Server == nil {
		return 0
	}
	return q.Server.TooLong(ctx, e)
}

const maxBefore = 4

// An Answer is the model's turn as it was recorded.
type Answer struct {
	llm.Answer
	Q       int // number of the person's turn; 0 if it could not be recorded
	N       int // number of the answer's turn; 0 if nothing came, or it could not be recorded
	Evicted int // turns that left the context before this request, with a digest in their place
	// Trace says what memory the request held; the session has it as well, if N is
	// not 0.
	Trace trace.Trace

	// NoPictures says that the server refused the pictures of the request.
	NoPictures bool

	// Foreign says that the request held text from outside the project, besides the docs that the person let in.
	Foreign bool

	size    int           // of the request, in tokens
	tools   int           // of them, what the definitions of tools take
	offered bool          // it had tools
	from    memory.Origin // the least trusted of what the request held
}

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
	p := c.put(q)
	a.Q = p.turn.N
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
		c.unanswered(q, p, at)
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
		a.N, kept = c.add(c.safe(session.Turn{
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
}
