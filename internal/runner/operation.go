package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/termsafe"
)

// An Operation is something besides a command line that a model asks for: a change of a file, the tool of a
// server.
type Operation struct {
	// Title, in a line ("edit internal/a.go, +2 -1"), and Shown, whole as the person is to see it (a difference,
	// arguments), are what a yes is for, to the letter.
	Title, Shown string
	Level        risk.Level // of it alone
	Why          []string   // the worst reason first
	// Lasting says what else a yes for the session counts for, in words: "edits in this project". "": for
	// the same bytes alone.
	Lasting string
	Of      string // what a yes is about besides: another one's with the same words needs its own
	Once    bool   // a yes counts for this one time
	// Allowed is the setting of the person that spares the question, "mcp.auto_approve"; "": none does.
	Allowed string
	Lane    string // as the audit has it; "": that of a model
	// Beyond says that it may reach beyond the project: a server that is not known to keep what it gets, a file elsewhere.
	Beyond bool
}

// exact is what a yes is for, as no command line reads and nothing else that a yes is about.
func (d Operation) exact() string { return "\x00" + d.Of + "\x00" + d.Title + "\x00" + d.Shown }

// lasting is what else a yes for the session is for, apart from every command line and call.
func (d Operation) lasting() string { return "\x00" + d.Of + "\x00\x00" + d.Lasting }

// once reports whether nothing that was said before can be the answer.
func (d Operation) once() bool { return d.Once || d.Level >= risk.Danger }

// Because returns why an operation is asked about, in one line.
func (d Operation) Because() string {
	if len(d.Why) == 0 {
		return d.Level.String() + " is asked about"
	}
	return termsafe.Line(strings.Join(d.Why, "; "))
}

// A Declined says that the person said no: Approver.Approve may give it for HowRefused, with their words,
// which are for the model.
type Declined struct {
	Words string
	// Skipped says that it was passed over, and what follows is to go on without it.
	Skipped bool
	// Stopped says that they broke off: nothing else that was asked for with it is to be begun.
	Stopped bool
}

func (e *Declined) Error() string {
	switch {
	case e.Stopped:
		return "not run: you stopped it"
	case e.Skipped:
		return "not run: you skipped it"
	}
	return "not run: you said no"
}

// Reason returns it as the model is told.
func (e *Declined) Reason() string {
	text := "not run: the person said no"
	switch {
	case e.Stopped:
		return "not run: the person stopped it"
	case e.Skipped:
		text = "not run: the person skipped this; go on without it"
	}
	if e.Words != "" {
		text += fmt.Sprintf(": %q", e.Words)
	}
	return text
}

// Allow decides whether an operation is done: what is Safe is; for all else the person is asked, unless they said yes
// for the session. A refusal is a fault of kind Refused, of a person a *Declined in it, and in the audit; other errors are
// what kept the person from answering.
func (r *Runner) Allow(ctx context.Context, d Operation) (gate.How, error) {
	if d.Level == risk.Safe {
		return gate.HowLevel, nil
	}
	if r.ports.Exact {
		d.Lasting = ""
	}
	here, s := r.Here(), r.ports.Approved
	how, beyond := gate.HowRefused, d.Beyond && r.foreign
	var err error
	if beyond { // what a yes for the session is not kept for is not offered
		d.Why, d.Lasting = append(slices.Clone(d.Why), "text from outside the project was read"), ""
	}
	switch {
	case !d.once() && d.Allowed != "" && !beyond:
		how = gate.HowAllow
	case !d.once() && (s.Has(d.exact(), here.Project) || d.Lasting != "" && s.Has(d.lasting(), here.Project)):
		how = gate.HowSession
	case !r.byPerson() || r.ports.Approver == nil:
		err = nobody(d)
	default:
		if how, err = r.askOperation(ctx, d, here); err != nil && fault.KindOf(err) != fault.Refused {
			return how, err
		}
	}
	r.noteOperation(ctx, d, how)
	return how, err
}

// askOperation asks the person.
func (r *Runner) askOperation(ctx context.Context, d Operation, here gate.Location) (gate.How, error) {
	how, err := r.ports.Approver.Approve(ctx, Request{Operation: &d, Session: !d.once()})
	declined := (*Declined)(nil)
	switch {
	case errors.Is(err, ErrNobody):
		return gate.HowRefused, nobody(d)
	case errors.As(err, &declined):
		return gate.HowRefused, fault.New(fault.Refused, declined)
	case err != nil:
		return gate.HowRefused, err
	case here != r.Here():
		return gate.HowRefused, fault.Refusedf("not run: this is not where it was asked about")
	}
	switch how {
	case gate.HowOnce:
		return how, nil
	case gate.HowSession:
		if d.once() {
			return gate.HowRefused, fault.Refusedf("%s: this can only be said once at a time", d.Level)
		}
		r.ports.Approved.Approve(d.exact(), here.Project)
		if d.Lasting != "" {
			r.ports.Approved.Approve(d.lasting(), here.Project)
		}
		return how, nil
	}
	return gate.HowRefused, fault.New(fault.Refused, &Declined{})
}

func nobody(d Operation) error {
	return fault.New(fault.Refused, fmt.Errorf("not run: it needs a yes at the terminal: %s: %s", d.Level, d.Because()))
}

// noteOperation writes to the audit what was decided.
func (r *Runner) noteOperation(ctx context.Context, d Operation, how gate.How) {
	h := r.home
	if h.Settings.ReadOnly() {
		return
	}
	act := gate.Act{
		Time: h.Now(), How: how, Level: d.Level.String(), Line: d.exact(), Seal: h.Keys.Sums(), Lane: cmp.Or(d.Lane, LaneModel),
		Session: r.ports.Session(),
	}
	if err := gate.Audit(ctx, h.Settings.Paths().Audit(), act); err != nil {
		h.Warn(fault.Once(err))
	}
}
