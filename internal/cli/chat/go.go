package chat

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent/turn"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/upkeep"
)

// goOn is what a model is told with what commands printed, where the person adds no words.
const goOn = "Here is what it printed. Go on."

func (s *REPL) goCommand() *cobra.Command {
	return &cobra.Command{
		Use: "go",
		Long: `Go sends what was printed since the last question, of commands that were offered and of
your own, and asks the model to go on, or what TEXT says. Nothing is sent by itself: what
was printed waits for :go or for your next question.`,
		Annotations: term.Writes{Own: "the conversation"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !s.conv().Printed() {
				return fault.Failuref("no command ran since the last question").WithHint("ask, or run one: $COMMAND")
			}
			text := strings.TrimSpace(strings.Join(args, " "))
			q := turn.Question{Text: cmp.Or(text, goOn), Nudge: text == "", Sentence: text != "", Output: true}
			err := s.ask(cmd.Context(), q, nil)
			if err == nil && cmd.Context().Err() == nil {
				s.dialog.After(cmd.Context(), upkeep.Answered)
			}
			return err
		},
	}
}
