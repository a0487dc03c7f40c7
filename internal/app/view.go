package app

import (
	"context"
	"time"

	"ken/internal/app/embeddings"
	"ken/internal/app/keys"
	"ken/internal/app/logs"
	"ken/internal/ask"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/models"
)

// ViewOptions are what a memory stands on, and what it asks of who opened it.
type ViewOptions struct {
	Getenv func(string) string            // nil: there are no variables
	Setenv func(name, value string) error // nil: it cannot be done
	// Dir is where the person stands: an absolute path, "" if there is none.
	Dir func() string    // nil: nowhere
	Now func() time.Time // the clock that counts, which may be set
	// Clock is the machine's, which files have their times from; nil: nobody asks
	// for it, and no index is kept.
	Clock   func() time.Time
	Version string // of the program, for the record
	// Index says when the derived index is kept: IndexAlways, IndexNever, or "" where
	// it pays.
	Index string
	// Local are the addresses (host:port) at which a model of this machine is looked
	// for where none is configured; nil: where the usual servers listen.
	Local []string

	ConfigFile func() string // of settings; nil or "" for the usual one
	NoMemory   func() bool   // memory is neither read nor written; nil: it is
	ReadOnly   func() bool   // memory is read and nothing is written, whatever the settings say; nil: they say

	// Stays reports whether this process goes on after what is asked of it now, so that
	// work may run beside.
	Stays func() bool
	// Who is who asks for what is done now; nil: nobody, who may only read.
	Who func() engine.Actor
	// Ask puts a question of ken's own to the person; "" is that nobody is there. nil: nobody is.
	Ask func(ctx context.Context, q ask.Question) ask.Answer
	// Relax is that of engine.Options.
	Relax func(context.Context, *engine.RelaxError) (means, asked bool)
	// Voice takes what went wrong without stopping anything, and what was done unasked.
	Voice fault.Voice
	// Large is called when a memory was read that takes so much room that what is made
	// besides should take little; nil: nobody wants to know.
	Large func()
	// Wrote is called when something was written to the memory, before OnChange; changed
	// says that it was more than an addition. nil: nobody wants to know.
	Wrote func(changed bool)
}

// A View is one person's memory, in parts that are opened when they are first asked for.
// It belongs to no face: it prints nothing, asks through ViewOptions.Ask, and its errors are those of package fault.
// It is not safe for concurrent use, but for Keys and Beside.
type View struct {
	fault.Voice
	// Settings are what the person settled, and where their files are.
	Settings *Settings
	// Here is where the person stands.
	Here *Here
	// Keys are the person's keys, and mask what leaves.
	Keys *keys.Ring
	// Logs are the person's own logs, and RepoLogs those that a repository brings.
	Logs     *logs.Logs
	RepoLogs *logs.Repo
	// Skills are the person's, and those of the repository that they let in.
	Skills *logs.Skills
	// Memory is the memory itself.
	Memory *Memory
	// Conversations are those that were held.
	Conversations *Conversations
	// Uses is when memories were of use.
	Uses *Uses
	// Meetings are where and with which models the memory is used.
	Meetings *Meetings
	// Questions are those that ken asks of its own accord.
	Questions *Questions
	// Beside is what runs beside what the person does.
	Beside Work

	o          ViewOptions
	models     *models.Set
	embeddings *embeddings.Model
}

// NewView returns a memory of which nothing was opened yet.
func NewView(o ViewOptions) *View {
	if o.Getenv == nil { // an environment without variables
		o.Getenv = func(string) string { return "" }
	}
	if o.Dir == nil {
		o.Dir = func() string { return "" }
	}
	if o.ConfigFile == nil {
		o.ConfigFile = func() string { return "" }
	}
	if o.NoMemory == nil {
		o.NoMemory = func() bool { return false }
	}
	if o.ReadOnly == nil {
		o.ReadOnly = func() bool { return false }
	}
	if o.Who == nil { // nobody, who may read
		o.Who = func() engine.Actor { return engine.Actor{} }
	}
	a := &View{o: o, Voice: o.Voice}
	a.Keys = keys.New(func(name string) string { return a.o.Getenv(name) }, func(err error) { a.Warn(err) })
	a.Settings = &Settings{o: &a.o, note: a.Keys.Note}
	a.Here = &Here{o: &a.o, settings: a.Settings}
	a.Logs = &logs.Logs{Paths: a.Settings.Paths, Now: o.Now, Seal: a.Keys.Seal, OnlyRead: a.Settings.ReadOnly}
	a.Meetings = &Meetings{o: &a.o, settings: a.Settings, here: a.Here, models: a.Models}
	a.Here.met = a.Meetings.all
	a.Conversations = &Conversations{o: &a.o, settings: a.Settings, here: a.Here, meetings: a.Meetings, mask: a.Keys.MaskText}
	a.Uses = &Uses{o: &a.o, settings: a.Settings}
	a.Memory = &Memory{o: &a.o, settings: a.Settings, here: a.Here, keys: a.Keys, logs: a.Logs, conversations: a.Conversations}
	a.RepoLogs = &logs.Repo{
		Own: a.Logs, Place: a.Here.Place, Dir: func() string { return a.o.Dir() },
		Warn: a.Warn, Note: a.Note, Changed: a.Memory.Changed,
		DocBytes: func() int {
			if a.Settings.cfg == nil {
				return 0
			}
			return a.Settings.cfg.Tools.ProjectDocBytes
		},
	}
	a.Skills = &logs.Skills{Repo: a.RepoLogs, UserDir: a.Settings.UserDir, Clock: o.Clock, Mask: a.Keys.MaskText}
	a.RepoLogs.Skills = a.Skills
	a.Memory.repo, a.Meetings.changed = a.RepoLogs, a.Memory.Changed
	a.Questions = &Questions{o: &a.o, settings: a.Settings, changed: a.Memory.Changed}
	a.Meetings.memory, a.Memory.changed = a.Memory, a.Meetings.follow
	return a
}

// Now returns the time that counts.
func (a *View) Now() time.Time { return a.o.Now() }

// Clock returns the machine's clock, which files have their times from; nil if nobody asks
// for it.
func (a *View) Clock() func() time.Time { return a.o.Clock }

// Stays reports whether this process goes on after what is asked of it now.
func (a *View) Stays() bool { return a.o.Stays != nil && a.o.Stays() }

// Moved forgets where the person stood.
func (a *View) Moved() { a.Here.place, a.Meetings.met = nil, nil }

// At returns the same memory as who stands in dir at a time finds it: "" is where the
// person stands now. It only reads, asks nobody anything, and keeps nothing in step with a.
func (a *View) At(dir string, at time.Time) *View {
	o := a.o
	if dir != "" {
		o.Dir = func() string { return dir }
	}
	o.Now = func() time.Time { return at }
	o.Stays, o.Who, o.Ask, o.Relax, o.Wrote = nil, nil, nil, nil, nil
	return NewView(o)
}
