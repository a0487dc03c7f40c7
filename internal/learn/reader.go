package learn

import (
	"context"
	"time"

	"ken/internal/distill"
	"ken/internal/home"
)

// Longest is how long a model may take to read a conversation when a person waits for
// it, and LongestUnasked when ken began it.
const (
	Longest        = 3 * time.Minute
	LongestUnasked = 10 * time.Second
)

// Reader returns the model called name, or the one in force. nil: there is none, or, which
// is noted, none that the person wants to read what they said.
func Reader(ctx context.Context, h *home.Home, name string, limit time.Duration) (distill.Model, error) {
	m, err := h.Once(ctx, name, limit, distill.MostAnswer)
	if m == nil {
		return nil, err // no value of a type that is nil
	}
	return m, nil
}

// Candidates reads a conversation with a model, or without one if m is nil.
func Candidates(ctx context.Context, m distill.Model, t Conversation) ([]distill.Candidate, error) {
	if !t.Typed() {
		return nil, distill.ErrNothingTyped
	}
	if m == nil {
		return distill.Stated(t.Passages), nil
	}
	return distill.Ask(ctx, m, t.Passages)
}
