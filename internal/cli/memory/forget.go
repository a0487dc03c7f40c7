package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent/turn"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/pick"
	"ken/internal/teach"
	"ken/internal/view"
)

func forgetCommand(a *term.Run) *cobra.Command {
	var m pick.Selector
	var reason string
	var dryRun, yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "forget REF...|TEXT",
		Short: "hide memories, and the turns that taught them",
		Long: `Forget appends a tombstone for each memory named: by number or words, by key
or by scope, where several filters choose what all of them match. It is gone at once from
every list, search, prompt and export, and so are the turns of conversations that
taught it or repeat it whole. What it replaced goes along. With --scope alone whatever was
said there goes too. The text stays in the file, and undo brings it back; erase removes it.

What is no reference is looked for: the memories that it may mean are listed, and what
was said in conversations, and you are asked which; "everything about X" is all that says
X. What filters choose is listed and asked about if it is more than one memory. Forgetting
nothing is an error.`,
		Example:     "  ken forget 3 4\n  ken forget the staging host is kettle\n  ken forget --scope here --dry-run\n  ken forget --key editor --yes",
		Annotations: term.Writes{Memory: "that memories are forgotten"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			m.Args, m.Scoped, m.Keyed = args, cmd.Flags().Changed("scope"), cmd.Flags().Changed("key")
			return forget(a, cmd, m, reason, dryRun, yes, asJSON)
		},
	}
	cmd.Flags().StringVar(&m.Scope, "scope", "", "all of `SCOPE`, and what was said there: user, here, repo, dir, or a full one")
	cmd.Flags().StringVar(&m.Key, "key", "", "all that has the `KEY`, older ones too")
	cmd.Flags().StringVar(&reason, "reason", "", "`WHY`, kept on the line")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be forgotten")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func forget(a *term.Run, cmd *cobra.Command, m pick.Selector, reason string, dryRun, yes, asJSON bool) error {
	said := false // in a sentence, which may have been read wrongly
	if !m.Scoped && !m.Keyed {
		if named, ok := pick.Words(cmd.Context(), a.Home, m.Args); ok {
			m, said = named, true
			switch {
			case m.Keyed:
				a.Status("all under the key %s", m.Key)
			case m.Scoped:
				a.Status("all of %s", m.Scope)
			}
		} else if r := teach.Read("forget " + strings.Join(m.Args, " ")); r.Act == teach.Forget && r.All {
			m.Args, m.All = []string{r.Text}, true
		}
	}
	t, err := which.Find(cmd.Context(), a, m, which.Options{Verb: "forget", Any: dryRun, All: m.All && yes})
	if err != nil {
		return err
	}
	if t.None {
		return nothing(a, asJSON, "nothing was forgotten")
	}
	if len(t.Scopes) > 0 {
		names := a.Home.Here.Names(t.Scopes...)
		called := make([]string, len(t.Scopes))
		for i, scope := range t.Scopes {
			called[i] = names.Of(scope)
		}
		a.Status("all of %s", strings.Join(called, " and "))
	}
	if dryRun || yes {
		which.ShowElsewhere(a, m.Project, t.Elsewhere)
	} else if len(t.Elsewhere.Items)+len(t.Elsewhere.Turns) > 0 {
		if t, err = which.AskElsewhere(cmd.Context(), a, m.Project, t); err != nil {
			return err
		} else if t.None {
			return nothing(a, asJSON, "nothing was forgotten")
		}
	}
	deeds := make([]view.Outcome, len(t.Items))
	for i, it := range t.Items {
		deeds[i] = view.Outcome{Did: "would forget", Ref: it.Ref(), Text: it.Record.Content, Note: ": " + view.ExcerptSaid(it.Record.Content, 60)}
	}
	for _, turn := range t.Turns {
		deeds = append(deeds, view.Outcome{Did: "would forget", Ref: turn.String(), Turn: true})
	}
	for _, id := range t.Sessions {
		deeds = append(deeds, view.Outcome{Did: "would forget", Ref: id, Conversation: true, Note: " (what was said there)"})
	}
	if dryRun {
		return tell(a, asJSON, deeds...)
	}
	together := (!t.Named || t.Asked) && len(deeds) > 1 || len(t.Sessions)+len(t.Turns) > 0
	if together {
		if err := a.Lane.OnlyPerson("forgets by filter"); err != nil {
			return err
		}
	}
	if (together || said) && !yes && !t.Asked {
		ok, err := confirmForget(a, cmd, deeds)
		if err != nil {
			return err
		}
		if !ok {
			return nothing(a, asJSON, "nothing was forgotten")
		}
	}
	before, err := a.Home.Memory.State(cmd.Context())
	if err != nil {
		return err
	}
	r, err := writeForget(a, cmd, t, together, reason, deeds)
	if err != nil {
		return err
	}
	if len(r.Proposed) > 0 {
		return tell(a, asJSON, app.Proposed(r)...)
	}
	a.TellLeft(turn.Left(a.Home, t.Items))
	tellAlong(a, before, t.Items)
	return tellForgotten(a, asJSON, together, deeds)
}

