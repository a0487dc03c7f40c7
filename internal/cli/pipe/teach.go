package pipe

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/teach"
	"ken/internal/termsafe"
	"ken/internal/view/port"
)

func teachCommand(a *term.Run) *cobra.Command {
	var lines, asJSON bool
	cmd := &cobra.Command{
		Use:   "teach LINE",
		Short: "show what a line would do to your memory, and keep nothing",
		Long: `Teach shows how ken reads a line of the shell, without a model: what it would keep, what
it would put to you in the review, what it would correct or forget. Nothing is kept.

The acts: keep (at once), propose (a statement, for the review), correct (it takes the
place of what is remembered), forget, hint (a wish that is half understood), none.

With --jsonl it reads lines {"id","text"} and writes {"id","act","kind","scope",
"key","content","old","lang"}, each before it reads the next. A line that it cannot read is
answered with {"id","error"}, and the exit code is then 1.`,
		Example:               "  ken teach 'from now on answer in metric units'\n  ken teach --jsonl < lines.jsonl",
		DisableFlagsInUseLine: true,
		Annotations:           term.Writes{Nothing: true}.Note(term.TextArgument()),
		RunE: func(_ *cobra.Command, args []string) error {
			line := strings.Join(args, " ")
			switch {
			case lines && len(args) > 0:
				return fault.Usagef("--jsonl reads lines from standard input, and takes none")
			case lines:
				return teachLines(a)
			case strings.TrimSpace(line) == "":
				return fault.Usagef("teach needs a line").WithHint("quote it: $ken teach 'remember that we use tabs'")
			case asJSON:
				return term.PrintLine(a, port.TaughtOf(teach.Read(line)))
			}
			return a.Println(taughtText(teach.Read(line)))
		},
	}
	cmd.Flags().BoolVar(&lines, "jsonl", false, "one JSON object a line, in and out")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// taughtText is a reading for a person.
func taughtText(r teach.Reading) string {
	if r.Text == "" {
		return r.Act.String()
	}
	text := r.Act.String()
	if r.Kind != "" {
		text += " (" + string(r.Kind)
		if r.Scope != "" {
			text += ", " + r.Scope
		}
		text += ")"
	}
	return termsafe.Line(fmt.Sprintf("%s: %s", text, termsafe.Visible(r.Text)))
}

// teachLines answers each line of standard input.
func teachLines(a *term.Run) error {
	if a.Shell != nil {
		return inShell()
	}
	return term.AnswerLines(a, "line", maxLine, func(line int, q port.TextLine, bad error) (any, bool, error) {
		var r port.Taught
		if bad = missing(bad, "text", q.Text, q.ID); bad != nil {
			r.Error = fmt.Sprintf("line %d: %v", line, bad)
		} else {
			r = port.TaughtOf(teach.Read(*q.Text))
		}
		r.ID = idOf(q.ID)
		return r, bad == nil, nil
	})
}
