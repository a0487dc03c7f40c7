package hands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/cli/app"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/risk"
)

// A Door is the gate with all that it knows in this run.
type Door struct {
	Gate gate.Gate
	// Book is the file of approvals; with Damaged it is empty.
	Book gate.Book
	// Damaged is why what was approved for good counts for nothing; nil: it counts.
	Damaged error
	// Untrusted is why git may run programs of the repository; nil: it does not.
	Untrusted error
	a         *app.App
	shell     shell
}

// A shell runs what was judged: the grammar is the same.
type shell struct {
	path string
	bash bool
}

// judged is bash where there is one, and else the system's sh. What a person's own
// shell may be (zsh, fish) reads some lines otherwise than they were judged.
func judged(a *app.App) shell {
	if path, err := a.FindProgram("bash"); err == nil {
		return shell{path, true}
	}
	return shell{"/bin/sh", false}
}

// Open makes the gate of a line that would run where the person stands. Approvals that cannot be read are told once, and count
// for nothing. A pattern of the settings that cannot be read is an error.
func Open(ctx context.Context, a *app.App) (*Door, error) {
	cfg, err := a.Settings()
	if err != nil {
		return nil, err
	}
	lists, err := gate.ParseLists(cfg.Safety.Allow, cfg.Safety.Ask, cfg.Safety.Deny)
	if err != nil {
		return nil, fault.New(fault.Usage, err).WithHint("put it right: %s", fault.Command("config edit"))
	}
	d := &Door{a: a, shell: judged(a), Gate: gate.Gate{Lists: lists, Session: &a.Approved}}
	if d.Book, d.Damaged = gate.Load(a.Paths().Approvals()); d.Damaged != nil {
		a.WarnOnce(d.Damaged)
	}
	d.Gate.Always = d.Book.Stand
	d.Gate.Rules, d.Gate.RulesUnknown = Rules(ctx, a)
	here := risk.Here{Dir: a.Env.Dir, Home: a.Env.Getenv("HOME"), POSIX: !d.shell.bash}
	here.Has = finds(here.Dir, here.Home)
	if at := a.Place(); at.Repo != nil {
		d.Untrusted = at.Inert()
		for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CONFIG_PARAMETERS"} {
			if d.Untrusted == nil && a.Env.Getenv(name) != "" {
				d.Untrusted = errors.New(name + " is set: git may look elsewhere")
			}
		}
		here.TrustedGit = d.Untrusted == nil
	}
	d.Gate.Judge = func(line string) risk.Verdict { return risk.Judge(line, here) }
	return d, nil
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

// Rules are the remembered rules that hold here and can be checked. unknown says that
// the memory cannot be read.
func Rules(ctx context.Context, a *app.App) (rules []gate.Rule, unknown bool) {
	if !a.MemoryOn() {
		return nil, false
	}
	s, err := a.State(ctx)
	if err != nil {
		a.WarnOnce(fmt.Errorf("the rules that you remember cannot be read: %w", err))
		return nil, true
	}
	q := a.Query()
	return gate.RulesOf(asof.Valid(s, q.At), func(it memory.Item) bool {
		scope := it.Record.Scope
		return scope != "" && scope != memory.ScopeUser && !q.Holds(scope) || !it.Current(q.At)
	}), false
}

// Here is the place that decisions are about.
func Here(a *app.App) gate.Place {
	p := a.Place()
	project := p.RepoScope()
	if project == "" {
		project = p.Scope()
	}
	return gate.Place{Dir: a.Env.Dir, Project: project}
}

// note writes what was decided to the audit. That it cannot be written is told, and
// stops nothing: the person has decided.
func (d *Door) note(ctx context.Context, line, laneName string, how gate.How, dec gate.Decision) {
	a := d.a
	act := gate.Act{Time: a.Env.Now(), How: how, Level: dec.Level.String(), Line: line, Seal: a.Sums(), Lane: laneName}
	if how == gate.HowAlways {
		act.Approval = dec.Approval
	}
	if src := a.Source(); src != nil {
		act.Session = src.Session
	}
	if err := gate.Audit(ctx, a.Paths().Audit(), act); err != nil {
		a.WarnOnce(err)
	}
}

// TellTyped prints one line for each rule that a line meets which the person typed
// themselves. It runs all the same: it is their own hand, and their own rule.
func TellTyped(ctx context.Context, a *app.App, line string) {
	rules, _ := Rules(ctx, a)
	if len(rules) == 0 {
		return
	}
	g := gate.Gate{Rules: rules, Judge: func(line string) risk.Verdict {
		return risk.Judge(line, risk.Here{Dir: a.Env.Dir, Home: a.Env.Getenv("HOME")})
	}}
	TellRules(a, g.Decide(line, Here(a), risk.Danger))
}

// TellRules prints one line for each rule that a line meets.
func TellRules(a *app.App, d gate.Decision) {
	for _, r := range d.Rules {
		a.Say("[ken] ", fmt.Sprintf("%s: %s", r.Name(), r.Text))
	}
}
