package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/pick"
	"ken/internal/view"
)

func editCommand(a *term.Run) *cobra.Command {
	var force, asJSON bool
	var fields fieldFlags
	cmd := &cobra.Command{
		Use:   "edit [flags] REF [TEXT]",
		Short: "change a memory's text or fields",
		Long: `Edit appends a line with the new text, and the fields that flags name;
with neither, the text comes from your editor.
The earlier ones stay in the memory's history, and undo brings them back. Where no
reference stands first, the words say which memory is meant.`,
		Example:     "  ken memory edit 3 the staging host is teapot\n  ken memory edit --valid-to yesterday 3\n  ken memory edit --tag tea --tag hosts --no-ttl 3",
		Annotations: term.Writes{Memory: "another text of a memory"}.Note(term.TextArgument()),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, text, _ := strings.Cut(strings.TrimSpace(strings.Join(args, " ")), " ")
			if ref == "" {
				return fault.Usagef("edit what? %s REF [TEXT]", a.Verb("memory edit"))
			}
			ed, some, err := fields.read(a, cmd)
			if err != nil {
				return err
			}
			if flag := misplaced(cmd, text); flag != "" {
				return fault.Usagef("%s stands behind the reference, where it would be the new text", flag).
					WithHint("flags go first: %s", fault.Command("memory edit "+flag+" ... "+ref))
			}
			ed.Force = force
			return edit(a, cmd, ref, text, ed, some, asJSON)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "keep the text although it seems to hold a secret")
	fields.add(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// edit changes fields of one memory, if there are some, and its text.
func edit(a *term.Run, cmd *cobra.Command, ref, text string, ed engine.Edit, fields, asJSON bool) error {
	if _, err := pick.Ref(ref); err != nil && !pick.AllNumbers([]string{ref}) {
		ids, err := which.Memories(cmd.Context(), a, ref+" "+text, which.Options{Verb: "edit", Command: "memory edit", One: true, Clear: true})
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			return nothing(a, asJSON, "nothing changed")
		}
		ref, text = ids[0].String(), ""
	}
	_, it, status, err := named(a, cmd, ref)
	if err != nil {
		return err
	}
	if !standing(status) {
		return fmt.Errorf("%s: %w", it.ID, engine.ErrNotActive)
	}
	if ed.Force && !a.Person.Present() {
		return fault.New(fault.Refused, errors.New("--force needs a person at a terminal"))
	}
	if text == "" && !fields {
		if text, err = a.Person.EditText(cmd.Context(), it.Record.Content); err != nil {
			return err
		}
		if sameText(text, it.Record.Content) {
			text = it.Record.Content // an editor ends lines in its own way
		}
	}
	switch text = strings.TrimSpace(text); {
	case text == "" && fields:
		text = it.Record.Content
	case !sameText(text, it.Record.Content):
		ed.Content = &text
	case !fields:
		if asJSON {
			return tell(a, asJSON)
		}
		return a.Println("nothing changed")
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	r, err := w.Edit(cmd.Context(), it.ID, ed)
	if err != nil {
		return term.NotSaved(err)
	}
	if len(r.Proposed) > 0 {
		return tell(a, asJSON, app.Proposed(r, text)...)
	}
	if ed.Supersedes != nil || ed.Content != nil {
		turn.Replaced(cmd.Context(), a.Home)
	}
	line := r.IDs[0].String()
	return tell(a, asJSON, view.Outcome{Did: "edited", Ref: it.Ref(), Line: line, Text: text, Undo: a.Verb("undo " + line)})
}

// sameText reports whether two texts are one but for the ends of lines and what stands
// around them.
func sameText(a, b string) bool {
	plain := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return plain(a) == plain(b)
}

func pinCommand(a *term.Run) *cobra.Command {
	var off, asJSON bool
	cmd := &cobra.Command{
		Use:         "pin REF...|TEXT",
		Short:       "keep memories in front; --off to let go",
		Args:        cobra.MinimumNArgs(1),
		Annotations: term.Writes{Memory: "what stands in front"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			verb := "pin"
			if off {
				verb = "unpin"
			}
			ids, err := which.Meant(cmd.Context(), a, args, which.Options{Verb: verb, Command: "memory pin"})
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				return nothing(a, asJSON, "nothing changed")
			}
			w, err := a.Home.Memory.Writer()
			if err != nil {
				return err
			}
			r, err := w.Pin(cmd.Context(), !off, ids...)
			if err != nil {
				return term.NotSaved(err)
			}
			if len(r.Proposed) > 0 {
				return tell(a, asJSON, app.Proposed(r)...)
			}
			did := "pinned"
			if off {
				did = "unpinned"
			}
			deeds := make([]view.Outcome, len(ids))
			for i, id := range ids {
				line := r.IDs[i].String()
				deeds[i] = view.Outcome{Did: did, Ref: id.String(), Line: line, Undo: a.Verb("undo " + line)}
			}
			return tell(a, asJSON, deeds...)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&off, "off", false, "unpin")
	return cmd
}

func clearCommand(a *term.Run) *cobra.Command {
	var yes, dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:         "clear",
		Short:       "forget everything, after a question",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Person: "forgets everything", When: []string{"no --dry-run"}}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return clear(a, cmd, yes, dryRun, asJSON)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say how much would be forgotten")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func clear(a *term.Run, cmd *cobra.Command, yes, dryRun, asJSON bool) error {
	s, err := a.Home.Memory.State(cmd.Context())
	if err != nil {
		return err
	}
	// What was replaced goes too: it would be in force again.
	items := s.With(memory.StatusActive, memory.StatusSuperseded)
	slices.Reverse(items) // newest first, as they are listed
	ids := make([]memory.ID, len(items))
	deeds := make([]view.Outcome, len(items))
	for i, it := range items {
		ids[i] = it.ID
		deeds[i] = view.Outcome{Did: "would forget", Ref: it.Ref(), Text: it.Record.Content}
	}
	// So many lines are shown by their count; as JSON, one by one.
	answer := func(text string) error {
		if asJSON {
			return tell(a, asJSON, deeds...)
		}
		return a.Println(text)
	}
	if len(ids) == 0 {
		return answer("(no memory items)")
	}
	if dryRun {
		return answer("would forget " + view.Count(len(ids), "item"))
	}
	if !yes {
		ok, err := a.Person.Confirm(cmd.Context(), fmt.Sprintf("forget all %s?", view.Count(len(ids), "item")))
		if err != nil {
			return err
		}
		if !ok {
			deeds = nil
			return answer("nothing was forgotten")
		}
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	r, err := w.ForgetBulk(cmd.Context(), engine.Bulk{IDs: ids}) // one undo brings all of it back
	if err != nil {
		return term.NotSaved(err)
	}
	line, back := r.IDs[0].String(), a.Verb("undo "+r.Span())
	for i := range deeds {
		deeds[i].Did, deeds[i].Line, deeds[i].Undo = "forgot", line, back
	}
	return answer(fmt.Sprintf("cleared %s (undo: %s)", view.Count(len(ids), "item"), back))
}
