package search

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/cli/term"
	"ken/internal/index/live"
	"ken/internal/termsafe"
	"ken/internal/view"
)

func exportCommand(a *term.Run) *cobra.Command {
	var format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "export SESSION|TEXT",
		Short: "export a conversation",
		Long: `Export prints a conversation on standard output: as Markdown, as JSON Lines, which are
a session file of their own, or as one JSON object. Turns that taught something which
was forgotten say so in place of their text, and secrets are masked.`,
		Example:     "  ken sessions export trip > trip.md\n  ken sessions export trip --format jsonl",
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			if err := term.OneOf("--format", format, "md", "jsonl", "json"); err != nil {
				return err
			}
			return export(cmd.Context(), a, strings.Join(args, " "), format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "md", "print it as `md|jsonl|json`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "same as --format json")
	return cmd
}

func export(ctx context.Context, a *term.Run, name, format string) error {
	t, err := load(ctx, a, name, "export")
	if err != nil || t == nil {
		return err
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	if n := agent.RedactTurns(t, live.ForgottenIn(s).Of(t.Header), a.Home.Keys.MaskText); n > 0 {
		a.Status("without the text of %s: what it taught was forgotten", view.Count(n, "turn"))
	}
	switch format {
	case "json":
		return a.PrintJSON(view.TranscriptOf(t))
	case "jsonl":
		b, err := agent.SessionLines(t, a.Home.Keys.MaskText)
		if err != nil {
			return fmt.Errorf("export session %s: %w", t.Name, err)
		}
		_, err = a.Env.Stdout.Write(termsafe.JSONSafe(b))
		return err
	}
	return a.PrintAsIs(view.TranscriptText(t))
}
