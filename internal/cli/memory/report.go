package memory

import (
	"context"

	"ken/internal/cli/term"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/upkeep"
	"ken/internal/view"
	"ken/internal/view/ageing"
)

// clean is a text of a policy or a memory as it may be shown on one line.
func clean(a *term.Run, text string) string { return termsafe.Line(a.Home.Keys.MaskText(text)) }

// cleaner is clean for what is shown in this run.
func cleaner(a *term.Run) func(string) string {
	return func(text string) string { return clean(a, text) }
}

// looksAfter is the upkeep that commands carry out themselves.
func looksAfter(a *term.Run) *upkeep.Upkeep {
	return upkeep.New(a.Home, nil)
}

// plan plans for the memory as it stands, and says what of it cannot be read.
func plan(ctx context.Context, a *term.Run, p lifecycle.Policy) (lifecycle.Plan, error) {
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return lifecycle.Plan{}, err
	}
	a.Home.Memory.TellProblems(s)
	return looksAfter(a).Plan(s, p), nil
}

// carry carries out what choose picks of a plan that is made once more.
func carry(
	ctx context.Context, a *term.Run, p lifecycle.Policy, by string, choose func(lifecycle.Plan) []lifecycle.Action,
) ([]ageing.Action, error) {
	list, err := looksAfter(a).Apply(ctx, p, by, choose)
	done := make([]ageing.Action, len(list))
	for i, x := range list {
		done[i] = ageing.ActionOf(x.Action, cleaner(a))
		done[i].Lines, done[i].Undo = x.Lines, a.Verb(string(upkeep.Undo(x.Lines)))
	}
	return done, err
}

// excerpt is the beginning of a memory that a report names.
func excerpt(a *term.Run) func(memory.Item) string {
	return func(it memory.Item) string { return view.Excerpt(a.Home.Keys.MaskText(it.Record.Content), textWidth) }
}

// textWidth is how many cells of a memory are shown.
const textWidth = 90
