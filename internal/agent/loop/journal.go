package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ken/internal/gate"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/session/acts"
	"ken/internal/termsafe"
	"ken/internal/tool"
)

// An entry is one call in the journal.
type entry struct {
	loop *Loop
	id   string
	tool string
	act  tool.Act
	// inText says that it is a command line in the text of an answer: no turn will have what it came to.
	inText bool

	level risk.Level
	how   gate.How
	at    time.Time // when it began; zero: it did not
	not   acts.State
	why   string
}

// A notedError says that an act was not done since it could not be noted first.
type notedError struct{ cause error }

func (e *notedError) Error() string {
	return fmt.Sprintf("not run: it cannot be noted in the session first: %v", e.cause)
}

func (e *notedError) Unwrap() error { return e.cause }

// begun notes that the act is about to be done. After an error it is not.
func (e *entry) begun(level risk.Level, how gate.How) error {
	e.level, e.how = level, how
	if err := e.note(acts.Act{State: acts.Begun}); err != nil {
		return &notedError{err}
	}
	e.at = e.loop.home.Now()
	return nil
}

// changed reports whether the act was begun, and may have changed what another one reads.
func (e *entry) changed() bool { return !e.at.IsZero() && e.level > risk.Safe }

// declined is the result of an act that was not let.
func (e *entry) declined(ctx context.Context, level risk.Level, err error) tool.Result {
	r, no := refused(ctx, err), (*runner.Declined)(nil)
	e.level, e.how, e.not = level, gate.HowRefused, acts.Refused
	if errors.As(err, &no) && no.Skipped {
		e.not = acts.Skipped
	}
	e.why = r.Text
	return r
}

// refused notes that a call was not done, by nobody's word.
func (e *entry) refused(r tool.Result) { e.how, e.not, e.why = gate.HowDeny, acts.Refused, r.Text }

// ended notes what came of the call, which was replied to.
func (e *entry) ended(r tool.Result, reply Reply) {
	a := acts.Act{State: e.not, Why: termsafe.Line(e.loop.safe(e.why))}
	if !e.at.IsZero() {
		a = acts.Act{
			State: acts.Done, Outcome: string(r.State), Ended: r.Ended, Exit: r.Exit, Took: e.loop.home.Now().Sub(e.at),
		}
		if e.inText {
			a.Text = reply.Text
			if reply.From != memory.OriginTool {
				a.From = string(reply.From)
			}
		}
	}
	if a.State == "" {
		return // it was not understood, or began nothing
	}
	if err := e.note(a); err != nil {
		e.loop.home.Warn(fmt.Errorf("the session does not know how %s ended: %w", termsafe.Cut(termsafe.Line(e.act.Title), 60), err))
	}
}

// note writes a line.
func (e *entry) note(a acts.Act) error {
	h := e.loop
	if h.asked.Journal == nil {
		return nil
	}
	a.ID, a.Time, a.Run = e.id, h.home.Now(), h.part
	if a.State != acts.Done {
		const most = 200
		whole := e.act.Line
		if whole == "" {
			whole = e.act.Title + "\x00" + e.act.Shown
		}
		a.Tool, a.What = e.tool, termsafe.Cut(termsafe.Line(h.safe(e.act.Title)), most)
		a.Risk, a.How = e.level.String(), string(e.how)
		if seal := h.home.Keys.Sums(); seal != nil {
			a.Sum = seal.Hash(gate.Sum(whole))
		}
	}
	if a.State != acts.Begun {
		return h.asked.Journal.AppendEvent(a.Event())
	}
	return h.asked.Journal.Commit(a.Event())
}
