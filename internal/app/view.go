package app

import (
	"context"
	"time"

	"ken/internal/app/keys"
	"ken/internal/app/logs"
	"ken/internal/ask"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/models"
)

// A Standing is where somebody stands who asks, and who they are.
type Standing struct {
	Actor Actor // the zero Actor may only read
	// Dir is where they stand: an absolute path; "": nowhere, where only what holds everywhere does.
	Dir string
	// Kept keeps them to that place: whatever place, scope, memory or directory they name, they are given what holds there, suggest
	// what holds there, and of all else learn as much as of what is not known.
	Kept bool
	// At is the moment that they see the memory as of; the zero time: now.
	At time.Time
	// Stays says that they go on after what is asked now, so that work may run beside: a conversation. What the settings say is read
	// anew for it.
	Stays bool
	// Ask puts a question of ken's own to the person; "" is that nobody is there. nil: nobody is.
	Ask func(ctx context.Context, q ask.Question) ask.Answer
	// Relax is that of engine.Options.
	Relax func(context.Context, *engine.RelaxError) (means, asked bool)
	// Voice takes what went wrong without stopping anything, and what was done unasked; the zero Voice: that of Options does.
	Voice fault.Voice
}

// terms are what the parts of a view go by.
type terms struct {
	Options
	Standing
	Voice fault.Voice // that of the Standing, or else that of the Options
}

// A View is one person's memory as somebody has it who stands somewhere, in parts that are opened when they are first asked for. It
// belongs to no face: it prints nothing, asks through Standing.Ask, and its errors are those of package fault. It is not safe for
// concurrent use, but for Keys and Beside.
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

	app    *App
	o      terms
	models *models.Set
}

// View returns the memory as somebody has it. Nothing is opened yet.
func (a *App) View(who Standing) *View {
	o := terms{Options: a.o, Standing: who, Voice: who.Voice}
	if o.Voice.OnWarn == nil && o.Voice.OnNote == nil {
		o.Voice = a.o.Voice
	}
	if !who.At.IsZero() {
		o.Now = func() time.Time { return who.At }
	}
	v := newView(a, o)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !who.Stays && a.settings != nil {
		v.Settings.cfg, v.Settings.paths, v.Uses.used = a.settings.cfg, a.settings.paths, a.uses
	}
	return v
}

func newView(memory *App, o terms) *View {
	a := &View{app: memory, o: o, Voice: o.Voice, Keys: memory.keys}
	a.Settings = &Settings{o: &a.o, note: a.Keys.Note}
	a.Here = &Here{o: &a.o, settings: a.Settings}
	a.Logs = &logs.Logs{Paths: a.Settings.Paths, Now: memory.o.Now, Seal: a.Keys.Seal, OnlyRead: a.Settings.ReadOnly}
	a.Meetings = &Meetings{o: &a.o, settings: a.Settings, here: a.Here, models: a.Models}
	a.Here.met = a.Meetings.all
	a.Conversations = &Conversations{o: &a.o, settings: a.Settings, here: a.Here, meetings: a.Meetings, mask: a.Keys.MaskText}
	a.Uses = &Uses{o: &a.o, settings: a.Settings}
	a.Memory = &Memory{view: a, o: &a.o, settings: a.Settings, here: a.Here, keys: a.Keys, logs: a.Logs, conversations: a.Conversations}
	a.RepoLogs = &logs.Repo{
		Own: a.Logs, Place: a.Here.Place, Dir: func() string { return a.o.Dir },
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
func (v *View) Now() time.Time { return v.o.Now() }

// Clock returns the machine's clock, which files have their times from; nil if nobody asks
// for it.
func (v *View) Clock() func() time.Time { return v.o.Clock }

// Actor is who has the view.
func (v *View) Actor() Actor { return v.o.Actor }

// As returns the view of somebody else who stands in the same place, and whom nobody asks anything.
func (v *View) As(who Actor) *View {
	return v.app.View(Standing{Actor: who, Dir: v.o.Dir, Kept: v.o.Kept, At: v.o.Standing.At, Voice: v.o.Voice})
}

// App is the memory that it is a view of.
func (v *View) App() *App { return v.app }

// Stays reports whether this process goes on after what is asked of it now.
func (v *View) Stays() bool { return v.o.Stays }

// Enter has the view go on in the hands of who, as one that stays or not: the person is at another face, or what says whose word it is
// was changed.
func (v *View) Enter(who Actor, stays bool) { v.o.Actor, v.o.Stays = who, stays }

// Move has the person stand in another directory.
func (v *View) Move(dir string) { v.o.Dir, v.Here.place, v.Meetings.met = dir, nil, nil }

// At returns the same memory as who stands in dir at a time finds it: "" is where the
// person stands now. It only reads, asks nobody anything, and keeps nothing in step with a.
func (v *View) At(dir string, at time.Time) *View {
	if dir == "" {
		dir = v.o.Dir
	}
	return v.app.View(Standing{Dir: dir, At: at, Voice: v.o.Voice})
}
