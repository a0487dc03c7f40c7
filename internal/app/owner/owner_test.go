package owner_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/app/owner"
	"ken/internal/fault"
)

// A desk is where a person is at a face that is no terminal.
type desk struct {
	*owner.Owner
	t    *testing.T
	app  *app.App
	home string
	now  time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir(), now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}
	env := map[string]string{"KEN_HOME": d.home, "HOME": d.home}
	a := app.Open(app.Options{Getenv: func(n string) string { return env[n] }, Now: func() time.Time { return d.now }})
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	d.app, d.Owner = a, owner.New(a, "web")
	return d
}

// states has the person state a text at their terminal.
func (d *desk) states(kind, text string) string {
	d.t.Helper()
	d.now = d.now.Add(time.Hour)
	done, err := d.app.View(app.Standing{Actor: app.Actor{Kind: app.Person}}).Remember(d.t.Context(), app.Statement{Text: text, Kind: kind})
	if err != nil || done.Did != "remembered" {
		d.t.Fatalf("%q: %+v, %v", text, done, err)
	}
	return done.Ref
}

// log is all that the memory was told.
func (d *desk) log() string {
	b, _ := os.ReadFile(filepath.Join(d.home, "memory.jsonl"))
	return string(b)
}

func (d *desk) refs(f owner.Filter) []string {
	d.t.Helper()
	l, err := d.List(d.t.Context(), f)
	if err != nil {
		d.t.Fatalf("%+v: %v", f, err)
	}
	var refs []string
	for _, r := range l.Rows {
		refs = append(refs, r.Ref)
	}
	return refs
}

