package chat

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/auto"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/fault"
)

// AccountCommand stands below `sessions`: it shows what a model did in a conversation.
func AccountCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "account SESSION|TEXT",
		Short: "show what a model did in a conversation, act by act",
		Long: `Account prints what a model had done in a conversation: each act with its level, by what
right it was done, how it ended and when; what was refused, skipped, or had begun when ken
was killed; which files changed, and how to take that back; what it cost.`,
		Example:     "  ken sessions account 20260510T190001Z-7f3a\n  ken sessions account trip --json",
		Annotations: term.Writes{Nothing: true}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, " ")
			if name == "" {
				return fault.Usagef("the account of which conversation?").WithHint("see what there is: %s", fault.Command("sessions list"))
			}
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			path, err := which.Session(cmd.Context(), a, name, which.Options{Verb: "account", Command: "sessions account"})
			if err != nil || path == "" {
				return err
			}
			return auto.PrintAll(a, path, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array, a run each")
	return cmd
}
