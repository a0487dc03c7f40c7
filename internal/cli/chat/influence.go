package chat

import (
	"context"
	"strings"

	"ken/internal/agent"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/search"
	"ken/internal/trace"
	"ken/internal/view/why"
)

// noBudget is that of who wants nothing of the memory for a question; 0 is what the
// settings say.
const noBudget = -1

// checkBudget refuses what the person has not asked for: more memory for a question
// than the settings allow is theirs to give, by a flag that they typed.
func checkBudget(a *term.Run, budget, configured int) error {
	if budget > configured && a.Origin().Rank() > 0 {
		return fault.Refusedf("--budget %d is more than memory.activate_max_tokens (%d), and only a person may say so", budget, configured)
	}
	return nil
}

// wanted is what memory is looked for: what was typed rather than what was piped in,
// and what it is for.
func wanted(typed, text, task string) string {
	if typed != "" && typed != "-" {
		text = typed
	}
	return strings.TrimSpace(text + "\n" + task)
}

// reportOf is the report of an answer that is being given. A memory that cannot be
// read was told already, and leaves the references. numbered says that the lines of
// the memories are wanted.
func reportOf(ctx context.Context, a *term.Run, session, question string, t trace.Trace, numbered bool) why.Report {
	src := why.Source{Trace: t, Session: session, Question: question, Mask: a.Home.Keys.MaskText}
	if !t.Empty() {
		src.Now = search.Now(ctx, a.Moment(), numbered, t.Named()...)
		src.Scope = a.Home.Here.Place().Scope()
	}
	return why.Of(src)
}

// answered takes note of an answer: which memories were of use for it, for whoever
// asks why, and for the person in one line.
func answered(ctx context.Context, a *term.Run, session, question string, ans agent.Answer) {
	if ans.N == 0 {
		return
	}
	a.Answered = append(a.Answered, term.Answered{Session: session, Question: question, Trace: ans.Trace})
	if ans.Trace.Empty() {
		return
	}
	a.Footnote(func() string { return why.Footer(reportOf(ctx, a, session, question, ans.Trace, false), a.Verb("why")) })
	a.Used(ctx, ans.Trace.Used()...)
	a.Sent(ctx, ans.Trace.Standing()...)
}
