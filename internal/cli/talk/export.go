package talk

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/cli/app"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view"
)

func sessionsExportCommand(a *app.App) *cobra.Command {
	var format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "export SESSION",
		Short: "one conversation: to read, to keep or for a program",
		Long: `Export prints a conversation on standard output: as Markdown, as JSON Lines, which are
a session file of their own, or as one JSON object. Turns that taught something which
was forgotten say so in place of their text, and secrets are masked.`,
		Example: "  ken sessions export trip > trip.md\n  ken sessions export trip --format jsonl",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			if err := app.OneOf("--format", format, "md", "jsonl", "json"); err != nil {
				return err
			}
			return sessionsExport(cmd.Context(), a, args[0], format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "md", "print it as `md|jsonl|json`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "same as --format json")
	return cmd
}

func sessionsExport(ctx context.Context, a *app.App, name, format string) error {
	if _, err := a.Settings(); err != nil {
		return err
	}
	path, err := findSession(a, name)
	if err != nil {
		return err
	}
	t, err := a.SessionDir().Load(path)
	if err != nil {
		return err
	}
	if w := t.Warning(); w != "" {
		a.Say("ken: warning: ", w)
	}
	s, err := a.State(ctx)
	if err != nil {
		return err
	}
	if n := redactTurns(t, app.ForgottenIn(s), a.MaskText); n > 0 {
		a.Status("without the text of %s: what it taught was forgotten", view.Count(n, "turn"))
	}
	switch format {
	case "json":
		return a.PrintJSON(view.TranscriptOf(t))
	case "jsonl":
		b, err := sessionLines(t, a.MaskText)
		if err != nil {
			return fmt.Errorf("export session %s: %w", t.Name, err)
		}
		_, err = a.Env.Stdout.Write(termsafe.JSONSafe(b))
		return err
	}
	return a.Println(view.TranscriptText(t))
}

// redactTurns takes out of t what may not leave the file: the turns that are
// hidden, of which n are told, and secrets.
func redactTurns(t *session.Transcript, forgotten app.Forgotten, mask func(string) string) (n int) {
	for i, e := range t.Entries {
		if e.Turn == nil {
			continue
		}
		turn := *e.Turn
		if forgotten.Turn(t.Header, turn) {
			turn.Content, turn.ToolCalls, turn.Raw, turn.Extra = agent.Forgotten, nil, nil, nil
			n++
		} else {
			turn.Content = mask(turn.Content)
			turn.ToolCalls = maskJSON(turn.ToolCalls, mask)
			for name, v := range turn.Raw {
				turn.Raw[name] = maskJSON(v, mask)
			}
		}
		t.Entries[i].Turn = &turn
	}
	if n > 0 { // what sums the conversation up may tell it again
		t.Entries = slices.DeleteFunc(t.Entries, func(e session.Entry) bool {
			return e.Event != nil && e.Event.Name == session.EventCompact
		})
	}
	return n
}

// maskJSON masks the secrets in a value; one that would be no value any more is
// null.
func maskJSON(v json.RawMessage, mask func(string) string) json.RawMessage {
	if len(v) == 0 {
		return nil
	}
	if masked := json.RawMessage(mask(string(v))); json.Valid(masked) {
		return masked
	}
	return json.RawMessage("null")
}

// sessionLines are the lines of a session file with what t holds. Events, which
// this program need not know, are as they stand in the file of t.
func sessionLines(t *session.Transcript, mask func(string) string) ([]byte, error) {
	file, err := os.ReadFile(t.Path)
	if err != nil {
		return nil, err
	}
	var b []byte
	if t.Headed {
		if b, err = t.Header.Line(); err != nil {
			return nil, err
		}
	}
	for _, e := range t.Entries {
		if e.Turn != nil {
			line, err := e.Turn.Line()
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", e.Line, err)
			}
			b = append(b, line...)
			continue
		}
		if e.Offset+e.Len > int64(len(file)) {
			return nil, fmt.Errorf("line %d: the file was changed meanwhile", e.Line)
		}
		b = append(append(b, maskJSON(file[e.Offset:e.Offset+e.Len], mask)...), '\n')
	}
	return b, nil
}
