package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/runner"
	"ken/internal/session"
	"ken/internal/tool/rehearsal"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

// RehearseCommand runs a command line aside, shows what it would change, and applies that if the person says so.
func RehearseCommand(a *term.Run) *cobra.Command {
	var asJSON, show bool
	cmd := &cobra.Command{
		Use: "rehearse [flags] COMMAND", Short: "try a command aside, and see what it would change before it does",
		Long: `Rehearse runs a command line over a copy of the project that takes no room (Linux), without
a network, for shell.model_timeout at most. Nothing of the project changes. It shows what the
command would make, change and remove there, with differences, and asks whether that is to be
applied. What is applied is done to all files or to none, and can be taken back (undo). What
somebody changed meanwhile is not written over.

What a command changes elsewhere, or what it sends, cannot be rehearsed: it is denied. Where the
machine cannot do this, nothing runs; ken doctor says so. The exit code is the command's.`,
		Example:     "  ken rehearse 'sed -i s/old/new/ *.txt'\n  ken rehearse --show make clean\n  ken rehearse --json -- npm run format",
		Annotations: term.Writes{Person: "rehearses commands"}.Note(term.CommandLine()),
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := CommandOf(args, "rehearse")
			if err != nil {
				return err
			}
			return rehearse(cmd.Context(), a, line, asJSON, show || asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object and apply nothing")
	cmd.Flags().BoolVar(&show, "show", false, "show what would change and apply nothing")
	return cmd
}

func rehearse(ctx context.Context, a *term.Run, line string, asJSON, show bool) (err error) {
	live := a.Env.Stdout
	if asJSON {
		live = nil
	}
	x, err := Rehearsing(a).Rehearse(ctx, line, live)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := x.Close(); cerr != nil {
			a.Warn(cerr)
		}
		if err == nil && x.Ran.Exit != 0 {
			err = term.Reported(term.Exit(x.Ran.Exit, fmt.Errorf("exit code %d", x.Ran.Exit)))
		}
	}()
	switch {
	case asJSON:
		return a.PrintJSON(RehearsalOf(a, x))
	case show, len(x.Found.Changes) == 0:
		ShowRehearsal(ctx, a, x)
		return nil
	case x.Found.Unfit != "":
		ShowRehearsal(ctx, a, x)
	case x.Ran.Exit != 0:
		a.Status("it ended with exit code %d", x.Ran.Exit)
	}
	return applyRehearsed(ctx, a, x)
}

// applyRehearsed asks whether what was rehearsed is to be, and does it.
func applyRehearsed(ctx context.Context, a *term.Run, x *runner.Rehearsal) error {
	t, err := taker(a)
	if err != nil {
		return err
	}
	w := t.Live
	if w == nil {
		dir := t.Sessions
		dir.Hold = false // what is applied can be taken back, whatever is kept of conversations
		scope := a.Home.Here.Place().Scope()
		if w, err = dir.Create(session.Header{KenVersion: term.Version, Channel: session.ChannelTerminal, Scope: scope}); err != nil {
			return fault.Failuref("not applied, since it could not be taken back: %w", err)
		}
		defer func() { _ = w.Close() }() // what was done is on the disk by then
	}
	list, err := x.Apply(ctx, rehearsal.Hand{Room: t.Room, Who: t.Who, Record: w.Commit})
	no := (*runner.Declined)(nil)
	switch {
	case errors.As(err, &no):
		a.Status("discarded: nothing is changed")
		return nil
	case errors.Is(err, swap.ErrChanged):
		return fault.Failuref("not applied: %w", err).WithHint("rehearse it again: what changed meanwhile is not written over")
	case errors.Is(err, rehearsal.ErrUnfit):
		return fault.Failuref("not applied: %w", err)
	case err != nil && len(list) > 0:
		return fault.Failuref("applied in part: %w", err).WithHint("take back what was done: %s", backBy(list))
	case err != nil:
		return err
	}
	a.Status("applied: %s (undo: %s)", x.Counts(), a.Verb(string(backBy(list))))
	return nil
}

// backBy is the command that takes acts back.
func backBy(list []undo.Act) fault.Command {
	ids := make([]string, len(list))
	for i, act := range list {
		ids[i] = act.ID
	}
	return fault.Command("undo " + strings.Join(ids, " "))
}
