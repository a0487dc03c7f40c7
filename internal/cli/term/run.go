package term

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/term"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/session"
	"ken/internal/tool/mcp"
	"ken/internal/trace"
)

// Version is the version of this program.
const Version = "0.1.0-dev"

// Env is all that a run takes from around it.
type Env struct {
	Args   []string // without the program's name
	Stdin  *os.File
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Dir    string           // the working directory; "" if there is none
	Self   string           // the path of this program, which is no tool server; "" if it is not known
	Now    func() time.Time // the clock that counts, which may be set
	// Clock is the machine's, which files have their times from; nil: nobody asks
	// for it, and no index is kept.
	Clock func() time.Time

	// Index says when the derived index is kept: IndexAlways, IndexNever, or "" where
	// it pays.
	Index string

	// What acts on this process. Those that are nil cannot be done.
	Environ  func() []string
	Setenv   func(name, value string) error
	Unsetenv func(name string) error
	Chdir    func(dir string) error

	// Local are the addresses (host:port) at which a model of this machine is looked
	// for where none is configured; nil: where the usual servers listen.
	Local []string

	// Input and Output are the variables os.Stdin and os.Stdout, which the line editor
	// changes while it reads; nil: lines are not edited.
	Input, Output **os.File

	// Interrupt does what Ctrl-C does, for where it is read as a key; nil: nothing.
	Interrupt func()
	Signals   <-chan os.Signal // Ctrl-C, while Listen is on; nil if nobody delivers it
	Listen    func(bool)       // says whether the shell takes Ctrl-C itself; nil as well
	// Serves is called by a command that is there until a signal ends it: to be ended is no failure of it. nil: nobody asks.
	Serves func()
}

// CheckIndex refuses a value of KEN_INDEX that is none of Env.Index.
func CheckIndex(value string) error {
	switch value {
	case "", app.IndexAlways, app.IndexNever:
		return nil
	}
	return fault.Usagef("KEN_INDEX: want %s or %s, not %q", app.IndexAlways, app.IndexNever, value)
}

// Flags are those that every command takes.
type Flags struct {
	app.Flags
	Quiet   bool
	Verbose bool
}

// A Shell is what a command learns of the shell that it runs in.
type Shell interface {
	// Terminal is where its questions are asked.
	Terminal() *repl.Terminal
	// Source is where a memory stated now was said; nil if nothing was said.
	Source() *memory.Source
	// Ran are the command lines that ran since the last question.
	Ran() []string
	// MemoryChanged makes the next request see what was just written.
	MemoryChanged()
	// WorkingChanged makes it begin with what the working memory says now.
	WorkingChanged()
	// SessionPath is the file of the live conversation.
	SessionPath() string
}

// An Answered is an answer that was given in this run.
type Answered struct {
	Session  string // its id
	Question string // as it was sent
	Trace    trace.Trace
}

// Run is one run of the program: a memory, with the voice of the command line.
type Run struct {
	Home  *app.View
	Env   Env
	Flags Flags
	Shell Shell // nil outside the shell

	*Voice // what it says, and how commands are written

	Person  *Person  // who is asked
	Lane    *Lane    // whose word it is
	Screen  *Screen  // what the outputs show
	Process *Process // where it stands, its variables

	// Erased reports whether a text holds what this run has erased last: a conversation
	// that is being held knows it still. nil: nothing was.
	Erased func(text []byte) bool
	// Answered are the answers of this run, oldest first, for conversations that are
	// in no file yet.
	Answered []Answered
	// Live is the record of the conversation that is held, for what happens beside it; nil where none is.
	Live func() *session.Writer
	// Notable is told in a word of what a lesson may be worth of: "undone". nil: nobody asks.
	Notable func(what string)
	// Approved is what the person approved for as long as this run lasts.
	Approved gate.Session

	// Relaxing is what the person is shown of a change that relaxes a rule, a line each. nil: they are
	// not asked, and nothing is relaxed.
	Relaxing func(context.Context, *engine.RelaxError) []string

	servers *mcp.Servers // nil before somebody asked for them
}

