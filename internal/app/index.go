package app

import (
	"context"
	"errors"
	"time"

	"ken/internal/app/logs"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index/live"
	"ken/internal/jsonl"
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
func (m *Memory) newIndex(e *engine.Engine, replicas []engine.Replica, now func() time.Time) *live.Index {
	o := live.Options{
		State: e.State, Own: m.logs.Own(), Logs: []live.Log{{Path: m.logs.Own().Path()}},
		Also:     []string{m.settings.paths.Erased()},
		Sessions: []session.Dir{m.conversations.Dir(), m.conversations.Dir().Imports()},
		Dir:      m.settings.paths.Index(), Lock: m.settings.paths.Data, Now: now, Clock: m.o.Clock,
	}
	for _, r := range replicas {
		path := logs.PathOf(r.Log)
		if path == "" {
			o.Dir = ""
			continue
		}
		o.Logs = append(o.Logs, live.Log{Path: path, Name: r.Name, Ceiling: r.Ceiling, By: r.By})
	}
	switch m.o.Index {
	case IndexAlways:
		o.Least = 1
	case IndexNever:
		o.Dir = ""
	}
	return live.New(o)
}

// OpenConversations returns what was said in conversations, but for what of says is forgotten. What
// cannot be read is reported, and costs itself alone.
func (m *Memory) OpenConversations(ctx context.Context, of *live.Memory) (*live.Conversations, error) {
	var c *live.Conversations
	var err error
	m.ask(ctx, func() { c, err = m.index.Conversations(ctx, of) })
	if err != nil {
		return nil, err
	}
	for _, err := range c.Faults {
		m.o.Voice.Warn(err)
	}
	for _, w := range c.Warnings {
		m.o.Voice.Warn(errors.New(w))
	}
	return c, nil
}

// ask asks the index; with IndexAlways once more if it had to read the files, with
// an index made of them.
func (m *Memory) ask(ctx context.Context, question func()) {
	question()
	if m.o.Index != IndexAlways || m.settings.ReadOnly() || !m.index.Wants() {
		return
	}
	select { // until a stamp of what was just written is believed
	case <-time.After(jsonl.Settling):
	case <-ctx.Done():
	}
	question()
	m.Rebuild(ctx)
	question()
}

// Rebuild makes the index anew where the questions of this run found that it pays. A
// fault is printed for those who want to know all: the next question is slower, no
// more.
func (m *Memory) Rebuild(ctx context.Context) {
	if m.index == nil || m.settings.ReadOnly() {
		return
	}
	m.o.Voice.Warn(fault.Detail(m.index.Rebuild(ctx)))
}

// Invalidate has all be read from the files from now on, since the index said what
// they do not.
func (m *Memory) Invalidate() {
	if m.index != nil {
		m.index.Invalidate()
	}
}
