package pipe

import (
	"io"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/view/port"
)

// Commands are those that stand at the top.
func Commands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{redactCommand(a), cleanCommand(a), riskCommand(a), teachCommand(a)}
}

// chunk is how much of a text is read at once, in bytes: less than a stream of
// masks may hold back.
const chunk = 16 << 10

func redactCommand(a *term.Run) *cobra.Command {
	var lines bool
	cmd := &cobra.Command{
		Use:   "redact",
		Short: "mask secrets in standard input",
		Long: `Redact copies standard input to standard output with a mark in the place of each
secret: keys, tokens, passwords, private keys, numbers of cards and accounts. The
same secret has the same mark, on this device. All else stays as it is, byte for byte.

With --jsonl it reads lines {"id","text"} and writes {"id","text","hits":[{"kind"}]},
each before it reads the next. A line that it cannot read is answered with
{"id","error"}, and the exit code is then 1.`,
		Example:     "  journalctl -u web | ken redact | less",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(*cobra.Command, []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			if lines {
				return answerLines(a, func(text string) port.TextReply { return masked(a, text) })
			}
			return pass(a, a.Home.Keys.Masker().Stream())
		},
	}
	cmd.Flags().BoolVar(&lines, "jsonl", false, "one JSON object a line, in and out")
	return cmd
}

// masked answers one line of redact.
func masked(a *term.Run, text string) port.TextReply {
	text, found := a.Home.Keys.Mask(text)
	hits := make([]port.SecretHit, len(found))
	for i, h := range found {
		hits[i].Kind = h.Kind
	}
	return port.TextReply{Text: &text, Hits: &hits}
}

// A stream changes a text that comes in pieces: what Write returns may be kept,
// what Flush returns ends the text.
type stream interface {
	Write(piece string) string
	Flush() string
}

// pass sends standard input through s to standard output.
func pass(a *term.Run, s stream) error {
	if a.Shell != nil {
		return inShell()
	}
	buf := make([]byte, chunk)
	for {
		n, rerr := a.Env.Stdin.Read(buf)
		out := s.Write(string(buf[:n]))
		if rerr != nil {
			out += s.Flush()
		}
		if _, err := io.WriteString(a.Env.Stdout, out); err != nil {
			return err
		}
		switch {
		case rerr == io.EOF:
			return nil
		case rerr != nil:
			return readFault(rerr)
		}
	}
}

// inShell refuses to take the shell's own input for a text.
func inShell() error {
	return fault.Usagef("this reads standard input, which is the shell's").WithHint("leave the shell, or run it there: $ken redact <FILE")
}
