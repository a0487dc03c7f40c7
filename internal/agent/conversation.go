package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tokens"
	"ken/internal/trace"
	"ken/internal/working/digest"
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
	// Activate chooses what of the memory a question calls for, beside the start-up
	// block that is sent with it. nil: nothing.
	Activate func(ctx context.Context, w app.ActivationQuery, block recall.Choice) (recall.Activation, error)
	// Hidden says which live turns are not sent any more, since what they taught was
	// forgotten. It is asked like Background. nil: all are sent.
	Hidden func(context.Context, Recorder) func(session.Turn) bool
	Record Recorder            // required; session.Discard() keeps nothing
	Mask   func(string) string // what is sent and recorded passes through it; nil: nothing is masked
	Now    func() time.Time    // required
	// Seal is that of the sums in the record of an answer; it is asked when there is one.
	// nil: sums are written as they are.
	Seal     func() *memory.Seal
	MaxTurns int // most turns that are sent; 0: no limit. See evict
	// Compaction says how turns are summed up that leave the context.
	Compaction Compaction
	// Context is who the person is and what they were lately busy with, as the system
	// message has it behind the base text. It is asked before the first request, and
	// again after Reset. nil: nothing.
	Context func(context.Context) (string, trace.Context)
	// Outdated reports of a line whether it is so no more: summaries and the session context
	// are sent without it. nil: none is.
	Outdated func(line string) bool
	// Environment is where, when and with what the person works, a line each: "os: Debian 12". It
	// is asked for each request. known says that the model in force is no stranger. nil: nothing.
	Environment func(known bool) []string
	// Base is the text that every system message begins with; "": BasePrompt.
	Base string
	// Role is a text by which the model is to answer, as long as it is given; nil: none.
	Role func() string
	// Docs are the files that the repository where the person stands has for agents, as far as
	// they let them in, the nearest first. They are read for each question. nil: there are none.
	Docs func(context.Context) []Doc
	// Skills are those that count where the person stands; nil: there are none.
	Skills Skills
	// Tools are the definitions of what a model is offered to act with. It is asked for each request. nil: none.
	Tools func(context.Context) []json.RawMessage
	// Elsewhere reports whether what a command line of the person printed may be from outside the project. nil: none is
	// known to be.
	Elsewhere func(line string) bool
	// Inert reports whether memory is off, and Context with it. nil: never.
	Inert func() bool
	// Stranger reports whether the model in force gets nothing but what is said to it:
	// no memory, no Context, no turn of before. nil: it gets all.
	Stranger func() bool
	// Greet asks the model to begin its first answer with what is in Context.
	Greet bool
	// Reopen reads a picture again that went with an earlier question; nil: none is sent again.
	Reopen func(path string) (Picture, error)
	// OutputTokens is the budget of what the person's commands printed, for
	// each turn; 0: none of it is sent.
	OutputTokens int
	// Warn is called with faults that did not stop an answer, in one line each.
	Warn func(error)
}

// A Conversation holds the turns that the model sees. It is not safe for
// concurrent use.
type Conversation struct {
	o       Options
	turns   []session.Turn // live, oldest first
	summary string         // of the turns that left the context; "" if none did
	words   string         // what the person said in those
	context string         // see Options.Context
	begins  trace.Context  // what is in it
	knows   bool           // context was asked for
	around  around         // the environment as the system message has it
	docs    docs           // of the repository, as the newest question has them
	skills  skills         // as the newest question has them
	window  int            // of the model that was asked last, in tokens; 0: unknown
	pause   float64        // tokens below which the window is not made room in again
	ratio   float64        // tokens of the last request as the server counted, over those that ken did; 0: unknown
	warned  bool           // that the server cuts
	choice  recall.Choice
	chosen  bool // choice is up to date
	blind   bool // the memory could not be read when the choice was made
	hides   bool // hidden is up to date
	hidden  func(session.Turn) bool
	scope   string // where the session says that the person stands
	ran     outputs
	private int           // so many of the oldest turns were not said to a stranger
	privy   bool          // nor were those that summary stands for
	summed  memory.Origin // the least trusted of what summary stands for; "": the person's
	outside bool          // text of neither the person nor a model was read in turns that left, or before
	full    bool          // the context is, as Filled said last
	fullOf  string        // for the model of that preset
	aside   []session.Entry
	dropped []Span        // that can come back; the newest is the last
	failed  *session.Turn // the newest question, if it got no answer and nothing was said since
	instead bool          // it was asked in the place of the last one that is live
	asked   session.Turn  // the newest question, whole
	pursued pursued
	// pictures are those that live turns speak of.
	pictures pictures
	// active is what the memory had for the newest question, and recalled that in tokens.
	active   recall.Activation
	recalled int
	// short is what of the turns is sent shorter.
	short session.Shortened
}

