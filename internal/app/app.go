package app

import (
	"slices"
	"strings"
	"sync"
	"time"

	"ken/internal/app/embeddings"
	"ken/internal/app/keys"
	"ken/internal/app/logs"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/index/live"
	"ken/internal/trace"
	"ken/internal/usage"
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

// Flags are what the person says of a whole run, before any settings.
type Flags struct {
	Config   string // the file of settings; "" for the usual one
	NoMemory bool   // memory is neither read nor written
	ReadOnly bool   // memory is read and nothing is written, whatever the settings say
}

// Options are what a memory stands on in this process.
type Options struct {
	Getenv func(string) string            // nil: there are no variables
	Setenv func(name, value string) error // nil: it cannot be done
	Now    func() time.Time               // the clock that counts, which may be set; required
	// Clock is the machine's, which files have their times from; nil: nobody asks for it, and no index is kept.
	Clock   func() time.Time
	Version string // of the program, for the record
	// Flags may change between calls, by whoever makes them; nil: there are none.
	Flags *Flags
	// Index says when the derived index is kept: IndexAlways, IndexNever, or "" where it pays.
	Index string
	// Local are the addresses (host:port) at which a model of this machine is looked for where none is configured; nil: where the
	// usual servers listen.
	Local []string
	// Voice takes what went wrong without stopping anything, and what was done unasked, of views that have no voice of their own. It
	// may be called from several goroutines.
	Voice fault.Voice
	// Large is called when a memory was read that takes so much room that what is made besides should take little; nil: nobody wants
	// to know.
	Large func()
}

// An App is one person's memory in this process: it is read once, folded once, and shared by all who hold a View of it. It is safe for
// concurrent use.
type App struct {
	o     Options
	keys  *keys.Ring
	notes trace.Notes // of what assistants were given

	near       sync.Mutex        // guards what follows
	embeddings *embeddings.Model // whose server is spoken to by one client; nil: nobody asked yet

	mu       sync.Mutex          // guards what follows; it is not held while anything is read
	memories []*opened           // those that were asked for last, the newest last
	settings *Settings           // those that calls of servers go by; nil: not read yet
	uses     *usage.Stats        // likewise
	next     int                 // the number of the next subscriber
	told     map[int]func(Event) // who wants to know of writes, by number
}

// mostMemories is how many memories are kept open: a repository whose logs change brings another one each time.
const mostMemories = 8

// An opened is a memory that is open: the engine, for nobody in particular, and the index over it.
type opened struct {
	of     string // the files that it consists of
	engine *engine.Engine
	index  *live.Index
	guests map[string]bool // the names of the logs that the person let in
}

// An Event says that the memory was written to.
type Event struct {
	Actor Actor
	// Changed says that something that stood was changed or taken away; otherwise something was only added.
	Changed bool
	// View is the view that wrote. It is for who is told before the call that wrote returns, and no longer.
	View *View
}

// Open returns the memory that the environment names. Nothing is read before it is needed.
func Open(o Options) *App {
	if o.Getenv == nil { // an environment without variables
		o.Getenv = func(string) string { return "" }
	}
	if o.Flags == nil {
		o.Flags = new(Flags)
	}
	return &App{o: o, keys: keys.New(o.Getenv, o.Voice.Warn), told: make(map[int]func(Event))}
}

// Check reads the settings that calls of servers go by, once: a server that begins says what is wrong with them. Errors are those of
// the settings.
func (a *App) Check() error {
	a.mu.Lock()
	done := a.settings != nil
	a.mu.Unlock()
	if done {
		return nil
	}
	v := a.View(Standing{})
	if _, err := v.Settings.Read(); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.settings == nil {
		a.settings, a.uses = v.Settings, v.Uses.book()
	}
	return nil
}

// Subscribe calls told after every later write, once it is durable and nothing is locked, before the call that wrote returns, until
// cancel is called. Who subscribed first is told first.
func (a *App) Subscribe(told func(Event)) (cancel func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.next
	a.next++
	a.told[n] = told
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.told, n)
	}
}

func (a *App) tell(e Event) {
	a.mu.Lock()
	var all []func(Event)
	for n := range a.next {
		if told := a.told[n]; told != nil {
			all = append(all, told)
		}
	}
	a.mu.Unlock()
	for _, told := range all {
		told(e)
	}
}

// memory returns the memory that consists of the person's logs and of what they let in, as open opens it where it is not kept.
func (a *App) memory(own string, others []engine.Replica, state string, open func() *opened) *opened {
	var key strings.Builder
	key.WriteString(own + "\n" + state)
	for _, r := range others {
		key.WriteString(logs.PathOf(r.Log) + "\n")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	is := func(m *opened) bool { return m.of == key.String() }
	i := slices.IndexFunc(a.memories, is)
	var m *opened
	if i >= 0 {
		m = a.memories[i]
		a.memories = slices.Delete(a.memories, i, i+1)
	} else {
		m = open()
		m.of = key.String()
	}
	a.memories = append(a.memories, m)
	if len(a.memories) > mostMemories { // who stands on it keeps it
		a.memories = slices.Delete(a.memories, 0, 1)
	}
	return m
}

// read is told how many lines a memory has that was read.
func (a *App) read(lines int) {
	const large = 40_000
	if lines >= large && a.o.Large != nil {
		a.o.Large()
	}
}

// Close has what was noted on the disk. The App can be used no more.
func (a *App) Close() error { return a.notes.Close() }
