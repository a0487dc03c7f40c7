package talk

import (
	"context"
	"strings"

	"ken/internal/app"
	"ken/internal/memory"
	"ken/internal/teach"
	"ken/internal/view"
)

// An Own is the person's memory in their own hands at a face where not all that they may is done, as owner.Owner has it: what binds
// commands is for the terminal.
type Own interface {
	// MayState refuses a text of a kind.
	MayState(kind, text string) error
	// Remember states a text.
	Remember(ctx context.Context, kind, text string) (view.Outcome, error)
	// Forget hides a memory, whatever it says where was is "".
	Forget(ctx context.Context, ref, was string) (view.Outcome, error)
	// ForgetAll hides memories and turns of conversations, all or none.
	ForgetAll(ctx context.Context, refs []string, turns []memory.Turn) (view.Outcome, error)
	// Undo takes a line back, says what was done, and has the conversation know in which the memory was stated.
	Undo(ctx context.Context, line string) (string, error)
}

// mayKeep refuses what was taught and is not for here.
func (t *Talk) mayKeep(r teach.Reading) error {
	if t.o.Own == nil {
		return nil
	}
	return t.o.Own.MayState(string(r.Kind), r.Text)
}

// remember states a text.
func (t *Talk) remember(ctx context.Context, text string) (view.Outcome, error) {
	if t.o.Own != nil {
		return t.o.Own.Remember(ctx, "", text)
	}
	return t.memory().Remember(ctx, app.Statement{Text: text})
}

// remembered says what was remembered, and what it contradicts.
func (t *Talk) remembered(ctx context.Context, o view.Outcome) string {
	said := t.did(o.Did, o.Ref, o.Text)
	ids, err := memory.ParseTyped(o.Contradicts...)
	if len(o.Contradicts) == 0 || err != nil {
		return said
	}
	s, err := t.home.Memory.State(ctx)
	if err != nil {
		return said
	}
	for _, id := range ids {
		if it, status := s.Get(id); status == memory.StatusActive {
			said += "\n" + t.against(it)
		}
	}
	return said
}

// forgets hides the memory that a reference names.
func (t *Talk) forgets(ctx context.Context, ref string) ([]view.Outcome, error) {
	if t.o.Own == nil {
		return t.memory().Forget(ctx, "", ref)
	}
	o, err := t.o.Own.Forget(ctx, ref, "")
	if err != nil {
		return nil, err
	}
	return []view.Outcome{o}, nil
}

// forgetsAll hides all that says something.
func (t *Talk) forgetsAll(ctx context.Context, refs []string, turns []memory.Turn) (view.Outcome, error) {
	if t.o.Own != nil {
		return t.o.Own.ForgetAll(ctx, refs, turns)
	}
	return t.memory().ForgetAll(ctx, refs, turns)
}

// undoes takes a line back, and says so.
func (t *Talk) undoes(ctx context.Context, ref string) (string, error) {
	if t.o.Own != nil {
		return t.o.Own.Undo(ctx, ref)
	}
	lines, err := t.memory().Undo(ctx, ref)
	return strings.Join(lines, "\n"), err
}
