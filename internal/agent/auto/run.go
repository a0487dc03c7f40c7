package auto

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/view"
	"ken/internal/view/account"
)

// An Outcome is how a run ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"    // the model says that the goal is reached
	Stalled Outcome = "stalled" // it did nothing, or the same again and again
	Aborted Outcome = "aborted" // by the person, at a halt
	Stopped Outcome = "stopped" // by the person, meanwhile
	Budget  Outcome = "budget"  // what it may spend is spent
	Refused Outcome = "refused" // it needed what nobody could be asked about
	Failed  Outcome = "failed"  // no model answered
	Killed  Outcome = "killed"  // it has no end in the session: the process was
)

// Unfinished returns the newest run of a conversation, with what was done in it, if it can be gone on with: it did not
// reach its goal.
func Unfinished(t *session.Transcript) (last acts.Pursuit, a account.Account, ok bool) {
	last, a, ok = account.Last(t)
	return last, a, ok && Outcome(a.Outcome) != Done
}

// NewestUnfinished returns the conversation, of those of dir that match, that was written to last and whose newest run did
// not reach its goal; session.ErrNone if there is none.
func NewestUnfinished(dir session.Dir, match func(session.Header) bool) (path string, err error) {
	for path, h := range dir.Newest() {
		if !match(h) {
			continue
		}
		if t, err := acts.Read(path); err == nil { // a session that is gone by now is none
			if _, _, ok := Unfinished(t); ok {
				return path, nil
			}
		}
	}
	return "", session.ErrNone
}

// Limits are what a run may spend.
type Limits struct {
	Steps  int           // answers of a model
	Time   time.Duration // in which a model answers; 0: any
	Tokens int           // sent and received; 0: any
	Cost   float64       // where prices are known, in their currency; 0: any
	// Skips is after how many acts in a row that the person skipped they are asked whether it has any sense, and
	// which halt ends a run that nobody can be asked about.
	Skips int
}

// LimitsOf are those of the settings.
func LimitsOf(cfg config.Config) Limits {
	a := cfg.Auto
	return Limits{Steps: a.MaxSteps, Time: a.MaxTime, Tokens: a.MaxTokens, Cost: a.MaxCost, Skips: a.Skips}
}

// String is "at most 16 steps, 15m0s of the model, 100000 tokens, a cost of 0.5".
func (l Limits) String() string {
	text := "at most " + view.Count(l.Steps, "step")
	if l.Time > 0 {
		text += fmt.Sprintf(", %s of the model", l.Time)
	}
	if l.Tokens > 0 {
		text += ", " + view.Count(l.Tokens, "token")
	}
	if l.Cost > 0 {
		text += fmt.Sprintf(", a cost of %g", l.Cost)
	}
	return text
}

// A Kind says why a run halts.
type Kind string

// The kinds.
const (
	HaltCaution Kind = "caution"
	HaltDanger  Kind = "danger"
	HaltTool    Kind = "tool" // it is no command line: a change, the tool of a server
)

// A Halt is an act that a run may not do by itself.
type Halt struct {
	Kind    Kind
	Request runner.Request
	Nr      int // of the halt in this run, from 1
	// Escalates says that it was skipped, as were others before it: Skipped of them in a row. Then it can be skipped no more:
	// the person aborts, has it done all the same, or gives another goal.
	Escalates bool
	Skipped   int
}

// A Choice is what the person says to a halt.
type Choice string

// The choices.
const (
	Abort   Choice = ""        // also what no answer is
	Proceed Choice = "proceed" // once, this
	Session Choice = "session" // this, and what else a yes for the session counts for, where the request allows it
	Skip    Choice = "skip"    // not this
	Change  Choice = "change"  // to another goal, where a halt escalates
)

// A Said is an answer to a halt.
type Said struct {
	Choice Choice
	Words  string // for the model, with Skip; the goal, with Change
}

// A Person is before whom a run halts.
type Person interface {
	// Halted shows the act whole and asks. The error is runner.ErrNobody where nobody can be asked, else
	// what kept them from answering, which aborts.
	Halted(ctx context.Context, h Halt) (Said, error)
	// Planned asks whether a plan is to be worked by, which was shown as it came: Proceed, with Words if they changed it to
	// that, else Abort. The errors are those of Halted.
	Planned(ctx context.Context, plan string) (Said, error)
}

