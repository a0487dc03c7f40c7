package memcmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/cli/find"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/view"
)

func forgetCommand(a *app.App) *cobra.Command {
	var reason string
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "forget REF...|TEXT",
		Short: "hide memories from every list, search and prompt",
		Long: `Forget appends a tombstone for each memory named. The text stays in the file, and
undo brings it back. What is no reference is looked for: the memories that it may
mean are listed, and you are asked which. Forgetting nothing is an error.`,
		Example:     "  ken forget 3\n  ken forget 3 4 h1a2b3c4d\n  ken forget the staging host",
		Annotations: app.LooseText(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return forget(a, cmd, args, reason, dryRun, asJSON)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`WHY`, kept on the line")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be forgotten")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func forget(a *app.App, cmd *cobra.Command, refs []string, reason string, dryRun, asJSON bool) error {
	if len(refs) == 0 {
		return app.Usage("forget what? name at least one memory").Hint("see their numbers: %s", a.Verb("memory list"))
	}
	ids, err := meant(a, cmd, refs, find.Choice{Verb: "forget", Any: dryRun})
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return nothing(a, asJSON, "nothing was forgotten")
	}
	e, err := a.Memory()
	if err != nil {
		return err
	}
	s, err := a.State(cmd.Context())
	if err != nil {
		return err
	}
	deeds := make([]deed, len(ids))
	for i, id := range ids {
		it, status := s.Get(id)
		if !standing(status) {
			return fmt.Errorf("%s: %w", id, engine.ErrNotActive)
		}
		deeds[i] = deed{Did: "would forget", Ref: id.String(), Text: it.Record.Content, note: ": " + view.Excerpt(it.Record.Content, 60)}
	}
	if dryRun {
		return tell(a, asJSON, deeds...)
	}
	r, err := e.Forget(cmd.Context(), reason, ids...)
	if err != nil {
		return app.NotSaved(err)
	}
	a.MemoryChanged()
	for i, line := range r.IDs {
		deeds[i].Did, deeds[i].Line, deeds[i].Undo = "forgot", line.String(), a.Verb("undo "+line.String())
	}
	return tell(a, asJSON, deeds...)
}

// standing reports whether an item may still be changed.
func standing(s memory.Status) bool {
	return s == memory.StatusActive || s == memory.StatusWaiting || s == memory.StatusSuperseded
}

func undoCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo [LINE...]",
		Short: "take back the newest line, or the lines named",
		Long: `Undo makes a line of the memory count as unwritten, whether it stated something or
changed something; without LINE the newest one of this device. LINE may be a span
like 101-150. Numbers stay spent, and what is erased does not come back.`,
		RunE: func(cmd *cobra.Command, args []string) error { return undo(a, cmd, args, asJSON) },
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func undo(a *app.App, cmd *cobra.Command, refs []string, asJSON bool) error {
	ids, err := parseRefs(refs)
	if err != nil {
		return err
	}
	e, err := a.Memory()
	if err != nil {
		return err
	}
	r, undone, err := e.Undo(cmd.Context(), ids...)
	if errors.Is(err, engine.ErrNothingToUndo) {
		return err
	}
	if err != nil {
		return app.NotSaved(err)
	}
	a.MemoryChanged()
	deeds := make([]deed, len(undone))
	for i, ch := range undone {
		line := r.IDs[i].String()
		deeds[i] = deed{
			Did: "undid", Ref: ch.ID.String(), Line: line, Text: ch.Record.Content,
			Undo: a.Verb("undo " + line), note: " (" + view.ChangeText(ch) + ")",
		}
	}
	return tell(a, asJSON, deeds...)
}

// maxSpan is the most lines that one span of references names.
const maxSpan = 100_000

// parseRefs reads references and spans of them: "3", "laptop-7f3a/3", "3-9".
func parseRefs(refs []string) ([]memory.ID, error) {
	var ids []memory.ID
	for _, ref := range refs {
		from, to, ok := span(ref)
		if !ok {
			id, err := memory.ParseID(ref)
			if err != nil {
				return nil, app.Fail(app.ExitUsage, err)
			}
			ids = append(ids, id)
			continue
		}
		if to < from || to-from >= maxSpan {
			return nil, app.Usage("%s: a span goes up, over at most %d lines", ref, maxSpan)
		}
		for n := from; n <= to; n++ {
			ids = append(ids, memory.Num(n))
		}
	}
	return ids, nil
}

func span(ref string) (from, to int64, ok bool) {
	a, b, ok := strings.Cut(strings.TrimPrefix(ref, "#"), "-")
	if !ok {
		return 0, 0, false
	}
	from, err1 := strconv.ParseInt(a, 10, 64)
	to, err2 := strconv.ParseInt(strings.TrimPrefix(b, "#"), 10, 64)
	return from, to, err1 == nil && err2 == nil && from > 0 && to <= memory.MaxID
}