// seal is that of the sums that are recorded.
func (c *Conversation) seal() *memory.Seal {
	if c.o.Seal == nil {
		return nil
	}
	return c.o.Seal()
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
	Activation app.ActivationQuery
	// Given is called with the memory that the request holds, before it is sent; may be nil.
	Given func(trace.Trace)
	// Window is the size of the model's window, in tokens; 0: unknown. Wait says it once more,
	// where the question does not fit: its server may be being asked. nil: nobody is.
	Window int
	Wait   func(context.Context) int
	// TooLong says it anew, in tokens, once the server refused the request as too long; 0: no more is known
	// than before. nil: nobody does. Fits then decides of a question that does not fit by itself:
	// it stays whole, and the refusal stands, or goes without its middle; an error stands for the
	// refusal. nil: without its middle.
	TooLong func(context.Context, *llm.Error) int
	Fits    func(context.Context, Size) (whole bool, err error)
	// Again is the question in whose place this one is asked: as Asked gives it, with its last
	// place among what is live. It leaves the context with its answer, for Why; should no word of an
	// answer come, it comes back. nil: a question of its own.
	Again *session.Turn
	Why   session.Left
	// SumsUp is called before turns are summed up, which may take as long as
	// an answer, and then how it went; nil: nobody.
	SumsUp func(done *Compacted, err error)
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
	var a Answer
	if strings.TrimSpace(c.o.Mask(termsafe.Clean(q.Text))) == "" {
		return a, ErrNoQuestion
	}
	replaced := c.replace(q)
	ran := c.ran
	c.pictures.deaf = q.NoPictures
	turn := c.safe(c.asTurn(q))
	a.Q, _ = c.add(turn)
	turn.N = a.Q
	if replaced {
		c.dropped[len(c.dropped)-1].by = a.Q
	}
	c.asked, c.failed, c.instead = turn, nil, false
	a.Evicted = c.evict(ctx)
	c.readDocs(ctx, q.Window)
	c.skills.open = false // as they are now
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
	live := len(c.turns)
	a, err = c.answer(q, a, got, err)
	if err != nil && !speaks(got) {
		c.takeBack(live-1, a.Q, ran)
		if !q.Nudge {
			c.failed = c.unanswered(q, turn)
		}
		if replaced {
			c.putBack(a.Q)
		}
	}
	return a, err
}

// answer records what came of a request, whose error is err.
func (c *Conversation) answer(q Question, a Answer, got llm.Answer, err error) (Answer, error) {
	c.measure(got.Usage, a.size, a.tools)
	a.Answer = got
	stranger := c.stranger()
	var kept bool
	a.N, kept = c.addAnswer(&a, cmp.Or(got.Preset, q.Name), finish(got, err))
	if err == nil && !(a.offered && len(got.Message.ToolCalls) > 0) {
		err = emptiness(got)
	}
	if !stranger {
		c.private = len(c.turns)
	}
	a.Trace.N, a.Trace.Time = a.N, c.now()
	if a.N > 0 && a.Trace.Says() {
		if werr := c.o.Record.AppendEvent(a.Trace.Event(c.seal())); werr != nil && kept {
			c.o.Warn(fmt.Errorf("the session does not know which memories this answer had: %w", werr))
		}
	}
	return a, err
}

