package search

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/fault"
	"ken/internal/learn/lessons"
	"ken/internal/view/learned"
)

// orOutcomes has the command `sessions show` show what became of what was offered in a conversation, if that is asked for.
func orOutcomes(a *term.Run, cmd *cobra.Command) *cobra.Command {
	turns := cmd.RunE
	outcomes := cmd.Flags().Bool("outcomes", false, "what became of what was offered: taken, changed, refused, retried, failed, undone")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !*outcomes {
			return turns(cmd, args)
		}
		asJSON, err := cmd.Flags().GetBool("json")
		if err != nil {
			return err
		}
		if cmd.Flags().Changed("day") || cmd.Flags().Changed("context") {
			return fault.Usagef("--outcomes shows those of one conversation, without --day and -C")
		}
		return showOutcomes(cmd, a, strings.Join(args, " "), asJSON)
	}
	return cmd
}

// showOutcomes prints the outcomes of the conversation that name means.
func showOutcomes(cmd *cobra.Command, a *term.Run, name string, asJSON bool) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	path, err := which.Session(cmd.Context(), a, name, which.Options{Verb: "show", Command: "sessions show --outcomes"})
	if err != nil || path == "" {
		return err
	}
	t, err := a.Home.Conversations.Dir().Load(path)
	if err != nil {
		return err
	}
	if w := t.Warning(); w != "" {
		a.Say("ken: warning: ", w)
	}
	list := learned.Outcomes(lessons.Of(time.Time{}, t).Outcomes, a.Home.Keys.MaskText)
	return term.Answer(a, asJSON, list, func() string {
		if len(list) == 0 {
			return "(nothing is noted)"
		}
		return learned.OutcomeTable(list, a.Screen.Width())
	})
}
