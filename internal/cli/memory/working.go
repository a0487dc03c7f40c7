package memory

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/view"
	"ken/internal/working"
)

func workingCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "working", Short: "what the next conversation begins with; edit or drop it", Args: cobra.NoArgs,
		Long: `Working shows the working memory, working.md: what you said lately, and below it what a model wrote of
where the last conversation stopped. The latter is a summary and no instruction: nothing is learnt from it, it
allows nothing, and it ends with the working memory. Where text from outside may have been read in that
conversation, no model gets it before you have seen it here or at a start.`,
		Example:     "  ken memory working\n  ken memory working edit\n  ken memory working drop",
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return showWorking(cmd.Context(), a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	cmd.AddCommand(&cobra.Command{
		Use: "edit", Short: "change it in your editor", Args: cobra.NoArgs,
		Annotations: term.Writes{Person: "edits the working memory", Look: "memory working"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return editWorking(cmd.Context(), a) },
	}, &cobra.Command{
		Use: "drop", Short: "drop what a model wrote; your own lines stay", Args: cobra.NoArgs,
		Annotations: term.Writes{Person: "drops what a model wrote", Look: "memory working"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return dropAccount(cmd.Context(), a) },
	})
	return cmd
}

// readWorking is what the working memory says, as far as this lane may have it: one that has not been
// seen by the person does not go to a model by this way either.
func readWorking(ctx context.Context, a *term.Run) (working.Memory, error) {
	m, err := a.Home.Working().Read()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, working.ErrExpired):
		return working.Memory{}, nil
	case err != nil:
		return m, err
	}
	m.Account = a.Home.Account(ctx)
	if m.Account.Outside && m.Account.Seen.IsZero() && a.Lane.In() {
		m.Account = working.Account{}
	}
	return m, nil
}

func showWorking(ctx context.Context, a *term.Run, asJSON bool) error {
	m, err := readWorking(ctx, a)
	if err != nil {
		return err
	}
	mask := a.Home.Keys.MaskText
	v := view.Working{Text: mask(m.Text)}
	if m.Text != "" {
		v.Updated, v.Expires = view.Stamp(m.Updated), view.Stamp(m.Expires)
	}
	if acc := m.Account; acc.Text != "" {
		v.Account = &view.Account{
			Text: mask(acc.Text), Written: view.Stamp(acc.Written), Expires: view.Stamp(acc.Until), Outside: acc.Outside, Seen: view.Stamp(acc.Seen),
		}
	}
	if err := term.Answer(a, asJSON, v, v.Said); err != nil {
		return err
	}
	if m.Account.Text == "" || a.Lane.In() || !term.IsTerminal(a.Env.Stdout) || a.Home.Settings.ReadOnly() {
		return nil
	}
	return workingChanged(a, a.Home.Working().Saw(ctx, m.Account))
}

func editWorking(ctx context.Context, a *term.Run) error {
	f := a.Home.Working()
	if _, err := f.Read(); !working.Exists(err) {
		return fault.NotFoundf("there is no working memory yet")
	}
	if err := a.Person.EditFile(ctx, f.Path); err != nil {
		return err
	}
	m, err := f.Read()
	if err != nil && !errors.Is(err, working.ErrExpired) {
		return err
	}
	return workingChanged(a, f.Saw(ctx, m.Account))
}

func dropAccount(ctx context.Context, a *term.Run) error {
	m, err := a.Home.Working().Read()
	if err != nil || m.Account.Text == "" {
		return a.Println("(there is nothing of a model's to drop)")
	}
	if err := workingChanged(a, a.Home.Working().DropAccount(ctx)); err != nil {
		return err
	}
	return a.Println("dropped what a model wrote on " + m.Account.Written.Format(time.DateOnly) + "; your own lines stay")
}

// workingChanged tells the live conversation, unless the change failed.
func workingChanged(a *term.Run, err error) error {
	if err == nil && a.Shell != nil {
		a.Shell.WorkingChanged()
	}
	return err
}
