package home

import (
	"context"
	"errors"
	"time"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index/live"
	"ken/internal/memory/filelog"
	"ken/internal/session"
)

// When the index is kept, for tests that want it so; KEN_INDEX.
const (
	// IndexAlways has every answer given from the index, made before it if it is not
	// there, from the first document on.
	IndexAlways = "always"
	// IndexNever has every answer given from the files.
	IndexNever = "never"
)

// newIndex is the derived index of the memory that the engine owns, and of the
// conversations. A log that is no file has none.
func (a *Home) newIndex(replicas []engine.Replica) *live.Index {
	o := live.Options{
		State: a.engine.State, Own: a.Logs.Own(), Logs: []live.Log{{Path: a.Logs.Own().Path()}},
		Also:     []string{a.Settings.paths.Erased()},
		Sessions: []session.Dir{a.SessionDir(), a.SessionDir().Imports()},
		Dir:      a.Settings.paths.Index(), Lock: a.Settings.paths.Data, Now: a.o.Now, Clock: a.o.Clock,
	}
	for _, r := range replicas {
		log, ok := r.Log.(*filelog.Log)
		if !ok {
			o.Dir = ""
			continue
		}
		o.Logs = append(o.Logs, live.Log{Path: log.Path(), Name: r.Name, Ceiling: r.Ceiling, By: r.By})
	}
	switch a.o.Index {
	case IndexAlways:
		o.Least = 1
	case IndexNever:
		o.Dir = ""
	}
	return live.New(o)
}

// OpenMemory is Moment.Memory, now.
func (a *Home) OpenMemory(ctx context.Context) (*live.Memory, error) { return a.Moment().Memory(ctx) }

// OpenConversations is what was said in conversations, but for what m says is forgotten. What
// cannot be read is told, and costs itself alone.
func (a *Home) OpenConversations(ctx context.Context, m *live.Memory) (*live.Conversations, error) {
	var c *live.Conversations
	var err error
	a.ask(ctx, func() { c, err = a.index.Conversations(ctx, m) })
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

// ask asks the index; with IndexAlways once more if it had to read the files, with
// an index made of them.
func (a *Home) ask(ctx context.Context, question func()) {
	question()
	if a.o.Index != IndexAlways || !a.index.Wants() {
		return
	}
	select { // until a stamp of what was just written is believed
	case <-time.After(live.Settling):
	case <-ctx.Done():
	}
	question()
	a.Rebuild(ctx)
	question()
}

// Rebuild makes the index anew where the questions of this run found that it pays. A
// fault is told to those who want to know all: the next question is slower, no
// more.
func (a *Home) Rebuild(ctx context.Context) {
	if a.index == nil {
		return
	}
	a.Warn(fault.Detail(a.index.Rebuild(ctx)))
}

// Invalidate has all be read from the files from now on, since the index said what
// they do not.
func (a *Home) Invalidate() {
	if a.index != nil {
		a.index.Invalidate()
	}
}
