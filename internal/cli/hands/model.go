package hands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"ken/internal/cli/app"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/redact"
	"ken/internal/risk"
	"ken/internal/tool/lane"
)

// A ModelRun is the JSON form of a run in the lane of a model.
type ModelRun struct {
	Command   string `json:"command"`
	Lane      string `json:"lane"` // "model"
	Level     string `json:"level"`
	How       string `json:"how"` // by what it ran, as in the audit
	Exit      int    `json:"exit"`
	Bytes     int64  `json:"bytes"`
	Output    string `json:"output"`
	Truncated bool   `json:"truncated"`
	TimedOut  bool   `json:"timed_out"`
}

// AsModel runs a line as a model would have it run: past the gate, in the model's
// lane. Where it has to be asked about, a person at a terminal is; without one it is
// refused. The error of a line that ran and failed is its exit code.
func AsModel(ctx context.Context, a *app.App, line string, asJSON bool) error {
	cfg, err := a.Settings()
	if err != nil {
		return err
	}
	d, err := Open(ctx, a)
	if err != nil {
		return err
	}
	dec := d.Gate.Decide(line, Here(a), risk.Caution)
	TellRules(a, dec)
	how, err := d.settle(ctx, line, &dec)
	if err != nil {
		return err
	}
	d.note(ctx, line, laneModel, how, dec)
	switch {
	case how == gate.HowDeny:
		return fault.New(fault.Refused, fmt.Errorf("not run: %s", dec.Why)).
			WithHint("see what was said beforehand: %s", fault.Command("safety list"))
	case how == gate.HowRefused && a.Asks() && !a.InLane():
		return fault.New(fault.Refused, errors.New("not run: you said no"))
	case how == gate.HowRefused:
		return fault.New(fault.Refused, fmt.Errorf("not run, since nobody can be asked: %s: %s", dec.Level, because(dec))).
			WithHint("see why, and what would change it: %s", fault.Command("safety test COMMAND"))
	}
	c := lane.Command{
		Line: line, Shell: d.shell.path, Bash: d.shell.bash, Dir: a.Env.Dir,
		Limit: cfg.Shell.ModelTimeout, Keep: cfg.Shell.CaptureBytes,
	}
	if a.Env.Environ != nil {
		c.Env = lane.Environ(a.Env.Environ(), dec.Level == risk.Safe, a.KeyVariables()...)
	}
	out := masking{w: a.Env.Stdout, s: a.Masker().Stream()}
	if !asJSON {
		c.Live = out
	}
	r, err := lane.Run(ctx, c)
	if _, ferr := io.WriteString(a.Env.Stdout, out.s.Flush()); err == nil {
		err = ferr
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotStarted, err)
	}
	if err != nil {
		return err
	}
	if r.TimedOut {
		a.Status("ended after %s (shell.model_timeout)", cfg.Shell.ModelTimeout)
	}
	if asJSON {
		err = a.PrintJSON(ModelRun{line, laneModel, dec.Level.String(), string(how), r.Exit, r.Bytes, a.MaskText(r.Output), r.Truncated, r.TimedOut})
	}
	if err == nil && r.Exit != 0 {
		err = app.Told(app.Exit(r.Exit, fmt.Errorf("exit code %d", r.Exit)))
	}
	return err
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

// settle is by what a line runs, or that it does not. Only the person answers: in the
// lane of a model there may be a terminal, and nobody at it.
func (d *Door) settle(ctx context.Context, line string, dec *gate.Decision) (gate.How, error) {
	switch {
	case dec.Action == gate.Allow:
		return dec.How, nil
	case dec.Action == gate.Deny:
		return gate.HowDeny, nil
	case d.a.InLane() || !d.a.Asks():
		return gate.HowRefused, nil
	}
	Show(d.a, "to run in the lane of a model", line, *dec)
	for {
		ans, err := d.askKey(ctx, *dec, question{lasting: true, short: true, outside: d.a.Shell == nil})
		switch {
		case err != nil:
			return "", err
		case ans.key == '?':
			for _, l := range Explain(*dec) {
				d.a.Say("  ", l)
			}
			continue
		case ans.how == "":
			return gate.HowRefused, nil
		}
		dec.Approval = ans.approval
		return ans.how, nil
	}
}
