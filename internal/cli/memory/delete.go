package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/fault"
)

type deleteFlags struct{ yes, dryRun, asJSON bool }

// DeleteCommand stands below `sessions`.
func DeleteCommand(a *term.Run) *cobra.Command {
	var f deleteFlags
	cmd := &cobra.Command{
		Use: "delete SESSION|TEXT", Short: "delete a conversation, for good", Args: cobra.MinimumNArgs(1),
		Long: `Delete removes the file of a conversation, what was derived from it, and its questions
from the history of what was typed. Then every file is read again, and the answer says
where words of it still stand. There is no undo.

What was remembered from it stays and is named: forget or erase it where it is to go
too. So do copies of it. It says what it would do and asks.`,
		Example:     "  ken sessions delete 20260510T190001Z-7f3a\n  ken sessions delete \"tea at noon\" --dry-run",
		Annotations: term.Writes{Person: "deletes conversations"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			path, err := which.Session(cmd.Context(), a, strings.Join(args, " "), which.Options{Verb: "delete", Command: "sessions delete"})
			if err != nil || path == "" {
				return err
			}
			if a.Shell != nil && path == a.Shell.SessionPath() {
				return fault.Failuref("that is this conversation").WithHint("go to another one first, or leave: :resume, :quit")
			}
			return deleteConversation(cmd, a, path, f)
		},
	}
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only say what would be deleted")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "what was done and found, as a JSON object")
	return cmd
}

func deleteConversation(cmd *cobra.Command, a *term.Run, path string, f deleteFlags) error {
	ctx := cmd.Context()
	e, err := a.Home.Memory.Eraser()
	if err != nil {
		return err
	}
	r, err := e.PlanRemoval(ctx, path)
	if err != nil {
		return err
	}
	if f.dryRun {
		r.DryRun = true
		if f.asJSON {
			return a.PrintJSON(r.Deleted)
		}
		return a.Println(strings.Join(append([]string{"would delete " + r.Sum()}, r.Stays(a.Verb, a.Home.Keys.MaskText)...), "\n  "))
	}
	if !f.yes {
		for _, line := range r.Stays(a.Verb, a.Home.Keys.MaskText) {
			a.Say("  ", line)
		}
		yes, err := a.Person.Confirm(ctx, "delete for good: "+r.Sum()+"?")
		if err != nil {
			return err
		}
		if !yes {
			a.Status("nothing was deleted")
			return nil
		}
	}
	if err := e.Remove(ctx, r); err != nil {
		return fault.New(fault.Failure, fmt.Errorf("not all was deleted: %w", err)).
			WithHint("what was done is done; the same command does the rest")
	}
	a.Home.Memory.Changed()
	if err := e.VerifyRemoval(ctx, r); err != nil {
		return err
	}
	err = term.Answer(a, f.asJSON, r.Deleted, func() string { return strings.Join(r.Done(a.Verb, a.Home.Keys.MaskText), "\n") })
	if !r.Gone(e.Keeps) {
		err = errors.Join(err, fault.Failuref("not everything is gone").
			WithHint("mend what keeps those files from being read, or take it out by hand"))
	}
	return err
}