// TestList: a filter lets through what it says, newest first, page by page; what was looked for comes best first; as of a date it is
// as it stood then.
func TestList(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	kettle, pref := d.states("fact", "the staging host is called kettle"), d.states("pref", "I like short answers")
	d.now = d.now.Add(48 * time.Hour)
	drum := d.states("fact", "the drum prints labels for the kettle")
	if _, err := d.Edit(t.Context(), kettle, "", "the staging host is called ladle"); err != nil {
		t.Fatal(err)
	}
	gone := d.states("fact", "the harbour is closed")
	if _, err := d.Forget(t.Context(), gone, ""); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		f    owner.Filter
		want []string
	}{
		"all":              {owner.Filter{}, []string{drum, pref, kettle}},
		"a kind":           {owner.Filter{Kind: "pref"}, []string{pref}},
		"a kind of none":   {owner.Filter{Kind: "goal"}, nil},
		"a page":           {owner.Filter{From: 1, Most: 1}, []string{pref}},
		"past the end":     {owner.Filter{From: 9, Most: 1}, nil},
		"before the start": {owner.Filter{From: -9, Most: 1}, []string{drum}},
		"in words":         {owner.Filter{Text: "staging host"}, []string{kettle}},
		"and of a kind":    {owner.Filter{Text: "kettle", Kind: "fact"}, []string{drum}},
		"of no sense":      {owner.Filter{Text: "xylophone"}, nil},
		"as of the first":  {owner.Filter{AsOf: "2026-03-02"}, []string{pref, kettle}},
		"as of before":     {owner.Filter{AsOf: "2020-01-01"}, nil},
	} {
		if got := d.refs(c.f); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if _, err := d.List(t.Context(), owner.Filter{AsOf: "someday"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("no date: %v", err)
	}
	l, err := d.List(t.Context(), owner.Filter{Most: 2})
	if err != nil || l.Total != 3 || l.Next != 2 || !slices.Equal(l.Kinds, []string{"fact", "pref"}) {
		t.Errorf("%+v, %v", l, err)
	}
	then, err := d.List(t.Context(), owner.Filter{AsOf: "2026-03-02", Kind: "fact"})
	if err != nil || len(then.Rows) != 1 || then.Rows[0].Content != "the staging host is called kettle" {
		t.Errorf("as it stood: %+v, %v", then.Rows, err)
	}
}

// TestMemory: one memory has its history; of what is forgotten nothing is said, and the list of it names no text.
func TestMemory(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ref := d.states("fact", "the harbour is closed")
	if _, err := d.Edit(t.Context(), ref, owner.Mark("the harbour is closed"), "the harbour is open"); err != nil {
		t.Fatal(err)
	}
	m, err := d.Memory(t.Context(), "#"+ref)
	if err != nil || m.Content != "the harbour is open" || m.Mark != owner.Mark(m.Content) || len(m.Heads) != 2 || len(m.History) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := d.Forget(t.Context(), ref, m.Mark); err != nil {
		t.Fatal(err)
	}
	m, err = d.Memory(t.Context(), ref)
	if err != nil || m.Status != "forgotten" || m.Content != "" || len(m.History) != 0 {
		t.Errorf("forgotten: %+v, %v", m, err)
	}
	gone, err := d.Gone(t.Context(), 10)
	if err != nil || len(gone) != 1 || gone[0].Ref != ref || gone[0].Content != "" {
		t.Errorf("gone: %+v, %v", gone, err)
	}
	for _, ref := range []string{"", "99", "x", "1,2", "../1"} {
		if _, err := d.Memory(t.Context(), ref); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

// TestChanged: what says something else than the person saw is neither edited nor forgotten, and the error says so.
func TestChanged(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ref := d.states("fact", "the kettle is blue")
	seen := owner.Mark("the kettle is blue")
	if _, err := d.Edit(t.Context(), ref, seen, "the kettle is red"); err != nil {
		t.Fatal(err)
	}
	before := d.log()
	_, edited := d.Edit(t.Context(), ref, seen, "the kettle is green")
	_, forgot := d.Forget(t.Context(), ref, seen)
	for _, err := range []error{edited, forgot} {
		if changed := (*owner.ChangedError)(nil); !errors.As(err, &changed) || changed.Ref != ref || changed.Hint() == "" {
			t.Errorf("%v", err)
		}
	}
	if _, err := d.Edit(t.Context(), ref, "", " \n"); fault.KindOf(err) != fault.Usage {
		t.Errorf("an edit to nothing: %v", err)
	}
	if d.log() != before {
		t.Error("something was written")
	}
}

// TestTold: what is wrong with what the person wrote is said to be that, with what to do about it, and no secret is in it.
func TestTold(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ref := d.states("fact", "the kettle is blue")
	before := d.log()
	token := "the token is ghp_" + strings.Repeat("0aB9", 9)
	for _, c := range []struct {
		kind, text string
		want       fault.Kind
	}{{"fact", token, fault.Refused}, {"fact", " \n", fault.Usage}, {"banana", "yellow", fault.Usage}} {
		_, err := d.Remember(t.Context(), c.kind, c.text)
		if fault.KindOf(err) != c.want || err == nil || strings.Contains(err.Error(), "0aB9") {
			t.Errorf("%s %q: %v", c.kind, c.text, err)
		}
	}
	_, err := d.Edit(t.Context(), ref, "", token)
	var hinted interface{ Hint() string }
	if fault.KindOf(err) != fault.Refused || !errors.As(err, &hinted) || !strings.Contains(hinted.Hint(), "ken remember --force") {
		t.Errorf("an edit: %v", err)
	}
	if d.log() != before {
		t.Error("something was written")
	}
}

// TestTaken: what was done is taken back by its line, once; a line that binds commands, or that there is not, is not.
func TestTaken(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ref := d.states("fact", "the kettle is blue")
	rule := d.states("rule", "never run rm -rf")
	done, err := d.Pin(t.Context(), ref, true)
	if err != nil {
		t.Fatal(err)
	}
	said, err := d.Undo(t.Context(), strings.TrimPrefix(done.Undo, "ken undo "))
	if err != nil || !strings.Contains(said, "took back") {
		t.Errorf("%q, %v", said, err)
	}
	if m, err := d.Memory(t.Context(), ref); err != nil || m.Pinned {
		t.Errorf("%+v, %v", m, err)
	}
	before := d.log()
	for line, want := range map[string]fault.Kind{rule: fault.Refused, "99": fault.NotFound, "": fault.Usage, "no line": fault.Usage} {
		if _, err := d.Undo(t.Context(), line); fault.KindOf(err) != want {
			t.Errorf("%q: %v", line, err)
		}
	}
	if d.log() != before {
		t.Error("something was written")
	}
}

// TestWhyNot: a memory that a question calls up has no reason against it, and each other one has.
func TestWhyNot(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	kettle := d.states("fact", "the staging host is called kettle")
	other := d.states("fact", "Marta likes green tea in the morning")
	gone := d.states("fact", "the staging harbour is closed")
	if _, err := d.Forget(t.Context(), gone, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ ref, question, want string }{
		{kettle, "what is the staging host called?", ""},
		{other, "what is the staging host called?", "too little"},
		{gone, "what is the staging harbour?", "forgotten"},
	} {
		got, err := d.WhyNot(t.Context(), c.ref, c.question)
		if err != nil || (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s of %q: %q, %v; want %q", c.ref, c.question, got, err, c.want)
		}
	}
	for _, ref := range []string{"99", "x", ""} {
		if _, err := d.WhyNot(t.Context(), ref, "what is it?"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

// TestNames: a repository is called on a page as at the terminal, wherever it stands, and is chosen by that name.
func TestNames(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const root = "root-d3a3d3a3d3a3"
	lines := `{"id":1,"kind":"fact","scope":"repo:github.com/ada/tea","content":"tea brews"}` + "\n" +
		`{"id":2,"kind":"fact","scope":"repo:` + root + `","content":"play uses pnpm"}` + "\n" +
		`{"id":3,"kind":"fact","scope":"repo:` + root + `","content":"play is small"}` + "\n" +
		`{"id":4,"kind":"forget","target":3}` + "\n"
	met := `{"ts":"2026-03-01T00:00:00Z","repo":"` + root + `","path":"/src/play/.git","stamp":"1:1","use":true}` + "\n"
	for name, text := range map[string]string{"memory.jsonl": lines, "met.jsonl": met} {
		if err := os.WriteFile(filepath.Join(d.home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := d.List(t.Context(), owner.Filter{})
	if err != nil || strings.Join(l.Scopes, " ") != "repo:play repo:tea" || l.Rows[0].Scope != "repo:play" {
		t.Errorf("%v: %q, %+v", err, l.Scopes, l.Rows)
	}
	for _, name := range []string{"repo:play", "repo:" + root} {
		if refs := d.refs(owner.Filter{Scope: name}); len(refs) != 1 || refs[0] != "2" {
			t.Errorf("%s: %q", name, refs)
		}
	}
	if m, err := d.Memory(t.Context(), "2"); err != nil || m.Scope != "repo:play" {
		t.Errorf("%v: %q", err, m.Scope)
	}
	if gone, err := d.Gone(t.Context(), 9); err != nil || len(gone) != 1 || gone[0].Scope != "repo:play" {
		t.Errorf("%v: %+v", err, gone)
	}
	desk, err := d.Desk()
	if err != nil || desk.Spot("repo:"+root).Name != "repo:play" {
		t.Errorf("%v: %+v", err, desk.Spot("repo:"+root))
	}
	notes := d.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}})
	if _, err := notes.Edit(t.Context(), "2", "play uses npm", ""); err != nil {
		t.Fatal(err)
	}
	if waits, err := d.Queue(t.Context(), "", ""); err != nil || len(waits.Rows) != 1 || strings.Contains(waits.Rows[0].Scope, root) {
		t.Errorf("%v: %+v", err, waits)
	}
}
