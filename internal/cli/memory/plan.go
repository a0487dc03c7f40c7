package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/lifecycle"
	"ken/internal/upkeep"
	"ken/internal/upkeep/page"
	"ken/internal/view"
	"ken/internal/view/ageing"
)

// A source says which policy is meant.
type source struct{ policy, profile string }

func (s *source) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.policy, "policy", "", "the `POLICY` of that name in policies/, in place of memory.policy")
	cmd.Flags().StringVar(&s.profile, "profile", "", "that of `FILE`: a memory profile in JSON, or TOML")
	cmd.MarkFlagsMutuallyExclusive("policy", "profile")
}

// flags are how the same policy is named again.
func (s source) flags() string {
	switch {
	case s.profile != "":
		return " --profile " + s.profile
	case s.policy != "":
		return " --policy " + s.policy
	}
	return ""
}

func (s source) read(a *term.Run) (lifecycle.Reading, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return lifecycle.Reading{}, err
	}
	if s.profile != "" {
		return a.Home.Settings.Policies().File(s.profile)
	}
	return a.Home.Settings.Policies().Named(s.policy)
}

// tellFaults prints what is wrong with a policy and, where more was asked for, what in
// it counts for nothing.
func tellFaults(a *term.Run, r lifecycle.Reading) {
	for _, f := range r.Faults {
		a.Say("ken: warning: ", "policy "+r.Policy.Name+": "+f.String())
	}
	if !a.Flags.Verbose {
		return
	}
	for _, f := range r.Notes {
		a.Status("policy %s: %s", r.Policy.Name, noteIn(a, f))
	}
}

// noteIn is what is said of a policy, with commands as they are typed here.
func noteIn(a *term.Run, f lifecycle.Fault) string {
	return f.In(func(c fault.Command) string { return a.Verb(string(c)) })
}

func planCommand(a *term.Run) *cobra.Command {
	var from source
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "show what a policy would do now",
		Long: `Plan shows what a policy comes to now, and changes nothing. What makes a memory more
settled waits for your yes in any case; apply asks. A policy with a fault is shown as far
as it can be read, each fault by its field, and can only be planned (exit code 1).`,
		Example:     "  ken memory tidy plan --policy work\n  ken memory tidy plan --profile profile.json --json",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := from.read(a)
			if err != nil {
				return err
			}
			p, err := plan(cmd.Context(), a, r.Policy)
			if err != nil {
				return err
			}
			out := ageing.ReportOf(p, true, cleaner(a))
			out.Faults = ageing.DiagnosesOf(r, cleaner(a))
			return tellReport(a, asJSON, out, r, from)
		},
	}
	from.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func applyCommand(a *term.Run) *cobra.Command {
	var from source
	var asJSON, yes, dryRun bool
	cmd := &cobra.Command{
		Use:   "apply",
		Short: "apply a policy; asks where it must",
		Long: `Apply carries out what plan shows. What needs no review is asked about once, or not at
all with --yes; then each memory that would be settled more, or forgotten, is asked about
by itself, at a terminal only. Each answer prints its undo.`,
		Example:     "  ken memory tidy apply --policy work\n  ken memory tidy apply --yes",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "carries out a policy", When: []string{"no --dry-run"}}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return apply(a, cmd, from, yes, dryRun, asJSON)
		},
	}
	from.add(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask about what needs no review; the rest waits")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func apply(a *term.Run, cmd *cobra.Command, from source, yes, dryRun, asJSON bool) error {
	r, err := from.read(a)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	p, err := plan(ctx, a, r.Policy)
	if err != nil {
		return err
	}
	out := ageing.ReportOf(p, dryRun || len(r.Faults) > 0, cleaner(a))
	out.Faults = ageing.DiagnosesOf(r, cleaner(a))
	if out.DryRun {
		return tellReport(a, asJSON, out, r, from)
	}
	var done []ageing.Action
	if due := p.Due(); len(due) > 0 {
		ok := yes
		if !ok {
			if ok, err = a.Person.Confirm(ctx, upkeep.Summary(due)+"?"); err != nil {
				return err
			}
		}
		if ok {
			if done, err = carry(ctx, a, r.Policy, lifecycle.ByPolicy+r.Policy.Name, lifecycle.Plan.Due); err != nil {
				return term.NotSaved(err)
			}
		} else {
			a.Status("what needs no review is left as it is")
		}
	}
	out.Done(done)
	if !yes {
		if err := askEach(ctx, a, r.Policy, p.Waiting(), &out); err != nil {
			return err
		}
	}
	if out.Wrote() {
		if err := page.Renew(ctx, a.Home, false); err != nil {
			a.Warn(err)
		}
	}
	return tellReport(a, asJSON, out, r, from)
}

// askEach asks about each action that waits, and does what is answered with yes.
func askEach(ctx context.Context, a *term.Run, p lifecycle.Policy, list []lifecycle.Action, out *ageing.Report) error {
	for i, x := range list {
		it, d := x.Items[0], ageing.ActionOf(x, cleaner(a))
		asks := fmt.Sprintf("%d of %d: %s #%s (%s): %s\ndo it?", i+1, len(list),
			d.Verb(), it.Ref(), d.Why, view.ExcerptSaid(a.Home.Keys.MaskText(it.Record.Content), textWidth))
		said, err := a.Person.Put(ctx, ask.Question{Asks: asks, Choices: []ask.Choice{{Answer: ask.Yes}, {Answer: ask.Stop}}})
		if term.NoTerminal(err) {
			return nil // it waits, and the report says that
		}
		if err != nil || said == ask.Stop {
			return err
		}
		if said != ask.Yes {
			continue
		}
		done, err := carry(ctx, a, p, "user", func(now lifecycle.Plan) []lifecycle.Action {
			return slices.DeleteFunc(now.Waiting(), func(y lifecycle.Action) bool {
				return y.Do != x.Do || y.To != x.To || y.Rule != x.Rule || y.Items[0].ID != it.ID
			})
		})
		if err != nil {
			return term.NotSaved(err)
		}
		out.Answered(it.Ref(), d.Do, done)
		if len(done) == 0 {
			a.Status("#%s is not what it was: nothing was done", it.Ref())
		}
	}
	return nil
}
