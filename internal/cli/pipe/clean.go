package pipe

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/termsafe"
	"ken/internal/view/port"
)

func cleanCommand(a *term.Run) *cobra.Command {
	var lines bool
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "strip control sequences from standard input",
		Long: `Clean copies standard input to standard output without escape sequences, control
characters other than newline and tab, and invisible characters that hide or
reorder text. What it prints is safe to look at, and valid UTF-8.

With --jsonl it reads lines {"id","text"} and writes {"id","text"}, each before it
reads the next. A line that it cannot read is answered with {"id","error"}, and the
exit code is then 1.`,
		Example:     "  curl -s https://example.org/log | ken clean",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(*cobra.Command, []string) error {
			if lines {
				return answerLines(a, func(text string) port.TextReply {
					text = termsafe.Clean(text)
					return port.TextReply{Text: &text}
				})
			}
			return pass(a, new(termsafe.Cleaner))
		},
	}
	cmd.Flags().BoolVar(&lines, "jsonl", false, "one JSON object a line, in and out")
	return cmd
}
