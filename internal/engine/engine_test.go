package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
	"ken/internal/redact"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 123, time.UTC) }

// spell is what the tests' masker takes for one.
const spell = "xyzzy"

func mask(s string) (string, []redact.Hit) {
	var hits []redact.Hit
	for from := 0; ; {
		i := strings.Index(s[from:], spell)
		if i < 0 {
			break
		}
		hits = append(hits, redact.Hit{Kind: "spell", Start: from + i, End: from + i + len(spell)})
		from += i + len(spell)
	}
	return strings.ReplaceAll(s, spell, "[masked:spell:0123]"), hits
}

// typed is the person of these tests.
var typed = Actor{Kind: Person}

// over returns an engine over a log, and replicas.
func over(own memory.Log, replicas ...Replica) *Writer {
	return New(Options{Own: own, Replicas: replicas, Mask: mask, Now: noon}).As(typed)
}

// a kit is an engine over a log in memory.
type kit struct {
	*Writer
	t   *testing.T
	log *logtest.Memory
}

func newKit(t *testing.T, lines ...string) kit {
	log := logtest.NewMemory("laptop-7f3a")
	for _, l := range lines {
		log.Insert(l)
	}
	return kit{over(log), t, log}
}

// state is the state, which can be had.
func (k kit) state() *memory.State {
	k.t.Helper()
	s, err := k.State(k.t.Context())
	if err != nil {
		k.t.Fatal(err)
	}
	return s
}

// texts are the active items as "ref text", newest first.
func texts(s *memory.State) string {
	var list []string
	for _, it := range s.Items() {
		list = append(list, it.Ref()+" "+it.Record.Content)
	}
	return strings.Join(list, "; ")
}

func (k kit) wants(want string) {
	k.t.Helper()
	if got := texts(k.state()); got != want {
		k.t.Errorf("active: %q, want %q", got, want)
	}
}

