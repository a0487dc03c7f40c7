package app

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ken/internal/config"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// Conversations are those that were held, each a file, and the one that is recorded.
type Conversations struct {
	o        *terms
	settings *Settings
	here     *Here
	meetings *Meetings
	mask     func(string) string
}

// Dir returns where sessions are, and how they are written; after Settings.
func (c *Conversations) Dir() session.Dir {
	outputs := config.OutputsIn(c.settings.paths)
	if c.settings.ReadOnly() {
		outputs = ""
	}
	return session.Dir{
		Path: c.settings.paths.Sessions(), Lock: c.settings.paths.Data, Run: c.settings.paths.Run(), Now: c.o.Now,
		Outputs:   outputs,
		SyncLines: c.settings.cfg.Session.Fsync == "line", Hold: !c.settings.cfg.Session.Autosave,
	}
}

// A Recording says which session records a conversation.
type Recording struct {
	Channel session.Channel
	Preset  string // that it begins with, for the record
	GoOn    bool   // with the newest conversation of this project
	Path    string // with the one in this file; "" if none is named
	Fork    bool   // in a copy of it
	ID      string // of one that was begun before, and in which nothing was said; "": a new one has its own
	Abrupt  bool   // every line is on the disk at once: whoever started ken kills it
}

// Record opens the session that b asks for, with what is live in it and the scope that
// it was in last. A session that cannot be kept is warned of, and one that is not
// recorded is returned.
func (c *Conversations) Record(b Recording) (*session.Writer, session.Live, string, error) {
	dir := c.Dir()
	if b.Abrupt {
		dir.SyncLines = true
	}
	if b.Path != "" {
		return c.open(dir, b.Path, b.Fork)
	}
	if b.GoOn {
		path, err := c.Latest()
		if err == nil {
			rec, live, scope, err := c.Open(path, b.Fork)
			if b.Channel != session.ChannelTerminal || !errors.Is(err, session.ErrHeld) {
				return rec, live, scope, err
			}
			c.o.Voice.Note(HeldElsewhere{strings.TrimSuffix(filepath.Base(path), ".jsonl")})
		} else if !errors.Is(err, session.ErrNone) {
			return nil, session.Live{}, "", err
		}
		if err != nil && b.Channel == session.ChannelAsk {
			c.o.Voice.Notef("no earlier conversation here; beginning one")
		}
	}
	scope := c.here.Place().Scope()
	if c.settings.ReadOnly() {
		c.tellUnrecorded()
		return session.Discard(), session.Live{}, scope, nil
	}
	rec, err := dir.Create(session.Header{
		Session: b.ID, Model: b.Preset, KenVersion: c.o.Version, Channel: b.Channel, Scope: scope,
	})
	if err != nil {
		c.o.Voice.Warn(fmt.Errorf("this conversation is not recorded: %w", err))
		return session.Discard(), session.Live{}, scope, nil
	}
	return rec, session.Live{}, scope, nil
}

// Header is how a session begins here that comes by a channel.
func (c *Conversations) Header(channel string) session.Header {
	return session.Header{KenVersion: c.o.Version, Channel: session.Channel(channel), Scope: c.here.Place().Scope()}
}

// HeldElsewhere is the event that the conversation to go on with is open in another
// process, so that a new one begins.
type HeldElsewhere struct{ Session string } // its name

// In implements fault.Note.
func (h HeldElsewhere) In(func(fault.Command) string) string {
	return "the last conversation is open in another ken; this is a new one (to go on in a copy: :resume --fork " + h.Session + ")"
}

// Latest returns the conversation of this project that was written to last. One in which
// commands ran and nothing was said is none.
func (c *Conversations) Latest() (string, error) {
	return c.latest(c.ofThisProject)
}

// Last returns the conversation that was written to last: of this project, or if there
// is none, of all that were held in a terminal. here says which.
func (c *Conversations) Last() (path string, here bool, err error) {
	path, err = c.Latest()
	if !errors.Is(err, session.ErrNone) {
		return path, true, err
	}
	path, err = c.latest(held)
	return path, false, err
}

