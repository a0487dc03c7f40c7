package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/llm"
)

// Bounds are those of an answer that nobody watches.
type Bounds struct {
	Time  time.Duration       // for the whole of it
	Bytes int                 // of its text
	Mask  func(string) string // takes secrets out of what is sent
}

// errTooMuch ends an answer that is longer than its bound.
var errTooMuch = errors.New("the model's answer does not end")

// A Once answers to a text alone, outside any conversation, and is heard when it is done.
type Once struct {
	Preset string // that is asked first
	set    *Set
	chain  *llm.Chain
	bounds Bounds
}

// OpenOnce returns what of a set answers for name as Ask has it. Errors: those of Ask, for all that there is.
func OpenOnce(ctx context.Context, m *Set, name string, b Bounds) (*Once, error) {
	chain, preset, err := m.Ask(ctx, name, Everything)
	if err != nil {
		return nil, err
	}
	return &Once{Preset: preset, set: m, chain: chain, bounds: b}, nil
}

// Answer returns the answer to a text under instructions, without blanks around it. Errors: what the server says; the
// time is up (fault.Limit); the answer is too long.
func (o *Once) Answer(ctx context.Context, instructions, text string) (string, error) {
	late := fault.New(fault.Limit, fmt.Errorf("the model took longer than %s", o.bounds.Time))
	ctx, cancel := context.WithTimeoutCause(ctx, o.bounds.Time, late)
	defer cancel()
	n := 0
	ans, err := o.chain.Stream(ctx, llm.Request{Messages: []llm.Message{
		{Role: "system", Content: instructions},
		{Role: "user", Content: o.bounds.Mask(text)},
	}}, func(d llm.Delta) error {
		if n += len(d.Text); n > o.bounds.Bytes {
			return errTooMuch
		}
		return nil
	})
	switch {
	case err == nil:
		o.set.Spend(ans)
	case context.Cause(ctx) != nil && !errors.Is(context.Cause(ctx), context.Canceled):
		return "", context.Cause(ctx)
	case n > o.bounds.Bytes:
		return "", errTooMuch
	default:
		return "", err
	}
	return strings.TrimSpace(ans.Message.Content), nil
}