// request sends the conversation with what the memory has for the question.
func (c *Conversation) request(ctx context.Context, q Question, a *Answer, show func(llm.Delta) error) (llm.Answer, error) {
	req := c.Request(ctx)
	active := c.activated(ctx, q)
	c.recalled, a.offered = active.Tokens+tokens.Estimate(c.skillsBlock()), len(req.Tools) > 0
	putBefore(req.Messages, c.withSkills(active), c.o.Mask)
	a.Trace = trace.Of(c.chosenFor(ctx), active)
	if !c.inert() && c.pursued.goal == "" {
		a.Trace.Context = c.begins
	}
	if c.docsBlock(ctx) != "" {
		a.Trace.Docs = c.docs.given
	}
	foreign := c.noteSkills(&a.Trace)
	a.from = c.given(ctx, active, a.Trace)
	if foreign {
		c.outside = true
		a.from = a.from.Lowest(memory.OriginExternal)
	}
	a.Foreign = a.from.Rank() >= memory.OriginExternal.Rank()
	if c.docsBlock(ctx) != "" {
		a.from = a.from.Lowest(memory.OriginExternal)
	}
	a.size, a.tools = requestSize(req), toolsSize(req.Tools)
	if q.Given != nil {
		q.Given(a.Trace)
	}
	got, err := q.Model.Stream(ctx, req, c.parts(q, a, show))
	if perr := (*llm.Error)(nil); errors.As(err, &perr) && perr.Partial != nil {
		got = *perr.Partial
	}
	return got, err
}

// A WithoutError is the warning that a request has nothing, or less, of the memory, which could not be read.
type WithoutError struct {
	what string
	err  error
}

func (e *WithoutError) Error() string { return e.what + ": " + e.err.Error() }

// Unwrap is why.
func (e *WithoutError) Unwrap() error { return e.err }

// Brief is it without why, which names files of the person.
func (e *WithoutError) Brief() string { return e.what }

// activate is what the memory has for a question. A fault of it is reported, unless it
// was with the start-up block.
func (c *Conversation) activate(ctx context.Context, q Question) recall.Activation {
	if c.o.Activate == nil || c.blind || c.stranger() {
		return recall.Activation{}
	}
	w := q.Activation
	w.Text, w.Before = cmp.Or(w.Text, q.Text), c.before(ctx)
	if c.pursued.goal != "" {
		w.Kinds, w.Tokens, w.Before = goalKinds(), goalTokens, nil
	}
	active, err := c.o.Activate(ctx, w, c.chosenFor(ctx))
	if err != nil {
		if ctx.Err() == nil {
			c.o.Warn(&WithoutError{"going on without what memory has for this question", err})
		}
		return recall.Activation{}
	}
	return active
}

// before are the questions before the newest one, the newest of them first.
func (c *Conversation) before(ctx context.Context) (asked []string) {
	turns := c.Sent(ctx)
	for i := len(turns) - 2; i >= 0 && len(asked) < maxBefore; i-- {
		if t := turns[i]; t.ByPerson() && t.Content != Forgotten && t.Content != session.Gone {
			asked = append(asked, Typed(t))
		}
	}
	return asked
}

// putBefore puts a block at the head of the newest message of the person, and
// nowhere else: the conversation does not keep it. What was harmless in two may be
// a secret in one, so the whole is masked anew.
func putBefore(list []llm.Message, block string, mask func(string) string) {
	last := len(list) - 1
	for last > 0 && (list[last].Role == roleTool || len(list[last].ToolCalls) > 0) {
		last-- // what was done for the question since
	}
	if block != "" && list[last].Role == roleUser {
		list[last].Content = mask(frame.Tokens(block) + "\n\n" + list[last].Content)
	}
}

