package learn

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/memory"
	"ken/internal/rules"
	"ken/internal/view/learned"
)

func rulesLogCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "log", Short: "the sets of rules that were in force, the newest first", Args: cobra.NoArgs,
		Long: `Log lists the versions of the rules: what each change added, took away or changed, when,
on whose word, and from which suggestion. A version is what the lines of the memory said
then; one that the account does not know was made by hand.`,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.Home.Memory.State(cmd.Context())
			if err != nil {
				return err
			}
			list := learned.VersionsOf(rules.Versions(s), notedRules(a, s).Lines, a.Home.Keys.MaskText)
			return term.Answer(a, asJSON, list, func() string { return learned.VersionsText(list, a.Env.Now()) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

// notedRules is what the account knows of the rules.
func notedRules(a *term.Run, s *memory.State) learn.RuleAccount {
	known, err := learn.ReadRuleAccount(a.Home, s)
	if err != nil {
		a.Warn(err)
	}
	if known.Otherwise {
		a.Status("%s", otherwise)
	}
	return known
}

// otherwise is said where the rules are not those that the account has.
const otherwise = "the rules are not those of the last change in the account: a line was changed by hand, or on another device"

func rulesRollbackCommand(a *term.Run) *cobra.Command {
	var asJSON, dryRun bool
	cmd := &cobra.Command{
		Use: "rollback N", Short: "go back to version N of the rules", Args: cobra.ExactArgs(1),
		Long: `Rollback has exactly the rules of version N in force again, as "rules log" counts. It shows
what that changes and which commands it is about, and asks; nothing else of the memory
changes. It is a version of its own, and undo takes it back.`,
		Example:     "  ken rules rollback 3 --dry-run\n  ken rules rollback 3",
		Annotations: term.Writes{Person: "changes rules", Look: "rules log", When: []string{"no --dry-run"}}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return fault.Usagef("%q is no version", args[0]).WithHint("see them: %s", fault.Command("rules log"))
			}
			return rollBack(cmd.Context(), a, n, dryRun, asJSON)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only show what it would change")
	cmd.Flags().BoolVar(&asJSON, "json", false, "with --dry-run, as one JSON object")
	return cmd
}

func rollBack(ctx context.Context, a *term.Run, n int, dryRun, asJSON bool) error {
	if asJSON && !dryRun {
		return fault.Usagef("rollback takes --json only with --dry-run")
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	back, err := rules.ReturnTo(s, n, a.Env.Now())
	if err != nil {
		return fault.New(fault.Failure, err).WithHint("see them: %s", fault.Command("rules log"))
	}
	set := rules.Of(s)
	shown, err := scale(a).Difference(ctx, set, back.Set)
	if err != nil {
		return err
	}
	if dryRun {
		return term.Answer(a, asJSON, shown, func() string { return strings.Join(shown.Lines(), "\n") })
	}
	if back.Difference.Effect != rules.Relaxes { // else the writer asks for more than a yes
		if err := a.Println(strings.Join(shown.Lines(), "\n")); err != nil {
			return err
		}
		ok, err := a.Person.Confirm(ctx, fmt.Sprintf("go back to version %d?", n))
		if err != nil {
			return err
		}
		if !ok {
			return a.Println("nothing was changed")
		}
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	r, err := w.ReturnTo(ctx, n, set)
	if err != nil {
		return term.NotSaved(err)
	}
	if len(back.Also) > 0 {
		a.Status("%s with it: other memories that stood in its place, or stand again", rulesIDs(back))
	}
	return a.Println(fmt.Sprintf("the rules of version %d are in force (undo: %s)", n, a.Verb("undo "+r.IDs[len(r.IDs)-1].String())))
}

// rulesIDs names the other memories of a return.
func rulesIDs(back rules.Return) string {
	list := make([]string, len(back.Also))
	for i, id := range back.Also {
		list[i] = "#" + id.String()
	}
	return strings.Join(list, ", ")
}

// Relaxing says what a person is shown before they relax a rule, a line each: what is
// changed, and which of their commands it would no longer hold.
func Relaxing(a *term.Run) func(context.Context, *engine.RelaxError) []string {
	return func(ctx context.Context, e *engine.RelaxError) []string {
		shown, err := scale(a).Difference(ctx, e.Old, e.New)
		if err != nil {
			a.Warn(err)
			return []string{e.Error()}
		}
		return shown.Lines()
	}
}
