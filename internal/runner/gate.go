package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/risk"
)

// A Gate is a gate.Gate with all that it knows now.
type Gate struct {
	Gate gate.Gate
	// Approvals is the file of approvals; with Damaged it is empty.
	Approvals gate.Approvals
	// Damaged is why what was approved for good counts for nothing; nil: it counts.
	Damaged error
	// Untrusted is why git may run programs of the repository; nil: it does not.
	Untrusted error
	// Held says how a line would be held in the lane of a model, for a person; "": not at
	// all, or it was not asked yet.
	Held string
	// Shell is the path of what runs a line that was judged: the grammar is the same.
	Shell string
	bash  bool
	r     *Runner
}

// Open makes the gate of a line that would run where the person stands. Approvals that
// cannot be read are one warning, and count for nothing. A pattern of the settings that
// cannot be read is an error.
func (r *Runner) Open(ctx context.Context) (*Gate, error) {
	cfg, err := r.home.Settings.Read()
	if err != nil {
		return nil, err
	}
	lists, err := gate.ParseLists(cfg.Safety.Allow, cfg.Safety.Ask, cfg.Safety.Deny)
	if err != nil {
		return nil, fault.New(fault.Usage, err).WithHint("put it right: %s", fault.Command("config edit"))
	}
	d := &Gate{r: r, Shell: "/bin/sh", Gate: gate.Gate{Lists: lists, Session: r.ports.Approved}}
	// Bash where there is one, and else the system's sh. What a person's own shell may be
	// (zsh, fish) reads some lines otherwise than they were judged.
	if path, err := r.ports.FindProgram("bash"); err == nil {
		d.Shell, d.bash = path, true
	}
	if d.Approvals, d.Damaged = gate.Load(r.home.Settings.Paths().Approvals()); d.Damaged != nil {
		r.home.Warn(fault.Once(d.Damaged))
	}
	d.Gate.Always = d.Approvals.Standing
	d.Gate.Rules, d.Gate.RulesUnknown = r.rules(ctx)
	here := risk.Here{Dir: r.ports.Dir(), Home: r.ports.Getenv("HOME"), POSIX: !d.bash}
	here.Has = finds(here.Dir, here.Home)
	if at := r.home.Here.Place(); at.Repo != nil {
		d.Untrusted = at.Inert()
		for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CONFIG_PARAMETERS"} {
			if d.Untrusted == nil && r.ports.Getenv(name) != "" {
				d.Untrusted = errors.New(name + " is set: git may look elsewhere")
			}
		}
		here.TrustedGit = d.Untrusted == nil
	}
	if r.foreign {
		d.Gate.Within = r.within()
	}
	d.Gate.Judge = func(line string) risk.Assessment { return risk.Judge(line, here) }
	return d, nil
}

// Decide returns what becomes of a line here, and reports which rules it meets. What is
// above the level asks is asked about.
func (d *Gate) Decide(line string, asks risk.Level) gate.Decision {
	dec := d.Gate.Decide(line, d.r.Here(), asks)
	d.r.met(dec)
	return dec
}

// Request returns what the person is to be asked about a line.
func (d *Gate) Request(line string, dec gate.Decision) Request {
	pattern, always := gate.Offer(dec.Assessment)
	always = always && !dec.Once && d.Damaged == nil && !d.r.home.Settings.ReadOnly()
	return Request{
		Line: line, Decision: dec, Held: d.Held, Session: !dec.Once, Always: always, Pattern: pattern,
	}
}

// Approve keeps a yes that is to last, for the session or for good; of any other answer
// nothing is kept. Where a request does not allow it, it is refused.
func (d *Gate) Approve(ctx context.Context, dec *gate.Decision, how gate.How) error {
	q := d.Request("", *dec)
	switch {
	case how == gate.HowSession && q.Session:
		dec.Approve(d.r.ports.Approved)
	case how == gate.HowAlways && q.Always:
		got, err := gate.Approve(ctx, d.r.home.Settings.Paths().Approvals(), q.Pattern, d.r.home.Now())
		if err != nil {
			return err
		}
		d.r.home.Notef("approved #%d: %s (take it back: %s)", got.ID, got.Pattern.Shape(), fault.Command(fmt.Sprintf("safety revoke %d", got.ID)))
		dec.Approval = got.ID
	case how == gate.HowSession, how == gate.HowAlways:
		return fault.Refusedf("%s: this can only be said once at a time", dec.Level)
	}
	return nil
}

// finds looks for files that programs obey as code: where the line would run, or with
// "./" before the name there alone, and above, as far as the home, which is the person's.
func finds(dir, home string) func(pattern string) bool {
	return func(pattern string) bool {
		name, only := strings.CutPrefix(pattern, "./")
		for at := dir; at != "" && at != home; at = filepath.Dir(at) {
			if found, err := fs.Glob(os.DirFS(at), name); err != nil || len(found) > 0 {
				return true
			}
			if only || at == filepath.Dir(at) {
				break
			}
		}
		return dir == ""
	}
}

// rules are the remembered rules that hold here and can be checked. unknown says that
// the memory cannot be read.
func (r *Runner) rules(ctx context.Context) (rules []gate.Rule, unknown bool) {
	if !r.home.Settings.MemoryOn() {
		return nil, false
	}
	s, err := r.home.Memory.State(ctx)
	if err != nil {
		r.home.Warn(fault.Once(fmt.Errorf("the rules that you remember cannot be read: %w", err)))
		return nil, true
	}
	q := r.home.Moment().Query()
	return gate.RulesOf(asof.Valid(s, q.At), func(it memory.Item) bool {
		scope := it.Record.Scope
		return scope != "" && scope != memory.ScopeUser && !q.Holds(scope) || !it.Current(q.At)
	}), false
}

// Here returns the place that decisions are about.
func (r *Runner) Here() gate.Location {
	p := r.home.Here.Place()
	project := p.RepoScope()
	if project == "" {
		project = p.Scope()
	}
	return gate.Location{Dir: r.ports.Dir(), Project: project}
}

// Note writes to the audit what was decided about a line of a lane. That it cannot be
// written is a warning, and stops nothing: the person has decided.
func (d *Gate) Note(ctx context.Context, line, laneName string, how gate.How, dec gate.Decision) {
	h := d.r.home
	if h.Settings.ReadOnly() {
		return
	}
	act := gate.Act{
		Time: h.Now(), How: how, Level: dec.Level.String(), Line: line, Seal: h.Keys.Sums(), Lane: laneName, Session: d.r.ports.Session(),
	}
	if how == gate.HowAlways {
		act.Approval = dec.Approval
	}
	if err := gate.Audit(ctx, h.Settings.Paths().Audit(), act); err != nil {
		h.Warn(fault.Once(err))
	}
}

// Typed reports which rules a line meets that the person typed themselves. It runs all the
// same: it is their own hand, and their own rule.
func (r *Runner) Typed(ctx context.Context, line string) {
	rules, _ := r.rules(ctx)
	if len(rules) == 0 {
		return
	}
	g := gate.Gate{Rules: rules, Judge: func(line string) risk.Assessment {
		return risk.Judge(line, risk.Here{Dir: r.ports.Dir(), Home: r.ports.Getenv("HOME")})
	}}
	r.met(g.Decide(line, r.Here(), risk.Danger))
}
