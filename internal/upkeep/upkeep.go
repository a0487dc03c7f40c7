package upkeep

import (
	"context"
	"fmt"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/undo"
	"ken/internal/upkeep/page"
)

// A Begin asks the person whether a sweep may begin that is their first or a large one; what says what it would do, and why they are
// asked. It is false also where nobody can be asked.
type Begin func(ctx context.Context, what string) bool

// An Upkeep looks after one memory. It is not safe for concurrent use.
type Upkeep struct {
	home  *app.View
	begin Begin
	read  map[string]learn.Progress // by the path of a conversation
	// shorter: turns were summed up on the way to an answer, and are read behind it.
	shorter bool
}

// New returns the upkeep of a memory in the hands of who has the view; nil for begin: nobody can be asked.
func New(h *app.View, begin Begin) *Upkeep {
	if begin == nil {
		begin = func(context.Context, string) bool { return false }
	}
	return &Upkeep{home: h, begin: begin, read: make(map[string]learn.Progress)}
}

// Follow has the pages of a memory say what it says now, after what was written: for app.App.Subscribe.
func Follow(e app.Event) {
	if e.Changed {
		New(e.View, nil).After(context.Background(), Event{What: Changed}) // bounded by the patience of pages
	}
}

// What is a thing after which something may be due.
type What int

// What can have happened.
const (
	Changed   What = iota + 1 // what is remembered was changed, but for what was only added
	Begun                     // a conversation is about to begin
	Compacted                 // turns were summed up, perhaps on the way to an answer
	Answered                  // a question was answered, and the person reads
	Shortened                 // a person had a conversation summed up, or would have
	Saved                     // a conversation was saved by name
	Parted                    // another conversation is live in the place of this one
	Ended                     // the conversation is over and on the disk
)

// An Event says what happened, and to which conversation.
type Event struct {
	What    What
	Session string // the file of the conversation; "" if it has none, or it is not to be read
}

// After does what is due after an event. It stops nothing: what went wrong is a warning.
func (u *Upkeep) After(ctx context.Context, e Event) {
	if u.home.Settings.ReadOnly() {
		return
	}
	switch e.What {
	case Changed:
		u.follow(ctx)
	case Begun:
		u.prune(ctx)
	case Compacted:
		u.sweep(ctx)
		u.shorter = true
	case Answered:
		if u.shorter {
			u.extract(ctx, e.Session)
		}
		u.shorter = false
	case Shortened:
		u.shorter = false
		u.extract(ctx, e.Session)
	case Saved:
		u.shorter = false
		u.extract(ctx, e.Session)
		u.sweep(ctx)
	case Parted:
		u.extract(ctx, e.Session)
	case Ended:
		u.extract(ctx, e.Session)
		if ctx.Err() == nil { // else they are being sent away
			u.sweep(ctx)
			u.expire(ctx)
			if e.Session != "" {
				u.remind(ctx)
			}
		}
	}
}

// byPerson reports whether the person acts, or a policy of theirs.
func (u *Upkeep) byPerson() bool { return u.home.Actor().Origin() == "" }

// extract reads what of a conversation was not read yet for candidates, if the settings
// want that.
func (u *Upkeep) extract(ctx context.Context, path string) {
	if path == "" || !u.byPerson() {
		return
	}
	u.read[path] = learn.Automatic(ctx, u.home, path, u.read[path])
}

// expire removes what files held before tools changed them, where that is too old to be put back.
func (u *Upkeep) expire(ctx context.Context) {
	if !u.byPerson() {
		return
	}
	p := u.home.Settings.Paths()
	if err := (undo.Room{Path: config.UndoIn(p), Lock: p.State, Now: u.home.Now}).Expire(ctx); err != nil {
		u.home.Warn(fault.Once(err))
	}
}

// follow has the pages that are there say what the memory says.
func (u *Upkeep) follow(ctx context.Context) {
	if _, err := u.home.Settings.Read(); err != nil || !u.byPerson() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), page.Patience)
	defer cancel()
	if err := page.Renew(ctx, u.home, false); err != nil {
		u.home.Warn(fault.Once(fmt.Errorf("the page does not follow the memory: %w", err)))
	}
}
