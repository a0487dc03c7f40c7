package pipe

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/risk"
	"ken/internal/view/port"
	"ken/internal/view/safety"
)

func riskCommand(a *term.Run) *cobra.Command {
	var lines, asJSON, untrusted, posix bool
	cmd := &cobra.Command{
		Use:   "risk CMD | -",
		Short: "rate the risk of a command line",
		Long: `Risk prints safe, caution or danger for a command line, and each reason with the
words at fault. Nothing is run, no file is read and no model is asked: the verdict
comes from the shell's grammar and from what is known of programs and their options.

Several words are joined. With - the line is standard input, whatever is in it. The
exit code is 0 whatever the level is.

Git is judged as ken runs it, in a repository whose configuration you trust; with
--untrusted-git, as in a repository of somebody else's.

With --jsonl it reads lines {"id","cmd"} and writes {"id","level","reasons":[{"level",
"why","token","at"}]}, each before it reads the next. A line that it cannot read is
answered with {"id","error"}, and the exit code is then 1.`,
		Example: `  ken risk 'find . -name "*.o" -delete'
  pbpaste | ken risk -`,
		DisableFlagsInUseLine: true,
		Annotations:           term.Writes{Nothing: true}.Note(term.CommandWords()),
		RunE: func(_ *cobra.Command, args []string) error {
			here := risk.Here{TrustedGit: !untrusted, POSIX: posix}
			if lines {
				if len(args) > 0 {
					return fault.Usagef("--jsonl reads commands from standard input, and takes none")
				}
				return riskLines(a, here)
			}
			line, err := riskLine(a, args)
			if err != nil {
				return err
			}
			here = whereabouts(a, here)
			v := risk.Judge(line, here)
			if asJSON {
				return term.PrintLine(a, safety.VerdictOf(v))
			}
			return a.Println(strings.TrimSuffix(safety.VerdictText(line, v), "\n"))
		},
	}
	cmd.Flags().BoolVar(&lines, "jsonl", false, "one JSON object a line, in and out")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&untrusted, "untrusted-git", false, "judge git as in a repository whose configuration is not trusted")
	cmd.Flags().BoolVar(&posix, "posix", false, "read the line as sh does, not as bash")
	return cmd
}

// whereabouts adds the working directory and the home directory, by which paths are
// judged.
func whereabouts(a *term.Run, here risk.Here) risk.Here {
	here.Dir, here.Home = a.Env.Dir, a.Env.Getenv("HOME")
	return here
}

// riskLine is the line to judge.
func riskLine(a *term.Run, args []string) (string, error) {
	switch {
	case len(args) == 0:
		return "", fault.Usagef("risk needs a command line").
			WithHint("quote it: $ken safety test --level 'rm -rf build'; or pipe it: $ken safety test --level -")
	case len(args) == 1 && args[0] == "-":
		if a.Shell != nil {
			return "", inShell()
		}
		// One byte more than is looked into shows that there is more.
		in, err := io.ReadAll(io.LimitReader(a.Env.Stdin, risk.MaxLine+1))
		if err != nil {
			return "", readFault(err)
		}
		return strings.TrimSuffix(string(in), "\n"), nil
	}
	return strings.Join(args, " "), nil
}

// riskLines answers each line of standard input.
func riskLines(a *term.Run, here risk.Here) error {
	if a.Shell != nil {
		return inShell()
	}
	return term.AnswerLines(a, "line", maxLine, func(line int, q port.CommandLine, bad error) (any, bool, error) {
		var r safety.Verdict
		if bad = missing(bad, "cmd", q.Cmd, q.ID); bad != nil {
			r.Error = fmt.Sprintf("line %d: %v", line, bad)
		} else {
			r = safety.VerdictOf(risk.Judge(*q.Cmd, here))
		}
		r.ID = idOf(q.ID)
		return r, bad == nil, nil
	})
}
