package talk

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/index"
	"ken/internal/session"
	"ken/internal/termsafe"
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
		RunE: func(*cobra.Command, []string) error {
			return sessionsList(a, asJSON, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "also single questions asked with ken ask, and sessions of commands alone")
	return cmd
}

func sessionsList(a *app.App, asJSON, all bool) error {
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
	views := []view.Session{}
	asks, silent := 0, 0
	for _, l := range list {
		if !all && l.Turns == 0 {
			silent++
			continue
		}
		if !all && l.OneShot() {
			asks++
			continue
		}
		views = append(views, view.SessionOf(l, l.Path == active))
	}
	if asJSON {
		return a.PrintJSON(views)
	}
	if asks > 0 {
		defer a.Status("%s not shown; --all shows them", view.Count(asks, "single question"))
	}
	if silent > 0 {
		defer a.Status("%s of commands alone not shown; --all shows them", view.Count(silent, "session"))
	}
	if len(views) == 0 {
		return a.Println("(no sessions)")
	}
	return a.Println(view.SessionTable(views, a.Width()))
}

func sessionsShowCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "show SESSION|TEXT",
		Short:       "one conversation, turn by turn",
		Args:        cobra.MinimumNArgs(1),
		Annotations: app.LooseText(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sessionsShow(cmd.Context(), a, strings.Join(args, " "), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func sessionsShow(ctx context.Context, a *app.App, name string, asJSON bool) error {
	if _, err := a.Settings(); err != nil {
		return err
	}
	path, err := findSession(ctx, a, name, app.Choice{Verb: "show", Command: "sessions show"})
	if err != nil || path == "" {
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
	for _, e := range t.Entries {
		if text := view.EntryText(e, a.Width()); text != "" {
			if err := a.Println(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// findSession resolves what a person calls a session: a name, or else words of
// one or of what was asked first, of which the nearest are offered. "" is the
// person's answer: none of them.
func findSession(ctx context.Context, a *app.App, name string, c app.Choice) (string, error) {
	path, err := a.SessionDir().Find(name)
	if !errors.Is(err, session.ErrNone) {
		return path, err
	}
	near, nearErr := nearSessions(ctx, a, name)
	switch {
	case nearErr != nil:
		return "", nearErr
	case len(near) == 0:
		return "", app.Fail(app.ExitFailure, err).Hint("see what there is: %s", a.Verb("sessions list --all"))
	case !a.Asks():
		return "", app.Fail(app.ExitFailure, err).Hint("did you mean %s?", a.Verb(c.Command+" "+termsafe.Line(near[0].Ref)))
	}
	c.One, c.Numbered = true, true
	names, err := a.Choose(ctx, near, name, c)
	if err != nil || len(names) == 0 {
		return "", err
	}
	return a.SessionDir().Find(names[0])
}

// nearSessions are conversations that text may mean, best first: by the words of
// their names and of what was asked first.
func nearSessions(ctx context.Context, a *app.App, text string) ([]app.Found, error) {
	list, _, err := a.SessionDir().List()
	if err != nil {
		return nil, err
	}
	docs := make([]index.Document, len(list))
	for i, l := range list {
		docs[i] = index.Document{Ref: l.Name, In: index.Sessions, Kind: string(session.RoleUser), Content: l.First, Key: l.Name, Time: l.ModTime}
	}
	hits, err := index.NewScan(slices.Values(docs)).Search(ctx, index.Query{Text: text})
	if err != nil {
		return nil, err
	}
	found := make([]app.Found, len(hits))
	for i, h := range hits {
		found[i] = app.Found{Hit: view.Hit{Ref: h.Ref, In: string(h.In), Kind: h.Kind, Content: h.Content}, At: h.Time}
	}
	return found, nil
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
