package turn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ken/internal/agent"
	"ken/internal/agent/auto"
	"ken/internal/agent/loop"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/session"
)

// A pursuit is a run while it goes on.
type pursuit struct {
	d   *Dialog
	run *auto.Run
	ans *Answer
	q   agent.Question
	ev  Events

	next    auto.Next
	printed []agent.Printed // by command lines of the last answer
}

// errTimeUp says that models may answer no longer.
var errTimeUp = errors.New("the time of the run is up")

// pursue has a model work on a goal by itself, until the run is over. The error is that of the run.
func (d *Dialog) pursue(ctx context.Context, ans *Answer, q agent.Question, ev Events, run *auto.Run) error {
	if !d.rec.Keeps() {
		return fault.Refusedf("a run by itself is recorded as it goes, and nothing is recorded here").
			WithHint("have conversations recorded: %s", fault.Command("config set session.autosave=true"))
	}
	p := &pursuit{d: d, run: run, ans: ans, q: q, ev: ev}
	if err := d.rec.Commit(run.Began()); err != nil {
		return fmt.Errorf("nothing was begun: the run cannot be recorded: %w", err)
	}
	d.conv.Resume(q)
	d.conv.Pursue(run.Goal())
	if run.Plans() {
		d.conv.Plan(run.Goal())
	}
	defer d.conv.Pursue("")
	d.o.Loop.Run(run.ID())
	defer d.o.Loop.Asking(run)()
	ev.Tools.Stops = run.Stopping
	p.ev = ev
	first, sends := !run.Resumes(), false // who asked has said that the first question goes out
	if !first {
		if err := p.repair(); err != nil {
			return err
		}
	}
	repeats := 0
	for ok := true; ok; first, sends = false, true {
		most, may := run.May()
		if !may {
			break
		}
		switch ok = p.step(ctx, most, first, sends); {
		case !ok:
		case run.Plans():
			ok = p.plan(ctx, repeats)
			repeats++
		default:
			ok = p.act(ctx)
		}
	}
	if err := d.rec.Commit(run.Ended()); err != nil {
		d.home.Warn(fmt.Errorf("the session does not know how the run ended: %w", err))
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return run.Error()
}

// step asks the model once, and with sends says before that the question goes out. It reports whether there is an answer.
func (p *pursuit) step(ctx context.Context, most time.Duration, first, sends bool) bool {
	d, before := p.d, p.ans.Answer
	asking, end := p.run.Asking(ctx)
	defer end()
	if most > 0 {
		var cancel context.CancelFunc
		asking, cancel = context.WithTimeoutCause(asking, most, errTimeUp)
		defer cancel()
	}
	if p.ev.Sends != nil && sends {
		p.ev.Sends(p.ans.Model)
	}
	if p.ev.Step != nil {
		p.ev.Step(p.run.Spent().Steps + 1)
	}
	began := d.home.Now()
	var a agent.Answer
	var err error
	switch {
	case first:
		a, err = d.conv.Ask(asking, p.q, p.ev.Delta)
	case p.next.Text != "":
		a, err = d.conv.Follow(asking, p.next.Text, !p.next.Person, p.printed, p.ev.Delta)
	default:
		a, err = d.conv.GoOn(asking, p.ev.Delta)
	}
	p.printed = nil
	a.Evicted += before.Evicted
	a.Warnings = append(before.Warnings, a.Warnings...)
	p.ans.Answer = a
	p.account(a, d.home.Now().Sub(began))
	if p.ev.Paused != nil {
		if perr := p.ev.Paused(); perr != nil && err == nil {
			err = perr
		}
	}
	switch empty := (*agent.EmptyError)(nil); {
	case err == nil, errors.As(err, &empty):
		return true
	case ctx.Err() != nil || p.run.Stopping():
		p.run.Stop()
		p.run.May()
	case asking.Err() != nil:
		p.run.OutOfTime()
	default:
		p.run.Fail(err)
	}
	return false
}

// account counts what an answer used.
func (p *pursuit) account(a agent.Answer, took time.Duration) {
	d, s := p.d, auto.Step{Took: took}
	u := llm.Usage{}
	if a.Usage != nil {
		u = *a.Usage
	}
	if u.Prompt+u.Completion == 0 {
		u.Prompt, u.Completion = a.Sent()
		s.Estimated = true
	}
	s.Tokens = u.Prompt + u.Completion
	s.Cost, s.Currency = models.Cost(d.home.Models(), a.Preset, u)
	if a.N > 0 {
		d.home.Models().Spend(a.Answer)
	}
	estimated, unpriced := p.run.Answered(s)
	if estimated {
		d.home.Notef("the endpoint does not report tokens: they are estimated")
	}
	if unpriced {
		d.home.Notef("auto.max_cost does not count this answer: its price is not known. Say it with models.NAME.price_in and price_out")
	}
	if err := d.rec.AppendEvent(p.run.Stepped()); err != nil {
		d.home.Warn(fmt.Errorf("the session does not know what the run used: %w", err))
	}
}

// plan puts the answer, a plan of which nothing is done, before the person, and reports whether the run goes on.
func (p *pursuit) plan(ctx context.Context, repeats int) bool {
	d, a := p.d, p.ans.Answer
	for _, c := range a.Message.ToolCalls {
		d.conv.Return(agent.Returned{Call: c.ID, Text: "not run: the user has agreed to no plan yet"})
	}
	began := d.home.Now()
	next, ok := p.run.Planned(ctx, came(a), repeats)
	p.run.Acted(d.home.Now().Sub(began))
	p.next = next
	if ok && !p.run.Plans() {
		d.conv.Agreed()
		if err := d.rec.Commit(p.run.Stepped()); err != nil {
			p.run.Fail(err)
			return false
		}
	}
	return ok
}

// came is an answer of which nothing was done yet.
func came(a agent.Answer) auto.Came {
	return auto.Came{Text: a.Message.Content, Partial: a.Truncated || a.Finish == session.FinishLength}
}

// act does what the answer asks for, and reports whether the run goes on.
func (p *pursuit) act(ctx context.Context) bool {
	d, a := p.d, p.ans.Answer
	came := came(a)
	acting, end := p.run.Acting(ctx)
	defer end()
	began := d.home.Now()
	count := func(r loop.Reply) {
		if came.Acts++; !r.Done() {
			came.Undone++
		}
	}
	d.o.Loop.Heed(a.Foreign, a.From())
	came.Round = d.o.Loop.Answer(acting, a.Message.ToolCalls, p.ev.Tools, func(r loop.Reply) {
		d.conv.Return(agent.Returned{Call: r.Call, Text: r.Text, From: r.From})
		count(r)
	})
	if lines := loop.Proposed(a.Message.Content); !came.Partial && len(lines) > 0 {
		round := d.o.Loop.Lines(acting, a.N, lines, p.ev.Tools, func(r loop.Reply) {
			p.printed = append(p.printed, agent.Printed{Line: r.Line, Text: r.Text, From: r.From})
			count(r)
		})
		came.Lines, came.Round = len(lines), came.Round || round
	}
	p.run.Acted(d.home.Now().Sub(began))
	if p.run.Changed() {
		d.conv.Pursue(p.run.Goal())
		if err := d.rec.Commit(p.run.Stepped()); err != nil {
			p.run.Fail(err)
		}
	}
	if ctx.Err() != nil {
		p.run.Stop()
	}
	var ok bool
	p.next, ok = p.run.After(came)
	return ok
}

// repair gives what the last answer asked for, and has no result, one: none of it is done again.
func (p *pursuit) repair() error {
	r, err := p.d.rest()
	if err != nil {
		return err
	}
	for _, l := range r.Lost {
		if l.Call != "" {
			p.d.conv.Return(agent.Returned{Call: l.Call, Text: l.Text})
			continue
		}
		p.printed = append(p.printed, agent.Printed{Line: l.Line, Text: l.Text, From: memory.Origin(l.From)})
	}
	turns := p.d.conv.Turns()
	open := len(turns) > 0 && turns[len(turns)-1].Role != session.RoleAssistant // to be answered
	p.next = p.run.Again(open && len(p.printed) == 0)
	return nil
}