// Options say what a run is.
type Options struct {
	Goal   string
	Limits Limits
	Person Person
	// Plan has the model write a plan first, and nothing is done before the person agreed to it.
	Plan bool
	// Last is the run that is gone on with, as the session has it; nil: it is a new one.
	Last *acts.Pursuit
}

// A Run is one run. It is not safe for concurrent use, but for Stop and Stopping.
type Run struct {
	o       Options
	id      string
	goal    string
	changed bool // it is another one than the model knows

	spent   acts.Spent
	plans   bool // nobody has agreed to its plan yet
	idle    int  // answers in a row that did nothing
	skipped int  // acts in a row that the person skipped
	halts   int

	outcome Outcome
	why     string
	stop    chan struct{} // is closed when nothing more is to be begun
	stops   sync.Once
	cancel  context.CancelCauseFunc // ends the acts of the step
}

// New returns a run that has not begun.
func New(o Options) *Run {
	r := &Run{o: o, id: "r" + strings.ToLower(rand.Text()[:7]), goal: o.Goal, plans: o.Plan, stop: make(chan struct{})}
	if o.Last != nil {
		r.id, r.plans, r.spent, r.skipped, r.halts = o.Last.Run, o.Last.Plans, o.Last.Spent, o.Last.Skips, o.Last.Halts
	}
	return r
}

// Goal is what it is for now.
func (r *Run) Goal() string { return r.goal }

// ID names the run in the session.
func (r *Run) ID() string { return r.id }

// Resumes reports whether the run goes on with an earlier one.
func (r *Run) Resumes() bool { return r.o.Last != nil }

// Spent is what it used so far, with what was used before it was gone on with.
func (r *Run) Spent() acts.Spent { return r.spent }

// Limits are what it may use.
func (r *Run) Limits() Limits { return r.o.Limits }

// Outcome is how it ended, and why; "" while it goes on.
func (r *Run) Outcome() (o Outcome, why string) { return r.outcome, r.why }

// Stop has it end after the act in hand, or at once while a model answers. It may be called from anywhere.
func (r *Run) Stop() { r.stops.Do(func() { close(r.stop) }) }

// Stopping reports whether nothing more is to be begun: somebody stopped the run, or it ended. It may be called from anywhere.
func (r *Run) Stopping() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// Began is a line of the session about the run as it is now, as are Stepped and Ended: that it begins or is gone on with.
func (r *Run) Began() session.Event {
	if r.Resumes() {
		return r.event(acts.Resumed)
	}
	return r.event(acts.Started)
}

// Stepped says what was used so far, whether its plan was agreed to, and the goal if that is another one; see Began.
func (r *Run) Stepped() session.Event {
	if r.changed {
		return r.event(acts.Goal)
	}
	return r.event(acts.Step)
}

// Ended says how it ended; see Began.
func (r *Run) Ended() session.Event { return r.event(acts.Ended) }

func (r *Run) event(state acts.Stage) session.Event {
	p := acts.Pursuit{Run: r.id, State: state, Plans: r.plans, Spent: r.spent}
	p.Skips, p.Halts = r.skipped, r.halts
	switch state {
	case acts.Started, acts.Goal:
		p.Goal = r.goal
	case acts.Ended:
		p.Outcome, p.Why = string(r.outcome), r.why
	}
	return p.Event()
}

// end ends the run, unless it did already.
func (r *Run) end(o Outcome, why string) {
	if r.outcome == "" {
		r.outcome, r.why = o, why
	}
	r.Stop()
	if r.cancel != nil {
		r.cancel(errEnded)
	}
}

var errEnded = errors.New("the run is over")

// Asking is the context in which a model answers: it ends where the person stops the run.
func (r *Run) Asking(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	over := make(chan struct{})
	go func() {
		select {
		case <-r.stop:
			cancel(errEnded)
		case <-over:
		}
	}()
	return ctx, func() { close(over); cancel(nil) }
}

// Acting is the context in which the acts of a step are done: it ends where the run does.
func (r *Run) Acting(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.cancel = cancel
	return ctx, func() { r.cancel = nil; cancel(nil) }
}

