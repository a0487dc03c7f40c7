package agent

import (
	"context"
	"encoding/json"
	"time"

	"ken/internal/llm"
	"ken/internal/models"
	"ken/internal/tokens"
	"ken/internal/view"
)

// perMessage is what a message costs beside its text: role, marks and line ends
// of the templates of common models take three to five tokens.
const perMessage = 4

// Tokens measures the next request, the question itself not counted and what memory
// has for it taken to be as much as for the last one, for the model
// in force, beside what the answers so far used.
func (c *Conversation) Tokens(ctx context.Context, m *models.Set) view.UsedTokens {
	tools := c.offered(ctx)
	blocks := []string{c.guidance(tools), c.role(), c.o.Mask(c.about(ctx)), c.o.Mask(c.standing(ctx))}
	blocks = append(blocks, c.skillIndex(ctx), c.o.Mask(c.summaryBlock(ctx)))
	environment, since := c.environment(blocks)
	blocks[3] = "" // counted by itself
	system := c.systemPrompt(append(blocks, environment, since, c.docsBlock(ctx))...)
	s := view.UsedTokens{
		System: perMessage + tokens.Estimate(system) + toolsSize(tools), Live: len(c.turns), Recalled: c.recalled,
		Last: view.LastUsage(c.turns), Run: m.Spent(),
	}
	if p, err := m.Preset(""); err == nil {
		f := m.Facts(p)
		s.Preset, s.ContextTokens, s.Assumed, s.WindowBy = p.Name, f.Window, f.WindowBy == models.ByNobody, f.WindowBy
		if !f.WindowAt.IsZero() {
			s.WindowAt = f.WindowAt.UTC().Format(time.DateOnly)
		}
	}
	s.Memory = tokens.Estimate(c.o.Mask(c.Background(ctx).Block()))
	for _, m := range c.messages(c.goes(c.turns)) {
		s.Turns += messageSize(m)
	}
	if block := c.ran.block(c.o.OutputTokens); block != "" {
		s.Turns += tokens.Estimate(block)
	}
	s.Total = s.System + s.Memory + s.Turns + s.Recalled
	return s
}

// Filled measures the next request, and reports whether the context fills up: once, when
// an answer took it over the part of the window at which turns are summed up, and again
// only after it was below, turns left it or another model is asked.
func (c *Conversation) Filled(ctx context.Context, m *models.Set) (v view.UsedTokens, now bool) {
	v = c.Tokens(ctx, m)
	at := c.o.Compaction.At
	full := at > 0 && v.ContextTokens > 0 && float64(v.Total) >= at*float64(v.ContextTokens)
	now = full && (!c.full || c.fullOf != v.Preset)
	c.full, c.fullOf = full, v.Preset
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
