package learn

import (
	"context"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/learn"
	"ken/internal/rules"
	"ken/internal/view/learned"
)

// rulesCommand is the command `rules` with all below it.
func rulesCommand(a *term.Run) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "the rules in force: list, change, go back",
		Long: `Rules shows which rules are in force: every memory of the kind rule, and the
preferences and lessons that name a command. A rule makes ken ask, and never spares a
question. What a rule says of a command is checked before it runs; a rule that names
none stands in the prompt alone.`,
		Example:     "  ken rules list\n  ken rules propose\n  ken rules log\n  ken rules rollback 3",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return listRules(cmd.Context(), a, false) },
	}
	cmd.AddCommand(rulesListCommand(a), rulesProposeCommand(a), rulesApproveCommand(a), rulesLogCommand(a), rulesRollbackCommand(a))
	return cmd
}

func rulesListCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "list the rules in force, and which commands met them", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return listRules(cmd.Context(), a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func listRules(ctx context.Context, a *term.Run, asJSON bool) error {
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	commands, err := learn.Commands(ctx, a.Home, learn.MostCommands)
	if err != nil {
		return err
	}
	set := rules.Of(s)
	uses := set.Uses(commands, commandJudge(a), a.Env.Now())
	notedRules(a, s)
	l := learned.ListingOf(set, len(rules.Versions(s)), len(commands), uses, a.Home.Keys.MaskText)
	return term.Answer(a, asJSON, l, func() string { return l.Text(a.Env.Now()) })
}

// commandJudge says what a line could do, wherever it ran.
func commandJudge(a *term.Run) rules.Judge { return learn.CommandJudge(a.Env.Getenv("HOME")) }