// May reports whether a model may be asked once more, and for how long; 0: any time. Where it may not the run is over.
func (r *Run) May() (most time.Duration, ok bool) {
	l := r.o.Limits
	switch {
	case r.outcome != "":
		return 0, false
	case r.Stopping():
		r.end(Stopped, "you stopped it")
	case r.spent.Steps >= l.Steps:
		r.end(Budget, "auto.max_steps")
	case l.Tokens > 0 && r.spent.Tokens >= l.Tokens:
		r.end(Budget, "auto.max_tokens")
	case l.Cost > 0 && r.spent.Cost >= l.Cost:
		r.end(Budget, "auto.max_cost")
	case l.Time > 0 && r.spent.Time >= l.Time:
		r.end(Budget, "auto.max_time")
	case l.Time > 0:
		return l.Time - r.spent.Time, true
	default:
		return 0, true
	}
	return 0, false
}

// A Step is one answer of a model, and what it used.
type Step struct {
	Took      time.Duration
	Tokens    int
	Estimated bool // the endpoint reported none
	Cost      float64
	Currency  string // of Cost; "": the price is not known
}

// Answered takes note of an answer. estimated says that it is the first whose tokens are estimated, unpriced that it is the
// first that auto.max_cost, which is set, does not count: nobody knows its price, or it is one in another currency.
func (r *Run) Answered(s Step) (estimated, unpriced bool) {
	t := &r.spent
	t.Steps++
	t.Time += s.Took
	t.Tokens += s.Tokens
	estimated = s.Estimated && !t.Estimated
	t.Estimated = t.Estimated || s.Estimated
	if t.Currency == "" {
		t.Currency = s.Currency
	}
	if s.Currency == "" || s.Currency != t.Currency {
		t.Unpriced++
		return estimated, t.Unpriced == 1 && r.o.Limits.Cost > 0
	}
	t.Cost += s.Cost
	return estimated, false
}

// Acted takes note of how long the acts of a step took, with the person's answers.
func (r *Run) Acted(took time.Duration) { r.spent.Acts += took }

// A Next is what a model is to be told behind a step.
type Next struct {
	Text   string // "": nothing but what came of its calls
	Person bool   // the person wrote it
}

// What a model is told between steps.
const (
	goOn  = "(go on with the goal)"
	nudge = `(nothing was called and no command given: go on with the goal, or, if it is reached, write "GOAL: complete" on a line of its own)`
)

// A Came is what came of an answer.
type Came struct {
	Text    string // of the answer, the model's own
	Partial bool   // it broke off: neither its commands nor its word count
	Acts    int    // calls and command lines
	Lines   int    // command lines among them
	Undone  int    // those that were not done, or failed
	Round   bool   // the model makes the same calls again and again
}

// After says how it goes on behind a step. Where it does not the run is over.
func (r *Run) After(c Came) (n Next, ok bool) {
	if r.outcome != "" {
		return n, false
	}
	if c.Acts > 0 {
		r.idle = 0
	} else {
		r.idle++
	}
	switch {
	case r.changed:
		r.changed, r.idle = false, 0
		return Next{Text: r.goal, Person: true}, true
	case c.Round:
		r.end(Stalled, "the model makes the same calls again and again")
	case !c.Partial && c.Undone == 0 && Complete(c.Text):
		r.end(Done, "")
	case r.idle > 1:
		r.end(Stalled, "the model called nothing, gave no command and did not say that the goal is reached")
	case r.idle == 1:
		return Next{Text: nudge}, true
	case c.Lines > 0:
		return Next{Text: goOn}, true
	default:
		return Next{}, true
	}
	return n, false
}

// Plans reports whether a plan is to be written and agreed to before anything is done.
func (r *Run) Plans() bool { return r.plans }

// What a model is told about its plan.
const (
	planFirst = "(nothing is done before the user has agreed to a plan: write it, in words)"
	begin     = "(the user has agreed to the plan: begin)"
	begins    = "(the user has changed the plan: begin, and work by this one)"
)

// Planned asks the person about the plan that an answer is, and says how it goes on; ok is false where the run is over.
// One that is no plan is asked for once more; repeats counts those before it.
func (r *Run) Planned(ctx context.Context, c Came, repeats int) (n Next, ok bool) {
	plan := strings.TrimSpace(c.Text)
	switch no := c.Partial || plan == ""; {
	case r.Stopping():
		r.end(Stopped, "you stopped it")
		return n, false
	case no && repeats > 0:
		r.end(Stalled, "the model wrote no plan")
		return n, false
	case no:
		return Next{Text: planFirst}, true
	}
	said, err := r.o.Person.Planned(ctx, plan)
	switch {
	case errors.Is(err, runner.ErrNobody):
		r.end(Refused, "nobody can be asked about the plan")
	case err != nil:
		r.end(Aborted, err.Error())
	case said.Choice != Proceed:
		r.end(Aborted, "you said no to its plan")
	default:
		r.plans = false
		if words := strings.TrimSpace(said.Words); words != "" && words != plan {
			return Next{Text: begins + "\n\n" + words}, true
		}
		return Next{Text: begin}, true
	}
	return n, false
}

