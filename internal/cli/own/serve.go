package own

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/serve"
	"ken/internal/cli/term"
)

// ServeCommand is the command `serve` with all below it.
func ServeCommand(a *term.Run) *cobra.Command {
	var s serve.HTTP
	var readOnly bool
	cmd := &cobra.Command{
		Use: "serve", Short: "serve the memory to programs over HTTP; below: their tokens",
		Long: `Serve answers programs of this machine until a signal ends it: the ports and the memories as
JSON below /api, which /api/openapi.json describes, and assistants at /mcp. It listens at a unix
socket that is yours alone, or with --tcp at an address of this machine itself.

Every request needs a token. Each client has its own, and what it suggests waits in the review
under its name. Clients are given what holds everywhere, and nothing of a project.`,
		Example:     "  ken serve token add notes\n  ken serve\n  ken serve --tcp 127.0.0.1:8765",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "serves the memory"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.Run(cmd.Context(), a) },
	}
	cmd.Flags().StringVar(&s.TCP, "tcp", "", "listen at `ADDRESS` of this machine itself: 127.0.0.1:8765")
	token := &cobra.Command{
		Use: "token", Short: "list who has a token", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return serve.ListTokens(a) },
	}
	add := &cobra.Command{
		Use: "add NAME", Short: "make a client's token, and show it this once", Args: cobra.ExactArgs(1),
		Annotations: term.Writes{Person: "gives tokens to clients"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return serve.AddToken(cmd.Context(), a, args[0], readOnly)
		},
	}
	add.Flags().BoolVar(&readOnly, "read-only", false, "it may suggest nothing")
	token.AddCommand(
		add,
		&cobra.Command{
			Use: "list", Short: "list who has a token", Args: cobra.NoArgs,
			Annotations: term.Writes{Nothing: true}.Note(),
			RunE:        func(*cobra.Command, []string) error { return serve.ListTokens(a) },
		},
		&cobra.Command{
			Use: "revoke NAME", Short: "take a client's token away", Args: cobra.ExactArgs(1),
			Annotations: term.Writes{Person: "takes tokens away"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return serve.RevokeToken(cmd.Context(), a, args[0]) },
		},
	)
	cmd.AddCommand(token)
	return cmd
}
