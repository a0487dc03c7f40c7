package app

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/trace"
)

// An Actor is who asks. The zero Actor may only read.
type Actor = engine.Actor

// The kinds of actors, as engine has them.
const (
	Person = engine.Person
	Model  = engine.Model
	Agent  = engine.Agent
	Tool   = engine.Tool
)

// Options are what an App stands on.
type Options struct {
	Getenv  func(string) string // nil: there are no variables
	Now     func() time.Time    // the machine's clock; required
	Version string              // of the program, for the record
	Config  string              // the file of settings; "": the usual one
	// ReadOnly has the memory be read and nothing be written, whatever the settings say.
	ReadOnly bool
	// Voice takes what went wrong without stopping anything, and what was done unasked.
	// It may be called from several goroutines, one at a time.
	Voice fault.Voice
	// Changed does what is due after a write that was more than an addition, before the
	// call that wrote returns: upkeep.Follow is one. who is the actor of that call. nil:
	// nothing is done.
	Changed func(h *View, who Actor)
}

// A Place is the absolute path of a directory: what holds there is what is asked for.
// The empty Place is nowhere, where only what holds everywhere does.
type Place string

// An App is one person's memory, opened for any face.
type App struct {
	mu   sync.Mutex // guards home and place: a Home is for one caller at a time
	home *View
	at   Place
	who  Actor // that the call in hand is for

	notes trace.Notes // of what assistants were given

	subs   sync.Mutex // guards what follows
	next   int
	listen map[int]func(Event)
}

// An Event says that the memory was written to.
type Event struct {
	Actor Actor
	// Changed says that something that stood was changed or taken away; otherwise
	// something was only added.
	Changed bool
}

// Open opens the memory that the environment names. No line of it is read before it is
// needed. Errors are those of the settings.
func Open(o Options) (*App, error) {
	a := &App{listen: make(map[int]func(Event))}
	a.home = NewView(ViewOptions{
		Getenv: o.Getenv, Now: o.Now, Clock: o.Now, Version: o.Version, Voice: o.Voice,
		ConfigFile: func() string { return o.Config }, Local: []string{}, // the variables may be another program's: no model is looked for
		Dir:      func() string { return string(a.at) },
		ReadOnly: func() bool { return o.ReadOnly },
		Who:      func() Actor { return a.who },
		Stays:    func() bool { return false }, // nothing runs beside a call
		Wrote:    func(changed bool) { a.tell(Event{Actor: a.who, Changed: changed}) },
	})
	if o.Changed != nil {
		a.home.Memory.OnChange = func() { o.Changed(a.home, a.who) }
	}
	if _, err := a.home.Settings.Read(); err != nil {
		return nil, err
	}
	return a, nil
}

// Subscribe calls told after every later write, once it is durable, until cancel is
// called. told must return soon, and must not call the App.
func (a *App) Subscribe(told func(Event)) (cancel func()) {
	a.subs.Lock()
	defer a.subs.Unlock()
	n := a.next
	a.next++
	a.listen[n] = told
	return func() {
		a.subs.Lock()
		defer a.subs.Unlock()
		delete(a.listen, n)
	}
}

func (a *App) tell(e Event) {
	a.subs.Lock()
	defer a.subs.Unlock()
	for _, told := range a.listen {
		told(e)
	}
}

// with has do use the home as of a place, for an actor, alone.
func (a *App) with(who Actor, at Place, do func(*View) error) error {
	if at != "" && !filepath.IsAbs(string(at)) {
		return fault.Usagef("%s: want an absolute path", at)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at != at {
		a.at = at
		a.home.Moved()
	}
	a.who = who
	defer func() { a.who = Actor{} }()
	return do(a.home)
}

// As returns the App in the hands of who.
func (a *App) As(who Actor) *Caller { return &Caller{app: a, who: who} }

// At returns what is known now, of all that holds at a place or is kept elsewhere.
func (a *App) At(ctx context.Context, at Place) (*Snapshot, error) { return a.As(Actor{}).At(ctx, at) }
