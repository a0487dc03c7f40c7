package trace

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
)

// transcript is a conversation of these lines.
func transcript(t testing.TB, lines ...string) *session.Transcript {
	t.Helper()
	tr, err := session.Read(strings.NewReader(strings.Join(lines, "\n")+"\n"), "s")
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// line is the line of an event, as the writer of sessions makes it.
func line(t testing.TB, e session.Event) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"ts":"` + e.Time.UTC().Format(time.RFC3339) + `","event":"` + e.Name + `"`)
	for _, f := range e.Fields {
		b.WriteString(`,"` + f.Name + `":` + string(f.Value))
	}
	return b.String() + "}"
}

// TestRoundTrip: what is written is read back equal.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		want := Trace{N: rapid.IntRange(1, session.MaxTurn).Draw(rt, "n"), Time: time.Date(2026, 5, 10, 19, 0, 9, 0, time.UTC)}
		ref := rapid.SampledFrom([]string{"1", "99", "laptop-7f3a/3", "h1a2b3c4d", "x\"y"})
		for range rapid.IntRange(0, 4).Draw(rt, "chosen") {
			g := Given{Ref: ref.Draw(rt, "ref"), Sum: memory.Sum(rapid.Uint32().Draw(rt, "sum")), Tokens: rapid.IntRange(0, 500).Draw(rt, "tokens"), Standing: rapid.Bool().Draw(rt, "standing")}
			for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]recall.PartName{"words", "stems", "archive"}), 0, 3, rapid.ID).Draw(rt, "parts") {
				g.Parts = append(g.Parts, recall.Part{Name: name, Score: rapid.Float64Range(-1e6, 1e6).Draw(rt, "score")})
			}
			want.Chosen = append(want.Chosen, g)
		}
		for range rapid.IntRange(0, 3).Draw(rt, "passed") {
			want.Passed = append(want.Passed, Passed{ref.Draw(rt, "ref"), rapid.SampledFrom([]recall.Reason{recall.NotHere, recall.BelowFloor}).Draw(rt, "reason"), rapid.Bool().Draw(rt, "standing")})
		}
		want.Budget = Budget{800, 12, 500}
		if rapid.Bool().Draw(rt, "noted") {
			want.Asked, want.Uses = want.Time.Add(-time.Second), want.Time.AddDate(0, 0, -1)
		}
		if rapid.Bool().Draw(rt, "context") {
			want.Context = Context{Profile: rapid.Bool().Draw(rt, "profile"), Working: rapid.SampledFrom([]string{Sent, Expired, None, Unread}).Draw(rt, "working")}
			if want.Context.Working == Sent {
				want.Context.Updated, want.Context.Expires = want.Time, want.Time.AddDate(0, 0, 14)
			}
		}
		got, ok := In(transcript(t, line(t, want.Event(nil))), want.N)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); !ok || diff != "" {
			rt.Fatalf("ok %v, (-written +read)\n%s", ok, diff)
		}
	})
}

// TestKeyed: sums are written sealed, tell what was edited since all the same, and an
// older line is sealed without another change.
func TestKeyed(t *testing.T) {
	t.Parallel()
	seal := memory.NewSeal([]byte("key"))
	it := memory.Item{Sum: 0x9f3a11c0, Record: &memory.Record{ID: memory.Num(3), Content: "tea"}}
	other := it
	other.Sum++
	tr := Trace{N: 2, Time: time.Date(2026, 5, 10, 19, 0, 9, 0, time.UTC), Chosen: []Given{{Ref: "3", Sum: SumOf(it), Tokens: 4}}, Passed: []Passed{{Ref: "7", Reason: recall.NotHere}}}
	plain, keyed := line(t, tr.Event(nil)), line(t, tr.Event(seal))
	if strings.Contains(keyed, it.Sum.String()) || !strings.Contains(keyed, `"keyed":true`) {
		t.Errorf("not sealed: %s", keyed)
	}
	again, ok := Rehash([]byte(plain), seal)
	if a, _ := In(transcript(t, string(again)), 2); !ok || !cmp.Equal(a, must(In(transcript(t, keyed), 2))) {
		t.Errorf("%s became %s, want what %s says", plain, again, keyed)
	}
	if out, ok := Rehash([]byte(keyed), seal); ok || string(out) != keyed {
		t.Errorf("sealed twice: %s", out)
	}
	for _, l := range []string{plain, keyed, string(again)} {
		g := must(In(transcript(t, l), 2)).Chosen[0]
		if !g.Still(it, seal) || g.Still(other, seal) {
			t.Errorf("%s: the same %v, another %v", l, g.Still(it, seal), g.Still(other, seal))
		}
	}
	for _, l := range []string{`{"role":"user","content":"say \"event\":\"why\", \"h\":\"9f3a11c0\""}`, `{"event":"exec","chosen":[{"h":"9f3a11c0"}]}`, `{"event":"why","n":2}`, `{"event":"why","chosen":[{"ref":"1","h":"9f3a11c0"}]`, "nonsense why"} {
		if out, ok := Rehash([]byte(l), seal); ok || string(out) != l {
			t.Errorf("%s became %s", l, out)
		}
	}
}

func must(t Trace, _ bool) Trace { return t }

func FuzzRehash(f *testing.F) {
	f.Add([]byte(`{"event":"why","chosen":[{"ref":"1","h":"9f3a11c0"}]}`))
	f.Fuzz(func(t *testing.T, l []byte) {
		seal := memory.NewSeal([]byte("key"))
		out, ok := Rehash(l, seal)
		if !ok && string(out) != string(l) {
			t.Errorf("%q became %q", l, out)
		}
		if again, twice := Rehash(out, seal); ok && (twice || string(again) != string(out)) {
			t.Errorf("%q: %q became %q", l, out, again)
		}
	})
}

// TestIn: the trace of an answer, or of the last one; of several, the last line.
func TestIn(t *testing.T) {
	t.Parallel()
	tr := transcript(t,
		`{"ts":"2026-05-10T19:00:09Z","event":"why","n":2,"chosen":[{"ref":"1"}]}`,
		`{"ts":"2026-05-10T19:01:09Z","event":"why","n":4,"chosen":[{"ref":"2"}]}`,
		`{"ts":"2026-05-10T19:02:09Z","event":"why","n":2,"chosen":[{"ref":"3"}]}`,
		`{"ts":"2026-05-10T19:03:09Z","event":"model","n":9}`)
	for n, want := range map[int]string{2: "3", 4: "2", 0: "3", 9: ""} {
		got, ok := In(tr, n)
		if strings.Join(got.Refs(), " ") != want || ok != (want != "") {
			t.Errorf("%d: got %v, %v, want %q", n, got.Refs(), ok, want)
		}
	}
}

// TestOf: what is in a trace of a request: no text, both blocks, what was passed.
func TestOf(t *testing.T) {
	t.Parallel()
	l := memory.Lines{Own: true, Log: "laptop-7f3a"}
	for _, s := range []string{
		`{"id":1,"content":"in the block, and a hit"}`, `{"id":2,"content":"recalled"}`, `{"id":3,"content":"no room in the block"}`,
		`{"id":4,"content":"passed over"}`, `{"id":5,"content":"in the block alone"}`, `{"id":6,"kind":"edit","target":2,"content":"recalled and edited"}`,
	} {
		l.Entries = append(l.Entries, memory.ParseLine([]byte(s)))
	}
	s := memory.Fold(l)
	item := func(n int64) memory.Item { it, _ := s.Get(memory.Num(n)); return it }
	one, three, five := item(1), item(3), item(5)
	c := recall.Choice{
		Chosen: []recall.Pick{{Item: &one, Tokens: 7}, {Item: &five, Tokens: 6}},
		Passed: []recall.Pass{{Item: &three, Reason: recall.OverBudget}}, Budget: 500,
	}
	parts := []recall.Part{{Name: recall.PartWords, Score: 2}}
	a := recall.Activation{
		Chosen:   []recall.Activated{{Item: item(2), Tokens: 9, Parts: parts}},
		Standing: []recall.Activated{{Item: item(1), Parts: parts}},
		Passed:   []recall.Passed{{Item: item(4), Reason: recall.BelowFloor}}, MostTokens: 800, MostItems: 12,
	}
	got := Of(c, a)
	want := Trace{
		Chosen: []Given{{"2", SumOf(item(2)), false, parts, 9, false}, {"1", one.Sum, false, parts, 7, true}, {"5", five.Sum, false, nil, 6, true}},
		Passed: []Passed{{"4", recall.BelowFloor, false}, {"3", recall.OverBudget, true}},
		Budget: Budget{800, 12, 500},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if SumOf(item(2)) == item(2).Sum {
		t.Error("an edit does not change the sum")
	}
	if got := strings.Join(got.Used(), " "); got != "2 1" {
		t.Errorf("used: %s", got)
	}
	for _, it := range s.Items() {
		if text := line(t, got.Event(nil)); strings.Contains(text, it.Record.Content) {
			t.Errorf("the trace says what %s says: %s", it.Ref(), text)
		}
	}
}

// FuzzRead: whatever stands in an event, reading it neither fails nor goes on for
// ever, and what was read is written as something that reads the same.
func FuzzRead(f *testing.F) {
	f.Add(`[{"ref":"3","h":"1a2b3c4d","parts":{"words":1.8},"tokens":14}]`, `[{"ref":"7","reason":"other scope"}]`, `{"tokens":800}`)
	f.Add(`[{"ref":3,"h":7,"parts":[],"tokens":-1},{},null,4]`, `{}`, `[]`)
	f.Add(`[{"ref":"3","parts":{"words":"x","words":1e999}}]`, `""`, `{"tokens":1e99}`)
	f.Fuzz(func(t *testing.T, chosen, passed, budget string) {
		text := `{"ts":"2026-05-10T19:00:09Z","event":"why","n":2,"chosen":` + chosen + `,"passed":` + passed + `,"budget":` + budget + `}`
		if strings.ContainsAny(text, "\n") {
			return
		}
		tr, err := session.Read(strings.NewReader(text+"\n"), "s")
		if err != nil {
			t.Fatal(err)
		}
		got, ok := In(tr, 2)
		if !ok {
			return
		}
		again, ok := In(transcript(t, line(t, got.Event(nil))), 2)
		if diff := cmp.Diff(got, again, cmpopts.EquateEmpty()); !ok || diff != "" {
			t.Fatalf("(-read +again)\n%s", diff)
		}
	})
}