// asTurn is a question as it is recorded and sent, with what the person's commands
// printed since the last one in front of it.
func (c *Conversation) asTurn(q Question) session.Turn {
	t := session.Turn{}
	if q.Again != nil {
		t = *q.Again // with what else was given with it
	}
	t.N, t.Time, t.Role, t.Content, t.From, t.Scope = 0, c.now(), session.RoleUser, q.Text, q.From, ""
	t.Nudge = q.Nudge
	if q.Scope != "" && q.Scope != c.scope {
		t.Scope, c.scope = q.Scope, q.Scope
	}
	c.attach(&t, q.Attached)
	if q.Again != nil && (c.failed == nil || c.instead || strings.HasPrefix(t.Content, frame.Output+"\n")) {
		return t // it has what was printed before it; the rest waits for a question of its own
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

// Request returns what would be sent now. Choosing the start-up block is part of
// it, the first time and after Refresh.
func (c *Conversation) Request(ctx context.Context) llm.Request {
	turns := c.Going(ctx) // first: what it hides is hidden elsewhere as well
	context := c.about(ctx)
	greeting := ""
	if c.o.Greet && c.pursued.goal == "" && context != "" && len(c.turns) <= 1 && c.summary == "" {
		greeting = greetingPrompt
	}
	tools := c.offered(ctx)
	blocks := []string{c.guidance(tools), c.role(), c.o.Mask(context), c.o.Mask(c.standing(ctx))}
	blocks = append(blocks, c.skillIndex(ctx), c.o.Mask(c.summaryBlock(ctx)))
	environment, since := c.environment(blocks)
	blocks = append(blocks, environment, strings.TrimSpace(greeting), c.o.Mask(c.pursued.block()))
	system := llm.Message{Role: roleSystem, Content: c.systemPrompt(blocks...)}
	list := append([]llm.Message{system}, c.messages(turns)...)
	putBefore(list, since, c.o.Mask)
	if block := c.docsBlock(ctx); block != "" && len(list) > 1 {
		list[1].Content = c.o.Mask(block + "\n\n" + list[1].Content) // whoever speaks first is the person
	}
	return llm.Request{Messages: list, Tools: tools, Guide: c.guidance(tools)}
}

// System returns what the system message has behind the base text now, as it is sent: who the
// person is, the recent context, the start-up block, what stands for earlier turns, and the
// environment, with what has changed of it since and goes with the next question; then the docs
// of the repository, at the head of the turns.
func (c *Conversation) System(ctx context.Context) string {
	c.docs = docs{} // as they are now
	text := strings.TrimSpace(strings.TrimPrefix(c.Request(ctx).Messages[0].Content, c.base()))
	text = strings.TrimSpace(strings.TrimPrefix(text, strings.TrimSpace(toolsPrompt)))
	for _, block := range []string{c.around.since(c.surroundings(), c.o.Mask), c.o.Mask(c.docsBlock(ctx))} {
		text = strings.TrimSpace(text + "\n\n" + block)
	}
	return text
}

// Background returns the start-up block in force. A fault of the memory is reported, and
// there is none until Refresh or Reset; but if it was ctx that ended, the next
// request tries again.
func (c *Conversation) Background(ctx context.Context) recall.Choice {
	if c.stranger() {
		return recall.Choice{} // whatever was chosen for another one
	}
	if c.chosen || c.o.Background == nil {
		return c.choice
	}
	choice, err := c.o.Background(ctx)
	if err != nil {
		c.o.Warn(&WithoutError{"going on without memory", err})
		choice = recall.Choice{}
	}
	c.choice, c.chosen, c.blind = choice, err == nil || ctx.Err() == nil, err != nil
	return c.choice
}

// Refresh makes the next request choose the start-up block again, and read the docs and the index of skills.
func (c *Conversation) Refresh() {
	c.chosen, c.hides, c.docs, c.skills.open = false, false, docs{}, false
}

// Reread makes the next request ask for the session context again.
func (c *Conversation) Reread() { c.knows = false }

// Turns returns the live turns, oldest first, as they were said.
func (c *Conversation) Turns() []session.Turn { return c.turns }

// Reset drops the live turns and chooses the start-up block anew. The turns
// stay in the session, which gets an event.
func (c *Conversation) Reset() {
	c.chosen, c.knows, c.ran, c.recalled, c.full, c.around = false, false, outputs{}, 0, false, around{}
	if len(c.turns) == 0 && c.summary == "" && len(c.aside) == 0 {
		return
	}
	c.turns, c.summary, c.words, c.pause, c.private, c.privy, c.pictures.list = nil, "", "", 0, 0, false, nil
	c.summed, c.short, c.outside = "", session.Shortened{}, false
	c.continueLeft(session.Live{})
	if err := c.o.Record.AppendEvent(session.Event{Time: c.now(), Name: session.EventReset}); err != nil {
		c.o.Warn(fmt.Errorf("the session does not know of the reset: %w", err))
	}
}

// Continue takes what is live of an earlier session, and goes on
// recording to rec, in which the person stood last at scope. A file may have been edited, or written while masking was
// off: all of it is cleaned and masked like new turns.
func (c *Conversation) Continue(live session.Live, rec Recorder, scope string) {
	if len(c.turns) > 0 { // another one was live: what it was told is its own
		c.chosen, c.knows, c.ran = false, false, outputs{}
	}
	c.turns, c.pause, c.o.Record, c.scope, c.hides = slices.Clone(live.Turns), 0, rec, scope, false
	c.summary, c.recalled, c.full = c.o.Mask(termsafe.Clean(live.Summary)), 0, false
	c.private, c.privy, c.around = len(c.turns), c.summary != "", around{}
	c.summed, c.short, c.outside = memory.Origin(live.From), live.Shortened, read(live)
	if c.words = c.o.Mask(termsafe.Clean(live.Words)); c.words == "" { // an older version wrote it
		_, c.words = digest.Split(c.summary)
		c.words = digest.Words(c.words)
	}
	for i := range c.turns {
		c.turns[i] = c.safe(c.turns[i])
	}
	c.continueLeft(live)
	c.reopen()
}

func (c *Conversation) now() time.Time { return c.o.Now().UTC().Truncate(time.Second) }

// add records a turn and makes it live; it gives the turn's number, 0 if it
// cannot be a line, and whether it is in the record.
func (c *Conversation) add(t session.Turn) (n int, kept bool) {
	n, err := c.o.Record.AppendTurn(t)
	if err != nil {
		c.o.Warn(fmt.Errorf("this turn is not in the session: %w", err))
	}
	t.N = n
	c.turns = append(c.turns, t)
	return n, err == nil
}

func (c *Conversation) addAnswer(a *Answer, preset, finish string) (n int, kept bool) {
	if a.Message.Content == "" && len(a.Message.ToolCalls) == 0 {
		return 0, true
	}
	return c.add(c.safe(session.Turn{
		Time: c.now(), Role: session.RoleAssistant, Content: a.Message.Content,
		Model: preset, Finish: finish, Usage: a.Usage.JSON(), From: fromField(a.from),
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

// evict lets the oldest turns leave once more than MaxTurns are live: a quarter of
// MaxTurns at a time, so that a server's prompt cache holds for the turns between
// two such steps, and on until the first one left is the person's, so that a pair
// leaves together. A digest stands in their place; no model is asked for so little.
func (c *Conversation) evict(ctx context.Context) int {
	most, all := c.o.MaxTurns, len(c.turns)
	if most <= 0 || all <= most {
		return 0
	}
	step := max(1, most/4)
	n := (all - most + step - 1) / step * step
	for n < all-1 && c.turns[n].Role != session.RoleUser {
		n++
	}
	if _, err := c.leave(ctx, n, leaving{}); err != nil {
		if ctx.Err() == nil {
			c.o.Warn(err)
		}
		return 0
	}
	return n
}