func (k kit) lines(want ...string) {
	k.t.Helper()
	if diff := cmp.Diff(want, k.log.Lines()); diff != "" {
		k.t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// refs are the ids of a receipt.
func refs(r Receipt) string {
	var list []string
	for _, id := range r.IDs {
		list = append(list, id.String())
	}
	return strings.Join(list, " ")
}

// did checks that a write answered with these ids.
func (k kit) did(want string) func(Receipt, error) {
	k.t.Helper()
	return func(r Receipt, err error) {
		k.t.Helper()
		if got := refs(r); err != nil || got != want {
			k.t.Errorf("receipt %q, %v; want %q", got, err, want)
		}
	}
}

// TestRemember: every field of a draft, on the line and in the state.
func TestRemember(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx := t.Context()
	k.did("1")(k.Remember(ctx, Draft{Content: "plain"}))
	k.did("2")(k.Remember(ctx, Draft{
		Kind: "preference", Content: " a \x1b[31mred\x1b[0m\u202e word\r\nand more\u200b ", Scope: "repo:example.com/x", Key: "co\nlour " + spell,
		Tags: []string{"x", " ", "\x1b[2J", "x", spell}, Expires: noon().Truncate(time.Second).Add(time.Hour), Pinned: true, Importance: 7,
		Supersedes: []memory.ID{memory.Num(1), {Log: "laptop-7f3a", N: 1}},
		Source:     &memory.Source{Session: "s", Turn: 3, Channel: "terminal"},
	}))
	k.did("3")(k.Remember(ctx, Draft{Content: "a " + spell, Force: true, Scope: "user", Importance: 5}))
	k.did("4")(k.Remember(ctx, Draft{Kind: "rule", Content: strings.Repeat("x", memory.MaxContent), Scope: "dir:~/x"}))
	k.lines(
		`{"id":1,"ts":"2026-11-21T12:00:00Z","kind":"fact","content":"plain"}`,
		`{"id":2,"ts":"2026-11-21T12:00:00Z","kind":"pref","content":"a red word\nand more","key":"co lour [masked:spell:0123]","scope":"repo:example.com/x","tags":["x","[masked:spell:0123]"],"source":{"session":"s","turn":3,"channel":"terminal"},"importance":7,"pinned":true,"expires":"2026-11-21T13:00:00Z","supersedes":1,"subtype":"preference"}`,
		`{"id":3,"ts":"2026-11-21T12:00:00Z","kind":"fact","content":"a xyzzy","forced":true}`,
		`{"id":4,"ts":"2026-11-21T12:00:00Z","kind":"rule","content":"`+strings.Repeat("x", memory.MaxContent)+`","scope":"dir:~/x"}`,
	)
	s := k.state()
	if it, st := s.Get(memory.Num(1)); st != memory.StatusSuperseded {
		t.Errorf("1 is %s: %+v", st, it)
	}
	for _, it := range s.Items() {
		if it.Origin != memory.OriginUser || it.Record.By != "" {
			t.Errorf("%s: origin %s by %q", it.Ref(), it.Origin, it.Record.By)
		}
	}
}

// TestR154TimeToLive: an item with a time to live counts until then, in every
// state, and is kept.
func TestR154TimeToLive(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	day30 := noon().Truncate(time.Second).AddDate(0, 0, 30)
	k.did("1")(k.Remember(t.Context(), Draft{Content: "visiting Lisbon", Expires: day30}))
	it := k.state().Items()[0]
	for at, want := range map[time.Time]bool{noon(): true, day30.Add(-time.Second): true, day30: false, day30.AddDate(0, 0, 1): false} {
		if it.Current(at) != want {
			t.Errorf("at %v it counts: %t", at, !want)
		}
	}
	k.lines(`{"id":1,"ts":"2026-11-21T12:00:00Z","kind":"fact","content":"visiting Lisbon","expires":"2026-12-21T12:00:00Z"}`)
}

// TestRefused: what must not be written, and that then nothing is.
func TestRefused(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"a"}`, `{"id":2,"content":"b"}`, `{"id":3,"kind":"forget","target":2}`, `{"id":4,"kind":"erased"}`)
	ctx := t.Context()
	before := k.log.Lines()
	text := func(s string) *string { return &s }
	scope := memory.Scope("session:x")
	one, two := memory.Num(1), memory.Num(2)
	for _, test := range []struct {
		name string
		do   func() (Receipt, error)
		want any // an error that errors.Is finds, or part of what it says
	}{
		{"empty", func() (Receipt, error) { return k.Remember(ctx, Draft{}) }, ErrEmpty},
		{"nothing printable", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: " \x1b[2J\u200b\n "}) }, ErrEmpty},
		{"a changing kind", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "a", Kind: "forget"}) }, `unknown kind "forget": one of fact, pref,`},
		{"an unknown kind", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "a", Kind: "ban\x1bana"}) }, `unknown kind "ban\x1bana"`},
		{"a secret", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "say xyzzy and xyzzy"}) }, "not stored: the text seems to hold a secret (spell)"},
		{"a secret in pieces", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "say xy\x1b[0mz\u200bzy"}) }, "seems to hold a secret"},
		{"too long", func() (Receipt, error) {
			return k.Remember(ctx, Draft{Content: strings.Repeat("é", memory.MaxContent/2) + "x"})
		}, "the text has 65537 bytes: a memory holds 65536 at most"},
		{"importance", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "a", Importance: 11}) }, "importance 11"},
		{"negative importance", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "a", Importance: -1}) }, "importance -1"},
		{"a session's scope", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "a", Scope: scope}) }, `scope "session:x"`},
		{"no scope", func() (Receipt, error) { return k.Remember(ctx, Draft{Content: "a", Scope: "repo:"}) }, `scope "repo:"`},
		{"supersedes nothing", func() (Receipt, error) {
			return k.Remember(ctx, Draft{Content: "a", Supersedes: []memory.ID{one, memory.Num(5)}})
		}, ErrNotActive},
		{"forgets nothing", func() (Receipt, error) { return k.Forget(ctx, "", memory.Num(9)) }, "9: not active (already forgotten or never existed)"},
		{"forgets one of two", func() (Receipt, error) { return k.Forget(ctx, "", one, two) }, "2: not active"},
		{"forgets a change", func() (Receipt, error) { return k.Forget(ctx, "", memory.Num(3)) }, ErrNotActive},
		{"forgets the erased", func() (Receipt, error) { return k.Forget(ctx, "", memory.Num(4)) }, ErrNotActive},
		{"forgets in a log that is not here", func() (Receipt, error) { return k.Forget(ctx, "", memory.ID{Log: "desk-1", N: 1}) }, "desk-1/1: not active"},
		{"edits nothing", func() (Receipt, error) { return k.Edit(ctx, two, Edit{Content: text("x")}) }, ErrNotActive},
		{"edits no field", func() (Receipt, error) { return k.Edit(ctx, one, Edit{Force: true}) }, ErrNoChange},
		{"edits to nothing", func() (Receipt, error) { return k.Edit(ctx, one, Edit{Content: text(" ")}) }, ErrEmpty},
		{"edits a secret in", func() (Receipt, error) { return k.Edit(ctx, one, Edit{Content: text(spell)}) }, "seems to hold a secret"},
		{"edits to a session's scope", func() (Receipt, error) { return k.Edit(ctx, one, Edit{Scope: &scope}) }, `scope "session:x"`},
		{"pins nothing", func() (Receipt, error) { return k.Pin(ctx, true, one, two) }, ErrNotActive},
		{"undoes nothing", func() (Receipt, error) { r, _, err := k.Undo(ctx, memory.Num(9)); return r, err }, ErrNotActive},
		{"undoes an erasing", func() (Receipt, error) { r, _, err := k.Undo(ctx, one, memory.Num(4)); return r, err }, "4: not active"},
	} {
		r, err := test.do()
		if r.IDs != nil {
			t.Errorf("%s: receipt %s", test.name, refs(r))
		}
		switch want := test.want.(type) {
		case error:
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", test.name, err, want)
			}
		case string:
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", test.name, err, want)
			}
		}
		if err != nil && (strings.Contains(err.Error(), spell) || strings.Contains(err.Error(), "write memory")) {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(before, k.log.Lines()); diff != "" {
			t.Fatalf("%s: was written:\n%s", test.name, diff)
		}
	}
	var se *SecretError
	_, err := k.Remember(ctx, Draft{Content: "say xyzzy and xyzzy"})
	if !errors.As(err, &se) || !slices.Equal(se.Kinds, []string{"spell"}) || se.Masked != "say [masked:spell:0123] and [masked:spell:0123]" {
		t.Errorf("%#v", se)
	}
	var ke *KindError
	if _, err = k.Remember(ctx, Draft{Content: "a", Kind: "banana"}); !errors.As(err, &ke) || ke.Kind != "banana" {
		t.Errorf("%#v", err)
	}
}

// TestForget: tombstones for all that is named, in one append; a reference that
// is given twice costs one line.
func TestForget(t *testing.T) {
	t.Parallel()
	lines := []string{`{"id":1,"content":"a"}`, `{"id":2,"content":"b"}`, `{"content":"by hand"}`, `{"id":4,"content":"c","origin":"model"}`, `{"id":5,"content":"d"}`}
	k := newKit(t, lines...)
	hash := memory.HashID([]byte(lines[2]))
	k.did("6 7 6 8 9")(k.Forget(t.Context(), "a \x1b[31mreason\n"+spell, memory.Num(1), hash, memory.ID{Log: "laptop-7f3a", N: 1}, memory.Num(4), memory.Num(2)))
	reason := `,"reason":"a reason [masked:spell:0123]"}`
	ts := `"ts":"2026-11-21T12:00:00Z","kind":"forget",`
	k.lines(append(lines, `{"id":6,`+ts+`"target":1`+reason, `{"id":7,`+ts+`"target":"`+hash.String()+`"`+reason, `{"id":8,`+ts+`"target":4`+reason, `{"id":9,`+ts+`"target":2`+reason)...)
	k.wants("5 d")
	k.did("")(k.Forget(t.Context(), ""))
	// What comes back by undo can be forgotten again.
	r, undone, err := k.Undo(t.Context(), memory.Num(6), memory.Num(7), memory.Num(6))
	k.did("10 11")(r, err)
	if len(undone) != 2 || undone[0].ID != memory.Num(6) || undone[1].ID != memory.Num(7) {
		t.Errorf("undone: %+v", undone)
	}
	k.did("12")(k.Forget(t.Context(), "", memory.Num(1)))
}

func TestEdit(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"a","scope":"repo:example.com/x","tags":["p","q"]}`)
	ctx := t.Context()
	text, repo, user := " b\x07 ", memory.Scope("dir:~/x"), memory.ScopeUser
	tags, none := []string{"r", "", "r"}, []string{" "}
	k.did("2")(k.Edit(ctx, memory.Num(1), Edit{Content: &text}))
	k.did("3")(k.Edit(ctx, memory.ID{Log: "laptop-7f3a", N: 1}, Edit{Scope: &repo, Tags: &tags}))
	it := k.state().Items()[0]
	if it.Record.Content != "b" || it.Record.Scope != "dir:~/x" || !slices.Equal(it.Record.Tags, []string{"r"}) || !it.Edited {
		t.Errorf("%+v", it.Record)
	}
	k.did("4")(k.Edit(ctx, memory.Num(1), Edit{Scope: &user, Tags: &none}))
	it = k.state().Items()[0]
	if it.Record.Content != "b" || it.Record.Scope != "" || it.Record.Tags != nil {
		t.Errorf("%+v", it.Record)
	}
	forced := "a " + spell
	k.did("5")(k.Edit(ctx, memory.Num(1), Edit{Content: &forced, Force: true}))
	k.wants("1 a xyzzy")
	ts := `"ts":"2026-11-21T12:00:00Z","kind":"edit","target":1`
	k.lines(`{"id":1,"content":"a","scope":"repo:example.com/x","tags":["p","q"]}`,
		`{"id":2,`+ts+`,"content":"b"}`, `{"id":3,`+ts+`,"scope":"dir:~/x","tags":["r"]}`, `{"id":4,`+ts+`,"scope":null,"tags":null}`, `{"id":5,`+ts+`,"content":"a xyzzy","forced":true}`)
}

func TestPin(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"a"}`, `{"id":2,"content":"b"}`)
	k.did("3 4")(k.Pin(t.Context(), true, memory.Num(2), memory.Num(1)))
	k.did("5")(k.Pin(t.Context(), false, memory.Num(2)))
	for _, it := range k.state().Items() {
		if it.Pinned != (it.ID == memory.Num(1)) {
			t.Errorf("%s pinned: %t", it.Ref(), it.Pinned)
		}
	}
}

// TestL9UndoThroughEngine: undoing any write gives the items there were before.
func TestL9UndoThroughEngine(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	text := "edited"
	for name, do := range map[string]func(*Writer) (Receipt, error){
		"remember": func(e *Writer) (Receipt, error) { return e.Remember(ctx, Draft{Content: "new"}) },
		"remember instead": func(e *Writer) (Receipt, error) {
			return e.Remember(ctx, Draft{Content: "new", Supersedes: []memory.ID{memory.Num(2)}})
		},
		"remember same key": func(e *Writer) (Receipt, error) { return e.Remember(ctx, Draft{Content: "new", Key: "k"}) },
		"forget":            func(e *Writer) (Receipt, error) { return e.Forget(ctx, "r", memory.Num(1)) },
		"forget all": func(e *Writer) (Receipt, error) {
			return e.Forget(ctx, "r", memory.Num(1), memory.Num(2), memory.Num(3))
		},
		"edit": func(e *Writer) (Receipt, error) { return e.Edit(ctx, memory.Num(2), Edit{Content: &text}) },
		"pin":  func(e *Writer) (Receipt, error) { return e.Pin(ctx, true, memory.Num(3)) },
		"undo": func(e *Writer) (Receipt, error) { r, _, err := e.Undo(ctx, memory.Num(3)); return r, err },
	} {
		k := newKit(t, `{"id":1,"ts":"2026-01-01T00:00:00Z","content":"a","tags":["x"]}`, `{"id":2,"ts":"2026-01-03T00:00:00Z","content":"b","key":"k"}`, `{"id":3,"ts":"2026-01-02T00:00:00Z","content":"c"}`)
		before := k.state().Items()
		r, err := do(k.Writer)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if cmp.Equal(before, k.state().Items()) {
			t.Errorf("%s changed nothing", name)
		}
		if _, _, err := k.Undo(ctx, r.IDs...); err != nil {
			t.Fatalf("%s: undo: %v", name, err)
		}
		if diff := cmp.Diff(before, k.state().Items()); diff != "" {
			t.Errorf("%s and undo:\n%s", name, diff)
		}
		if got := k.state().MaxID(""); got != 3+2*int64(len(r.IDs)) {
			t.Errorf("%s: numbers up to %d are spent", name, got)
		}
	}
}

// TestUndoNewest: without a reference undo goes back line by line, and ends.
func TestUndoNewest(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"a"}`, `{"id":2,"kind":"erased"}`, `{"id":3,"content":"b"}`, `{"id":4,"kind":"forget","target":1}`)
	for _, want := range []string{"4", "3", "1"} {
		_, undone, err := k.Undo(t.Context())
		if err != nil || len(undone) != 1 || undone[0].ID.String() != want {
			t.Fatalf("undid %+v, %v; want %s", undone, err, want)
		}
	}
	if _, undone, err := k.Undo(t.Context()); !errors.Is(err, ErrNothingToUndo) || undone != nil {
		t.Errorf("undid %+v, %v", undone, err)
	}
	// An undo can be undone by its number, once.
	k.did("8")(first(k.Undo(t.Context(), memory.Num(7))))
	k.wants("1 a")
	if _, _, err := k.Undo(t.Context(), memory.Num(7)); !errors.Is(err, ErrNotActive) {
		t.Error(err)
	}
	// What was erased by a line that names it is not undone either.
	k.log.Insert(`{"id":20,"kind":"erased","target":1}`)
	if _, _, err := k.Undo(t.Context(), memory.Num(1)); !errors.Is(err, ErrNotActive) {
		t.Error(err)
	}
}

func first(r Receipt, _ []memory.Change, err error) (Receipt, error) { return r, err }

// A counter counts how often a log is read.
type counter struct {
	*logtest.Memory
	mu    sync.Mutex
	reads []memory.Cursor
}

func (c *counter) Records(ctx context.Context, after memory.Cursor) iter.Seq2[memory.Placed, error] {
	c.mu.Lock()
	c.reads = append(c.reads, after)
	c.mu.Unlock()
	return c.Memory.Records(ctx, after)
}

// Lines and LinesOf make it a log with sketches, which it draws anew each time.
func (c *counter) Lines(
	ctx context.Context, _ memory.Cursor, pick func([]uint64, []int) []int,
) iter.Seq2[*memory.Record, error] {
	return func(yield func(*memory.Record, error) bool) {
		for e, err := range c.Memory.Records(ctx, "") {
			if s := Sketches(e.Record, nil); err == nil && len(s) > 0 && pick(s, nil) != nil && !yield(e.Record, nil) {
				return
			}
		}
	}
}

func (c *counter) LinesOf(ctx context.Context, at memory.Cursor, of ...uint64) iter.Seq2[*memory.Record, error] {
	return c.Lines(ctx, at, func(sketches []uint64, taken []int) []int {
		for i, s := range sketches {
			if slices.Contains(of, s) {
				taken = append(taken, i)
			}
		}
		return taken
	})
}

// TestColdRemember: stating does not read the log, whatever is in it.
func TestColdRemember(t *testing.T) {
	t.Parallel()
	c := &counter{Memory: logtest.NewMemory("laptop-7f3a")}
	c.Insert(`{"id":7,"content":"a"}`)
	e := over(c)
	for i := range 3 {
		if r, err := e.Remember(t.Context(), Draft{Content: fmt.Sprint("b", i)}); err != nil || refs(r) != fmt.Sprint(8+i) {
			t.Fatalf("%s, %v", refs(r), err)
		}
	}
	if len(c.reads) != 0 {
		t.Errorf("read %d times", len(c.reads))
	}
	if _, err := e.State(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Remember(t.Context(), Draft{Content: "c"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.State(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(c.reads) != 2 || c.reads[0] != "" || c.reads[1] == "" {
		t.Errorf("read from %q: want once from the start, once from there on", c.reads)
	}
}

// A plain log has no Tip.
type plain struct{ memory.Log }

func TestLogWithoutTip(t *testing.T) {
	t.Parallel()
	log := logtest.NewMemory("laptop-7f3a")
	log.Insert(`{"id":7,"content":"a"}`)
	k := kit{over(plain{log}), t, log}
	k.did("8")(k.Remember(t.Context(), Draft{Content: "b"}))
	k.did("9")(k.Forget(t.Context(), "", memory.Num(8)))
	k.wants("7 a")
}
