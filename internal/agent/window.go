package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"ken/internal/llm"
	"ken/internal/models"
	"ken/internal/session"
	"ken/internal/tokens"
	"ken/internal/view"
)

// A Window is how much of a Transcript fits into what a model reads, with the Prompt around it: what is summed up, shortened and
// left out, and when.
//
// # Laws
//
//   - Nothing leaves that is not in the session, and a summary is in the session before its turns leave.
//   - The newest question and the last round of calls stay, whatever leaves.
//   - The person's words are kept without a model, and before one is asked.
//   - At most one model is asked for a summary for each question.
type Window struct {
	o      *Options
	said   *Transcript
	prompt *Prompt

	pause  float64 // tokens below which the window is not made room in again
	ratio  float64 // tokens of the last request as the server counted, over those that ken did; 0: unknown
	warned bool    // that the server cuts
	full   bool    // the context is, as Filled said last
	fullOf string  // for the model of that preset
	drops  int     // how often turns had been dropped by then
}

// evict lets the oldest turns leave once more than MaxTurns are live: a quarter of
// MaxTurns at a time, so that a server's prompt cache holds for the turns between
// two such steps, and on until the first one left is the person's, so that a pair
// leaves together. A digest stands in their place; no model is asked for so little.
func (w *Window) evict(ctx context.Context) int {
	most, all := w.o.MaxTurns, len(w.said.turns)
	if most <= 0 || all <= most {
		return 0
	}
	step := max(1, most/4)
	n := (all - most + step - 1) / step * step
	for n < all-1 && w.said.turns[n].Role != session.RoleUser {
		n++
	}
	if _, err := w.leave(ctx, n, leaving{}); err != nil {
		if ctx.Err() == nil {
			w.o.Voice.Warn(err)
		}
		return 0
	}
	return n
}

// bytes is the length of the next request: no text has more tokens.
func (w *Window) bytes() int { return w.said.bytes() + w.prompt.bytes() }

// size is what the next request takes, in tokens as ken estimates them.
func (w *Window) size(ctx context.Context) int { return requestSize(w.prompt.Request(ctx)) }

func requestSize(r llm.Request) int {
	n := toolsSize(r.Tools)
	for _, m := range r.Messages {
		n += messageSize(m)
	}
	return n
}

// scale brings an estimate to what the server of the last answer counted, as far as
// that can be the difference of two ways to count.
func (w *Window) scale() float64 {
	if w.ratio < 0.5 || w.ratio > 2 {
		return 1
	}
	return w.ratio
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
func (w *Window) measure(u *llm.Usage, sent, tools int) {
	if u == nil || u.Prompt <= 0 || sent <= 0 {
		return
	}
	w.ratio = float64(u.Prompt) / float64(sent)
	sent -= tools
	if w.warned || sent < leastSent || float64(u.Prompt) >= cutBelow*float64(sent) {
		return
	}
	w.warned = true
	w.o.Voice.Warn(fmt.Errorf("the server counted %d tokens of about %d that were sent: it seems to cut the beginning of the conversation; "+
		"give it a larger context, or set context_tokens of this model to what it has", u.Prompt, sent))
}

// perMessage is what a message costs beside its text: role, marks and line ends
// of the templates of common models take three to five tokens.
const perMessage = 4

// Tokens measures the next request, the question itself not counted and what memory
// has for it taken to be as much as for the last one, for the model
// in force, beside what the answers so far used.
func (w *Window) Tokens(ctx context.Context, m *models.Set) view.UsedTokens {
	system, memory := w.prompt.weight(ctx)
	s := view.UsedTokens{
		System: system, Memory: memory, Live: len(w.said.turns), Recalled: w.prompt.recalled,
		Last: view.LastUsage(w.said.turns), Run: m.Spent(),
	}
	if p, err := m.Preset(""); err == nil {
		f := m.Facts(p)
		s.Preset, s.ContextTokens, s.Assumed, s.WindowBy = p.Name, f.Window, f.WindowBy == models.ByNobody, f.WindowBy
		if !f.WindowAt.IsZero() {
			s.WindowAt = f.WindowAt.UTC().Format(time.DateOnly)
		}
	}
	for _, m := range w.said.messages(w.said.goes(w.said.turns)) {
		s.Turns += messageSize(m)
	}
	if block := w.said.ran.block(w.o.OutputTokens); block != "" {
		s.Turns += tokens.Estimate(block)
	}
	s.Total = s.System + s.Memory + s.Turns + s.Recalled
	return s
}

// Filled measures the next request, and reports whether the context fills up: once, when
// an answer took it over the part of the window at which turns are summed up, and again
// only after it was below, turns left it or another model is asked.
func (w *Window) Filled(ctx context.Context, m *models.Set) (v view.UsedTokens, now bool) {
	v = w.Tokens(ctx, m)
	at := w.o.Compaction.At
	full := at > 0 && v.ContextTokens > 0 && float64(v.Total) >= at*float64(v.ContextTokens)
	now = full && (!w.full || w.fullOf != v.Preset || w.drops != w.said.drops)
	w.full, w.fullOf, w.drops = full, v.Preset, w.said.drops
	return v, now
}

// toolsSize is what the definitions of tools take of a request.
func toolsSize(tools []json.RawMessage) int {
	n := 0
	for _, t := range tools {
		n += tokens.Estimate(string(t))
	}
	return n
}

func messageSize(m llm.Message) int {
	n := perMessage + tokens.Estimate(m.Content)
	for _, call := range m.ToolCalls {
		n += perMessage + tokens.Estimate(call.Name) + tokens.Estimate(call.Arguments)
	}
	for _, image := range m.Images {
		n += image.Tokens
	}
	for _, raw := range m.Raw {
		n += tokens.Estimate(string(raw))
	}
	return n
}
