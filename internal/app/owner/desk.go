package owner

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/place"
	"ken/internal/regular"
	"ken/internal/session"
	"ken/internal/view/why"
)

// A Desk is what there is to talk with.
type Desk struct {
	Models    []string // that can be asked
	Model     string   // the one in force; "": none
	Namespace string   // the person's; "": none
	Spots     []Spot   // where a conversation can be held, by name
	ReadOnly  bool     // the memory is only read
	MemoryOn  bool

	home  string       // the person's directory; "" if it is not known
	names *place.Names // of the repositories that were met
}

// A Spot is a directory of a repository in which the person's memory is used.
type Spot struct{ Dir, Scope, Name string }

// Desk returns what there is to talk with. Nobody is asked over a network. Errors: what the file of repositories says.
func (o *Owner) Desk() (d Desk, err error) {
	h := o.view()
	if cfg, ok := h.Settings.InForce(); ok {
		d.Namespace = cfg.Memory.UserNamespace
	}
	d.home, d.names = h.Settings.UserDir(), h.Here.Names()
	d.ReadOnly, d.MemoryOn = h.Settings.ReadOnly(), h.Settings.MemoryOn()
	if all, err := h.Models().Presets(); err == nil {
		for _, p := range all {
			d.Models = append(d.Models, p.Name)
		}
	}
	if p, err := h.Models().Preset(""); err == nil {
		d.Model = p.Name
	}
	d.Spots, err = spots(h)
	return d, err
}

// spots are the directories of repositories that are there, each by the best of its names.
func spots(h *app.View) (list []Spot, err error) {
	met, err := h.Meetings.List()
	for _, m := range met {
		at, statErr := os.Stat(m.Name)
		if m.What != "directory" || m.Status != "used" || !filepath.IsAbs(m.Name) || statErr != nil || !at.IsDir() {
			continue
		}
		s := Spot{Dir: m.Name, Scope: "repo:" + m.Repo}
		i := slices.IndexFunc(list, func(have Spot) bool { return have.Dir == s.Dir })
		switch {
		case i < 0:
			list = append(list, s)
		case strings.HasPrefix(list[i].Scope, "repo:root-"): // a remote says more
			list[i] = s
		}
	}
	scopes := make([]string, len(list))
	for i, s := range list {
		scopes[i] = s.Scope
	}
	names := h.Here.Names(scopes...)
	for i := range list {
		list[i].Name = names.Of(list[i].Scope)
	}
	slices.SortFunc(list, func(a, b Spot) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Dir, b.Dir)) })
	return list, err
}

// Spot is the directory where a conversation of a scope is held; the zero Spot has the scope alone: it is held nowhere.
func (d Desk) Spot(scope string) Spot {
	if i := slices.IndexFunc(d.Spots, func(s Spot) bool { return s.Scope == scope }); i >= 0 {
		return d.Spots[i]
	}
	s := Spot{Scope: scope, Name: scope}
	if d.names != nil {
		s.Name = d.names.Of(scope)
	}
	if dir, ok := strings.CutPrefix(scope, "dir:"); ok {
		s.Name = dir
		dir, _ = regular.Expand(dir, d.home)
		if at, err := os.Stat(dir); err == nil && at.IsDir() && filepath.IsAbs(dir) {
			s.Dir, s.Name = dir, dir
		}
	}
	return s
}

// Why says which memories answer n of a conversation had, and why: as it was then, with what became of each since. Errors: there is
// no such conversation or answer.
func (o *Owner) Why(ctx context.Context, name string, n int) (r why.Report, err error) {
	h := o.view()
	t, err := transcript(h, name)
	if err != nil {
		return r, err
	}
	turn, ok := t.Turn(n)
	if !ok || turn.Role != session.RoleAssistant {
		return r, fault.NotFoundf("this conversation has no answer %d", n)
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return r, err
	}
	seal, _ := h.Keys.Seal() // without it a sum says nothing
	src := why.Source{
		Trace: why.TraceIn(t, n), Session: t.Header.Session, From: turn.From, Now: why.In(s), Mask: h.Keys.MaskText, Seal: seal,
		Basis: why.BasisIn(s, h.Keys.Seal, h.Keys.MaskText), Account: h.AccountNow(ctx),
	}
	src.Left, src.By = t.Became(n)
	hides, question := app.Hides(s, t.Header), session.Turn{}
	for _, at := range t.Turns() {
		if at.N < n && at.ByPerson() {
			question = at
		}
	}
	if !hides(question) {
		src.Attached = question.Attached
	}
	r = why.Of(src)
	r.NameScopes(h.Here.Names(r.Scopes()...).Of)
	return r, nil
}

// transcript is the conversation of a name.
func transcript(h *app.View, name string) (*session.Transcript, error) {
	if name == "" || filepath.Base(name) != name {
		return nil, fault.NotFoundf("there is no conversation of that name")
	}
	path, err := h.Conversations.Dir().Find(name)
	if err != nil {
		return nil, fault.NotFoundf("there is no conversation of that name")
	}
	return h.Conversations.Dir().Load(path)
}
