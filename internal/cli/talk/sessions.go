package talk

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/cli/app"
	"ken/internal/session"
	"ken/internal/view"
)

func sessionsCommand(a *app.App, more []*cobra.Command) *cobra.Command {
	list := sessionsListCommand(a)
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "conversations of the past; without a word: list them",
		RunE:  list.RunE,
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, sessionsShowCommand(a), sessionsExportCommand(a))
	cmd.AddCommand(more...)
	return cmd
}

func sessionsListCommand(a *app.App) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "all conversations, newest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sessionsList(cmd.Context(), a, asJSON, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "also single questions asked with ken ask")
	return cmd
}

func sessionsList(ctx context.Context, a *app.App, asJSON, all bool) error {
	if _, err := a.Settings(); err != nil {
		return err
	}
	list, warnings, err := a.SessionDir().List()
	if err != nil {
		return err
	}
	for _, w := range warnings {
		a.Warn(w)
	}
	active := ""
	if a.Shell != nil {
		active = a.Shell.SessionPath()
	}
	s, err := a.State(ctx)
	var forgotten app.Forgotten
	if err != nil {
		a.Warn(err) // a list of conversations needs no memory, but to know what not to show
	} else {
		forgotten = app.ForgottenIn(s)
	}
	views := []view.Session{}
	hidden := 0
	for _, l := range list {
		if l.OneShot() && !all {
			hidden++
			continue
		}
		if forgotten.Title(l) {
			l.First = agent.Forgotten
		}
		views = append(views, view.SessionOf(l, l.Path == active))
	}
	if asJSON {
		return a.PrintJSON(views)
	}
	if hidden > 0 {
		defer a.Status("%s not shown; --all shows them", view.Count(hidden, "single question"))
	}
	if len(views) == 0 {
		return a.Println("(no sessions)")
	}
	return a.Println(view.SessionTable(views, a.Width()))
}

func sessionsShowCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show SESSION",
		Short: "one conversation, turn by turn",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return sessionsShow(a, args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func sessionsShow(a *app.App, name string, asJSON bool) error {
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
	if asJSON {
		return a.PrintJSON(view.TranscriptOf(t))
	}
	if err := a.Println(view.TranscriptHead(t)); err != nil {
		return err
	}
	return printTurns(a, t.Turns())
}

// findSession resolves what a person calls a session.
func findSession(a *app.App, name string) (string, error) {
	path, err := a.SessionDir().Find(name)
	if errors.Is(err, session.ErrNone) {
		return "", app.Fail(app.ExitFailure, err).Hint("see what there is: %s", a.Verb("sessions list --all"))
	}
	return path, err
}

// printTurns shows turns to a person.
func printTurns(a *app.App, turns []session.Turn) error {
	for _, t := range turns {
		if err := a.Println(view.TurnText(t, a.Width())); err != nil {
			return err
		}
	}
	return nil
}
