package app

import (
	"context"
	"strings"
	"time"

	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/recall"
)

// An Answered is an answer of which the reason is sought that it did not have a memory.
type Answered struct {
	Question string    // "" if it is not to be shown any more
	At       time.Time // zero: not known
	Traced   bool      // it had a memory to draw on
}

// WhyNot finds out anew why a memory has no part in an answer: what holds now, in words.
// "" is that there is no such memory.
func WhyNot(ctx context.Context, a *View, s *memory.State, id memory.ID, w Answered) (string, error) {
	it, status := s.Get(id)
	switch status {
	case memory.StatusActive:
	case memory.StatusUnknown:
		return "", nil
	case memory.StatusSuperseded:
		if by := asof.Replacing(s, it.ID); len(by) > 0 {
			return "superseded by " + refsOf(by), nil
		}
		return status.String(), nil
	case memory.StatusWaiting:
		return "it waits: nobody has said yes to it", nil
	case memory.StatusChange:
		return "it is a line that changes another memory", nil
	default:
		return status.String(), nil
	}
	if !w.At.IsZero() && it.Record.Time.After(w.At) {
		return "it was said after the answer", nil
	}
	if w.Question == "" {
		return "the question is not to be read any more", nil
	}
	n := recall.ActivationRequest{Query: a.Moment().Query(), Text: w.Question, Items: 1, Item: Active(s)}
	n.Tokens = 1 << 20 // whatever fits: the question is whether it is called up
	got, err := recall.Activate(ctx, []*index.Corpus{index.NewScan(func(yield func(index.Document) bool) {
		for _, d := range index.Items(s, n.At) {
			if d.Ref == it.Ref() && !yield(d) {
				return
			}
		}
	})}, n)
	switch {
	case err != nil:
		return "", err
	case len(got.Passed) > 0 && got.Passed[0].Reason != recall.TooMany:
		return string(got.Passed[0].Reason), nil
	case len(got.Chosen) > 0 && !w.Traced:
		return "the conversation had no memory to draw on", nil
	case len(got.Chosen) > 0:
		return "others had more to do with the question", nil
	}
	if reason := n.Refuses(it); reason != "" && reason != recall.Archived {
		return string(reason), nil
	}
	return "it has too little to do with the question", nil
}

// refsOf names items, and not more than a person reads.
func refsOf(items []memory.Item) string {
	const most = 8
	var refs []string
	for i, it := range items {
		if i == most {
			refs = append(refs, "...")
			break
		}
		refs = append(refs, "#"+it.Ref())
	}
	return strings.Join(refs, " ")
}
