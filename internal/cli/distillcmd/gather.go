package distillcmd

import (
	"context"
	"errors"

	"ken/internal/cli/app"
	"ken/internal/cli/find"
	"ken/internal/distill"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/memory/origin"
	"ken/internal/session"
	"ken/internal/trace"
	"ken/internal/working"
)

// A talk is one conversation as it is read.
type talk struct {
	header   session.Header
	last     int // the largest number of a turn
	passages []distill.Passage
}

// source is where a candidate was said.
func (t talk) source(turn int) *memory.Source {
	return &memory.Source{Session: t.header.Session, Turn: turn, Channel: string(t.header.Channel)}
}

// typed reports whether there is anything of the person to read.
func (t talk) typed() bool {
	for _, p := range t.passages {
		if p.Typed() && !p.Hidden {
			return true
		}
	}
	return false
}

// pathOf is the conversation that a person means: the one called so, else the live
// one, else the newest of this project. "" is their answer, none of them, or a live one
// that has no file.
func pathOf(ctx context.Context, a *app.App, name, verb string) (string, error) {
	switch {
	case name != "":
		return find.Session(ctx, a, name, find.Choice{Verb: verb, Command: verb})
	case a.Shell == nil:
		path, err := a.Latest()
		if errors.Is(err, session.ErrNone) {
			return "", fault.New(fault.Failure, errors.New("no conversation here yet")).
				WithHint("name one: %s", fault.Command("sessions list --all"))
		}
		return path, err
	}
	return a.Shell.SessionPath(), nil
}

// read reads a conversation. What its turns taught and was forgotten is left out, and
// so are the turns up to after, but for where they come from.
func read(ctx context.Context, a *app.App, path string, after int) (talk, error) {
	t, err := a.SessionDir().Load(path)
	if err != nil {
		return talk{}, err
	}
	r := distill.Reading{After: after}
	m, err := a.Known(ctx)
	if err != nil {
		return talk{}, err
	}
	r.Gone = m.Forgotten.Of(t.Header)
	s, err := a.State(ctx)
	if err != nil {
		return talk{}, err
	}
	origins := make(map[string]origin.Origin)
	for _, it := range s.Items() {
		origins[it.Ref()] = it.Origin
	}
	summed := fromWorking(a)
	r.Given = func(n int) (least origin.Origin) {
		least = summed
		if given, ok := trace.In(t, n); ok && given.N == n {
			if given.Context.Working == trace.Sent {
				least = least.Lowest(origin.External) // the file may be gone by now
			}
			for _, ref := range given.Refs() {
				o, known := origins[ref]
				if !known {
					continue // forgotten since; what it taught is left out
				}
				least = least.Lowest(o)
			}
		}
		return least
	}
	return talk{t.Header, t.Last(), distill.Passages(t, r)}, nil
}

// fromWorking is the origin of what a working memory may have told the model: it sums
// up texts of anybody, and nobody has approved it. A trace says whether it was there; an
// answer without one may have had it all the same. User if there is none.
func fromWorking(a *app.App) origin.Origin {
	cfg, err := a.Settings()
	if err != nil || cfg.Memory.UserNamespace == "" {
		return origin.User
	}
	if _, err := (working.File{Path: a.Paths().Working(), Now: a.Env.Now}).Read(); err == nil || working.Exists(err) {
		return origin.External
	}
	return origin.User
}

// fresh are the candidates that neither the memory nor the queue knows.
func fresh(ctx context.Context, a *app.App, list []distill.Candidate) ([]distill.Candidate, error) {
	s, err := a.State(ctx)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, it := range s.Items() {
		known = append(known, it.Record.Content)
	}
	e, err := a.Memory()
	if err != nil {
		return nil, err
	}
	pending, refused, _, err := e.Queue(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range append(pending, refused...) {
		known = append(known, w.Proposal.Record.Content)
	}
	return distill.Fresh(list, known), nil
}

// record is what a candidate would be as a line of the memory.
func (t talk) record(a *app.App, c distill.Candidate) memory.Record {
	return memory.Record{
		Kind: c.Kind, Content: c.Content, Scope: scope(c), Source: t.source(c.Turn),
		Origin: c.Origin.Lowest(a.Origin()),
	}
}

// scope is where a candidate would hold: what is about the work on a repository there,
// what is about the person everywhere.
func scope(c distill.Candidate) memory.Scope {
	switch c.Kind {
	case memory.KindSetting, memory.KindDecision, memory.KindConvention, memory.KindWorkflow, memory.KindGotcha, memory.KindLesson:
		if len(c.Scope) > len("repo:") && c.Scope[:len("repo:")] == "repo:" {
			return c.Scope
		}
	}
	return memory.ScopeUser
}
