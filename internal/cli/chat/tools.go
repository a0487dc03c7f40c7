package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/agent/turn"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// How long the first question waits for tool servers: one of the shell for those that are there at once, which programs
// without a fetch before them are in a third of a second; the only one for slow ones as well, since nothing comes after.
const (
	firstWait = time.Second
	onlyWait  = 5 * time.Second
)

func (s *REPL) outCommand() *cobra.Command {
	return &cobra.Command{
		Use: "out", Args: cobra.MaximumNArgs(1),
		Long: `Out shows what a tool printed that a model was given in part, with a line in it that says
"read_file out:N"; without N the newest. It is kept with the conversation for 30 days, 64 kB
of each.`,
		Example:     "  :out\n  :out 12",
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.TrimPrefix(strings.Join(args, ""), "out:")
			named, text, err := turn.Output(cmd.Context(), s.dialog, name)
			switch {
			case errors.Is(err, fs.ErrNotExist) && name == "":
				return fault.NotFoundf("all that tools printed in this conversation is in it whole, or not kept any more").WithHint(":history shows it")
			case errors.Is(err, fs.ErrNotExist):
				return fault.NotFoundf("nothing is kept as out:%s in this conversation", termsafe.Line(name)).WithHint(":out shows the newest")
			case err != nil:
				return err
			case name == "":
				s.app.Status("out:%s", named)
			}
			return s.app.PrintAsIs(s.app.Home.Keys.MaskText(strings.TrimSuffix(text, "\n")))
		},
	}
}

// more asks whether a model that has called for so many rounds may go on.
func (s *REPL) more(ctx context.Context, rounds int) bool {
	if !s.term.Asks {
		return false
	}
	question := fmt.Sprintf("the model has called tools in %s and has not answered. Let it go on?", view.Count(rounds, "round"))
	yes, err := s.app.Person.Confirm(ctx, question)
	return err == nil && yes
}
