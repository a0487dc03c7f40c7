package review

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/review"
	"ken/internal/view"
	"ken/internal/view/learned"
)

// inEditor answers the whole queue as a text in the person's editor. All of it is
// read before anything is done.
func inEditor(ctx context.Context, a *term.Run) error {
	pending, _, err := readQueue(ctx, a)
	if err != nil {
		return err
	}
	if len(pending) == 0 {
		return a.Println("(nothing waits)")
	}
	if err := mayAnswer(a); err != nil {
		return err
	}
	state, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	touched, err := touched(ctx, a, state, pending)
	if err != nil {
		return err
	}
	text, err := a.Person.EditText(ctx, learned.Batch(pending, state, touched))
	if err != nil {
		return err
	}
	list, err := learned.ParseBatch(text, pending)
	if err != nil {
		return fault.New(fault.Failure, fmt.Errorf("%w; nothing was decided", err))
	}
	kept, refused, err := answerAll(ctx, a, list)
	return errors.Join(ending(a, kept, refused, len(pending)-kept-refused), err)
}

// answerAll gives answers together, and reports what became of each. An answer that
// cannot be followed is reported, and is an error at the end.
func answerAll(ctx context.Context, a *term.Run, list []engine.Answer) (kept, refused int, err error) {
	round, err := a.Home.Decide(ctx, a.Live, list...)
	var queue *engine.QueueError
	if errors.As(err, &queue) {
		a.Warn(err)
	} else if err != nil {
		return 0, 0, err
	}
	failed := 0
	for _, d := range round {
		switch err := Report(a, d.Ref, d.Verdict, d.Receipt, d.Err); {
		case err != nil && len(list) == 1:
			return 0, 0, err
		case err != nil:
			a.Report(err)
			failed++
		case d.Verdict == review.Yes:
			kept++
		case d.Verdict == review.No:
			refused++
		}
	}
	if failed > 0 {
		err = fault.New(fault.Failure, fmt.Errorf("%s could not be followed", view.Count(failed, "answer")))
	} else {
		err = nil
	}
	return kept, refused, err
}
