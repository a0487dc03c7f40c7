package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ken/internal/agent"
	"ken/internal/fault"
	"ken/internal/recall"
	"ken/internal/session"
)

// Beginning says how a conversation begins.
type Beginning struct {
	Channel session.Channel
	Preset  string // that it begins with, for the record
	GoOn    bool   // with the newest conversation of this project
	Fork    bool   // in a copy of it
	// Activate chooses what of the memory a question calls for; nil: nothing.
	Activate func(ctx context.Context, w agent.Wanted, block recall.Choice) (recall.Activation, error)
	// Shape says how else the conversation is to be; nil: as it is.
	Shape func(*agent.Options)
}

// SessionDir is where sessions are, and how they are written; after Settings.
func (a *Core) SessionDir() session.Dir {
	return session.Dir{
		Path: a.paths.Sessions(), Lock: a.paths.Data, Run: a.paths.Run(), Now: a.o.Now,
		SyncLines: a.cfg.Session.Fsync == "line", Hold: !a.cfg.Session.Autosave,
	}
}

// Begin makes a conversation and the session that records it. A session that
// cannot be kept is told, and the conversation goes on without.
func (a *Core) Begin(b Beginning) (*agent.Conversation, *session.Writer, error) {
	rec, live, scope, err := a.record(b)
	if err != nil {
		return nil, nil, err
	}
	conv := a.Conversation(b, rec)
	conv.Continue(live, rec, scope)
	return conv, rec, nil
}

// Conversation is one that rec records, without a turn yet.
func (a *Core) Conversation(b Beginning, rec agent.Recorder) *agent.Conversation {
	o := agent.Options{
		Record: rec, Mask: a.MaskText, Now: a.o.Now, Seal: a.Sums, MaxTurns: a.cfg.Context.MaxTurns, Warn: a.Warn,
		OutputTokens: a.cfg.Context.OutputMaxTokens,
	}
	o.Background = func(ctx context.Context) (recall.Choice, error) {
		if !a.Sends() { // it may be switched off and on
			return recall.Choice{}, nil
		}
		return a.Background(ctx)
	}
	if b.Activate != nil {
		o.Activate = func(ctx context.Context, w agent.Wanted, block recall.Choice) (recall.Activation, error) {
			if !a.Sends() {
				return recall.Activation{}, nil
			}
			return b.Activate(ctx, w, block)
		}
	}
	o.Hidden = a.hidden
	o.Stranger = func() bool {
		_, unknown := a.Models().Unconfirmed()
		return unknown
	}
	if b.Shape != nil {
		b.Shape(&o)
	}
	return agent.New(o)
}

// hidden says which turns of the conversation that rec records are not sent. A
// fault of the memory is told with the start-up block.
func (a *Core) hidden(ctx context.Context, rec agent.Recorder) func(session.Turn) bool {
	w, ok := rec.(*session.Writer)
	_, err := a.Memory()
	if !ok || err != nil || !a.MemoryOn() {
		return nil
	}
	m, _ := a.shelf.Memory(ctx)
	if m == nil {
		return nil
	}
	return m.Forgotten.Of(w.Header())
}

// record opens the session of b, with what is live in it and the scope that it was
// in last.
func (a *Core) record(b Beginning) (*session.Writer, session.Live, string, error) {
	dir := a.SessionDir()
	if b.GoOn {
		path, err := a.Latest()
		if err == nil {
			rec, live, scope, err := a.OpenSession(path, b.Fork)
			if b.Channel != session.ChannelTerminal || !errors.Is(err, session.ErrHeld) {
				return rec, live, scope, err
			}
			a.Note(HeldElsewhere{strings.TrimSuffix(filepath.Base(path), ".jsonl")})
		} else if !errors.Is(err, session.ErrNone) {
			return nil, session.Live{}, "", err
		}
		if err != nil && b.Channel == session.ChannelAsk {
			a.Notef("no earlier conversation here; beginning one")
		}
	}
	scope := a.Place().Scope()
	rec, err := dir.Create(session.Header{
		Model: b.Preset, KenVersion: Version, Channel: b.Channel, Scope: scope,
	})
	if err != nil {
		a.Warn(fmt.Errorf("this conversation is not recorded: %w", err))
		return session.Discard(), session.Live{}, scope, nil
	}
	return rec, session.Live{}, scope, nil
}

// HeldElsewhere is the event that the conversation to go on with is open in another
// process, so that a new one begins.
type HeldElsewhere struct{ Session string } // its name

// In implements fault.Note.
func (h HeldElsewhere) In(func(fault.Command) string) string {
	return "the last conversation is open in another ken; this is a new one (to go on in a copy: :resume --fork " + h.Session + ")"
}

// Latest is the conversation of this project that was written to last. One in which
// commands ran and nothing was said is none.
func (a *Core) Latest() (string, error) {
	for path, h := range a.SessionDir().Newest() {
		if !a.ofThisProject(h) {
			continue
		}
		if t, err := session.Load(path); err != nil || len(t.Turns()) > 0 {
			return path, err
		}
	}
	_, _, err := a.SessionDir().Latest(func(session.Header) bool { return false })
	return "", err
}

// OpenSession continues the file at path, or a copy of it, and returns what is live
// in it and the scope that it was in last.
func (a *Core) OpenSession(path string, fork bool) (*session.Writer, session.Live, string, error) {
	open := a.SessionDir().Open
	if fork {
		open = a.SessionDir().Fork
	}
	rec, t, err := open(path)
	if err != nil {
		return nil, session.Live{}, "", err
	}
	if w := t.Warning(); w != "" {
		a.Warn(errors.New(w))
	}
	scope := rec.Header().Scope
	for _, turn := range t.Turns() {
		scope = cmp.Or(turn.Scope, scope)
	}
	return rec, t.Live(), scope, nil
}

// ofThisProject reports whether a session was held where the person stands now.
func (a *Core) ofThisProject(h session.Header) bool {
	if h.Channel != session.ChannelTerminal && h.Channel != session.ChannelAsk {
		return false
	}
	here := a.Place()
	if strings.HasPrefix(h.Scope, "repo:") && !a.familiar() {
		return false // the directory only says that it is that project
	}
	return h.Scope == here.Scope() || strings.HasPrefix(h.Scope, "repo:") && here.Holds(h.Scope)
}
