package serve

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/web"
)

// Command is the command `serve` with all below it; doctor looks at the set-up.
func Command(a *term.Run, doctor web.Doctor) *cobra.Command {
	s := HTTP{Doctor: doctor}
	var readOnly bool
	cmd := &cobra.Command{
		Use: "serve", Short: "serve the memory to programs over HTTP; below: their tokens",
		Long: `Serve answers programs of this machine until a signal ends it: the ports and the memories as
JSON below /api, which /api/openapi.json describes, and assistants at /mcp. It listens at a unix
socket that is yours alone, or with --tcp at an address of this machine itself.

At an address your own browser has a page as well. With --page the link to it is shown at once, at
a terminal; serve page makes one while the server runs.

Every request needs a token. Each client has its own, and what it suggests waits in the review
under its name. Clients are given what holds everywhere, and nothing of a project.`,
		Example:     "  ken serve --page\n  ken serve token add notes\n  ken serve\n  ken serve --tcp 127.0.0.1:8765",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "serves the memory", Spares: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.Run(cmd.Context(), a) },
	}
	cmd.Flags().StringVar(&s.TCP, "tcp", "", "listen at `ADDRESS` of this machine itself: 127.0.0.1:8765")
	cmd.Flags().BoolVar(&s.Page, "page", false, "show the link to the page of your own browser (without --tcp at "+UsualTCP+")")
	cmd.Flags().BoolVar(&s.Open, "open", false, "with the page: send your browser there as well ($BROWSER, or the system's)")
	token := &cobra.Command{
		Use: "token", Short: "list who has a token", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return ListTokens(a) },
	}
	add := &cobra.Command{
		Use: "add NAME", Short: "make a client's token, and show it this once", Args: cobra.ExactArgs(1),
		Annotations: term.Writes{Person: "gives tokens to clients"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return AddToken(cmd.Context(), a, args[0], readOnly)
		},
	}
	add.Flags().BoolVar(&readOnly, "read-only", false, "it may suggest nothing")
	token.AddCommand(
		add,
		&cobra.Command{
			Use: "list", Short: "list who has a token", Args: cobra.NoArgs,
			Annotations: term.Writes{Nothing: true}.Note(),
			RunE:        func(*cobra.Command, []string) error { return ListTokens(a) },
		},
		&cobra.Command{
			Use: "revoke NAME", Short: "take a client's token away", Args: cobra.ExactArgs(1),
			Annotations: term.Writes{Person: "takes tokens away"}.Note(),
			RunE:        func(cmd *cobra.Command, args []string) error { return RevokeToken(cmd.Context(), a, args[0]) },
		},
	)
	var page Page
	own := &cobra.Command{
		Use: "page", Short: "make the link by which your browser sees your memory",
		Long: `Page makes the token of your own browser, and shows the link with it once, at a terminal alone: whoever has the
link sees your memory and changes it as you do. Links that were made before stay good, four in all; serve token
revoke page voids them.

With --open your browser is sent there as well, and asks for what stands in the link: whatever a
program is started with, everybody on the machine can read.`,
		Example:     "  ken serve page\n  ken serve page --open\n  ken serve token revoke page",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "makes the link to the page"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return page.Run(cmd.Context(), a) },
	}
	own.Flags().StringVar(&page.TCP, "tcp", "", "where the server listens: `ADDRESS` (that of the one that runs, else "+UsualTCP+")")
	own.Flags().BoolVar(&page.Open, "open", false, "send your browser there as well ($BROWSER, or the system's)")
	cmd.AddCommand(token, own)
	return cmd
}
