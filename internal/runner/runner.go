package runner

import (
	"context"
	"errors"
	"fmt"

	"ken/internal/app"
	"ken/internal/gate"
)

// An Approver puts a command line, or an operation, before the person and gives what they said.
type Approver interface {
	// Approve shows q.Line or q.Operation whole, with its level and why, and asks: gate.HowOnce,
	// HowSession, HowAlways (only what q allows) or HowRefused. The error is ErrNobody
	// where nobody can be asked, a *Declined for a no, else what kept the person from answering.
	Approve(ctx context.Context, q Request) (gate.How, error)
}

// ErrNobody says that there is nobody to ask.
var ErrNobody = errors.New("nobody can be asked")

// ErrTerminal says that somebody can be asked, but this alone at a terminal. It is an ErrNobody.
var ErrTerminal = fmt.Errorf("only at a terminal: %w", ErrNobody)

// A Request is a line, or an operation, that the person is asked about.
type Request struct {
	Operation *Operation // nil: it is the line
	Line      string
	Decision  gate.Decision
	Session   bool         // it may be approved for the session
	Always    bool         // a pattern of it may be approved for good
	Pattern   gate.Pattern // that would be, with Always
	Held      string       // how the sandbox holds it, for a person; "": it does not
}

// Ports are what running a line takes of the face.
type Ports struct {
	Dir         func() string                     // where it would run: absolute, or "" for nowhere; required
	Getenv      func(name string) string          // required
	Environ     func() []string                   // nil: the line gets no variables but those of every line
	FindProgram func(name string) (string, error) // finds a program by its name; required
	Approver    Approver                          // nil: nobody can be asked
	Approved    *gate.Session                     // what was approved for as long as this run lasts; required
	Session     func() string                     // the conversation, for the audit; nil: there is none
	Met         func(gate.Rule)                   // is called with each remembered rule that a line meets; may be nil
	// Exact says that a yes for the session counts for the very bytes that were shown, and for nothing like them.
	Exact bool
}

// A Runner runs lines for one memory. It is not safe for concurrent use.
type Runner struct {
	home    *app.View
	ports   Ports
	foreign bool // see Heed
}

// Heed says whether who asks for lines and operations has read text from outside the project. As long as that is so,
// what may reach beyond the project is asked about, whatever pattern or level would let it through.
func (r *Runner) Heed(foreign bool) { r.foreign = foreign }

// New returns the runner of a memory.
func New(h *app.View, p Ports) *Runner {
	if p.Session == nil {
		p.Session = func() string { return "" }
	}
	if p.Met == nil {
		p.Met = func(gate.Rule) {}
	}
	return &Runner{home: h, ports: p}
}

// Asking returns the same runner with another one who puts things before the person.
func (r *Runner) Asking(a Approver) *Runner {
	other := *r
	other.ports.Approver = a
	return &other
}

// byPerson reports whether it is the person who asks.
func (r *Runner) byPerson() bool { return r.home.Actor().Origin() == "" }

// met reports which rules a line meets.
func (r *Runner) met(d gate.Decision) {
	for _, rule := range d.Rules {
		r.ports.Met(rule)
	}
}
