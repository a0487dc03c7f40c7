package undo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ken/internal/regular"
	"ken/internal/session"
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
	var text []byte
	if path := t.Live.Path(); path != "" {
		b, err := regular.Read(path, math.MaxInt64)
		if err != nil && !isMissing(err) {
			return nil, err
		}
		text = b
	}
	t.Live.Unsaved(func(lines []byte) []byte {
		text = append(text, lines...)
		return lines
	})
	tr, err := session.Read(bytes.NewReader(text), t.Live.ID())
	if err != nil {
		return nil, err
	}
	return Acts(tr), nil
}

// Newest is the newest act of the conversation that stands; ErrNothing if none does.
func (t Taker) Newest() (Act, error) {
	acts, err := t.Acts()
	if err != nil {
		return Act{}, err
	}
	standing := Standing(acts)
	if len(standing) == 0 {
		return Act{}, ErrNothing
	}
	return standing[0], nil
}

// NewestRun are the acts that stand of the run that the newest one is a part of, the newest first.
func (t Taker) NewestRun() ([]Act, error) {
	newest, err := t.Newest()
	if err != nil || newest.Run == "" {
		return []Act{newest}, err
	}
	acts, err := t.Acts()
	return RunOf(acts, newest.Run), err
}

// Find returns the act of an id, of the conversation that is held or another one, and the file of
// that; ErrNone if there is none.
func (t Taker) Find(ctx context.Context, id string) (a Act, path string, err error) {
	acts, err := t.Acts()
	if err != nil {
		return Act{}, "", err
	}
	of := func(b Act) bool { return b.ID == id }
	if i := slices.IndexFunc(acts, of); i >= 0 {
		return acts[i], "", nil
	}
	mark := []byte(`"` + id + `"`)
	for path := range t.Sessions.Newest() {
		if ctx.Err() != nil {
			return Act{}, "", context.Cause(ctx)
		}
		text, err := regular.Read(path, math.MaxInt64)
		if err != nil || !bytes.Contains(text, mark) {
			continue // one that cannot be read has no act that could be undone
		}
		tr, err := session.Read(bytes.NewReader(text), path)
		if err != nil {
			continue
		}
		acts := Acts(tr)
		if i := slices.IndexFunc(acts, of); i >= 0 {
			return acts[i], path, nil
		}
	}
	return Act{}, "", fmt.Errorf("%s: %w", id, ErrNone)
}

// Undo takes acts back, the newest first, all or none, and writes to the conversation of each that it
// was done. The steps are those that were done, also with an error.
func (t Taker) Undo(ctx context.Context, acts ...Act) ([]Step, error) {
	run := ""
	if len(acts) > 1 {
		run = NewID()
	}
	steps, err := t.Room.Plan(acts, t.Who, run)
	if err != nil {
		return nil, err
	}
	to := make([]*session.Writer, len(acts))
	opened := map[string]*session.Writer{"": t.Live}
	defer func() {
		for path, w := range opened {
			if path != "" {
				_ = w.Close() // what was appended is in the file
			}
		}
	}()
	for i, a := range acts {
		_, path, err := t.Find(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		if opened[path] == nil {
			// Before anything is undone, so that what is undone is known there.
			w, _, err := t.Sessions.Open(path)
			if err != nil {
				return nil, err
			}
			opened[path] = w
		}
		to[i] = opened[path]
	}
	for i, s := range steps {
		if err := s.Do(ctx); err != nil {
			return steps[:i], err
		}
		if err := to[i].AppendEvent(s.Act.Event()); err != nil {
			return steps[:i+1], fmt.Errorf("undid %s, which could not be written to its conversation: %w", s.Act.Undoes, err)
		}
	}
	return steps, nil
}
