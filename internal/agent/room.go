package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/llm"
	"ken/internal/tokens"
)

// about is the session context in force, without the lines that say what was
// forgotten.
func (c *Conversation) about(ctx context.Context) string {
	if c.inert() || c.pursued.goal != "" {
		return ""
	}
	if !c.knows {
		c.context, c.begins = c.o.Beginning.Context(ctx)
		c.knows = ctx.Err() == nil
	}
	return c.sayable(ctx, c.context)
}

// inert reports whether there is no session context.
func (c *Conversation) inert() bool {
	return c.o.Beginning == nil || c.o.stranger() || c.o.Beginning.Inert()
}

// How much of the room that there is may be taken before and after turns are summed up.
const (
	snug   = 0.9 // with as many turns as are to stay; else fewer do
	roomy  = 0.6 // with fewer, so that there is room for the next questions as well
	little = 0.9 // a run that leaves more than this part gained little
	more   = 1.2 // after such a run so much more has to come before the next
	fits   = 0.9 // part of the window that a request with a question alone may take: the rest is the answer's
)

// makeRoom sums up the older turns once the next request would fill so much of the
// model's window that Compaction.At is reached, and cuts the middle out of a question
// that does not fit by itself. It reports whether turns were summed up, or could not be: that
// is done at most once a question.
func (c *Conversation) makeRoom(ctx context.Context, q Question) (summed bool) {
	limit := c.o.Compaction.At * float64(q.Window)
	if limit <= 0 || float64(c.bytes()) < limit { // no text has more tokens than bytes
		return false
	}
	if q.wait(ctx) {
		c.window = q.Window
		if limit = c.o.Compaction.At * float64(q.Window); float64(c.bytes()) < limit {
			return false
		}
	}
	limit /= c.scale() // in tokens as ken estimates them
	size := float64(c.size(ctx))
	if size < limit {
		return false
	}
	if c.shortenResults(ctx, roomy*limit) { // before what was said itself
		size = float64(c.size(ctx))
	}
	if keep := c.keepFor(ctx, limit); size >= limit && size >= c.pause && c.sizeOf(ctx, 0, c.cutAt(keep)) > (1-little)*size {
		summed = true
		err := c.summing(ctx, keep, leaving{ask: true, gain: true})
		left := float64(c.size(ctx))
		if c.pause = 0; err != nil || left > little*size {
			c.pause = more * left
		}
	}
	if q.Whole {
		return summed
	}
	c.fitQuestion(ctx, fits*float64(q.Window)/c.scale(), q.Window)
	return summed
}

// keepFor is how many of the newest turns stay: Compaction.Keep, if they fit beside the
// system message and a summary, else fewer.
func (c *Conversation) keepFor(ctx context.Context, limit float64) int {
	fixed := float64(perMessage + c.fixed(ctx) + c.o.Compaction.Tokens)
	kept := func(keep int) float64 { return fixed + c.sizeOf(ctx, c.cutAt(keep), len(c.turns)) }
	keep := max(c.o.Compaction.Keep, 1)
	if kept(keep) <= snug*limit {
		return keep
	}
	for keep > 1 && kept(keep) > roomy*limit {
		keep--
	}
	return keep
}

// fixed is what goes with every question, in tokens: the tools, and the system message but for a summary.
func (c *Conversation) fixed(ctx context.Context) int {
	tools := c.offered(ctx)
	system := c.systemPrompt(c.guidance(tools), c.role(), c.o.mask(c.about(ctx)), c.o.mask(c.standing(ctx)), c.pursued.block(),
		c.skillIndex(ctx), strings.Join(c.surroundings(), "\n"), c.docsBlock(ctx))
	return tokens.Estimate(system) + toolsSize(tools)
}

// sizeOf is what live turns take of a request, in tokens.
func (c *Conversation) sizeOf(ctx context.Context, from, to int) float64 {
	n := 0
	for _, m := range c.messages(c.shorter(c.Sent(ctx)[from:to])) {
		n += messageSize(m)
	}
	return float64(n)
}

