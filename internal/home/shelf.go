package home

import (
	"context"
	"errors"
	"time"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory/filelog"
	"ken/internal/session"
	"ken/internal/shelf"
)

// When the index is kept, for tests that want it so; KEN_INDEX.
const (
	// IndexAlways has every answer given from the index, made before it if it is not
	// there, from the first document on.
	IndexAlways = "always"
	// IndexNever has every answer given from the files.
	IndexNever = "never"
)

// newShelf is the derived index of the memory that the engine owns, and of the
// conversations. A log that is no file has none.
func (a *Home) newShelf(replicas []engine.Replica) *shelf.Shelf {
	o := shelf.Options{
		State: a.engine.State, Own: a.ownLog(), Logs: []shelf.Log{{Path: a.ownLog().Path()}},
		Also:     []string{a.paths.Erased()},
		Sessions: []session.Dir{a.SessionDir(), a.SessionDir().Imports()},
		Dir:      a.paths.Index(), Lock: a.paths.Data, Now: a.o.Now, Clock: a.o.Clock,
	}
	for _, r := range replicas {
		log, ok := r.Log.(*filelog.Log)
		if !ok {
			o.Dir = ""
			continue
		}
		o.Logs = append(o.Logs, shelf.Log{Path: log.Path(), Name: r.Name, Ceiling: r.Ceiling, By: r.By})
	}
	switch a.o.Index {
	case IndexAlways:
		o.Least = 1
	case IndexNever:
		o.Dir = ""
	}
	return shelf.New(o)
}

// Known is the memory as far as questions ask for it, read from the index where
// that is good. Replicas that cannot be read are told, and cost their own items
// alone; so is what of the logs could not be read.
func (a *Home) Known(ctx context.Context) (*shelf.Memory, error) {
	if _, err := a.Memory(); err != nil {
		return nil, err
	}
	var m *shelf.Memory
	var err error
	a.ask(ctx, func() { m, err = a.shelf.Memory(ctx) })
	if m == nil {
		return nil, err
	}
	if err != nil {
		a.Warn(fault.Once(err))
	}
	a.Warn(fault.Once(a.problems(m.Own, m.Problems)))
	return m, nil
}

// Said is what was said in conversations, but for what m says is forgotten. What
// cannot be read is told, and costs itself alone.
func (a *Home) Said(ctx context.Context, m *shelf.Memory) (*shelf.Conversations, error) {
	var c *shelf.Conversations
	var err error
	a.ask(ctx, func() { c, err = a.shelf.Conversations(ctx, m) })
	if err != nil {
		return nil, err
	}
	for _, err := range c.Faults {
		a.Warn(err)
	}
	for _, w := range c.Warnings {
		a.Warn(errors.New(w))
	}
	return c, nil
}

// ask asks the shelf; with IndexAlways once more if it had to read the files, with
// an index made of them.
func (a *Home) ask(ctx context.Context, question func()) {
	question()
	if a.o.Index != IndexAlways || !a.shelf.Wants() {
		return
	}
	select { // until a stamp of what was just written is believed
	case <-time.After(shelf.Settling):
	case <-ctx.Done():
	}
	question()
	a.Tend(ctx)
	question()
}

// Tend makes the index anew where the questions of this run found that it pays. A
// fault is told to those who want to know all: the next question is slower, no
// more.
func (a *Home) Tend(ctx context.Context) {
	if a.shelf == nil {
		return
	}
	a.Warn(fault.Detail(a.shelf.Tend(ctx)))
}

// Distrust has all be read from the files from now on, since the index said what
// they do not.
func (a *Home) Distrust() {
	if a.shelf != nil {
		a.shelf.Distrust()
	}
}
