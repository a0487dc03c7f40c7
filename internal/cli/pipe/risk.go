package pipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/risk"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/view/port"
)

func riskCommand(a *term.Run) *cobra.Command {
	var lines, asJSON, untrusted, posix bool
	cmd := &cobra.Command{
		Use:   "risk CMD | -",
		Short: "say how much a command line could do",
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
				return writeJSON(a, answerOf(v))
			}
			_, err = io.WriteString(a.Env.Stdout, showVerdict(line, v))
			return err
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
		return "", fault.Usagef("risk needs a command line").WithHint("quote it: $ken risk 'rm -rf build'; or pipe it: $ken risk -")
	case len(args) == 1 && args[0] == "-":
		if a.Shell != nil {
			return "", inShell()
		}
		// One byte more than is looked into tells that there is more.
		in, err := io.ReadAll(io.LimitReader(a.Env.Stdin, risk.MaxLine+1))
		if err != nil {
			return "", readFault(err)
		}
		return strings.TrimSuffix(string(in), "\n"), nil
	}
	return strings.Join(args, " "), nil
}

// A verdict is what --json and --jsonl print of one.
type verdict struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Level   string          `json:"level,omitempty"`
	Reasons *[]reason       `json:"reasons,omitempty"`
	Error   string          `json:"error,omitempty"`
}

type reason struct {
	Level string `json:"level"`
	Why   string `json:"why"`
	Token string `json:"token"` // as it stands in the line
	At    int    `json:"at"`    // in bytes
}

func answerOf(v risk.Verdict) verdict {
	reasons := make([]reason, len(v.Reasons))
	for i, r := range v.Reasons {
		reasons[i] = reason{r.Level.String(), r.Why, strings.ToValidUTF8(r.Token, "\ufffd"), r.At}
	}
	return verdict{Level: v.Level.String(), Reasons: &reasons}
}

// riskLines answers each line of standard input.
func riskLines(a *term.Run, here risk.Here) error {
	if a.Shell != nil {
		return inShell()
	}
	return term.AnswerLines(a, "line", maxLine, func(line int, q port.CommandLine, bad error) (any, bool, error) {
		var r verdict
		if bad = missing(bad, "cmd", q.Cmd, q.ID); bad != nil {
			r.Error = fmt.Sprintf("line %d: %v", line, bad)
		} else {
			r = answerOf(risk.Judge(*q.Cmd, here))
		}
		r.ID = idOf(q.ID)
		return r, bad == nil, nil
	})
}

func writeJSON(a *term.Run, r any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("print verdict: %w", err)
	}
	_, err := a.Env.Stdout.Write(termsafe.JSONSafe(b.Bytes()))
	return err
}

// maxReasons is how many reasons a person is shown.
const maxReasons = 8

// showVerdict is a verdict for people: the level, and below each reason the line of
// the command at fault with a mark below the words. Nothing in it acts on a terminal.
func showVerdict(line string, v risk.Verdict) string {
	var b strings.Builder
	b.WriteString(v.Level.String() + "\n")
	for i, r := range v.Reasons {
		if i == maxReasons {
			fmt.Fprintf(&b, "\nand %s\n", view.Count(len(v.Reasons)-i, "further reason"))
			break
		}
		fmt.Fprintf(&b, "\n%s: %s\n", r.Level, termsafe.Clean(r.Why))
		before, token, after := around(line, r)
		text, mark := before+token+after, len(token) > 0
		b.WriteString("    " + text + "\n")
		if mark {
			b.WriteString("    " + strings.Repeat(" ", termsafe.Width(before)) + strings.Repeat("^", max(1, termsafe.Width(token))) + "\n")
		}
	}
	return b.String()
}

// around cuts the line of a command in which a reason stands into three, each
// escaped, and what is far from the words at fault away.
func around(line string, r risk.Reason) (before, token, after string) {
	const most = 48
	begin := strings.LastIndexByte(line[:r.At], '\n') + 1
	end := r.At + len(r.Token)
	before, token = line[begin:r.At], r.Token
	token, _, cut := strings.Cut(token, "\n")
	if !cut {
		after, _, _ = strings.Cut(line[end:], "\n")
	}
	before, token, after = plain(before), plain(token), plain(after)
	if len(before) > most {
		before = "..." + strings.ToValidUTF8(before[len(before)-most:], "")
	}
	if len(token) > most*2 {
		token, after = strings.ToValidUTF8(token[:most*2], "")+"...", ""
	}
	if len(after) > most {
		after = strings.ToValidUTF8(after[:most], "") + "..."
	}
	return before, token, after
}

// plain writes out what does not show itself, padding too: what follows it would
// be cut away, or stand where nobody looks.
func plain(s string) string { return termsafe.Unpad(termsafe.Visible(s)) }
