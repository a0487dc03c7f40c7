package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/redact"
	"ken/internal/risk"
	"ken/internal/tool/lane"
)

// The lanes, as the audit has them.
const (
	LaneUser  = "user"
	LaneModel = "model"
)

// A Result is a line that ran in the lane of a model, or with a fault of kind Refused one that did not.
type Result struct {
	Level   risk.Level
	How     gate.How // by what it ran
	Sandbox string   // how it was held, for a person; "": it was not
	// Foreign says that what it printed may be from outside the project: it may reach beyond it, or names a file elsewhere.
	Foreign bool
	lane.Result
}

// A Line is a command line that a model would have run.
type Line struct {
	Text string
	// Limit is the longest that it may run, from when it begins; the shorter one of it and shell.model_timeout
	// counts. 0: that setting's.
	Limit time.Duration
	// Live gets the output as it comes, masked; nil: nothing does.
	Live io.Writer
	// Begins is called right before the line runs, with its level and what it runs by; after an error of it
	// nothing does. nil: nobody wants to know.
	Begins func(risk.Level, gate.How) error
}

// RunModel runs a line as a model would have it run: past the gate, in the model's lane. Output of the result is masked,
// and there beside an error as well, as far as the line came. A line that ran and failed is no error.
//
// Errors: fault.Refused where it is not run, fault.NotStarted where there is no shell, that of l.Begins, and
// the cause of ctx.
func (r *Runner) RunModel(ctx context.Context, l Line) (Result, error) {
	cfg, err := r.home.Settings.Read()
	if err != nil {
		return Result{}, err
	}
	d, err := r.Open(ctx)
	if err != nil {
		return Result{}, err
	}
	if d.Held, err = r.Held(); err != nil {
		return Result{}, err
	}
	dec := d.Decide(l.Text, risk.Caution)
	how, refused, err := d.settle(ctx, l.Text, &dec)
	if err != nil {
		return Result{}, err
	}
	d.Note(ctx, l.Text, LaneModel, how, dec)
	if refused != nil {
		return Result{Level: dec.Level, How: how}, refused
	}
	c := lane.Command{
		Line: l.Text, Shell: d.Shell, Bash: d.bash, Dir: r.ports.Dir(),
		Limit: cfg.Shell.ModelTimeout, Keep: cfg.Shell.CaptureBytes,
	}
	by := "shell.model_timeout"
	if l.Limit > 0 && (c.Limit == 0 || l.Limit < c.Limit) {
		c.Limit, by = l.Limit, "as the model asked"
	}
	env, kept := r.environ(cfg, dec.Level == risk.Safe)
	c.Env = env
	away, err := r.hold(cfg, &c)
	if err != nil {
		return Result{}, err
	}
	defer away()
	if l.Begins != nil {
		if err := l.Begins(dec.Level, how); err != nil {
			return Result{}, err
		}
	}
	out := masking{w: l.Live, s: r.home.Keys.Masker().Stream()}
	if l.Live != nil {
		c.Live = out
	}
	ran, err := lane.Run(ctx, c)
	if l.Live != nil {
		if _, ferr := io.WriteString(l.Live, out.s.Flush()); err == nil {
			err = ferr
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fault.New(fault.NotStarted, err)
	}
	if ran.TimedOut {
		r.home.Notef("ended after %s (%s)", c.Limit, by)
	}
	r.sayCrowded(ran)
	if err == nil {
		r.missed(l.Text, ran, kept)
		r.explain(&ran, c.Box)
	}
	ran.Output = r.home.Keys.MaskText(ran.Output)
	return Result{Level: dec.Level, How: how, Foreign: r.readsForeign(dec.Assessment), Sandbox: d.Held, Result: ran}, err
}

// sayCrowded says that a line was ended for its number of processes, if so.
func (r *Runner) sayCrowded(ran lane.Result) {
	if ran.Crowded {
		r.home.Notef("ended: a command of a model has at most %d processes at once", lane.MostProcesses)
	}
}

// settle is by what a line runs, or that it does not: then refused says why. Only the
// person answers: in the lane of a model there may be a terminal, and nobody at it.
func (d *Gate) settle(ctx context.Context, line string, dec *gate.Decision) (how gate.How, refused, err error) {
	nobody := fault.New(fault.Refused, fmt.Errorf("not run, since nobody can be asked: %s: %s", dec.Level, Because(*dec))).
		WithHint("see why, and what would change it: %s", fault.Command("safety test COMMAND"))
	switch {
	case dec.Action == gate.Allow:
		return dec.How, nil, nil
	case dec.Action == gate.Deny:
		return gate.HowDeny, fault.New(fault.Refused, fmt.Errorf("not run: %s", dec.Why)).
			WithHint("see what was said beforehand: %s", fault.Command("safety list")), nil
	case !d.r.byPerson() || d.r.ports.Approver == nil:
		return gate.HowRefused, nobody, nil
	}
	how, err = d.r.ports.Approver.Approve(ctx, d.Request(line, *dec))
	declined := (*Declined)(nil)
	switch {
	case errors.As(err, &declined):
		return gate.HowRefused, fault.New(fault.Refused, declined), nil
	case errors.Is(err, ErrTerminal):
		return gate.HowRefused, fault.Refusedf("not run: it needs a yes at the terminal: %s: %s", dec.Level, Because(*dec)), nil
	case errors.Is(err, ErrNobody):
		return gate.HowRefused, nobody, nil
	case err != nil:
		return "", nil, err
	case !dec.Is(line, d.r.Here()):
		return gate.HowRefused, fault.Refusedf("not run: this is not where it was asked about"), nil
	}
	if err := d.Approve(ctx, dec, how); err != nil {
		return gate.HowRefused, fault.New(fault.Refused, fmt.Errorf("not run: %w", err)), nil
	}
	switch how {
	case gate.HowOnce, gate.HowSession, gate.HowAlways:
		return how, nil, nil
	}
	return gate.HowRefused, fault.New(fault.Refused, &Declined{}), nil
}

// A masking writer passes text on without secrets: what runs in this lane may go to a
// model, whoever started it.
type masking struct {
	w io.Writer
	s *redact.Stream
}

func (m masking) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, m.s.Write(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
