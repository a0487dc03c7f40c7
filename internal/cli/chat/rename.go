package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/fault"
	"ken/internal/repl"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// RenameCommand stands below `sessions`; shell is nil outside.
func RenameCommand(a *term.Run, shell *REPL) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "rename SESSION|TEXT TITLE", Short: "call a conversation otherwise, in lists", Args: cobra.MinimumNArgs(1),
		Long: `Rename gives a conversation a title, in the place of what was said first in it. The
first word names the conversation; a TEXT of several words stands in quotes. Without a
title it is asked for; an empty one ("") gives back the first words. The file keeps its
name, which :save NAME changes.`,
		Example:     "  ken sessions rename 20260510T190001Z-7f3a the kettle that hangs\n  ken sessions rename \"tea at noon\" \"\"",
		Annotations: term.Writes{Person: "renames conversations"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			path, err := which.Session(cmd.Context(), a, args[0], which.Options{Verb: "rename", Command: "sessions rename"})
			if err != nil || path == "" {
				return err
			}
			t, err := a.Home.Conversations.Dir().Load(path)
			if err != nil {
				return err
			}
			title := strings.Join(args[1:], " ")
			if len(args) == 1 {
				if title, err = askTitle(cmd, a, t.Title()); err != nil {
					return err
				}
			}
			return setTitle(cmd.Context(), a, shell, path, title, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "what it is called now, as a JSON object")
	return cmd
}

// askTitle asks the person for a title, beginning with the one that there is.
func askTitle(cmd *cobra.Command, a *term.Run, now string) (title string, err error) {
	err = a.Person.OnTerminal(func(t *repl.Terminal) (err error) {
		title, err = t.AskFrom(cmd.Context(), "title: ", now)
		return err
	})
	switch {
	case errors.Is(err, repl.ErrNoTerminal):
		return "", fault.Usagef("call it what?").WithHint("%s", fault.Command("sessions rename SESSION TITLE"))
	case errors.Is(err, repl.ErrInterrupted):
		return now, nil
	}
	return title, err
}

// setTitle gives the conversation at path a title, the one that the shell holds too.
func setTitle(ctx context.Context, a *term.Run, shell *REPL, path, title string, asJSON bool) error {
	held := shell != nil && path == shell.dialog.Path()
	var err error
	if held {
		_, err = shell.dialog.Recorder().Rename(a.Home.Keys.MaskText(title))
	} else {
		err = titleFile(a, path, title)
	}
	if err != nil {
		return err
	}
	all, _ := app.HeldConversations(ctx, a.Home) // what cannot be read is another one
	for _, c := range all {
		if c.Path != path {
			continue
		}
		if asJSON {
			return a.PrintJSON(view.SessionOf(c.Listing, held))
		}
		return a.Println(fmt.Sprintf("%s is called %q", termsafe.Line(c.Name), c.Called()))
	}
	return nil // it is not in its file yet
}

// titleFile gives a conversation that nobody holds a title.
func titleFile(a *term.Run, path, title string) error {
	if a.Home.Conversations.Imported(path) {
		return fault.Failuref("a conversation of another program stays as it came").
			WithHint("go on with it in a copy, and rename that: %s", fault.Command("resume --fork"))
	}
	w, _, err := a.Home.Conversations.Dir().Open(path)
	if errors.Is(err, session.ErrHeld) {
		return fault.New(fault.Failure, err).WithHint("rename it there: :rename TITLE")
	}
	if err != nil {
		return err
	}
	_, err = w.Rename(a.Home.Keys.MaskText(title))
	_, serr := w.Save("") // also where sessions are not kept by themselves
	return errors.Join(err, serr, w.Close())
}

// renameCommand calls the conversation that is held.
func (s *REPL) renameCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rename",
		Long: `Rename gives this conversation a title, in the place of what was said first in it.
Without a title it is asked for. For another one: :sessions rename SESSION TITLE.`,
		Annotations: term.Writes{Own: "the conversation"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			title := strings.Join(args, " ")
			if title == "" {
				now := s.dialog.Title(cmd.Context())
				var err error
				if title, err = askTitle(cmd, s.app, now); err != nil || title == now {
					return err
				}
			}
			title, err := s.dialog.Recorder().Rename(s.app.Home.Keys.MaskText(title))
			if err != nil {
				return err
			}
			if title == "" {
				s.app.Status("this conversation is called by its first words again")
			} else {
				s.app.Status("this conversation is called %q", title)
			}
			return nil
		},
	}
}
