package cli

import (
	"errors"
	"fmt"
	"strings"

	"ken/internal/agent"
	"ken/internal/session"
)

// beginning says how a conversation begins.
type beginning struct {
	channel session.Channel
	preset  string
	goOn    bool // with the newest conversation of this project
	fork    bool // in a copy of it
}

// sessionDir is where sessions are, and how they are written.
func (a *app) sessionDir() session.Dir {
	return session.Dir{
		Path: a.paths.Sessions(), Lock: a.paths.Data, Run: a.paths.Run(), Now: a.env.Now,
		SyncLines: a.cfg.Session.Fsync == "line", Hold: !a.cfg.Session.Autosave,
	}
}

// begin makes a conversation and the session that records it. A session that
// cannot be kept is told, and the conversation goes on without.
func (a *app) begin(b beginning) (*agent.Conversation, *session.Writer, error) {
	rec, turns, err := a.record(b)
	if err != nil {
		return nil, nil, err
	}
	o := agent.Options{
		Record: rec, Mask: a.maskText, Now: a.env.Now, MaxTurns: a.cfg.Context.MaxTurns, Warn: a.warn,
	}
	if a.memoryOn() {
		o.Background = a.background
	}
	conv := agent.New(o)
	conv.Continue(turns, rec)
	return conv, rec, nil
}

// record opens the session of b, with the turns that are live in it.
func (a *app) record(b beginning) (*session.Writer, []session.Turn, error) {
	dir := a.sessionDir()
	if b.goOn {
		path, _, err := dir.Latest(a.ofThisProject)
		if err == nil {
			return a.openSession(path, b.fork)
		}
		if !errors.Is(err, session.ErrNone) {
			return nil, nil, err
		}
		if b.channel == session.ChannelAsk {
			a.status("no earlier conversation here; beginning one")
		}
	}
	rec, err := dir.Create(session.Header{
		Model: b.preset, KenVersion: Version, Channel: b.channel, Scope: a.place().Scope(),
	})
	if err != nil {
		a.warn(fmt.Errorf("this conversation is not recorded: %w", err))
		return session.Discard(), nil, nil
	}
	return rec, nil, nil
}

// openSession continues the file at path, or a copy of it.
func (a *app) openSession(path string, fork bool) (*session.Writer, []session.Turn, error) {
	open := a.sessionDir().Open
	if fork {
		open = a.sessionDir().Fork
	}
	rec, t, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	if w := t.Warning(); w != "" {
		a.say("ken: warning: ", w)
	}
	return rec, liveTurns(t), nil
}

// liveTurns is what of a transcript is sent again. What stands for turns that
// were summed up goes first, as the person's words about the past.
func liveTurns(t *session.Transcript) []session.Turn {
	live := t.Live()
	if live.Summary == "" {
		return live.Turns
	}
	summary := session.Turn{Role: session.RoleUser, Content: "[summary of the earlier conversation]\n" + live.Summary, Recalled: true}
	return append([]session.Turn{summary}, live.Turns...)
}

// ofThisProject reports whether a session was held where the person stands now.
func (a *app) ofThisProject(h session.Header) bool {
	if h.Channel != session.ChannelTerminal && h.Channel != session.ChannelAsk {
		return false
	}
	here := a.place()
	return h.Scope == here.Scope() || strings.HasPrefix(h.Scope, "repo:") && here.Holds(h.Scope)
}