// latest returns the newest conversation that match accepts in which something was said.
func (c *Conversations) latest(match func(session.Header) bool) (string, error) {
	for path, h := range c.Dir().Newest() {
		if !match(h) {
			continue
		}
		if said, err := session.HasTurn(path); err != nil || said {
			return path, err
		}
	}
	_, _, err := c.Dir().Latest(func(session.Header) bool { return false })
	return "", err
}

// Imported reports whether the file at path is a transcript of another program.
func (c *Conversations) Imported(path string) bool {
	return filepath.Dir(path) == filepath.Clean(c.Dir().Imports().Path)
}

// Open continues the file at path, or a copy of it, and returns what is live
// in it and the scope that it was in last. A transcript of another program stays as it
// came: it is always continued in a copy.
func (c *Conversations) Open(path string, fork bool) (*session.Writer, session.Live, string, error) {
	return c.open(c.Dir(), path, fork)
}

func (c *Conversations) open(dir session.Dir, path string, fork bool) (*session.Writer, session.Live, string, error) {
	if said, err := session.HasTurn(path); err == nil && !said {
		if l, err := session.Look(path); err == nil && l.Given() {
			return nil, session.Live{}, "", fault.Usagef("%s is what %s was given, and no conversation", l.Name, termsafe.Line(l.Header.Agent)).
				WithHint("read it: %s", fault.Command("sessions show "+l.Name))
		}
	}
	if c.settings.ReadOnly() {
		return c.read(path)
	}
	if fork || c.Imported(path) {
		return c.Branch(path, 0)
	}
	return c.opened(dir.Open(path))
}

// Branch is Open of a copy that ends behind turn n; 0: it is whole.
func (c *Conversations) Branch(path string, n int) (*session.Writer, session.Live, string, error) {
	if c.settings.ReadOnly() {
		return nil, session.Live{}, "", engine.OnlyRead()
	}
	return c.opened(c.Dir().Branch(path, n))
}

// read is Open of a conversation that is gone on with and not recorded.
func (c *Conversations) read(path string) (*session.Writer, session.Live, string, error) {
	t, err := session.Load(path)
	if err != nil {
		return nil, session.Live{}, "", err
	}
	c.tellUnrecorded()
	scope := t.Header.Scope
	for _, turn := range t.Turns() {
		scope = cmp.Or(turn.Scope, scope)
	}
	return session.Discard(), t.Live(), scope, nil
}

// tellUnrecorded says that what is said now is in no file.
func (c *Conversations) tellUnrecorded() {
	c.o.Voice.Notef("the memory is only read: nothing of this conversation is recorded")
}

func (c *Conversations) opened(rec *session.Writer, t *session.Transcript, err error) (*session.Writer, session.Live, string, error) {
	if err != nil {
		return nil, session.Live{}, "", err
	}
	if w := t.Warning(); w != "" {
		c.o.Voice.Warn(errors.New(w))
	}
	scope := rec.Header().Scope
	for _, turn := range t.Turns() {
		scope = cmp.Or(turn.Scope, scope)
	}
	return rec, t.Live(), scope, nil
}

// held reports whether a session was held in a terminal.
func held(h session.Header) bool {
	return h.Channel == session.ChannelTerminal || h.Channel == session.ChannelAsk
}

// IsHere reports whether a session was held where the person stands now, whatever face it
// was held through.
func (c *Conversations) IsHere(h session.Header) bool {
	h.Channel = session.ChannelTerminal
	return c.ofThisProject(h)
}

// ofThisProject reports whether a session was held where the person stands now.
func (c *Conversations) ofThisProject(h session.Header) bool {
	if !held(h) {
		return false
	}
	here := c.here.Place()
	if strings.HasPrefix(h.Scope, "repo:") && !c.meetings.familiar() {
		return false // the directory only says that it is that project
	}
	return h.Scope == here.Scope() || strings.HasPrefix(h.Scope, "repo:") && here.Holds(h.Scope)
}
