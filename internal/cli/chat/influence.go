package chat

import (
	"context"

	"ken/internal/agent/turn"
	"ken/internal/cli/term"
	"ken/internal/view/why"
)

// noBudget is that of who wants nothing of the memory for a question; 0 is what the
// settings say.
const noBudget = -1

// answered takes note of an answer, for whoever asks why, and tells the person in one
// line which memories it had.
func answered(ctx context.Context, a *term.Run, d *turn.Dialog, ans turn.Answer) {
	if ans.N == 0 {
		return
	}
	a.Answered = append(a.Answered, term.Answered{Session: d.Recorder().ID(), Question: ans.Query, Trace: ans.Trace})
	if ans.Trace.Empty() {
		return
	}
	a.Footnote(func() string { return why.Footer(why.Of(d.Why(ctx, ans.Query, ans.Trace, false)), a.Verb("why")) })
}
