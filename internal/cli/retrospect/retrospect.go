package retrospect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/session/feedback"
	"ken/internal/view"
)

// flags are those of `retrospect`.
type flags struct {
	synthesize, dryRun, asJSON bool
}

// Command is the command `retrospect`.
func Command(a *term.Run) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "retrospect",
		Short: "look back at what became of answers",
		Long: `Retrospect counts what became of what was offered in the conversations of the last seven days:
commands, acts of a model, answers, suggestions.

With --synthesize it looks for recent memories and lessons that speak of one matter, and a model says what they come to:
patterns and conventions that cite them. Each is checked word by word against what it cites; what passes waits for your yes.
Without a model the groups are shown, and what they come to is yours to write.`,
		Example:     "  ken retrospect\n  ken retrospect --synthesize --dry-run",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Memory: "patterns"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.synthesize {
				return synthesize(cmd.Context(), a, f)
			}
			return report(cmd.Context(), a)
		},
	}
	cmd.Flags().BoolVar(&f.synthesize, "synthesize", false, "propose what recent lessons and memories come to")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "with --synthesize: only show what would be proposed")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "with --synthesize: as a JSON object")
	return cmd
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
