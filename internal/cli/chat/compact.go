package chat

import (
	"errors"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/upkeep"
	"ken/internal/view"
)

func (s *REPL) compactCommand() *cobra.Command {
	return &cobra.Command{
		Use: "compact", Args: cobra.NoArgs,
		Long: `Compact sums up the conversation but for the newest turns (context.keep_turns), so
that there is room again. The summary is written by memory.summarizer_model, else by a
preset called fast, else by the model in force; what you said and it left out stands
behind it, word for word. Without a model all of it is your own words. The session
keeps every turn.`,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := s.dialog.Compact(cmd.Context())
			if errors.Is(err, agent.ErrShort) {
				return fault.Failuref("%w: %s", err, view.Count(len(s.conv().Turns()), "turn")).
					WithHint("context.keep_turns says how many of the newest stay")
			}
			if err != nil {
				return err
			}
			s.dialog.After(cmd.Context(), upkeep.Shortened)
			return nil
		},
	}
}