// A Size says how large a question is beside the window of the model that is asked, in tokens.
type Size struct {
	Tokens int // of the question, with what goes along
	Room   int // that there is for it, beside the system message, a summary and the answer
	Window int
	// Refused says that it was sent, and the server refused it.
	Refused bool
}

// Fits reports whether the question can be sent whole.
func (s Size) Fits() bool { return s.Tokens <= s.Room }

// largePart is the part of the window from which on a question is a large one.
const largePart = 4

// Weigh measures a question before it is asked. large is false for one that takes less than a
// quarter of the window, or where no window is known; then nothing was counted.
func (c *Conversation) Weigh(ctx context.Context, q Question) (s Size, large bool) {
	return c.weigh(ctx, q, len(c.turns))
}

// weigh is Weigh beside so many of the oldest turns.
func (c *Conversation) weigh(ctx context.Context, q Question, before int) (s Size, large bool) {
	pictures := 0
	for _, f := range q.Attached {
		pictures += f.Picture.Tokens
	}
	small := func() bool { return q.Window <= 0 || (len(q.Text)+pictures)*largePart < q.Window } // no text has more tokens than bytes
	if small() {
		return s, false
	}
	if q.wait(ctx) && small() {
		return s, false
	}
	c.window = q.Window
	scaled := func(tokens int) int { return int(float64(tokens) * c.scale()) }
	fixed := 2*perMessage + c.fixed(ctx)
	if before > 0 || c.summary != "" {
		fixed += min(c.o.Compaction.Tokens, int(c.sizeOf(ctx, 0, before))+tokens.Estimate(c.summary))
	}
	s = Size{Tokens: scaled(tokens.Estimate(q.Text) + pictures), Window: q.Window}
	s.Room = max(0, int(fits*float64(q.Window))-scaled(fixed))
	return s, s.Tokens*largePart >= q.Window
}

// leastQuestion is how much of a question is sent at least, in tokens.
const leastQuestion = 64

// fitQuestion cuts the middle out of the newest question, if the request is too large
// with it alone. The session has the whole.
func (c *Conversation) fitQuestion(ctx context.Context, limit float64, window int) {
	newest := c.questionAt(1)
	over := c.size(ctx) - int(limit)
	if over <= 0 || newest < 0 {
		return
	}
	t := &c.turns[newest]
	has := tokens.Estimate(t.Content)
	most := max(has-over, leastQuestion)
	if most >= has {
		return
	}
	t.Content = c.o.mask(clipTurn(t.Content, most))
	c.o.Voice.Warn(fmt.Errorf("of this question, about %d tokens, %d are sent, the middle left out: the model has a window of %d (context_tokens says how large it is)", has, tokens.Estimate(t.Content), window))
}

// refit makes a request of so many tokens shorter that the server refused as too long: so that it fits what
// the server says now that the model takes; where that says nothing, as shrink does. summed says that turns were
// summed up for this question. again says that the request is to go once more; err stands for the refusal.
func (c *Conversation) refit(ctx context.Context, q Question, e *llm.Error, size int, summed bool) (again bool, err error) {
	window := q.tooLong(ctx, e)
	if window == 0 || q.Whole {
		return c.shrink(ctx, !summed), nil
	}
	q.Window, q.told, c.window = window, true, window
	c.recount(e, size, window)
	if s, large := c.weigh(ctx, q, len(c.turns)-1); large && !s.Fits() && q.Watcher != nil {
		s.Refused = true
		if whole, err := q.Watcher.Fits(ctx, s); err != nil || whole {
			return false, err
		}
	}
	limit := fits * float64(window) / c.scale()
	if float64(c.size(ctx)) > limit {
		_ = c.summing(ctx, c.keepFor(ctx, limit), leaving{ask: !summed, gain: true}) // it was told; what is left is cut
		c.fitQuestion(ctx, limit, window)
	}
	return c.size(ctx) < size, nil
}

// recount takes from a refusal how many tokens the server counts where ken counts so many: as many as it says, else
// more than it takes.
func (c *Conversation) recount(e *llm.Error, size, window int) {
	counted := float64(e.Sent())
	if counted == 0 && float64(size)*c.scale() <= float64(window) {
		counted = float64(window) / fits
	}
	if counted > 0 && size > 0 {
		c.ratio = counted / float64(size)
	}
}

