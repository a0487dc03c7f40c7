package pick

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/conflict"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/teach"
)

// A bed is a person's memory.
type bed struct {
	*app.View
	t *testing.T
	w *engine.Writer
}

// newBed is a memory that states texts; one that begins with "key=" has that key.
func newBed(t *testing.T, texts ...string) *bed {
	t.Helper()
	dir := t.TempDir()
	h := app.Open(app.Options{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
		Now:    func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) }, Clock: time.Now,
	}).View(app.Standing{Actor: app.Actor{Kind: app.Person}, Dir: dir})
	w, err := h.Memory.Writer()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		key := ""
		if name, rest, ok := strings.Cut(text, "="); ok {
			key, text = name, rest
		}
		if _, err := w.Remember(t.Context(), engine.Draft{Content: text, Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	return &bed{h, t, w}
}

// said keeps a conversation with a turn of the person and an answer.
func (b *bed) said(name, question, answer string) {
	b.t.Helper()
	dir := filepath.Join(b.Settings.Paths().Data, "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.t.Fatal(err)
	}
	text := `{"session":"` + name + `","started":"2026-05-09T12:00:00Z","channel":"shell"}` + "\n" +
		`{"role":"user","content":"` + question + `","n":1,"ts":"2026-05-09T12:00:01Z"}` + "\n" +
		`{"role":"assistant","content":"` + answer + `","n":2,"ts":"2026-05-09T12:00:02Z"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func refs(items []memory.Item) string {
	var list []string
	for _, it := range items {
		list = append(list, it.Ref())
	}
	return strings.Join(list, " ")
}

// TestFind: what a selector means, or why nothing is; finding it changes it in nothing.
func TestFind(t *testing.T) {
	t.Parallel()
	b := newBed(t, "the kettle is blue", "editor=vim", "the drum prints", "the kettle")
	if _, err := b.w.Forget(t.Context(), "", memory.Num(3)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    Selector
		want string // references
		kind fault.Kind
		says string
	}{
		{Selector{Args: []string{"1", "#2"}}, "1 2", 0, ""},
		{Selector{Args: []string{"1-2"}}, "1 2", 0, ""},
		{Selector{Args: []string{"3"}}, "", fault.NotFound, "3: not active"},
		{Selector{Args: []string{"3"}, Erase: true}, "3", 0, ""},
		{Selector{Args: []string{"0x"}}, "", fault.Usage, ""},
		{Selector{}, "", fault.Usage, "forget what?"},
		{Selector{Erase: true}, "", fault.Usage, "erase what?"},
		{Selector{Scoped: true}, "", fault.Usage, "--scope is empty"},
		{Selector{Keyed: true, Key: " "}, "", fault.Usage, "--key is empty"},
		{Selector{Key: "editor"}, "2", 0, ""},
		{Selector{Key: "editor", Args: []string{"1"}}, "", fault.Failure, "not among what the other filters choose"},
		{Selector{Key: "none"}, "", fault.Failure, "nothing matches"},
		{Selector{Scope: "user", Scoped: true}, "1 2 4", 0, ""},
		{Selector{Scope: "user", Scoped: true, Args: []string{"the", "kettle"}}, "4", 0, ""},
		{Selector{Scope: "user", Scoped: true, Args: []string{"kettle"}}, "1 4", 0, ""},
		{Selector{Args: []string{"the kettle"}, Erase: true}, "4", 0, ""},
		{Selector{Args: []string{"kettle"}, Erase: true}, "", 0, ""},
		{Selector{Project: "tea"}, "", fault.Failure, `no project "tea"`},
		{Selector{Args: []string{"zeppelin"}}, "", fault.NotFound, "nothing matches"},
	} {
		before := c.m
		before.Args = slices.Clone(c.m.Args)
		got, err := c.m.Find(t.Context(), b.View)
		if refs(got.Items) != c.want || (err == nil) != (c.says == "" && c.kind == 0) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %q, %v", c.m, refs(got.Items), err)
		}
		if !reflect.DeepEqual(c.m, before) {
			t.Errorf("finding %+v made it %+v", before, c.m)
		}
	}
}

// TestOffer: words that may mean several things are offered, and nothing of it is meant before a person says which.
func TestOffer(t *testing.T) {
	t.Parallel()
	b := newBed(t, "the kettle is blue", "the drum prints", "a kettle costs ten")
	b.said("20260509T120000Z-aaaa", "where is the kettle kept?", "The kettle is in the kitchen.")
	m := Selector{Args: []string{"kettle"}}
	got, err := m.Find(t.Context(), b.View)
	if err != nil || got.Offer == nil || len(got.Items)+len(got.Turns) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	o := got.Offer
	all := RefsOf(o.Found)
	if slices.Sort(all); strings.Join(all, " ") != "1 3" || len(o.Said.Turns) != 2 {
		t.Fatalf("offered %q and %d turns", all, len(o.Said.Turns))
	}
	for _, c := range []struct {
		answer, want string
		said, wrong  bool
	}{
		{answer: ""},
		{answer: " no "},
		{answer: "3", want: "3"},
		{answer: "all", want: "1 3", said: true},
		{answer: "Yes", want: "1 3", said: true},
		{answer: "said", said: true},
		{answer: "2", wrong: true},
		{answer: "1 said", wrong: true},
	} {
		list, said, err := o.Read(c.answer)
		if slices.Sort(list); (err != nil) != c.wrong || err == nil && (strings.Join(list, " ") != c.want || said != c.said) {
			t.Errorf("%q: %q, %t, %v", c.answer, list, said, err)
		}
	}
	got, err = o.Taken(t.Context(), b.View, []string{"3"}, false)
	if err != nil || refs(got.Items) != "3" || len(got.Turns) != 0 || !got.Named {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := o.All(t.Context(), b.View); err != nil || len(got.Items) != 2 || len(got.Turns) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Memories(t.Context(), b.View, "zeppelin"); !errors.Is(err, ErrNoMatch) {
		t.Errorf("%v", err)
	}
}

// TestSaid: which wishes name a key, a scope or a project that is known.
func TestSaid(t *testing.T) {
	t.Parallel()
	b := newBed(t, "editor=vim")
	if m, ok := Words(t.Context(), b.View, strings.Fields("the key editor")); !ok || m.Key != "editor" || !m.Keyed {
		t.Errorf("a key: %+v, %t", m, ok)
	}
	for _, words := range []string{"the key nothing", "everything about project tea", "vim"} {
		if m, ok := Words(t.Context(), b.View, strings.Fields(words)); ok {
			t.Errorf("%q: %+v", words, m)
		}
	}
	if _, ok := Said(t.Context(), b.View, teach.Reading{Act: teach.None, Key: "editor"}); ok {
		t.Error("what is to be remembered is to be forgotten")
	}
}

// TestConversation: a conversation is meant by its name, by the reference of one of its turns, or by what was said in it.
func TestConversation(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	const name = "20260509T120000Z-aaaa"
	b.said(name, "where is the kettle kept?", "In the kitchen.")
	for _, called := range []string{name, "[" + name + "]", name + ":2"} {
		if path, near, err := Conversation(t.Context(), b.View, called); err != nil || len(near) > 0 || !strings.HasSuffix(path, name+".jsonl") {
			t.Errorf("%q: %s, %v, %v", called, path, near, err)
		}
	}
	if path, near, err := Conversation(t.Context(), b.View, "kettle"); path != "" || len(near) != 1 || near[0].Ref != name || err == nil {
		t.Errorf("by words: %s, %v, %v", path, near, err)
	}
	if _, near, err := Conversation(t.Context(), b.View, "zeppelin"); len(near) > 0 || fault.KindOf(err) != fault.NotFound {
		t.Errorf("unknown: %v, %v", near, err)
	}
}

// TestNear: what an answer makes of memories beside which a text hardly holds.
func TestNear(t *testing.T) {
	t.Parallel()
	alike := func(n int64, relation conflict.Relation, why, text string) engine.Alike {
		it := memory.Item{ID: memory.Num(n), Record: &memory.Record{Content: text}}
		return engine.Alike{Item: it, Relation: relation, Why: why}
	}
	near := Near{List: []engine.Alike{
		alike(1, conflict.Over, "kettle", "the kettle runs staging"), alike(2, conflict.Over, "drum", "the drum prints"),
	}, Over: true}
	near.claims.Ends = []conflict.End{{What: "kettle", New: "ladle", Renamed: true}}
	for _, c := range []struct{ answer, replace, forget, renamed string }{
		{"", "", "", ""},
		{"keep", "", "", ""},
		{"n", "", "", ""},
		{"forget", "", "1 2", ""},
		{"forget 1", "", "1", ""},
		{"forget #1, replace #2", "2", "1", ""},
		{"2", "2", "", ""},
		{"replace all", "2", "", "1: the ladle runs staging"},
		{"y", "2", "", "1: the ladle runs staging"},
		{"keep 1 forget", "", "2", ""},
		{"forget 7", "", "", "?"},
		{"perhaps", "", "", "?"},
	} {
		f, ok := near.Read(c.answer)
		var renamed []string
		for _, r := range f.Renamed {
			renamed = append(renamed, r.Ref()+": "+r.Text)
		}
		if c.renamed == "?" {
			if ok || f.Any() {
				t.Errorf("%q: %+v", c.answer, f)
			}
			continue
		}
		if !ok || ids(f.Replace) != c.replace || ids(f.Forget) != c.forget || strings.Join(renamed, ", ") != c.renamed {
			t.Errorf("%q: %+v, %t", c.answer, f, ok)
		}
	}
	f := near.Wait()
	if len(f.Waits) != 0 || len(f.Suggests) != 2 ||
		f.Suggests[0].Record.Kind != memory.KindEdit || f.Suggests[1].Record.Kind != memory.KindForget {
		t.Errorf("waits: %+v", f)
	}
	if f = near.Replace(); ids(f.Replace) != "1 2" {
		t.Errorf("replaced: %+v", f)
	}
}

func ids(list []memory.ID) string {
	var names []string
	for _, id := range list {
		names = append(names, id.String())
	}
	return strings.Join(names, " ")
}

// TestBeside: what is near to a text is found, done, and not asked about again where it was left.
func TestBeside(t *testing.T) {
	t.Parallel()
	b := newBed(t, "the staging host is called kettle")
	draft := engine.Draft{Content: "the staging host is called ladle", Near: true, Holds: func(memory.Scope) bool { return true }}
	near, err := Beside(t.Context(), b.View, b.w, draft, Stated)
	if err != nil || len(near.List) != 1 {
		t.Fatalf("%+v, %v", near, err)
	}
	done, err := Fate{Forget: []memory.ID{memory.Num(1)}}.Settle(t.Context(), b.w)
	if err != nil || len(done) != 1 || done[0].ID != memory.Num(1) || done[0].Text != "" {
		t.Errorf("%+v, %v", done, err)
	}
	if _, _, err := b.w.Undo(t.Context(), done[0].Line); err != nil {
		t.Fatal(err)
	}
	near.Note(t.Context(), b.View, Fate{})
	if near, err = Beside(t.Context(), b.View, b.w, draft, Stated); err != nil || len(near.List) != 0 {
		t.Errorf("asked again: %+v, %v", near, err)
	}
}

// FuzzChosen: whatever is answered names things that were offered, each once, and no more than may be.
func FuzzChosen(f *testing.F) {
	for _, seed := range []string{"all", "1, 3", "#1 [b]", "none", "1 1 1", "4", "y n", "\x00,,"} {
		f.Add(seed, true, true)
		f.Add(seed, false, false)
	}
	f.Fuzz(func(t *testing.T, answer string, one, numbered bool) {
		all := []string{"a", "b", "7"}
		got, err := Reading{One: one, Numbered: numbered}.Chosen(all, answer)
		if err != nil && (len(got) > 0 || fault.KindOf(err) != fault.Usage) || one && len(got) > 1 {
			t.Fatalf("%q: %q, %v", answer, got, err)
		}
		for i, ref := range got {
			if !slices.Contains(all, ref) || slices.Contains(got[:i], ref) {
				t.Fatalf("%q: %q", answer, got)
			}
		}
	})
}