// New returns a run that has opened nothing yet.
func New(env Env) *Run {
	if env.Getenv == nil { // an environment without variables
		env.Getenv = func(string) string { return "" }
	}
	a := &Run{Env: env}
	shell := func() Shell { return a.Shell }
	a.Lane = &Lane{env: &a.Env, shell: shell}
	a.Voice = &Voice{env: &a.Env, flags: &a.Flags, shell: shell}
	a.Person = &Person{env: &a.Env, shell: shell, lane: a.Lane, say: a.Say, ascii: func() bool { return !a.Screen.Unicode() }}
	memory := app.Open(app.Options{
		Getenv: func(name string) string { return a.Env.Getenv(name) }, Setenv: env.Setenv,
		Version: Version, Now: env.Now, Clock: env.Clock, Index: env.Index, Local: env.Local, Flags: &a.Flags.Flags,
		Voice: fault.Voice{OnWarn: a.Warn}, // of calls of a server: clients keep what is said there, or show it
		Large: func() { spareRoom(env.Getenv) },
	})
	a.Home = memory.View(app.Standing{
		Actor: a.Lane.Actor(), Dir: env.Dir, Relax: a.relax, Ask: a.Person.asked, Voice: fault.Voice{OnWarn: a.Warn, OnNote: a.show},
	})
	memory.Subscribe(func(app.Event) {
		if a.Shell != nil {
			a.Shell.MemoryChanged()
		}
	})
	a.Person.places = a.Home.Settings.Places
	a.Screen = &Screen{env: &a.Env, settings: a.Home.Settings}
	a.Voice.home, a.Voice.screen = a.Home, a.Screen
	a.Process = &Process{env: &a.Env, home: a.Home, lane: a.Lane}
	return a
}

// spareRoom has the heap of this process grow by less than it would, unless GOGC says by
// how much. It comes when a large memory was read, which leaves little behind, and before
// anything is made of it, which leaves much.
func spareRoom(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(15)
	}
}

// Source is where a memory stated now was said; nil outside a conversation.
func (a *Run) Source() *memory.Source {
	if a.Shell == nil {
		return nil
	}
	return a.Shell.Source()
}

// IsTerminal reports whether w, a reader or writer, is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// textKey marks a command whose last argument is text.
const textKey = "text"

// TextArgument is the annotation of a command whose last argument is text:
// inside the shell the rest of the line is that text as it stands, apostrophes
// and all.
func TextArgument() map[string]string { return map[string]string{textKey: "yes"} }

// lineKey marks a command whose arguments are the command line of another program.
const lineKey = "line"

// CommandLine is TextArgument for a command whose text is the command line of another
// program: what looks like a flag in it, and is none of this command's, is the program's.
func CommandLine() map[string]string { return map[string]string{textKey: "yes", lineKey: "yes"} }

// CommandWords is CommandLine, but that inside the shell it is parted into words.
func CommandWords() map[string]string { return map[string]string{lineKey: "yes"} }

// TakesLine reports whether annotations are those of CommandLine or CommandWords.
func TakesLine(annotations map[string]string) bool { return annotations[lineKey] != "" }

// memoryKey marks commands by what they have to do with memory.
const memoryKey = "memory"

// UsesMemory is the annotation of a command that reads or writes memory, and with it of
// all below it: under --no-memory it is refused.
func UsesMemory() map[string]string { return map[string]string{memoryKey: "uses"} }

// WithoutMemory is the annotation of a command that does all that it does without
// memory, and with it of all below it that are not marked themselves.
func WithoutMemory() map[string]string { return map[string]string{memoryKey: "without"} }

// MemoryUse reads them; said is false if annotations say nothing.
func MemoryUse(annotations map[string]string) (uses, said bool) {
	use := annotations[memoryKey]
	return use != "without", use != ""
}

// ownKeyword marks a command of the person's own.
const ownKeyword = "own"

// OwnCommand is the annotation of a command of the person's own, which is a file.
func OwnCommand() map[string]string { return map[string]string{ownKeyword: "yes"} }

// IsOwnCommand reports whether annotations are those of OwnCommand.
func IsOwnCommand(annotations map[string]string) bool { return annotations[ownKeyword] != "" }

// olderKey marks a hidden command that is an older name of what another one does.
const olderKey = "older"

// OlderName is the annotation of a hidden command that people may still know: it is found
// where they mistype it.
func OlderName() map[string]string { return map[string]string{olderKey: "yes"} }

// IsOlderName reports whether annotations are those of OlderName.
func IsOlderName(annotations map[string]string) bool { return annotations[olderKey] != "" }

// looseKey marks a command whose arguments may be words of a sentence.
const looseKey = "loose"

// LooseText is the annotation of a command whose arguments are references or a
// text that is looked for: inside the shell an apostrophe in it need not be
// closed.
func LooseText() map[string]string { return map[string]string{looseKey: "yes"} }

// TakesLoose reports whether annotations are those of LooseText.
func TakesLoose(annotations map[string]string) bool { return annotations[looseKey] != "" }

// TakesText reports whether annotations are those of TextArgument.
func TakesText(annotations map[string]string) bool { return annotations[textKey] != "" }
