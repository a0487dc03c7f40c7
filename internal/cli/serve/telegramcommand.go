package serve

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// TelegramCommand is the command `telegram` with all below it.
func TelegramCommand(a *term.Run) *cobra.Command {
	cmd := &cobra.Command{
		Use: "telegram", Short: "talk with ken on your phone by a bot of yours",
		Long: `Telegram has a bot of yours answer you, and nobody else, until a signal ends it. The bot is
one that you make with @BotFather; its token stands in the file that telegram.token_file names.
Telegram pair makes a code, which you send to the bot to be known to it.

There you ask, remember, forget and take back; tools only read, and what needs a yes needs the
terminal. What you forward, quote or send as a file is read and never obeyed.`,
		Example:     "  ken config set telegram.token_file=~/.keys/bot\n  ken telegram pair\n  ken telegram",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "lets ken answer on a phone"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return Telegram(cmd.Context(), a) },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "pair", Short: "show the code that makes your phone known to the bot", Args: cobra.NoArgs,
			Annotations: term.Writes{Person: "pairs a phone"}.Note(),
			RunE:        func(cmd *cobra.Command, _ []string) error { return Pair(cmd.Context(), a) },
		},
		&cobra.Command{
			Use: "unpair", Short: "have the bot answer nobody any more", Args: cobra.NoArgs,
			Annotations: term.Writes{Person: "unpairs a phone"}.Note(),
			RunE:        func(cmd *cobra.Command, _ []string) error { return Unpair(cmd.Context(), a) },
		},
	)
	return cmd
}
