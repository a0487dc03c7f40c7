package memory

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/view"
	"ken/internal/view/ageing"
)

func embedCommand(a *term.Run) *cobra.Command {
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "compute the embeddings of memories",
		Long: `Embed sends each memory that has no vector yet to the model that the settings name
under [embeddings], masked, and keeps the vectors that come back in the cache. It goes on
where it was ended. The shell does the same by itself, beside your work.`,
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Own: "vectors, which are derived"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return embed(a, cmd, dryRun, asJSON) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be sent, and send nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func embed(a *term.Run, cmd *cobra.Command, dryRun, asJSON bool) error {
	f, err := app.NewFiller(a.Home)
	if err != nil {
		return err
	}
	if f == nil {
		return fault.Failuref("no embedding model is configured").
			WithHint("%s", fault.Command("config set embeddings.base_url ADDRESS")+", and embeddings.model (docs/models.md)")
	}
	s, err := a.Home.Memory.State(cmd.Context())
	if err != nil {
		return err
	}
	a.Home.Memory.TellProblems(s)
	work, err := f.Preview(cmd.Context())
	r := ageing.Embedded{Texts: work.Texts, Bytes: work.Bytes, Items: work.Items}
	if err == nil && !dryRun {
		if work.Texts > 0 {
			a.Status("sending %s, masked, in batches", view.Thousands(work.Texts, "text"))
		}
		r.Made, err = f.Fill(cmd.Context())
	}
	switch {
	case errors.Is(err, jsonl.ErrBusy):
		return fault.Failuref("another ken is making vectors").WithHint("wait, or end it")
	case err != nil && r.Made > 0:
		return fault.New(fault.Model, fmt.Errorf("after %s: %w", view.Thousands(r.Made, "text"), err))
	case err != nil:
		return fault.New(fault.Model, err)
	case asJSON:
		return a.PrintJSON(r)
	case dryRun:
		return a.Println(fmt.Sprintf("%s of %s would be sent, %s", view.Thousands(r.Texts, "text"), view.Thousands(r.Items, "item"), view.Thousands(r.Bytes, "byte")))
	}
	return a.Println(fmt.Sprintf("%s made; all of %s have one", view.Thousands(r.Made, "vector"), view.Thousands(r.Items, "item")))
}
