package talk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"ken/internal/agent"
	"ken/internal/cli/app"
	"ken/internal/pty"
	"ken/internal/termsafe"
	"ken/internal/view"
)

func execCommand(a *app.App, shell *Shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "exec [flags] COMMAND",
		Short: "run a command line with your shell (inside ken: $COMMAND)",
		Long: `Exec runs a command line with your own shell on a terminal of its own; editors,
pagers and password prompts work. One argument is a line for the shell; several
are a program and its arguments as they stand. The exit code is the command's.`,
		Example:     "  ken exec vim notes.txt\n  ken exec 'make test 2>&1 | tail'",
		Annotations: app.TextArgument(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || strings.TrimSpace(args[0]) == "" {
				return app.Usage("run what?").Hint("%s COMMAND", a.Verb("exec"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := commandLine(args)
			switch {
			case err != nil:
				return err
			case asJSON:
				return execJSON(cmd.Context(), a, line)
			case shell != nil:
				return shell.exec(cmd.Context(), line)
			}
			r, err := runFramed(cmd.Context(), a, line)
			if err == nil && r.Code != 0 {
				err = app.Told(app.Failf(r.Code, "exit code %d", r.Code))
			}
			return err
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, when the command has ended")
	return cmd
}

// commandLine makes a line of arguments: one is a line already, several are
// quoted, so that each stays one word.
func commandLine(args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	words := make([]string, len(args))
	for i, arg := range args {
		var err error
		if words[i], err = syntax.Quote(arg, syntax.LangPOSIX); err != nil {
			return "", app.Usage("argument %d: %v", i+1, err)
		}
	}
	return strings.Join(words, " "), nil
}

func execJSON(ctx context.Context, a *app.App, line string) error {
	r, err := a.RunLine(ctx, line, io.Discard)
	if err != nil {
		return err
	}
	err = a.PrintJSON(view.Exec{Command: line, Exit: r.Code, Bytes: r.Bytes, Output: captured(r.Output)})
	if err == nil && r.Code != 0 {
		err = app.Told(app.Failf(r.Code, "exit code %d", r.Code))
	}
	return err
}

// exec runs a line that the person typed: what is about ken itself here, anything
// else with their shell. The model learns of it with the next question.
func (s *Shell) exec(ctx context.Context, line string) error {
	if line == "" {
		return app.Usage("run what?").Hint("$COMMAND; or a question without the dollar")
	}
	ran := agent.Ran{Command: line}
	own, err := s.own(ctx, line)
	switch {
	case own && err != nil:
		ran.Exit, ran.Output = app.ExitFailure, err.Error()
	case !own:
		var r pty.Result
		if r, err = runFramed(ctx, s.app, line); r.Code == 0 && r.Bytes == 0 && err != nil {
			return err // it did not run
		}
		ran.Exit, ran.Bytes, ran.Output = r.Code, r.Bytes, captured(r.Output)
	}
	s.conv.Ran(ran)
	return err
}

// runFramed runs a line between two rules, where somebody looks.
func runFramed(ctx context.Context, a *app.App, line string) (pty.Result, error) {
	framed := app.IsTerminal(a.Env.Stdout)
	if framed {
		if err := rule(a, line); err != nil {
			return pty.Result{}, err
		}
	}
	r, err := a.RunLine(ctx, line, a.Env.Stdout)
	if !framed || errors.Is(err, syscall.EPIPE) || ctx.Err() != nil {
		return r, err
	}
	text := captured(r.Output)
	if text != "" && !strings.HasSuffix(text, "\n") {
		_, werr := io.WriteString(a.Env.Stdout, "\n") // so that the rule has a line of its own
		err = errors.Join(err, werr)
	}
	return r, errors.Join(err, rule(a, fmt.Sprintf("exit %d", r.Code)))
}

// rule prints a line across the terminal that says text.
func rule(a *app.App, text string) error {
	dash := "─"
	if a.Env.Getenv("TERM") == "dumb" {
		dash = "-"
	}
	width := a.Width()
	text = dash + dash + " " + termsafe.Cut(termsafe.Line(text), width-6) + " "
	return a.Println(text + strings.Repeat(dash, max(width-termsafe.Width(text), 2)))
}

// captured is the text of what is kept of an output.
func captured(c pty.Captured) string {
	if c.Left == 0 {
		return termsafe.Clean(string(c.Head) + string(c.Tail))
	}
	head, tail := string(c.Head), string(c.Tail)
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)-1 {
		tail = tail[i+1:]
	}
	left := c.Left + int64(len(c.Head)-len(head)+len(c.Tail)-len(tail))
	return termsafe.Clean(head) + fmt.Sprintf("[... %d bytes left out ...]\n", left) + termsafe.Clean(tail)
}
