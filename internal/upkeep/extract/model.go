package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ken/internal/distill"
	"ken/internal/fault"
	"ken/internal/home"
	"ken/internal/llm"
	"ken/internal/models"
)

// Longest is how long a model may take to read a conversation when a person waits for
// it, and LongestUnasked when ken began it.
const (
	Longest        = 3 * time.Minute
	LongestUnasked = 10 * time.Second
)

// A reader is the model that reads conversations: the port of package distill.
type reader struct {
	home  *home.Home
	chain *llm.Chain
	limit time.Duration
}

// Reader returns the model called name, or the one in force. nil: there is none, or, which
// is noted, none that the person wants to read what they said.
func Reader(ctx context.Context, h *home.Home, name string, limit time.Duration) (distill.Model, error) {
	chain, _, err := h.Models().Ask(ctx, name, models.Everything)
	var stranger *models.StrangerError
	if errors.As(err, &stranger) {
		h.Meetings.VouchModel(ctx, true)
		chain, _, err = h.Models().Ask(ctx, name, models.Everything)
	}
	if name == "" && errors.As(err, &stranger) {
		h.Notef("%v (%s)", stranger, stranger.Hint())
		return nil, nil
	}
	if name == "" && errors.Is(err, models.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return reader{h, chain, limit}, nil
}

// errTooMuch ends an answer that is no list of candidates any more.
var errTooMuch = errors.New("the model's answer does not end")

// Answer implements distill.Model.
func (r reader) Answer(ctx context.Context, instructions, conversation string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.limit, fault.New(fault.Limit, fmt.Errorf("the model took longer than %s", r.limit)))
	defer cancel()
	n := 0
	ans, err := r.chain.Stream(ctx, llm.Request{Messages: []llm.Message{
		{Role: "system", Content: instructions},
		{Role: "user", Content: r.home.Keys.MaskText(conversation)},
	}}, func(d llm.Delta) error {
		if n += len(d.Text); n > distill.MostAnswer {
			return errTooMuch
		}
		return nil
	})
	switch {
	case err == nil:
		r.home.Models().Spend(ans)
	case context.Cause(ctx) != nil && !errors.Is(context.Cause(ctx), context.Canceled):
		return "", context.Cause(ctx)
	case n > distill.MostAnswer:
		return "", errTooMuch
	default:
		return "", err
	}
	return strings.TrimSpace(ans.Message.Content), nil
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
