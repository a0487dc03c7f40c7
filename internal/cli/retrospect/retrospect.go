package retrospect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/session/feedback"
	"ken/internal/view"
)

// flags are those of `retrospect`.
type flags struct {
	synthesize bool
}

// Command is the command `retrospect`.
func Command(a *term.Run) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "retrospect",
		Short: "look back at what became of answers",
		Long: `Retrospect counts what became of what was offered in the conversations of the last seven days:
commands, acts of a model, answers, suggestions.`,
		Example:     "  ken retrospect",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.synthesize {
				return synthesize(cmd.Context(), a)
			}
			return report(cmd.Context(), a)
		},
	}
	cmd.Flags().BoolVar(&f.synthesize, "synthesize", false, "find patterns among recent lessons and memories")
	return cmd
}

// synthesize is what --synthesize does.
func synthesize(context.Context, *term.Run) error {
	return fault.Failuref("nothing makes patterns of lessons yet").WithHint("%s shows what became of answers", fault.Command("retrospect"))
}

// week is how far a look back goes.
const week = 7 * 24 * time.Hour

func report(ctx context.Context, a *term.Run) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	since := a.Env.Now().Add(-week)
	n, kinds := 0, make(map[feedback.Kind]int)
	for t, err := range feedback.Newest(ctx, a.Home.Conversations.Dir(), since, 0) {
		if err != nil {
			a.Warn(err)
			continue
		}
		n++
		for _, o := range feedback.Read(t) {
			if !o.At.Before(since) {
				kinds[o.Kind]++
			}
		}
	}
	var parts []string
	for _, k := range feedback.Kinds() {
		if kinds[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", kinds[k], k))
		}
	}
	had := view.Count(n, "conversation") + " in the last seven days"
	if len(parts) == 0 {
		return a.Println(had + "; nothing is noted of what became of their answers")
	}
	return a.Println(had + ": " + strings.Join(parts, ", "))
}
