package memory

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/upkeep"
	"ken/internal/view"
	shape "ken/internal/view/learned"
)

// suggest puts changes into the review queue and reports what became of each.
func suggest(ctx context.Context, a *term.Run, list []engine.Suggestion, asJSON bool) error {
	out := make([]shape.Suggested, len(list))
	if len(list) > 0 {
		w, err := a.Home.Memory.Writer()
		if err != nil {
			return err
		}
		answers, err := w.Propose(ctx, list...)
		if err != nil {
			return term.NotSaved(err)
		}
		for i, p := range answers {
			out[i] = shape.SuggestedOf(list[i], p, func(text string) string { return clean(a, text) })
		}
	}
	if asJSON {
		return a.PrintJSON(out)
	}
	if len(out) == 0 {
		return a.Println("nothing to propose")
	}
	waiting := 0
	for _, p := range out {
		if p.Waits() {
			waiting++
		}
		if err := a.Println(p.Text()); err != nil {
			return err
		}
	}
	if waiting > 0 {
		a.Status("%s: %s", waits(waiting), a.Verb("review"))
	}
	return nil
}

func compactCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "propose to forget memories that newer ones repeat",
		Long: `Compact looks for memories of one kind and scope that say the same, or nearly so, as a
newer one, and proposes to forget the older; of lessons, that the newest takes the place
of the others and cites them. Nothing is changed before you say yes (ken review).
What contradicts a newer memory is shown by ken memory scan.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Memory: "that memories are forgotten"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			a.Home.Memory.TellProblems(s)
			return suggest(cmd.Context(), a, upkeep.Twice(a.Home, s), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

func stabilizeCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	phase := string(memory.PhaseStabilized)
	cmd := &cobra.Command{
		Use:   "stabilize REF...|TEXT",
		Short: "propose memories as settled, so that hygiene leaves them alone",
		Long: `Stabilize proposes to make memories stabilized (reviewed, durable), or what --phase says.
It counts once you say yes (ken review).`,
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Memory: "that memories are settled"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := term.OneOf("--phase", phase, string(memory.PhaseFluid), string(memory.PhaseStabilized), string(memory.PhaseRigid))
			if err != nil {
				return err
			}
			ids, err := which.Meant(cmd.Context(), a, args, which.Options{Verb: "stabilize", Command: "memory stabilize"})
			if err != nil {
				return err
			}
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			var list []engine.Suggestion
			for _, id := range ids {
				it, status := s.Get(id)
				if status != memory.StatusActive && status != memory.StatusSuperseded {
					return fmt.Errorf("%s: %w", id, engine.ErrNotActive)
				}
				if it.Phase == memory.Phase(phase) {
					a.Status("#%s is %s already", it.Ref(), phase)
					continue
				}
				list = append(list, engine.Suggestion{
					Why:    fmt.Sprintf("%s, to be %s: %s", it.Phase, phase, view.Excerpt(a.Home.Keys.MaskText(it.Record.Content), textWidth)),
					Record: memory.Record{Kind: memory.KindPhase, Target: id, Detail: &memory.Detail{Phase: memory.Phase(phase)}},
				})
			}
			return suggest(cmd.Context(), a, list, asJSON)
		},
	}
	cmd.Flags().StringVar(&phase, "phase", phase, "into `fluid|stabilized|rigid`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

func resetCommand(a *term.Run) *cobra.Command {
	var asJSON, all bool
	var scope string
	cmd := &cobra.Command{
		Use:   "reset --scope SCOPE | --all",
		Short: "propose to forget everything of a scope",
		Long: `Reset proposes to forget everything that holds in a scope, or with --all everywhere; what
is pinned, rules and preferences too. It is one proposal, one yes (ken review) and one
undo. For what is to be gone at once there is ken forget --scope.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Memory: "that memories are forgotten"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (scope == "") != all {
				return fault.Usagef("reset what? --scope SCOPE, or --all")
			}
			sel, err := app.Items(cmd.Context(), a.Home, app.ItemFilter{Scope: scope, Past: true})
			if err != nil {
				return err
			}
			// One line forgets them, of no more than a person looks through.
			var list []engine.Suggestion
			x := lifecycle.Action{Do: lifecycle.Forget, Why: "reset"}
			for it := range sel.Items.Each() {
				if it.ID.Log == "" && (it.Status == memory.StatusActive.String() || it.Status == memory.StatusSuperseded.String()) {
					x.Items = append(x.Items, it.Item)
				}
			}
			if len(x.Items) > 0 {
				for _, rec := range x.Records("") {
					why := fmt.Sprintf("begin anew: %s of %s", view.Memories(len(x.Items)), where(scope))
					list = append(list, engine.Suggestion{Record: rec, Why: why})
				}
			}
			return suggest(cmd.Context(), a, list, asJSON)
		},
	}
	cmd.Flags().StringVar(&scope, "scope", "", "what is of `SCOPE`: user, here, repo, dir, or a full one")
	cmd.Flags().BoolVar(&all, "all", false, "what is of any scope")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

func where(scope string) string {
	if scope == "" {
		return "all scopes"
	}
	return "the scope " + scope
}
