package review_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/review"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// A kit is a queue in a directory of its own.
type kit struct {
	review.Log
	t *testing.T
}

func newKit(t *testing.T, lines ...string) *kit {
	t.Helper()
	dir := t.TempDir()
	k := &kit{review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: noon}, t}
	if len(lines) > 0 {
		k.write(strings.Join(lines, "\n") + "\n")
	}
	return k
}

func (k *kit) write(text string) {
	k.t.Helper()
	if err := os.WriteFile(k.Path, []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

func (k *kit) text() string {
	k.t.Helper()
	b, err := os.ReadFile(k.Path)
	if err != nil {
		k.t.Fatal(err)
	}
	return string(b)
}

func (k *kit) queue() *review.Queue {
	k.t.Helper()
	b, err := k.Read()
	if err != nil {
		k.t.Fatal(err)
	}
	return b
}

func (k *kit) add(d review.Draft) {
	k.t.Helper()
	if err := k.Append(k.t.Context(), func(*review.Queue) (review.Draft, error) { return d, nil }); err != nil {
		k.t.Fatal(err)
	}
}

func proposal(text string) *review.Proposal {
	return &review.Proposal{Of: review.OfMemory, Record: memory.Record{Kind: memory.KindFact, Content: text, Origin: memory.OriginModel}}
}

// lets is a memory in which lines name proposals: true if one that does counts.
type lets map[int64]bool

func (m lets) Reviewed(id int64) (named, counts bool) {
	counts, named = m[id]
	return named, counts
}

func numbers(list []*review.Proposal) string {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, "%d ", p.ID)
	}
	return strings.TrimSpace(b.String())
}

