package talk

import (
	"context"
	"strings"

	"ken/internal/app"
	"ken/internal/app/owner"
	"ken/internal/memory"
	"ken/internal/view"
)

// bound refuses a statement that would bind commands, where that is for the terminal.
func (t *Talk) bound(kind memory.Kind, text string) error {
	if !t.o.Bound {
		return nil
	}
	return owner.MayState(kind, text)
}

// remember states a text.
func (t *Talk) remember(ctx context.Context, text string) (view.Outcome, error) {
	if t.o.Bound {
		return t.own.Remember(ctx, "", text)
	}
	return t.memory.Remember(ctx, app.Place(t.o.Dir), app.Statement{Text: text, Channel: string(t.o.Channel)})
}

// forgets hides the memory that a reference names.
func (t *Talk) forgets(ctx context.Context, ref string) ([]view.Outcome, error) {
	if !t.o.Bound {
		return t.memory.Forget(ctx, "", ref)
	}
	o, err := t.own.Forget(ctx, ref, "")
	if err != nil {
		return nil, err
	}
	return []view.Outcome{o}, nil
}

// undoes takes a line back, and says so.
func (t *Talk) undoes(ctx context.Context, ref string) (string, error) {
	if t.o.Bound {
		return t.own.Undo(ctx, ref)
	}
	lines, err := t.memory.Undo(ctx, ref)
	return strings.Join(lines, "\n"), err
}