// Again is what a model is told first when a run is gone on with; open says that the conversation ends in what is to be answered.
func (r *Run) Again(open bool) Next {
	switch {
	case r.plans:
		return Next{Text: planFirst}
	case open:
		return Next{}
	}
	return Next{Text: goOn}
}

// Fail ends the run for an error of the model, or of what it stands on.
func (r *Run) Fail(err error) {
	if err != nil {
		r.end(Failed, err.Error())
	}
}

// OutOfTime ends the run since the time is up in which models may answer.
func (r *Run) OutOfTime() { r.end(Budget, "auto.max_time") }

// Sentinel is the line with which a model says that the goal is reached.
const Sentinel = "GOAL: complete"

// Complete reports whether an answer says that the goal is reached: on a line of its own, outside blocks of code.
func Complete(answer string) bool {
	for line := range gate.Unfenced(answer) {
		if strings.TrimRight(line, " \t") == Sentinel {
			return true
		}
	}
	return false
}

// Approve implements runner.Approver: the run halts.
func (r *Run) Approve(ctx context.Context, q runner.Request) (gate.How, error) {
	if r.outcome != "" || ctx.Err() != nil {
		return gate.HowRefused, &runner.Declined{}
	}
	r.halts++
	h := Halt{Request: q, Nr: r.halts}
	h.Kind = HaltCaution
	level := q.Decision.Level
	if q.Operation != nil {
		h.Kind, level = HaltTool, q.Operation.Level
	}
	if level >= risk.Danger {
		h.Kind = HaltDanger
	}
	said, err := r.o.Person.Halted(ctx, h)
	if err == nil && said.Choice == Skip {
		if r.skipped++; r.skipped >= r.o.Limits.Skips {
			h.Skipped, h.Escalates = r.skipped, true
			said, err = r.o.Person.Halted(ctx, h)
		}
	}
	switch {
	case errors.Is(err, runner.ErrNobody):
		if r.halts >= r.o.Limits.Skips {
			r.end(Refused, "nobody can be asked")
		}
		return gate.HowRefused, err
	case err != nil:
		r.end(Aborted, err.Error())
		return gate.HowRefused, &runner.Declined{}
	}
	switch said.Choice {
	case Proceed:
		r.skipped = 0
		return gate.HowOnce, nil
	case Session:
		r.skipped = 0
		return gate.HowSession, nil // what it may not be said to is refused by who asked
	case Skip:
		if h.Escalates { // that is no answer any more
			break
		}
		return gate.HowRefused, &runner.Declined{Skipped: true, Words: said.Words}
	case Change:
		if goal := strings.TrimSpace(said.Words); goal != "" && h.Escalates {
			r.goal, r.changed, r.skipped = goal, true, 0
			return gate.HowRefused, &runner.Declined{Skipped: true, Words: "the goal is another one now"}
		}
	case Abort:
	}
	r.end(Aborted, "you aborted it")
	return gate.HowRefused, &runner.Declined{}
}

// Changed reports whether the person gave another goal, which the model was not told yet.
func (r *Run) Changed() bool { return r.changed }

// Error is the outcome as an error; nil for Done.
func (r *Run) Error() error {
	switch r.outcome {
	case Done, "":
		return nil
	case Budget:
		return fault.New(fault.Limit, errors.New("stopped: the budget of the run is spent ("+r.why+")")).
			WithHint("go on with a larger one: %s", fault.Command("config set "+r.why+"=..."))
	case Stalled:
		return fault.New(fault.Limit, errors.New("stalled: "+r.why)).WithHint("say what to do instead, or ask another model")
	case Refused:
		return fault.New(fault.Refused, errors.New("stopped: the goal needs what nobody could be asked about")).
			WithHint("run it at a terminal, or allow what you trust: %s", fault.Command("safety list"))
	case Aborted, Stopped:
		return fault.New(fault.Refused, errors.New(string(r.outcome)+": "+r.why))
	}
	return fault.New(fault.Failure, errors.New(string(r.outcome)+": "+r.why))
}