// tellForgotten answers with what was forgotten; what one line did together has one
// undo.
func tellForgotten(a *term.Run, asJSON, together bool, deeds []view.Outcome) error {
	if asJSON || !together {
		return tell(a, asJSON, deeds...)
	}
	sum := fmt.Sprintf("forgot %s (undo: %s)", countDeeds(deeds), deeds[0].Undo)
	if len(deeds) > mostListed {
		return a.Println(sum)
	}
	for i := range deeds {
		deeds[i].Undo = ""
	}
	return errors.Join(tell(a, asJSON, deeds...), a.Println(sum))
}

// writeForget forgets together or one by one, and says in deeds what was done; what a
// model or a tool asks for waits, and r says so.
func writeForget(
	a *term.Run, cmd *cobra.Command, t which.Found, together bool, reason string, deeds []view.Outcome,
) (r engine.Receipt, err error) {
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return r, err
	}
	ids := make([]memory.ID, len(t.Items))
	for i, it := range t.Items {
		ids[i] = it.ID
	}
	if together {
		r, err = w.ForgetBulk(cmd.Context(), engine.Bulk{IDs: ids, Sessions: t.Sessions, Turns: t.Turns, Reason: reason})
	} else {
		r, err = w.Forget(cmd.Context(), reason, ids...)
	}
	if err != nil {
		return r, term.NotSaved(err)
	}
	if len(r.Proposed) > 0 {
		return r, nil
	}
	line, back := r.IDs[0].String(), r.Span()
	for i := range deeds {
		if !together {
			line = r.IDs[i].String()
			back = line
		}
		deeds[i].Did, deeds[i].Line, deeds[i].Undo = "forgot", line, a.Verb("undo "+back)
	}
	return r, nil
}

// mostListed is how many things a person reads one by one.
const mostListed = 20

// confirmForget lists what would be forgotten, and asks.
func confirmForget(a *term.Run, cmd *cobra.Command, deeds []view.Outcome) (bool, error) {
	for i, d := range deeds {
		if i == mostListed {
			a.Say("  ", fmt.Sprintf("... and %d more", len(deeds)-i))
			break
		}
		a.Say("  ", d.Name()+d.Note)
	}
	return a.Person.Confirm(cmd.Context(), fmt.Sprintf("forget %s?", countDeeds(deeds)))
}

// countDeeds is "2 items", "1 item and 3 conversations".
func countDeeds(deeds []view.Outcome) string {
	items, turns, sessions := 0, 0, 0
	for _, d := range deeds {
		switch {
		case d.Conversation:
			sessions++
		case d.Turn:
			turns++
		default:
			items++
		}
	}
	var parts []string
	for _, c := range [...]struct {
		n    int
		noun string
	}{{items, "item"}, {turns, "turn"}, {sessions, "conversation"}} {
		if c.n > 0 {
			parts = append(parts, view.Count(c.n, c.noun))
		}
	}
	return strings.Join(parts, " and ")
}

// tellAlong prints what the items that were forgotten had replaced, which went along.
func tellAlong(a *term.Run, before *memory.State, items []memory.Item) {
	ids := make([]memory.ID, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	if went := app.Along(before, ids...); len(went) > 0 {
		a.Status("with it what was replaced: %s", pick.ItemRefs(went))
	}
}

// standing reports whether an item may still be changed.
func standing(s memory.Status) bool {
	return s == memory.StatusActive || s == memory.StatusWaiting || s == memory.StatusSuperseded
}

func undoCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo [LINE|ACT...]",
		Short: "take back the newest line, or what is named",
		Long: `Undo makes a line of the memory count as unwritten, whether it stated something or
changed something; without LINE the newest one of this device. LINE may be a span
like 101-150. Numbers stay spent, and what is erased does not come back.

ACT is the id of what a tool changed in a file, such as a7k2mq4x: the file is again as it
was before, or gone if it was made. A file that was changed since is left alone, and the
difference is shown. Without a name undo takes back whatever is newer, the newest line of
the memory or the newest change of a file, and says which; outside a conversation it shows
the change of a file first and asks.`,
		Annotations: term.Writes{Person: "takes lines back"}.Note(),
		RunE:        func(cmd *cobra.Command, args []string) error { return undo(a, cmd, args, asJSON) },
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func undo(a *term.Run, cmd *cobra.Command, refs []string, asJSON bool) error {
	ids, err := pick.Refs(refs)
	if err != nil {
		return err
	}
	w, err := a.Home.Memory.Writer()
	if err != nil {
		return err
	}
	r, undone, err := w.Undo(cmd.Context(), ids...)
	if errors.Is(err, engine.ErrNothingToUndo) {
		return err
	}
	if err != nil {
		return term.NotSaved(err)
	}
	deeds := make([]view.Outcome, len(undone))
	for i, ch := range undone {
		line := r.IDs[i].String()
		deeds[i] = view.Outcome{
			Did: "undid", Ref: ch.ID.String(), Line: line, Text: ch.Record.Content,
			Undo: a.Verb("undo " + line), Note: " (" + view.ChangeText(ch) + ")",
		}
	}
	return tell(a, asJSON, deeds...)
}
