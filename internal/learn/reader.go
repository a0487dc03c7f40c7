package learn

import (
	"context"
	"time"

	"ken/internal/app"
	"ken/internal/learn/extract"
)

// Longest is how long a model may take to read a conversation when a person waits for
// it, and LongestUnasked when ken began it.
const (
	Longest        = 3 * time.Minute
	LongestUnasked = 10 * time.Second
)

// Reader returns the model called name, or the one in force. nil: there is none, or, which
// is noted, none that the person wants to read what they said.
func Reader(ctx context.Context, h *app.View, name string, limit time.Duration) (extract.Model, error) {
	m, err := h.Once(ctx, name, limit, extract.MostAnswer)
	if m == nil {
		return nil, err // no value of a type that is nil
	}
	return m, nil
}

// Candidates reads a conversation with a model, or without one if m is nil.
func Candidates(ctx context.Context, m extract.Model, t Conversation) ([]extract.Candidate, error) {
	if !t.Typed() {
		return nil, extract.ErrNothingTyped
	}
	if m == nil {
		return extract.Stated(t.Passages), nil
	}
	return extract.Ask(ctx, m, t.Passages)
}
