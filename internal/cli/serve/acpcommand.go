package serve

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// ACPCommand is the command by which editors start ken as their agent.
func ACPCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "acp", Short: "be the agent inside an editor",
		Long: `Acp speaks the Agent Client Protocol over its standard streams: Zed, JetBrains, Neovim and Emacs
start it. You talk with ken there, and are asked there before a file is changed or a command
runs. What is dangerous is done from a terminal alone.`,
		Example:     `  ken acp`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "is the agent of an editor", Spares: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return ACP(cmd.Context(), a) },
	}
}
