package importing

import (
	"context"
	"errors"
	"strconv"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/foreign"
	"ken/internal/review"
	"ken/internal/view"
)

// An Undo is what an import wrote. It holds for as long as the process that made it runs.
type Undo struct {
	proposals []int64
	turns     []foreign.Addition
}

// IsEmpty reports whether the import wrote nothing.
func (u Undo) IsEmpty() bool { return len(u.proposals)+len(u.turns) == 0 }

// Run says no to the suggestions of the import that still wait, and takes its turns out of the sessions. What was decided on or
// added to since stays. It is for a person. Errors: the actor may not decide; what the files say.
func (u Undo) Run(ctx context.Context, h *app.View) (view.ImportUndone, error) {
	var done view.ImportUndone
	if len(u.proposals) > 0 {
		w, err := h.Memory.Writer()
		if err != nil {
			return done, err
		}
		answers := make([]engine.Answer, len(u.proposals))
		for i, id := range u.proposals {
			answers[i] = engine.Answer{Ref: "p" + strconv.FormatInt(id, 10), Verdict: review.No}
		}
		outcomes, err := w.DecideAll(ctx, answers...)
		if err != nil {
			return done, err
		}
		for _, o := range outcomes {
			switch {
			case o.Err == nil:
				done.Refused++
			case errors.Is(o.Err, review.ErrDecided), errors.Is(o.Err, review.ErrNotWaiting):
				done.Kept++
			default:
				return done, o.Err
			}
		}
	}
	left, err := foreign.TakeBack(ctx, h.Conversations.Dir(), u.turns)
	done.Sessions, done.Changed = len(u.turns)-left, left
	return done, err
}