// shrink makes a conversation shorter that the server refused as too long: as little
// as a compaction does, else all but the question. ask says that a model may be asked
// for it. It reports whether it could.
func (c *Conversation) shrink(ctx context.Context, ask bool) bool {
	keep := c.o.Compaction.Keep
	if c.cutAt(keep) == 0 {
		keep = 1
	}
	return c.summing(ctx, keep, leaving{ask: ask}) == nil
}

// errNoGain says that a summary would take as much room as what it stands for.
var errNoGain = errors.New("the summary is no shorter than the turns")

// summing puts a summary in the place of turns of its own accord, with whoever asks
// a report of what that gained.
func (c *Conversation) summing(ctx context.Context, keep int, how leaving) error {
	cut := c.cutAt(keep)
	if cut == 0 {
		return ErrShort
	}
	keeper := c.o.Compaction.Keeper
	if keeper != nil && how.ask {
		keeper.SumsUp(ctx, nil, nil)
	}
	done, err := c.leave(ctx, cut, how)
	switch {
	case errors.Is(err, errNoGain), err == nil && done.After >= done.Before:
	case keeper != nil:
		keeper.SumsUp(ctx, &done, err)
	case err != nil && ctx.Err() == nil:
		c.o.Voice.Warn(err)
	}
	return err
}

// bytes is the length of what is live, and of the frames around it.
func (c *Conversation) bytes() int {
	n := len(c.base()) + len(c.summary) + len(c.context) + len(c.choice.Block()) + 200
	n += len(c.docs.block) + len(c.skills.index)
	for _, line := range c.around.lines {
		n += 2 * len(line) // they may have changed since
	}
	for _, p := range c.pictures.list {
		n += p.Tokens
	}
	for _, t := range c.turns {
		n += len(t.Content) + len(t.ToolCalls) + 100
		for _, raw := range t.Raw {
			n += len(raw)
		}
	}
	return n
}

// size is what the next request takes, in tokens as ken estimates them.
func (c *Conversation) size(ctx context.Context) int { return requestSize(c.Request(ctx)) }

func requestSize(r llm.Request) int {
	n := toolsSize(r.Tools)
	for _, m := range r.Messages {
		n += messageSize(m)
	}
	return n
}

// scale brings an estimate to what the server of the last answer counted, as far as
// that can be the difference of two ways to count.
func (c *Conversation) scale() float64 {
	if c.ratio < 0.5 || c.ratio > 2 {
		return 1
	}
	return c.ratio
}

// A server that counted less than this part of what was sent has not read all of it.
// Estimates are off by a quarter for the languages that were measured (package
// tokens); below the least size marks and templates decide.
const (
	cutBelow  = 0.4
	leastSent = 1500
)

// measure compares what the server counted with what was sent. Some cut off the
// beginning of what does not fit and say nothing. tools of the tokens are definitions, which a server may put
// into words of its own, or leave out: that is no sign of it.
func (c *Conversation) measure(u *llm.Usage, sent, tools int) {
	if u == nil || u.Prompt <= 0 || sent <= 0 {
		return
	}
	c.ratio = float64(u.Prompt) / float64(sent)
	sent -= tools
	if c.warned || sent < leastSent || float64(u.Prompt) >= cutBelow*float64(sent) {
		return
	}
	c.warned = true
	c.o.Voice.Warn(fmt.Errorf("the server counted %d tokens of about %d that were sent: it seems to cut the beginning of the conversation; give it a larger context, or set context_tokens of this model to what it has", u.Prompt, sent))
}

// eraseSummary takes out of what stands for earlier turns the lines that say
// something that was erased.
func (c *Conversation) eraseSummary(says func(string) bool) {
	for _, text := range []*string{&c.summary, &c.words, &c.context} {
		if !says(*text) {
			continue
		}
		lines := slices.DeleteFunc(strings.Split(*text, "\n"), says)
		if *text = strings.Join(lines, "\n"); says(*text) {
			*text = ""
		}
	}
}
