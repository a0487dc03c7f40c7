package undo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"ken/internal/regular"
	"ken/internal/session"
	"ken/internal/session/acts"
)

var (
	// ErrNone says that there is no act of an id, or none at all.
	ErrNone = errors.New("no change of a file is known by that name")
	// ErrNothing says that no change of a file stands in a conversation.
	ErrNothing = errors.New("no file was changed in this conversation, or all of it was undone")
)

// A Taker takes acts back that stand in sessions, and writes to the same session that it did.
type Taker struct {
	Room     Room
	Sessions session.Dir
	Live     *session.Writer // of the conversation that is held; nil if none is
	Who      string          // who asks: "user"
}

// IsID says that a word has the form of NewID: no reference to a memory has it.
func IsID(s string) bool {
	rest, ok := strings.CutPrefix(s, "a")
	return ok && len(rest) == 7 && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// Acts are those of the conversation that is held, in the order in which they were made.
func (t Taker) Acts() ([]Act, error) {
	if t.Live == nil {
		return nil, nil
	}
	all := &session.Transcript{}
	if path := t.Live.Path(); path != "" {
		saved, err := acts.Read(path)
		if err != nil && !isMissing(err) {
			return nil, err
		}
		if err == nil {
			all = saved
		}
	}
	var waiting []byte
	t.Live.Unsaved(func(lines []byte) []byte {
		waiting = bytes.Clone(lines)
		return lines
	})
	unsaved, err := session.EventsIn(io.NewSectionReader(bytes.NewReader(waiting), 0, int64(len(waiting))), t.Live.ID(), acts.Event)
	if err != nil {
		return nil, err
	}
	all.Entries = append(all.Entries, unsaved.Entries...)
	return acts.Changes(all), nil
}

// Newest is the newest act of the conversation that stands; ErrNothing if none does.
func (t Taker) Newest() (Act, error) {
	acts, err := t.Acts()
	if err != nil {
		return Act{}, err
	}
	return newest(acts)
}

// newest is the newest of acts that is left.
func newest(acts []Act) (Act, error) {
	for a := range left(acts) {
		return a, nil
	}
	return Act{}, ErrNothing
}

// left are those of acts that stand and whose file is not as it was before, the newest first: what was
// interrupted before it was done, or taken back by hand, is not left.
func left(acts []Act) iter.Seq[Act] {
	return func(yield func(Act) bool) {
		changed := map[string]bool{} // what a file was before an older act says nothing
		for _, a := range Standing(acts) {
			if changed[a.Path] = changed[a.Path] || !isBack(a); changed[a.Path] && !yield(a) {
				return
			}
		}
	}
}

// NewestOf is the newest act that stands of all conversations but those that were not written to
// since, which have none that is newer; ErrNothing if there is none.
func (t Taker) NewestOf(ctx context.Context, since time.Time) (found Act, err error) {
	for path := range t.Sessions.Newest() {
		if ctx.Err() != nil {
			return Act{}, context.Cause(ctx)
		}
		if fi, err := regular.Stat(path); err != nil || fi == nil || fi.ModTime().Before(since) || fi.ModTime().Before(found.Time) {
			continue
		}
		if a, err := newest(actsIn(path)); err == nil && a.Time.After(found.Time) && a.Time.After(since) {
			found = a
		}
	}
	if found.ID == "" {
		return Act{}, ErrNothing
	}
	return found, nil
}

// NewestRun are the acts that stand of the run that the newest one is a part of, the newest first.
func (t Taker) NewestRun() (run []Act, err error) {
	acts, err := t.Acts()
	if err != nil {
		return nil, err
	}
	for a := range left(acts) {
		if len(run) == 0 || a.Run == run[0].Run && a.Run != "" {
			run = append(run, a)
		}
	}
	if len(run) == 0 {
		return nil, ErrNothing
	}
	return run, nil
}

// Find returns the act of an id, of the conversation that is held or another one, and the file of
// that; ErrNone if there is none.
func (t Taker) Find(ctx context.Context, id string) (a Act, path string, err error) {
	acts, path, at, err := t.find(ctx, id)
	if err != nil {
		return Act{}, "", err
	}
	return acts[at], path, nil
}

// find returns the acts of the conversation that has one of an id, the file of that, and which it is.
func (t Taker) find(ctx context.Context, id string) (acts []Act, path string, at int, err error) {
	if acts, err = t.Acts(); err != nil {
		return nil, "", 0, err
	}
	of := func(b Act) bool { return b.ID == id }
	if at = slices.IndexFunc(acts, of); at >= 0 {
		return acts, "", at, nil
	}
	for path := range t.Sessions.Newest() {
		if ctx.Err() != nil {
			return nil, "", 0, context.Cause(ctx)
		}
		acts := actsIn(path)
		if at = slices.IndexFunc(acts, of); at >= 0 {
			return acts, path, at, nil
		}
	}
	return nil, "", 0, fmt.Errorf("%s: %w", id, ErrNone)
}

// actsIn are the acts of the conversation in a file. One that cannot be read has none that could be undone.
func actsIn(path string) []Act {
	tr, err := acts.Read(path)
	if err != nil {
		return nil
	}
	return acts.Changes(tr)
}

// Undo takes acts back, all or none, and writes to the conversation of each that it was done. They
// are in the order in which they were made or in the other one: the newest goes first. The steps
// are those that were done, which with an error are those that could not be made as they were.
func (t Taker) Undo(ctx context.Context, acts ...Act) ([]Step, error) {
	run := ""
	if len(acts) > 1 {
		run = NewID()
	}
	acts, paths, err := t.ordered(ctx, acts)
	if err != nil {
		return nil, err
	}
	steps, err := t.Room.Plan(acts, t.Who, run)
	if err != nil {
		return nil, err
	}
	opened := map[string]*session.Writer{"": t.Live}
	defer func() {
		for path, w := range opened {
			if path != "" {
				_ = w.Close() // what was appended is in the file
			}
		}
	}()
	for _, path := range paths {
		if opened[path] == nil {
			// Before anything is undone, so that what is undone is known there.
			w, _, err := t.Sessions.Open(path)
			if err != nil {
				return nil, err
			}
			opened[path] = w
		}
	}
	for i, s := range steps {
		err := s.Do(ctx)
		if err != nil {
			return t.back(ctx, steps[:i], opened, paths, err)
		}
		if err := opened[paths[i]].AppendEvent(s.Act.Event()); err != nil {
			err = fmt.Errorf("undo %s: its conversation cannot know of it: %w", s.Act.Undoes, err)
			return t.back(ctx, steps[:i+1], opened, paths, err)
		}
	}
	return steps, nil
}

// back takes steps back that were done before one failed with err. What is left of them is returned.
func (Taker) back(
	ctx context.Context, steps []Step, to map[string]*session.Writer, paths []string, err error,
) (left []Step, _ error) {
	ctx = context.WithoutCancel(ctx)
	for i, s := range slices.Backward(steps) {
		if berr := s.Back(ctx); berr != nil {
			return steps[:i+1], fmt.Errorf("%w; and what was undone before stays so: %w", err, berr)
		}
		// A line that cannot be written says too much: the file shows that it is as it was.
		_ = to[paths[i]].AppendEvent(s.Act.Void())
	}
	return nil, err
}

// ordered are acts, the newest first, and the files of their conversations, "" for the one that is held.
func (t Taker) ordered(ctx context.Context, acts []Act) ([]Act, []string, error) {
	type one struct {
		act  Act
		path string
		at   int // in its conversation
	}
	list := make([]one, len(acts))
	for i, a := range acts {
		all, path, at, err := t.find(ctx, a.ID)
		if err != nil {
			return nil, nil, err
		}
		list[i] = one{all[at], path, at}
	}
	slices.SortStableFunc(list, func(a, b one) int {
		if a.path == b.path {
			return cmp.Compare(b.at, a.at)
		}
		return b.act.Time.Compare(a.act.Time)
	})
	list = slices.CompactFunc(list, func(a, b one) bool { return a.act.ID == b.act.ID })
	sorted, paths := make([]Act, len(list)), make([]string, len(list))
	for i, o := range list {
		sorted[i], paths[i] = o.act, o.path
	}
	return sorted, paths, nil
}
