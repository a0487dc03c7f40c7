package memory

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/replay"
	"ken/internal/view/why"
)

// WhyCommands are those that stand at the top.
func WhyCommands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{whyCommand(a), whyNotCommand(a)}
}

func whyCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	var without string
	cmd := &cobra.Command{
		Use:   "why [ANSWER]",
		Short: "show which memories an answer had, and why",
		Long: `Why names the memories that an answer was given, what the score of each is made of,
and what was left out and for what reason: as it was then, with what became of each
since. ANSWER is the number of a turn in the newest conversation of this project, or
SESSION:N; without it, the last answer there. --without makes the choice again as if a
memory had been forgotten before the question, and says what would have come instead.`,
		Example:     "  ken why\n  ken why 4\n  ken why 20260510T190001Z-7f3a:2 --json\n  ken why --without 3",
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := resolve(cmd.Context(), a, strings.Join(args, ""))
			if err != nil {
				return err
			}
			if without != "" {
				return answerWithout(cmd.Context(), a, w, without, asJSON)
			}
			r, err := w.report(cmd.Context(), a)
			if err != nil {
				return err
			}
			return term.Answer(a, asJSON, r, func() string {
				r.NameScopes(a.Home.Here.Names(r.Scopes()...).Of)
				return why.Text(r)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	cmd.Flags().StringVar(&without, "without", "", "what it would have had without the memory `REF`")
	return cmd
}

// answerWithout says what an answer would have been given without a memory.
func answerWithout(ctx context.Context, a *term.Run, w asked, arg string, asJSON bool) error {
	ref, err := refOf(ctx, a, arg)
	if err != nil {
		return err
	}
	v, err := w.without(ctx, a, ref)
	if err != nil {
		return err
	}
	return term.Answer(a, asJSON, v, func() string {
		v.NameScopes(a.Home.Here.Names(v.Scopes()...).Of)
		return v.Text("answer " + w.name())
	})
}

// without is what the answer would have been given without the memory ref.
func (w asked) without(ctx context.Context, a *term.Run, ref string) (why.Without, error) {
	switch {
	case !w.traced:
		return why.Without{}, fault.Failuref("%s had no memory to draw on", w.name())
	case w.Question == "":
		return why.Without{}, fault.Failuref("the question of %s is not to be read any more, and nothing can be chosen for it", w.name())
	}
	id, err := memory.ParseID(ref)
	if err != nil {
		return why.Without{}, err
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return why.Without{}, err
	}
	if s.Status(id) == memory.StatusUnknown {
		return why.Without{}, fault.Failuref("no memory is called %s", ref).WithHint("see what there is: %s", fault.Command("memory list"))
	}
	past := replay.Past{Trace: w.Trace, Question: w.Question, Before: w.before, Scope: w.Scope}
	got, err := replay.Without(ctx, a.Home, s, past, id)
	if err != nil {
		return why.Without{}, err
	}
	was := why.Of(w.source(ctx, a, s))
	w.Trace = got.Trace
	return why.WithoutOf(ref, was, why.Of(w.source(ctx, a, s)), got.Exact), nil
}

func whyNotCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	var answer string
	cmd := &cobra.Command{
		Use:   "why-not REF",
		Short: "show why an answer did not have a memory",
		Long: `Why-not says for what reason the memory REF was not given to an answer: the last one
of this project, or the one that --answer names. What was not noted then is found out
anew, and said to be so.`,
		Example:     "  ken why-not 7\n  ken why-not 7 --answer 4",
		Args:        cobra.ExactArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := resolve(cmd.Context(), a, answer)
			if err != nil {
				return err
			}
			ref, err := refOf(cmd.Context(), a, args[0])
			if err != nil {
				return err
			}
			v, err := w.verdict(cmd.Context(), a, ref)
			if err != nil {
				return err
			}
			return term.Answer(a, asJSON, v, func() string { return v.Text(w.name()) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	cmd.Flags().StringVar(&answer, "answer", "", "of this `ANSWER`: N, or SESSION:N")
	return cmd
}

// verdict is how the memory ref stands to the answer.
func (w asked) verdict(ctx context.Context, a *term.Run, ref string) (why.Verdict, error) {
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return why.Verdict{}, err
	}
	v := why.VerdictOf(w.source(ctx, a, s), ref)
	v.N = w.n
	if v.Then {
		return v, nil
	}
	id, err := memory.ParseID(ref)
	if err != nil {
		return v, err
	}
	v.Reason, err = app.WhyNot(ctx, a.Home, s, id, app.Answered{Question: w.Question, At: w.Trace.Time, Traced: w.traced})
	if err == nil && v.Reason == "" {
		err = fault.Failuref("no memory is called %s", ref).WithHint("see what there is: %s", fault.Command("memory list"))
	}
	return v, err
}
