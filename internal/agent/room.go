package agent

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/llm"
	"ken/internal/tokens"
)

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
func (w *Window) makeRoom(ctx context.Context, q Question) (summed bool) {
	limit := w.o.Compaction.At * float64(q.Window)
	if limit <= 0 || float64(w.bytes()) < limit { // no text has more tokens than bytes
		return false
	}
	if q.wait(ctx) {
		w.prompt.window = q.Window
		if limit = w.o.Compaction.At * float64(q.Window); float64(w.bytes()) < limit {
			return false
		}
	}
	limit /= w.scale() // in tokens as ken estimates them
	size := float64(w.size(ctx))
	if size < limit {
		return false
	}
	if w.shortenResults(ctx, roomy*limit) { // before what was said itself
		size = float64(w.size(ctx))
	}
	if keep := w.keepFor(ctx, limit); size >= limit && size >= w.pause && w.sizeOf(ctx, 0, w.said.cutAt(keep)) > (1-little)*size {
		summed = true
		err := w.summing(ctx, keep, leaving{ask: true, gain: true})
		left := float64(w.size(ctx))
		if w.pause = 0; err != nil || left > little*size {
			w.pause = more * left
		}
	}
	if q.Whole {
		return summed
	}
	w.fitQuestion(ctx, fits*float64(q.Window)/w.scale(), q.Window)
	return summed
}

// keepFor is how many of the newest turns stay: Compaction.Keep, if they fit beside the
// system message and a summary, else fewer.
func (w *Window) keepFor(ctx context.Context, limit float64) int {
	fixed := float64(perMessage + w.prompt.fixed(ctx) + w.o.Compaction.Tokens)
	kept := func(keep int) float64 { return fixed + w.sizeOf(ctx, w.said.cutAt(keep), len(w.said.turns)) }
	keep := max(w.o.Compaction.Keep, 1)
	if kept(keep) <= snug*limit {
		return keep
	}
	for keep > 1 && kept(keep) > roomy*limit {
		keep--
	}
	return keep
}

// sizeOf is what live turns take of a request, in tokens.
func (w *Window) sizeOf(ctx context.Context, from, to int) float64 {
	n := 0
	for _, m := range w.said.messages(shorter(w.said.Sent(ctx)[from:to], w.said.short)) {
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
func (w *Window) Weigh(ctx context.Context, q Question) (s Size, large bool) {
	return w.weigh(ctx, q, len(w.said.turns))
}

// weigh is Weigh beside so many of the oldest turns.
func (w *Window) weigh(ctx context.Context, q Question, before int) (s Size, large bool) {
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
	w.prompt.window = q.Window
	scaled := func(tokens int) int { return int(float64(tokens) * w.scale()) }
	fixed := 2*perMessage + w.prompt.fixed(ctx)
	if before > 0 || w.said.summary != "" {
		fixed += min(w.o.Compaction.Tokens, int(w.sizeOf(ctx, 0, before))+tokens.Estimate(w.said.summary))
	}
	s = Size{Tokens: scaled(tokens.Estimate(q.Text) + pictures), Window: q.Window}
	s.Room = max(0, int(fits*float64(q.Window))-scaled(fixed))
	return s, s.Tokens*largePart >= q.Window
}

// leastQuestion is how much of a question is sent at least, in tokens.
const leastQuestion = 64

// fitQuestion cuts the middle out of the newest question, if the request is too large
// with it alone. The session has the whole.
func (w *Window) fitQuestion(ctx context.Context, limit float64, window int) {
	newest := w.said.questionAt(1)
	over := w.size(ctx) - int(limit)
	if over <= 0 || newest < 0 {
		return
	}
	t := &w.said.turns[newest]
	has := tokens.Estimate(t.Content)
	most := max(has-over, leastQuestion)
	if most >= has {
		return
	}
	t.Content = w.o.mask(clipTurn(t.Content, most))
	w.o.Voice.Warn(fmt.Errorf("of this question, about %d tokens, %d are sent, the middle left out: "+
		"the model has a window of %d (context_tokens says how large it is)", has, tokens.Estimate(t.Content), window))
}

// refit makes a request of so many tokens shorter that the server refused as too long: so that it fits what
// the server says now that the model takes; where that says nothing, as shrink does. summed says that turns were
// summed up for this question. again says that the request is to go once more; err stands for the refusal.
func (w *Window) refit(ctx context.Context, q Question, e *llm.Error, size int, summed bool) (again bool, err error) {
	window := q.tooLong(ctx, e)
	if window == 0 || q.Whole {
		return w.shrink(ctx, !summed), nil
	}
	q.Window, q.told, w.prompt.window = window, true, window
	w.recount(e, size, window)
	if s, large := w.weigh(ctx, q, len(w.said.turns)-1); large && !s.Fits() && q.Watcher != nil {
		s.Refused = true
		if whole, err := q.Watcher.Fits(ctx, s); err != nil || whole {
			return false, err
		}
	}
	limit := fits * float64(window) / w.scale()
	if float64(w.size(ctx)) > limit {
		_ = w.summing(ctx, w.keepFor(ctx, limit), leaving{ask: !summed, gain: true}) // it was told; what is left is cut
		w.fitQuestion(ctx, limit, window)
	}
	return w.size(ctx) < size, nil
}

// recount takes from a refusal how many tokens the server counts where ken counts so many: as many as it says, else
// more than it takes.
func (w *Window) recount(e *llm.Error, size, window int) {
	counted := float64(e.Sent())
	if counted == 0 && float64(size)*w.scale() <= float64(window) {
		counted = float64(window) / fits
	}
	if counted > 0 && size > 0 {
		w.ratio = counted / float64(size)
	}
}

// shrink makes a conversation shorter that the server refused as too long: as little
// as a compaction does, else all but the question. ask says that a model may be asked
// for it. It reports whether it could.
func (w *Window) shrink(ctx context.Context, ask bool) bool {
	keep := w.o.Compaction.Keep
	if w.said.cutAt(keep) == 0 {
		keep = 1
	}
	return w.summing(ctx, keep, leaving{ask: ask}) == nil
}

// errNoGain says that a summary would take as much room as what it stands for.
var errNoGain = errors.New("the summary is no shorter than the turns")

// summing puts a summary in the place of turns of its own accord, with whoever asks
// a report of what that gained.
func (w *Window) summing(ctx context.Context, keep int, how leaving) error {
	cut := w.said.cutAt(keep)
	if cut == 0 {
		return ErrShort
	}
	keeper := w.o.Compaction.Checkpointer
	if keeper != nil && how.ask {
		keeper.SumsUp(ctx, nil, nil)
	}
	done, err := w.leave(ctx, cut, how)
	switch {
	case errors.Is(err, errNoGain), err == nil && done.After >= done.Before:
	case keeper != nil:
		keeper.SumsUp(ctx, &done, err)
	case err != nil && ctx.Err() == nil:
		w.o.Voice.Warn(err)
	}
	return err
}
