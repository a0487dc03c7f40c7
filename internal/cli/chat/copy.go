package chat

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/markdown"
	"ken/internal/termsafe"
	"ken/internal/view"
)

func (s *REPL) copyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "copy", Args: cobra.MaximumNArgs(1),
		Long: `Copy puts the last answer, as the model wrote it, on your clipboard, or its Nth block of
code alone. It asks a program of your system (pbcopy, wl-copy, xclip, xsel, clip.exe), or
over ssh and where there is none your terminal, which may not let programs copy and says
nothing then; ui.clipboard chooses. Nothing else in ken copies: not an answer, not a tool.`,
		Example:     "  :copy\n  :copy 2",
		Annotations: term.Writes{Person: "copies"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !s.term.Asks {
				return fault.Refusedf("a script has nobody's clipboard: nothing was copied").WithHint(":history prints the answer")
			}
			answer, err := s.lastAnswer(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return run.Copy(cmd.Context(), s.app, answer, "the answer")
			}
			n, block, err := blockOf(answer, args[0])
			if err != nil {
				return err
			}
			return run.Copy(cmd.Context(), s.app, block, fmt.Sprintf("block %d", n))
		},
	}
}

func (s *REPL) saveBlockCommand() *cobra.Command {
	return &cobra.Command{
		Use: "save-block", Args: cobra.RangeArgs(1, 2),
		Long: `Save-block writes the Nth block of code of the last answer to FILE, as clean text with a
line end. Without N it is the only one there is. A file that is there is asked about
first.`,
		Example:     "  :save-block fix.sh\n  :save-block 2 ~/bin/fix.sh",
		Annotations: term.Writes{Person: "writes files by :save-block"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := s.lastAnswer(cmd.Context())
			if err != nil {
				return err
			}
			which := ""
			if len(args) == 2 {
				which = args[0]
			}
			_, block, err := blockOf(answer, which)
			if err != nil {
				return err
			}
			return s.saveBlock(cmd.Context(), block, args[len(args)-1])
		},
	}
}

// lastAnswer is the text of the newest answer, clean.
func (s *REPL) lastAnswer(ctx context.Context) (string, error) {
	t, err := s.conv().Answered(ctx)
	if errors.Is(err, agent.ErrNoQuestions) {
		return "", fault.Failuref("there is no answer yet in this conversation")
	}
	return s.app.Home.Keys.MaskText(termsafe.Clean(t.Content)), err
}

// blockOf is the block of code that a person names by its number, or the only one if which is "".
func blockOf(answer, which string) (n int, block string, err error) {
	blocks := markdown.Blocks(answer)
	has := view.Count(len(blocks), "block") + " of code"
	if n, err = strconv.Atoi(which); which != "" && (err != nil || n < 1) {
		return 0, "", fault.Usagef("block %s: want a number from 1", termsafe.Line(which))
	}
	switch {
	case len(blocks) == 0:
		return 0, "", fault.Failuref("the last answer has no block of code")
	case which == "" && len(blocks) > 1:
		return 0, "", fault.Usagef("the last answer has %s: say which", has).WithHint(":save-block 1 FILE is the first")
	case which == "":
		n = 1
	case n > len(blocks):
		return 0, "", fault.Failuref("the last answer has %s, and no block %d", has, n)
	}
	return n, blocks[n-1], nil
}

// saveBlock writes a block to a file, which the person is asked about if it is there.
func (s *REPL) saveBlock(ctx context.Context, block, name string) error {
	if err := s.app.Person.WriteFile(ctx, s.app.Process.Path(name), block); err != nil {
		return err
	}
	s.app.Status("wrote %s (%d bytes)", termsafe.Line(name), len(block))
	return nil
}
