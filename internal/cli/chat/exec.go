package chat

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/pty"
	"ken/internal/repl"
	"ken/internal/tool/lane"
)

func execCommand(a *term.Run, shell *REPL) *cobra.Command {
	var asJSON, asModel bool
	cmd := &cobra.Command{
		Use:   "exec [flags] COMMAND",
		Short: "run a command line with your shell (inside ken: $COMMAND)",
		Long: `Exec runs a command line with your own shell on a terminal of its own; editors,
pagers and password prompts work. One argument is a line for the shell; several
are a program and its arguments as they stand. The exit code is the command's.

With --as-model the line runs as one that a model asks for: it is judged, and asked
about unless it only reads or you have approved it; then it runs with bash, without
anybody who types, for shell.model_timeout at most. Without a terminal to ask at it is
refused, with exit code 4.`,
		Example:     "  ken exec vim notes.txt\n  ken exec 'make test 2>&1 | tail'",
		Annotations: term.Writes{Own: "what ran, in the conversation"}.Note(term.CommandLine()),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || strings.TrimSpace(args[0]) == "" {
				return fault.Usagef("run what?").WithHint("%s COMMAND", fault.Command("exec"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := run.Joined(args)
			switch {
			case err != nil:
				return err
			case asModel:
				return run.AsModel(cmd.Context(), a, line, asJSON)
			case asJSON:
				return run.AsJSON(cmd.Context(), a, line)
			case shell != nil:
				return shell.exec(cmd.Context(), line)
			}
			if a.Person.Present() {
				run.Runner(a).Typed(cmd.Context(), line)
			}
			r, err := run.Framed(cmd.Context(), a, line)
			if err == nil && r.Code != 0 {
				err = term.Reported(term.Exit(r.Code, fmt.Errorf("exit code %d", r.Code)))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, when the command has ended")
	cmd.Flags().BoolVar(&asModel, "as-model", false, "past the gate, as a model would have it run")
	return cmd
}

// exec runs a line that the person typed: what is about ken itself here, anything
// else with their shell. The model learns of it with the next question.
func (s *REPL) exec(ctx context.Context, line string) error {
	return s.execBy(ctx, line, func(ctx context.Context, line string) (pty.Result, error) {
		run.Runner(s.app).Typed(ctx, line)
		return run.Framed(ctx, s.app, line)
	})
}

// execBy is exec with run for what is not about ken itself.
func (s *REPL) execBy(ctx context.Context, line string, run func(context.Context, string) (pty.Result, error)) error {
	if line == "" {
		return fault.Usagef("run what?").WithHint("$COMMAND; or a question without the dollar")
	}
	ran := agent.Ran{Command: line}
	own, err := s.own(ctx, line)
	switch {
	case own && err != nil:
		ran.Exit, ran.Output = term.ExitFailure, err.Error()
	case !own:
		if name := repl.OwnInside(line); name != "" {
			defer s.app.Status("%s in a longer line holds for that line alone; on a line of its own it acts on ken", name)
		}
		var r pty.Result
		if r, err = run(ctx, line); r.Code == 0 && r.Bytes == 0 && err != nil {
			return err // it did not run
		}
		ran.Exit, ran.Bytes = r.Code, r.Bytes
		ran.Output, _ = lane.Text(r.Output)
	}
	s.conv().Ran(ran)
	s.exit = ran.Exit
	return err
}
