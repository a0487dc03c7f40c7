package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/dates"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tool/edit"
	"ken/internal/undo"
	"ken/internal/view"
)

// taker is what takes changes of files back in this run.
func taker(a *term.Run) (undo.Taker, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return undo.Taker{}, err
	}
	paths, err := a.Home.Settings.Places()
	if err != nil {
		return undo.Taker{}, err
	}
	t := undo.Taker{
		Room:     undo.Room{Path: config.UndoIn(paths), Lock: paths.State, Now: a.Env.Now},
		Sessions: a.Home.Conversations.Dir(), Who: "user",
	}
	if a.Live != nil {
		t.Live = a.Live()
	}
	return t, nil
}

// newerAct returns the newest change of a file that stands, if the newest line of the memory that an undo would
// take, which is returned as well, is not newer: a change of this conversation, outside of one of any.
func newerAct(ctx context.Context, a *term.Run) (act undo.Act, line string, ok bool, err error) {
	t, err := taker(a)
	if err != nil {
		return undo.Act{}, "", false, err
	}
	since := time.Time{}
	if !a.Flags.NoMemory {
		s, err := a.Home.Memory.State(ctx)
		if err != nil {
			return undo.Act{}, "", false, err
		}
		if last, there := s.Undoable(); there {
			since, line = last.Record.Time, last.ID.String()
		}
	}
	if a.Live == nil {
		old := a.Env.Now().Add(-undo.Kept) // of what is older nothing is kept
		if old.After(since) {
			since = old
		}
		act, err = t.NewestOf(ctx, since)
	} else {
		act, err = t.Newest()
	}
	if errors.Is(err, undo.ErrNothing) {
		return undo.Act{}, line, false, nil
	}
	return act, line, err == nil && !since.After(act.Time), err
}

// askBack shows a change of a file that the person has not named, and asks whether it is meant. Who cannot be asked
// has to name it, or the line of the memory that is older.
func askBack(ctx context.Context, a *term.Run, asJSON bool, act undo.Act, line string) (bool, error) {
	what := nameOf(a, act.Path)
	if asJSON || !a.Person.Present() {
		hint := fault.Command("undo " + act.ID)
		err := fault.New(fault.Refused, fmt.Errorf("the newest change is one of a file, %s: say that it is meant", what))
		if line == "" {
			return false, err.WithHint("%s", hint)
		}
		return false, err.WithHint("%s; the newest line of the memory: %s", hint, fault.Command("undo "+line))
	}
	if err := showActs(a, act); err != nil {
		return false, err
	}
	by := act.Who
	if by == "" {
		by = act.Tool
	}
	return a.Person.Confirm(ctx, fmt.Sprintf("undo %s, the change of %s by %s, %s?", act.ID, what, termsafe.Line(by),
		dates.Local(act.Time, a.Env.Now())))
}

// takeBack takes changes of files back, the newest first, all or none, and says so.
func takeBack(ctx context.Context, a *term.Run, asJSON bool, list ...undo.Act) error {
	t, err := taker(a)
	if err != nil {
		return err
	}
	steps, err := t.Undo(ctx, list...)
	if len(steps) > 0 && err == nil && a.Notable != nil {
		defer a.Notable("undone")
	}
	deeds := make([]view.Outcome, len(steps))
	for i, s := range steps {
		added, removed := edit.Count(s.Diff)
		deeds[i] = view.Outcome{
			Did: "undid", Ref: s.Act.Undoes, Line: s.Act.ID, Text: s.Act.Path, Undo: a.Verb("undo " + s.Act.ID),
			Note: fmt.Sprintf(": %s, +%d -%d", nameOf(a, s.Act.Path), added, removed),
		}
	}
	if asJSON && (err == nil || len(deeds) > 0) {
		return errors.Join(a.PrintJSON(deeds), explainedAct(a, err))
	}
	for _, d := range deeds {
		if err := a.Println(fmt.Sprintf("%s %s%s (undo: %s)", d.Did, d.Ref, d.Note, d.Undo)); err != nil {
			return err
		}
	}
	return explainedAct(a, err)
}

// findActs returns the changes of ids.
func findActs(ctx context.Context, a *term.Run, ids ...string) ([]undo.Act, error) {
	t, err := taker(a)
	if err != nil {
		return nil, err
	}
	list := make([]undo.Act, len(ids))
	for i, id := range ids {
		if list[i], _, err = t.Find(ctx, id); err != nil {
			return nil, explainedAct(a, err)
		}
	}
	return list, nil
}

// actsNamed are the changes that a word of the person means: an id, "run" for all of the newest run, "" for
// the newest one; the newest first.
func actsNamed(ctx context.Context, a *term.Run, word string) ([]undo.Act, error) {
	t, err := taker(a)
	if err != nil {
		return nil, err
	}
	switch {
	case word == "":
		act, err := t.Newest()
		return []undo.Act{act}, explainedAct(a, err)
	case word == "run":
		list, err := t.NewestRun()
		return list, explainedAct(a, err)
	case !undo.IsID(word):
		return nil, fault.Usagef("%s: want the id of a change, as %s, or run", termsafe.Line(word), "a7k2mq4x")
	}
	return findActs(ctx, a, word)
}

// showActs prints what changes made of their files, in the order given.
func showActs(a *term.Run, list ...undo.Act) error {
	t, err := taker(a)
	if err != nil {
		return err
	}
	for _, act := range list {
		diff, err := t.Room.Diff(act)
		if err != nil {
			return explainedAct(a, fmt.Errorf("%s of %s: %w", act.ID, nameOf(a, act.Path), err))
		}
		if len(list) > 1 || act.Tool == undo.Tool {
			a.Status("%s: %s", act.ID, act.Tool)
		}
		if err := a.PrintAsIs(visible(diff)); err != nil {
			return err
		}
	}
	return nil
}

// visible is a difference as it was shown before the change: a carriage return or a mark is not seen otherwise.
func visible(diff string) string {
	columns := strings.Split(strings.TrimSuffix(edit.Brief(diff), "\n"), "\t")
	for i, s := range columns {
		columns[i] = termsafe.Visible(s)
	}
	return strings.Join(columns, "\t")
}

// explainedAct is an error in the words of the command line; of a file that was changed since, the difference
// is shown three ways.
func explainedAct(a *term.Run, err error) error {
	var c *undo.Conflict
	switch {
	case err == nil:
		return nil
	case errors.As(err, &c):
		if c.Never {
			return fault.New(fault.Failure, err)
		}
		if text := c.Show(); text != "" {
			if err := a.PrintAsIs(visible(text)); err != nil {
				return err
			}
		}
		return fault.New(fault.Failure, err).WithHint("the file stays as it is; what is shown can be put back by hand")
	case errors.Is(err, undo.ErrNone):
		return fault.New(fault.NotFound, err)
	case errors.Is(err, session.ErrHeld):
		return fault.New(fault.Failure, err).WithHint("say :undo there, or close that conversation")
	case errors.Is(err, undo.ErrGone):
		return fault.New(fault.Failure, err).WithHint("it is kept for 30 days and 200 MB, and goes when a text in it is erased")
	}
	return fault.New(fault.Failure, err)
}

// nameOf is a path as it is shown: from the working directory if it is below it.
func nameOf(a *term.Run, path string) string {
	if rel, err := filepath.Rel(a.Env.Dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return termsafe.Line(path)
}
