package search

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/foreign"
	"ken/internal/view"
)

func importCommand(a *app.App) *cobra.Command {
	var format, scope string
	var asJSON, dryRun bool
	cmd := &cobra.Command{
		Use:   "import --format turns FILE",
		Short: "take in transcripts, to be searched and never to be memory",
		Long: `Import reads lines {"session","turn","ts","speaker","text"} into the searchable
sessions, with secrets masked. "ts", "speaker", "role" and "scope" may be left out.
Importing a file again changes nothing; lines that are no turns are told by number
and left out, and the exit code is then 1.`,
		Example: "  ken import --format turns standup.jsonl",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "turns" {
				return app.Usage("--format %q: want turns", format).Hint("%s --format turns %s", a.Verb("import"), args[0])
			}
			return importTurns(a, cmd, args[0], scope, asJSON, dryRun)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "what FILE is: `turns`")
	cmd.Flags().StringVar(&scope, "scope", "", "`SCOPE` of the lines that name none: user, here, repo, dir, or any name")
	cmd.Flags().BoolVar(&asJSON, "json", false, "what was done, as a JSON object")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only check the lines")
	return cmd
}

// imported is what an import answers to a program.
type imported struct {
	foreign.Counts
	Bad    []badLine `json:"bad"` // lines that were left out
	DryRun bool      `json:"dry_run,omitempty"`
}

type badLine struct {
	Line  int    `json:"line"`
	Cause string `json:"cause"`
}

func importTurns(a *app.App, cmd *cobra.Command, path, scope string, asJSON, dryRun bool) error {
	if _, err := a.Settings(); err != nil {
		return err
	}
	if full, err := a.Place().Resolve(scope); err == nil {
		scope = full
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	turns, bad, err := foreign.ReadTurns(f, foreign.Options{Scope: scope, Mask: a.MaskText})
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	done := imported{Bad: []badLine{}, DryRun: dryRun}
	for _, b := range bad {
		a.Say("ken: warning: ", fmt.Sprintf("%s: %v", path, b))
		done.Bad = append(done.Bad, badLine{b.Line, b.Cause.Error()})
	}
	if !dryRun {
		if done.Counts, err = foreign.Import(cmd.Context(), a.SessionDir(), turns); err != nil {
			return err
		}
	}
	if asJSON {
		err = a.PrintJSON(done)
	} else {
		err = a.Println(done.text(len(turns)))
	}
	if len(bad) > 0 {
		err = errors.Join(err, app.Failf(app.ExitFailure, "%s: %s left out", path, view.Count(len(bad), "line")).
			Hint("mend them and import the file again: what is there stays as it is"))
	}
	return err
}

// text is what was done, for a person, of so many turns.
func (i imported) text(turns int) string {
	if i.DryRun {
		return "would import " + view.Count(turns, "turn")
	}
	s := fmt.Sprintf("imported %s of %s", view.Count(i.Added, "turn"), view.Count(i.Sessions, "session"))
	if i.Changed > 0 {
		s += fmt.Sprintf(", %d changed", i.Changed)
	}
	if i.Same > 0 {
		s += fmt.Sprintf(", %d already there", i.Same)
	}
	return s
}
