package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/llm"
)

// about is the session context in force, without the lines that say what was
// forgotten.
func (c *Conversation) about(ctx context.Context) string {
	if c.inert() {
		return ""
	}
	if !c.knows {
		c.context, c.begins = c.o.Context(ctx)
		c.knows = ctx.Err() == nil
	}
	return c.sayable(ctx, c.context)
}

// inert reports whether there is no session context.
func (c *Conversation) inert() bool { return c.o.Context == nil || c.o.Inert != nil && c.o.Inert() }

// makeRoom sums up all but the newest turns once the next request would fill so much
// of the model's window that Compaction.At is reached. If that does not help, it is
// not tried again before as many turns have come as it keeps.
func (c *Conversation) makeRoom(ctx context.Context, q Question) {
	limit := c.o.Compaction.At * float64(q.Window)
	if limit <= 0 || float64(c.bytes()) < limit || // no text has more tokens than bytes
		float64(c.size(ctx))*c.scale() < limit || len(c.turns) < c.tight {
		return
	}
	c.tight = len(c.turns) + max(c.o.Compaction.Keep, 2)
	if c.summing(ctx, q, c.o.Compaction.Keep) && float64(c.size(ctx))*c.scale() < limit {
		c.tight = 0
	}
}

// shrink makes a conversation shorter that the server refused as too long: as little
// as a compaction does, else all but the question. It reports whether it could.
func (c *Conversation) shrink(ctx context.Context, q Question) bool {
	return c.summing(ctx, q, c.o.Compaction.Keep) || c.summing(ctx, q, 1)
}

// summing is compact, with whoever asks being told.
func (c *Conversation) summing(ctx context.Context, q Question, keep int) bool {
	if c.cutAt(keep) == 0 {
		return false
	}
	if q.SumsUp != nil {
		q.SumsUp(nil, nil)
	}
	done, err := c.compact(ctx, keep, true)
	if err == nil {
		c.tight = 0
	}
	switch {
	case q.SumsUp != nil:
		q.SumsUp(&done, err)
	case err != nil && ctx.Err() == nil && !errors.Is(err, ErrShort):
		c.o.Warn(err)
	}
	return err == nil
}

// bytes is the length of what is live, and of the frames around it.
func (c *Conversation) bytes() int {
	n := len(basePrompt) + len(c.summary) + len(c.context) + len(c.choice.Block()) + 200
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
	n := 0
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
// beginning of what does not fit and say nothing.
func (c *Conversation) measure(u *llm.Usage, sent int) {
	if u == nil || u.Prompt <= 0 || sent <= 0 {
		return
	}
	c.ratio = float64(u.Prompt) / float64(sent)
	if c.warned || sent < leastSent || c.ratio >= cutBelow {
		return
	}
	c.warned = true
	c.o.Warn(fmt.Errorf("the server counted %d tokens of about %d that were sent: it seems to cut the beginning of the conversation; give it a larger context, or set context_tokens of this model to what it has", u.Prompt, sent))
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
