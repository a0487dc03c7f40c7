package search

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/session"
	"ken/internal/view"
)

// SessionsCommand is the command `sessions` with all below it, more included.
func SessionsCommand(a *term.Run, more ...*cobra.Command) *cobra.Command {
	list := listCommand(a)
	cmd := &cobra.Command{
		Use:         "sessions",
		Short:       "show and search conversations; without a word: list them",
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        list.RunE,
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, orOutcomes(a, showCommand(a)), exportCommand(a), sessionsSearch(a))
	cmd.AddCommand(more...)
	return cmd
}

func listCommand(a *term.Run) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:         "list",
		Short:       "list conversations, newest first",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return list(cmd.Context(), a, asJSON, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "also single questions, sessions of commands, what other assistants got, and imports")
	return cmd
}

func list(ctx context.Context, a *term.Run, asJSON, all bool) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	if _, err := a.Home.Conversations.Dir().Paths(); err != nil {
		return err
	}
	list, warnings := app.HeldConversations(ctx, a.Home)
	for _, w := range warnings {
		a.Warn(w)
	}
	active := ""
	if a.Shell != nil {
		active = a.Shell.SessionPath()
	}
	views := []view.Session{}
	asks, silent, imported, given := 0, 0, 0, 0
	for _, l := range list {
		if !all && l.Imported {
			imported++
			continue
		}
		if !all && l.Given() {
			given++
			continue
		}
		if !all && l.Turns == 0 {
			if l.Size > 0 { // an empty file is nobody's session
				silent++
			}
			continue
		}
		if !all && l.OneShot() {
			asks++
			continue
		}
		v := view.SessionOf(l.Listing, l.Path == active)
		v.Imported = l.Imported
		if l.Forgotten {
			v.Forget(agent.Forgotten)
		}
		views = append(views, v)
	}
	if asJSON {
		return a.PrintJSON(views)
	}
	if imported > 0 {
		defer a.Status("%s of other programs not shown; --all shows them", view.Count(imported, "conversation"))
	}
	if given > 0 {
		defer a.Status("what other assistants were given %s not shown; --all shows it", times(given))
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
	return a.Println(view.SessionTable(views, a.Env.Now(), a.Screen.Width()))
}

// times is so many times, in words.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// load reads the conversation that name means, for a command of that name, and warns
// of what cannot be read; nil if the person chose none.
func load(ctx context.Context, a *term.Run, name, verb string) (*session.Transcript, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return nil, err
	}
	path, err := which.Session(ctx, a, name, which.Options{Verb: verb, Command: "sessions " + verb})
	if err != nil || path == "" {
		return nil, err
	}
	t, err := settled(a, path)
	if err != nil {
		return nil, err
	}
	if w := t.Warning(); w != "" {
		a.Say("ken: warning: ", w)
	}
	return t, nil
}
