package agent

import (
	"cmp"
	"context"

	"ken/internal/recall"
	"ken/internal/session"
)

// Background returns the start-up block in force. A fault of the memory is reported, and
// there is none until Refresh or Reset; but if it was ctx that ended, the next
// request tries again.
func (p *Prompt) Background(ctx context.Context) recall.Choice {
	if p.o.stranger() {
		return recall.Choice{} // whatever was chosen for another one
	}
	if p.chosen || p.o.Memory == nil {
		return p.choice
	}
	choice, err := p.o.Memory.Background(ctx)
	if err != nil {
		p.o.Voice.Warn(&WithoutError{"going on without memory", err})
		choice = recall.Choice{}
	}
	p.choice, p.chosen, p.blind = choice, err == nil || ctx.Err() == nil, err != nil
	return p.choice
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
func (p *Prompt) activate(ctx context.Context, q Question) recall.Activation {
	if p.o.Memory == nil || p.blind || p.o.stranger() {
		return recall.Activation{}
	}
	w := q.Activation
	w.Text, w.Before = cmp.Or(w.Text, q.Text), p.said.before(ctx)
	if p.pursued.goal != "" {
		w.Kinds, w.Tokens, w.Before = goalKinds(), goalTokens, nil
	}
	active, err := p.o.Memory.Activate(ctx, w, p.chosenFor(ctx))
	if err != nil {
		if ctx.Err() == nil {
			p.o.Voice.Warn(&WithoutError{"going on without what memory has for this question", err})
		}
		return recall.Activation{}
	}
	return active
}

// activated is what the memory has for the question that is being answered: asked once, so that what goes with its
// rounds is the same.
func (p *Prompt) activated(ctx context.Context, q Question) recall.Activation {
	if p.pursued.goal != "" {
		if !p.pursued.open {
			p.pursued.open, p.pursued.active = true, p.activate(ctx, q)
			p.pickSkills(ctx, q)
		}
		return p.pursued.active
	}
	if last := len(p.said.turns) - 1; last < 0 || p.said.turns[last].Role == session.RoleUser {
		p.active = p.activate(ctx, q)
		p.pickSkills(ctx, q)
	}
	return p.active
}