func TestLines(t *testing.T) {
	k := newKit(t)
	p := proposal("prefers tabs")
	p.Why, p.Source = "said so twice", &memory.Source{Session: "s", Turn: 3, Agent: "bot", Channel: "mcp"}
	change := &review.Proposal{Of: review.OfChange, Record: memory.Record{Kind: memory.KindForget, Target: memory.Num(4)}}
	k.add(review.Draft{Proposals: []*review.Proposal{p, change}})
	k.add(review.Draft{Decisions: []*review.Decision{{Target: 1, Verdict: review.Yes, By: "user", Wrote: []string{"9"}}}})
	k.add(review.Draft{Undos: []*review.Undo{{Target: 3}}})
	want := `{"id":1,"ts":"2026-11-21T12:00:00Z","kind":"proposal","of":"memory","record":{"kind":"fact","content":"prefers tabs"},"origin":"model","source":{"session":"s","turn":3,"agent":"bot","channel":"mcp"},"why":"said so twice","hash":"` + p.Hash + `"}
{"id":2,"ts":"2026-11-21T12:00:00Z","kind":"proposal","of":"change","record":{"kind":"forget","target":4},"origin":"user","hash":"` + change.Hash + `"}
{"id":3,"ts":"2026-11-21T12:00:00Z","kind":"decision","target":1,"verdict":"yes","by":"user","wrote":["9"]}
{"id":4,"ts":"2026-11-21T12:00:00Z","kind":"undo","target":3}
`
	if diff := cmp.Diff(want, k.text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got := k.queue()
	if diff := cmp.Diff([]*review.Proposal{p, change}, got.All()); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if d := got.Decision(3); d == nil || d.Target != 1 || !slices.Equal(d.Wrote, []string{"9"}) || got.Answer(1) != nil {
		t.Errorf("decision %+v, answer %+v", d, got.Answer(1))
	}
}

// TestStatus: what lines and the memory come to.
func TestStatus(t *testing.T) {
	const p1 = `{"id":1,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"a"},"origin":"model"}`
	const p2 = `{"id":2,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"b"},"origin":"model"}`
	const p3 = `{"id":3,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"c"},"origin":"model"}`
	answer := func(id, target int, verdict string) string {
		return fmt.Sprintf(`{"id":%d,"kind":"decision","target":%d,"verdict":"%s","by":"user"}`, id, target, verdict)
	}
	undo := func(id, target int) string { return fmt.Sprintf(`{"id":%d,"kind":"undo","target":%d}`, id, target) }
	for _, test := range []struct {
		name                       string
		lines                      []string
		memory                     lets
		pending, refused, accepted string
	}{
		{"nothing", nil, nil, "", "", ""},
		{"in the order of the file", []string{p1, p3, p2}, nil, "1 3 2", "", ""},
		{"answered", []string{p1, p2, p3, answer(4, 1, "yes"), answer(5, 2, "no")}, lets{1: true}, "3", "2", "1"},
		{"later goes to the end", []string{p1, p2, p3, answer(4, 1, "later")}, nil, "2 3 1", "", ""},
		{"later twice", []string{p1, p2, p3, answer(4, 1, "later"), answer(5, 2, "later"), answer(6, 1, "later")}, nil, "3 2 1", "", ""},
		{"the newest answer counts", []string{p1, answer(4, 1, "later"), answer(5, 1, "no"), answer(6, 1, "yes")}, nil, "", "", "1"},
		{"a refusal taken back", []string{p1, answer(4, 1, "no"), undo(5, 4)}, nil, "1", "", ""},
		{"undo stands before what it undoes", []string{undo(5, 4), p1, answer(4, 1, "no")}, nil, "1", "", ""},
		{"an undone answer uncovers the one before", []string{p1, answer(4, 1, "no"), answer(5, 1, "later"), undo(6, 5)}, nil, "", "1", ""},
		{"killed between the memory and the queue", []string{p1, p2}, lets{2: true}, "1", "", "2"},
		{"what was let in was taken back there", []string{p1, answer(4, 1, "yes")}, lets{1: false}, "1", "", ""},
		{"taken back there, and then refused", []string{p1, answer(4, 1, "yes"), answer(5, 1, "no")}, lets{1: false}, "", "1", ""},
		{"what was let in was deleted by hand", []string{p1, answer(4, 1, "yes")}, nil, "", "", "1"},
		{"refused, but the memory has it", []string{p1, answer(4, 1, "no")}, lets{1: true}, "", "", "1"},
		{"an answer to nothing", []string{p1, answer(4, 9, "no"), undo(5, 77)}, nil, "1", "", ""},
		{"an unknown verdict refuses", []string{p1, answer(4, 1, "perhaps")}, nil, "", "1", ""},
		{"erased", []string{p1, p2, `{"id":1,"kind":"erased"}`}, nil, "2", "", ""},
		{"lines of a later version", []string{p1, `{"id":4,"kind":"vote","target":1}`, ""}, nil, "1", "", ""},
	} {
		b := newKit(t, test.lines...).queue()
		if got := numbers(b.Pending(test.memory)); got != test.pending {
			t.Errorf("%s: pending %s, want %s", test.name, got, test.pending)
		}
		if got := numbers(b.Refused(test.memory)); got != test.refused {
			t.Errorf("%s: refused %s, want %s", test.name, got, test.refused)
		}
		var accepted []*review.Proposal
		for _, p := range b.All() {
			if b.Status(p.ID, test.memory) == review.Accepted {
				accepted = append(accepted, p)
			}
		}
		if got := numbers(accepted); got != test.accepted {
			t.Errorf("%s: accepted %s, want %s", test.name, got, test.accepted)
		}
		if len(b.Problems()) > 0 {
			t.Errorf("%s: %v", test.name, b.Problems())
		}
	}
}

// TestDamage: a line that cannot be read costs itself, and its number is spent.
func TestDamage(t *testing.T) {
	k := newKit(t, `{"id":1,"kind":"proposal","of":"memory","record":{"content":"a"},"origin":"tool"}`,
		`{"id":7,"kind":"prop`, "plain text", `{"kind":"proposal"}`, `{"id":3,"kind":"proposal","record":7}`, `[]`, strings.Repeat("x", review.MaxLine+1),
		`{"id":4,"kind":"proposal","of":"memory","record":{"content":"b"},"origin":"tool"}`)
	b := k.queue()
	if got := numbers(b.Pending(nil)); got != "1 4" {
		t.Errorf("pending: %s", got)
	}
	var lines []int
	for _, p := range b.Problems() {
		lines = append(lines, p.Line)
	}
	if diff := cmp.Diff([]int{2, 3, 4, 5, 6, 7}, lines); diff != "" {
		t.Errorf("lines that are told (-want +got):\n%s", diff)
	}
	before := k.text()
	k.add(review.Draft{Proposals: []*review.Proposal{proposal("c")}})
	if !strings.HasPrefix(k.text(), before) || k.queue().Get(8) == nil {
		t.Errorf("after an append:\n%.300s", strings.TrimPrefix(k.text(), before))
	}
}

// TestTornTail: a new line is never glued to the rest of a torn one.
func TestTornTail(t *testing.T) {
	k := newKit(t)
	k.write(`{"id":1,"kind":"proposal","record":{"content":"a"}}` + "\n" + `{"id":2,"kind":"prop`)
	k.add(review.Draft{Proposals: []*review.Proposal{proposal("b")}})
	if got := numbers(k.queue().Pending(nil)); got != "1 3" {
		t.Errorf("pending: %s", got)
	}
}

// TestSame: what was refused is known again, however it is written.
func TestSame(t *testing.T) {
	k := newKit(t)
	k.add(review.Draft{Proposals: []*review.Proposal{proposal("Prefers  TABS\n")}})
	k.add(review.Draft{Decisions: []*review.Decision{{Target: 1, Verdict: review.No, By: "user"}}})
	b := k.queue()
	for text, want := range map[string]bool{"prefers tabs": true, " PREFERS tabs ": true, "prefers ﬁne tabs": false, "prefers tab": false} {
		if got := b.Same(&proposal(text).Record) != nil; got != want {
			t.Errorf("%q known: %t", text, got)
		}
	}
	pref := proposal("prefers tabs")
	pref.Record.Kind = memory.KindPref
	if b.Same(&pref.Record) != nil {
		t.Error("another kind is taken for the same")
	}
	forget := func(n int64) string {
		return review.Hash(&memory.Record{Kind: memory.KindForget, Target: memory.Num(n)})
	}
	if forget(1) == forget(2) {
		t.Error("forgetting one is taken for forgetting another")
	}
}

// TestSameElsewhere: a no is to a text where it would hold, and to a change of what it
// would change.
func TestSameElsewhere(t *testing.T) {
	record := func(scope memory.Scope, key string) *memory.Record {
		return &memory.Record{Kind: memory.KindFact, Content: "use tabs", Scope: scope, Key: key, Origin: memory.OriginModel}
	}
	edit := func(target int64, d memory.Detail) *memory.Record {
		return &memory.Record{Kind: memory.KindEdit, Target: memory.Num(target), Content: "use tabs", Detail: &d, Origin: memory.OriginTool}
	}
	const a, b = "repo:example.org/a", "repo:example.org/b"
	for _, c := range []struct {
		name         string
		refused, now *memory.Record
		known        bool
	}{
		{"the same", record(a, "k"), record(a, "k"), true},
		{"another case of the name", record(a, ""), record("repo:Example.org/A", ""), true},
		{"refused everywhere", record("", ""), record(a, ""), true},
		{"refused everywhere, by its name", record("user", ""), record(a, ""), true},
		{"refused here, asked everywhere", record(a, ""), record("", ""), false},
		{"refused here, asked there", record(a, ""), record(b, ""), false},
		{"another key", record("", "k"), record("", "l"), false},
		{"another key, everywhere and here", record("", "k"), record(a, "l"), false},
		{"a key and none", record("", "k"), record("", ""), false},
		{"the same change, for another reason", edit(1, memory.Detail{Reason: "x"}), edit(1, memory.Detail{}), true},
		{"another target", edit(1, memory.Detail{}), edit(2, memory.Detail{}), false},
		{"another change of it", edit(1, memory.Detail{}), edit(1, memory.Detail{Unless: "x"}), false},
	} {
		k := newKit(t)
		k.add(review.Draft{Proposals: []*review.Proposal{{Of: review.OfMemory, Record: *c.refused, Hash: "00112233aabbccdd"}}})
		k.add(review.Draft{Decisions: []*review.Decision{{Target: 1, Verdict: review.No, By: "user"}}})
		if got := k.queue().Same(c.now) != nil; got != c.known {
			t.Errorf("%s: known: %t", c.name, got)
		}
	}
}

// TestErase: of what is erased nothing but the number is left; all other bytes
// stay.
func TestErase(t *testing.T) {
	odd := `{ "id":2, "kind":"proposal","of":"memory","record":{"content":"keep"},"origin":"tool","later":[1] }`
	long := strings.Repeat("y", review.MaxLine+5)
	k := newKit(t, `{"id":1,"kind":"proposal","of":"memory","record":{"content":"a pelican"},"origin":"tool"}`, odd,
		`{"id":6,"kind":"proposal","record":{"content":"a pelican`, "", long, "pelican")
	k.write(strings.TrimSuffix(k.text(), "\n"))
	has := func(b []byte) bool { return strings.Contains(string(b), "pelican") }
	n, err := k.Erase(t.Context(), func(p *review.Proposal) bool { return strings.Contains(p.Record.Content, "pelican") }, has)
	if n != 3 || err != nil {
		t.Errorf("erased %d, %v", n, err)
	}
	want := `{"id":1,"kind":"erased"}` + "\n" + odd + "\n" + `{"id":6,"kind":"erased"}` + "\n\n" + long + "\n"
	if diff := cmp.Diff(want, k.text()); diff != "" {
		t.Errorf("(-want +got):\n%.500s", diff)
	}
	if got := numbers(k.queue().Pending(nil)); got != "2" || k.queue().Get(1) != nil || k.queue().Status(1, nil) != review.Erased {
		t.Errorf("pending: %s", got)
	}
	k.add(review.Draft{Proposals: []*review.Proposal{proposal("new")}})
	if k.queue().Get(7) == nil {
		t.Error("a spent number came back")
	}
	if n, err := k.Erase(t.Context(), func(*review.Proposal) bool { return false }, has); n != 0 || err != nil {
		t.Errorf("erasing nothing: %d, %v", n, err)
	}
}

// TestManyWriters: numbers are unique and contiguous, whoever appends.
func TestManyWriters(t *testing.T) {
	k := newKit(t)
	var wg sync.WaitGroup
	for w := range 4 {
		log := k.Log
		wg.Go(func() {
			for i := range 25 {
				err := log.Append(t.Context(), func(*review.Queue) (review.Draft, error) {
					return review.Draft{Proposals: []*review.Proposal{proposal(fmt.Sprint(w, " ", i))}}, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for i, p := range k.queue().All() {
		if p.ID != int64(i)+1 {
			t.Fatalf("line %d has number %d", i+1, p.ID)
		}
	}
	if n := len(k.queue().All()); n != 100 {
		t.Errorf("%d proposals", n)
	}
}

// TestProposedAndAnswered: one append may hold a proposal and its answer.
func TestProposedAndAnswered(t *testing.T) {
	k := newKit(t)
	p := proposal("a")
	k.add(review.Draft{Proposals: []*review.Proposal{proposal("b"), p}, Decisions: []*review.Decision{{Proposal: p, Verdict: review.No, By: "user"}}})
	if b := k.queue(); numbers(b.Pending(nil)) != "1" || numbers(b.Refused(nil)) != "2" {
		t.Errorf("pending %s, refused %s", numbers(b.Pending(nil)), numbers(b.Refused(nil)))
	}
}

// TestNothingWritten: a plan that fails, or wants nothing, leaves no trace.
func TestNothingWritten(t *testing.T) {
	k := newKit(t)
	refused := errors.New("no")
	err := k.Append(t.Context(), func(*review.Queue) (review.Draft, error) { return review.Draft{}, refused })
	if !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	k.add(review.Draft{})
	big := proposal(strings.Repeat("x", review.MaxLine))
	if err := k.Append(t.Context(), func(*review.Queue) (review.Draft, error) {
		return review.Draft{Proposals: []*review.Proposal{big}}, nil
	}); err == nil {
		t.Error("a line that nobody could read again was written")
	}
	if _, err := os.Stat(k.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
}

// TestRoundTrip: what is written is read back as the same.
func TestRoundTrip(t *testing.T) {
	k := newKit(t)
	text := rapid.StringMatching(`[ -~äß漢\n"\\]{1,40}`).Filter(func(s string) bool { return strings.TrimSpace(s) != "" })
	rapid.Check(t, func(t *rapid.T) {
		p := &review.Proposal{
			Of:   rapid.SampledFrom([]review.Of{review.OfMemory, review.OfRule}).Draw(t, "of"),
			Why:  rapid.StringMatching(`[a-z ]{0,10}`).Draw(t, "why"),
			Hash: "0123456789abcdef",
			Record: memory.Record{
				Kind: rapid.SampledFrom(memory.StatingKinds()).Draw(t, "kind"), Content: text.Draw(t, "content"),
				Origin: rapid.SampledFrom([]memory.Origin{"", memory.OriginModel, memory.OriginTool, memory.OriginExternal, "agent:x"}).Draw(t, "origin"),
				Key:    rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "key"),
			},
		}
		if err := os.Remove(k.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		k.add(review.Draft{Proposals: []*review.Proposal{p}})
		if diff := cmp.Diff([]*review.Proposal{p}, k.queue().All()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzRead: no bytes make reading fail, and what is appended is always found.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":1,"kind":"proposal","of":"memory","record":{"content":"a"},"origin":"tool"}` + "\n" + `{"id":2,"kind":"decision","target":1,"verdict":"yes"}`))
	f.Add([]byte(`{"id":9007199254740991,"kind":"undo","target":-1}`))
	f.Add([]byte("\xef\xbb\xbf{\"id\":3,\"kind\":\"erased\"}\r\n\x00"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		l := review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: noon}
		if err := os.WriteFile(l.Path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		before, err := l.Read()
		if err != nil {
			t.Fatal(err)
		}
		p := proposal("the new one")
		err = l.Append(t.Context(), func(*review.Queue) (review.Draft, error) {
			return review.Draft{Proposals: []*review.Proposal{p}}, nil
		})
		if err != nil {
			if strings.Contains(err.Error(), "numbers") {
				return // all are spent
			}
			t.Fatal(err)
		}
		after, err := l.Read()
		if err != nil || len(after.All()) != len(before.All())+1 || after.Get(p.ID) == nil {
			t.Fatalf("%d proposals after %d, %v", len(after.All()), len(before.All()), err)
		}
	})
}

// TestTwoOfOneNumber: where an edit or a damage gives two proposals one number, the
// first counts and the other is reported.
func TestTwoOfOneNumber(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := &review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir}
	line := func(text string) string {
		return `{"id":1,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"` + text + `"},"origin":"model"}` + "\n"
	}
	if err := os.WriteFile(l.Path, []byte(line("one")+line("two")+line("one")), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := l.Read()
	if err != nil {
		t.Fatal(err)
	}
	if p := b.Problems(); len(p) != 1 || p[0].Line != 2 || b.Get(1).Record.Content != "one" {
		t.Errorf("problems %v, number 1 is %+v", p, b.Get(1))
	}
}

// TestEditedBetween: what somebody types into the file between its being read and being
// appended to is read before the append is made: no number is given twice.
func TestEditedBetween(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: noon}
	calls := 0
	p := &review.Proposal{Of: review.OfMemory, Record: memory.Record{Kind: memory.KindFact, Content: "the kettle is red", Origin: memory.OriginModel}}
	err := l.Append(t.Context(), func(*review.Queue) (review.Draft, error) {
		if calls++; calls == 1 {
			typed := `{"id":7,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"typed"},"origin":"model","hash":"1"}` + "\n"
			if err := os.WriteFile(l.Path, []byte(typed), 0o600); err != nil {
				t.Error(err)
			}
		}
		return review.Draft{Proposals: []*review.Proposal{p}}, nil
	})
	if err != nil || calls != 2 || p.ID != 8 {
		t.Errorf("%v: planned %d times, the number is %d, want 8", err, calls, p.ID)
	}
}
