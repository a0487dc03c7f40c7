package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"ken/internal/fault"
	"ken/internal/risk"
	"ken/internal/termsafe"
	"ken/internal/tool/lane"
	"ken/internal/tool/rehearsal"
	"ken/internal/tool/sandbox"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

// A Rehearsal is a line that ran with its changes of the project kept aside. Close throws them away.
type Rehearsal struct {
	Line  string
	Level risk.Level // of the line, by the gate
	Ran   lane.Result
	Found rehearsal.Outcome

	r     *Runner
	stage *rehearsal.Stage
}

// Rehearse runs a line as one of a model (its shell, environment and time), held by the sandbox whatever the settings say, with
// no network. The project stays as it is; what the line would change there is in the report. live gets the output as it
// comes, masked; nil: nothing does. A line that ran and failed is no error.
//
// Errors: fault.Refused where the machine cannot do that, so that nothing runs bare, and where no person asks;
// fault.NotStarted where there is no shell, and the cause of ctx.
func (r *Runner) Rehearse(ctx context.Context, line string, live io.Writer) (_ *Rehearsal, err error) {
	if !r.byPerson() {
		return nil, fault.Refusedf("not rehearsed: only a person does that")
	}
	cfg, err := r.home.Settings.Read()
	if err != nil {
		return nil, err
	}
	d, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	x := &Rehearsal{Line: line, Level: d.Decide(line, risk.Caution).Level, r: r}
	wish := r.wish(cfg)
	stage, box, err := rehearsal.Hold(ctx, r.root(), wish, rehearsal.Places(r.ports.Getenv("TMPDIR"))...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fault.New(fault.Refused, fmt.Errorf("not run: %w", err)).WithHint("see what this machine has: %s", fault.Command("doctor"))
	}
	x.stage = stage
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	env, kept := r.environ(cfg, false)
	c := lane.Command{
		Line: line, Shell: d.Shell, Bash: d.bash, Dir: r.ports.Dir(), Env: lane.WithTemp(env, stage.Temp()),
		Limit: cfg.Shell.ModelTimeout, Keep: cfg.Shell.CaptureBytes, Box: box,
	}
	out := masking{w: live, s: r.home.Keys.Masker().Stream()}
	if live != nil {
		c.Live = out
	}
	x.Ran, err = lane.Run(ctx, c)
	if live != nil {
		if _, ferr := io.WriteString(live, out.s.Flush()); err == nil {
			err = ferr
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fault.New(fault.NotStarted, err)
	}
	if err != nil {
		return nil, err
	}
	if x.Ran.TimedOut {
		r.home.Notef("ended after %s (shell.model_timeout)", cfg.Shell.ModelTimeout)
	}
	r.sayCrowded(x.Ran)
	r.missed(line, x.Ran, kept)
	if x.Ran.Exit != 0 && denials().MatchString(x.Ran.Output) {
		r.home.Notef("a rehearsal has no network, and changes files only in the project")
	}
	x.Ran.Output = r.home.Keys.MaskText(x.Ran.Output)
	x.Found, err = stage.Changes(ctx)
	return x, err
}

// CanRehearse says why nothing can be rehearsed on this machine; nil: it can.
func CanRehearse(ctx context.Context, temp string) error {
	if m := sandbox.Here(); m.Most() == "" || !m.Spaces {
		return fmt.Errorf("this machine has %s, and it takes namespaces", m)
	}
	return rehearsal.Possible(ctx, rehearsal.Places(temp)...)
}

// Close throws away what was kept aside.
func (x *Rehearsal) Close() error { return x.stage.Close() }

// Text says in lines what would change, and the differences, short enough to be read.
func (x *Rehearsal) Text() string {
	const most, rows = 100, 60
	return x.r.home.Keys.MaskText(x.Found.Text(most, rows))
}

// Whole is Text with nothing left out.
func (x *Rehearsal) Whole() string {
	const all = math.MaxInt32 / 2
	return x.r.home.Keys.MaskText(x.Found.Text(all, all))
}

// Counts says in words how much would change.
func (x *Rehearsal) Counts() string {
	made, changed, removed := x.Found.Counts()
	return fmt.Sprintf("%d made, %d changed, %d removed", made, changed, removed)
}

// Operation is to make in the project what the line made. Its level is that of the line, or of the paths
// that it touches, whichever is higher: a rehearsal lowers none.
func (x *Rehearsal) Operation() Operation {
	d := Operation{
		Title: fmt.Sprintf("%s (%s)", termsafe.Cut(termsafe.Line(x.Line), 60), x.Counts()),
		Shown: x.Whole(), Of: "rehearsal " + x.Found.Sum(), Level: max(x.Level, risk.Caution), Once: true, Lane: LaneUser,
	}
	if x.Level > risk.Safe {
		d.Why = append(d.Why, "the command is "+x.Level.String())
	}
	at := risk.File{Project: x.stage.Root, Home: x.r.home.Settings.UserDir(), Write: true}
	say := func(level risk.Level, why string) {
		switch {
		case level > d.Level:
			d.Level, d.Why = level, slices.Insert(d.Why, 0, why)
		case !slices.Contains(d.Why, why):
			d.Why = append(d.Why, why)
		}
	}
	for _, c := range x.Found.Changes {
		at.Path, at.Rel = c.Path(), c.Name
		for _, reason := range risk.JudgeFile(at).Reasons {
			say(reason.Level, reason.Why)
		}
		switch to := c.Is.To; {
		case c.Is.Form == swap.Link && !x.leadsWithin(c.Path(), to):
			say(risk.Caution, "a link that leads out of the project")
		case c.Is.Form.SetsID() && c.Is.Form != c.Was.Form:
			say(risk.Danger, "a file that runs with the rights of its owner")
		}
	}
	const most = 4
	d.Why = d.Why[:min(len(d.Why), most)]
	return d
}

// leadsWithin reports whether what a link at a path says stays in the project.
func (x *Rehearsal) leadsWithin(path, to string) bool {
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(path), to)
	}
	rel, err := filepath.Rel(x.stage.Root, to)
	return err == nil && filepath.IsLocal(rel)
}

// Apply asks whether the changes are to be made, and makes them, all or none: the acts, the oldest first. Errors are
// those of Allow and of rehearsal.Outcome.Apply.
func (x *Rehearsal) Apply(ctx context.Context, d rehearsal.Hand) ([]undo.Act, error) {
	if x.Found.Unfit != "" {
		return nil, fmt.Errorf("%w: %s", rehearsal.ErrUnfit, x.Found.Unfit)
	}
	if _, err := x.r.Allow(ctx, x.Operation()); err != nil {
		return nil, err
	}
	return x.Found.Apply(ctx, d)
}
