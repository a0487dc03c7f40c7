package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/fault"
	"ken/internal/scrub"
	"ken/internal/termsafe"
	"ken/internal/view"
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
		return a.Println(strings.Join(append([]string{"would delete " + removalText(r)}, removalNotes(a, r)...), "\n  "))
	}
	if !f.yes {
		for _, line := range removalNotes(a, r) {
			a.Say("  ", line)
		}
		yes, err := a.Person.Confirm(ctx, "delete for good: "+removalText(r)+"?")
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
	if f.asJSON {
		err = a.PrintJSON(r.Deleted)
	} else {
		err = a.Println(strings.Join(deletedLines(a, r), "\n"))
	}
	if !r.Gone(e.Keeps) {
		err = errors.Join(err, fault.Failuref("not everything is gone").
			WithHint("mend what keeps those files from being read, or take it out by hand"))
	}
	return err
}

// removalText is the conversation in a few words.
func removalText(r *scrub.Removal) string {
	text := termsafe.Line(r.Name) + ", " + view.Count(r.Turns, "turn")
	if r.Title != "" {
		text += fmt.Sprintf(", %q", termsafe.Cut(r.Title, 50))
	}
	return text
}

// removalNotes say what stays.
func removalNotes(a *term.Run, r *scrub.Removal) (notes []string) {
	for i, it := range r.Taught {
		if i == mostListed {
			notes = append(notes, fmt.Sprintf("... and %d more", len(r.Taught)-i))
			break
		}
		said := view.ExcerptSaid(a.Home.Keys.MaskText(it.Text), 60)
		notes = append(notes, fmt.Sprintf("was remembered from it, and stays: #%s: %s", it.Ref, said))
	}
	if len(r.Taught) > 0 {
		notes = append(notes, "to erase that too: "+a.Verb("forget --for-good "+r.Taught[0].Ref))
	}
	for _, name := range r.Copies {
		notes = append(notes, "is a copy of it, and stays: "+termsafe.Line(name))
	}
	return notes
}

// deletedLines say what was done and found.
func deletedLines(a *term.Run, r *scrub.Removal) []string {
	lines := append([]string{"deleted " + removalText(r)}, removalNotes(a, r)...)
	looked := "looked into " + view.Count(r.Proof.Files, "file") + ": "
	if r.Proof.Hits == 0 {
		looked += "no words of it are left"
	} else {
		looked += view.Count(r.Proof.Hits, "place") + " with words of it"
	}
	lines = append(lines, looked)
	for _, l := range r.Proof.Left {
		lines = append(lines, fmt.Sprintf("  %s: %s", termsafe.Line(l.Path), view.Count(l.Hits, "place")))
	}
	for _, u := range r.Proof.Unread {
		lines = append(lines, "  not read: "+termsafe.Line(u))
	}
	for _, b := range r.Proof.Beyond {
		lines = append(lines, "not reached: what was committed to "+termsafe.Line(b))
	}
	return lines
}
