package recall

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/tokens"
)

// activation chooses for a need from a log of these lines, with a turn of a
// conversation beside them that must never count.
func activation(t testing.TB, n ActivationRequest, lines ...string) Activation {
	t.Helper()
	l := memory.Lines{Log: "laptop-7f3a", Own: true}
	for _, line := range lines {
		l.Entries = append(l.Entries, memory.ParseLine([]byte(line)))
	}
	s := memory.Fold(l)
	if n.Item == nil {
		n.Item = func(ref string) (memory.Item, bool) {
			id, err := memory.ParseID(ref)
			it, status := s.Get(id)
			return it, err == nil && status == memory.StatusActive
		}
	}
	docs := append(index.Items(s, n.At), index.Document{
		Ref: "20260510T190001Z-7f3a:2", In: index.Sessions, Kind: "assistant", Scope: "user", Content: n.Text, Session: "20260510T190001Z-7f3a",
	})
	a, err := Activate(t.Context(), []*index.Corpus{index.NewScan(slices.Values(docs))}, n)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// activated shows an activation: what was chosen in order, "+" before what stands
// in the start-up block, then what was passed and why.
func activated(a Activation) string {
	var out []string
	for _, f := range a.Chosen {
		out = append(out, f.Item.Ref())
	}
	for _, f := range a.Standing {
		out = append(out, "+"+f.Item.Ref())
	}
	for _, p := range a.Passed {
		out = append(out, p.Item.Ref()+": "+string(p.Reason))
	}
	return strings.Join(out, ", ")
}

// need is one with room for everything.
func need(text string) ActivationRequest {
	return ActivationRequest{Query: Query{Tokens: 800, At: noon(), Holds: func(s memory.Scope) bool { return s == "repo:example.org/a" }}, Text: text, Items: 12}
}

// TestActivateRules: what a question calls up, and what keeps it out.
func TestActivateRules(t *testing.T) {
	t.Parallel()
	const kettle = `{"id":1,"ts":"2026-11-01T12:00:00Z","content":"the kettle is red"}`
	for _, test := range []struct {
		name  string
		n     func(*ActivationRequest)
		lines []string
		want  string
	}{
		{"a word of it", nil, []string{kettle, `{"id":2,"content":"tea is green"}`}, "1"},
		{"no word of it", nil, []string{`{"id":1,"content":"tea is green"}`}, ""},
		{"only words without meaning", func(n *ActivationRequest) { n.Text = "is it the one?" }, []string{`{"id":1,"content":"tea"}`}, ""},
		{"nothing remembered", nil, nil, ""},
		{"here", nil, []string{`{"id":1,"content":"a kettle","scope":"repo:example.org/a"}`}, "1"},
		{"elsewhere", nil, []string{`{"id":1,"content":"a kettle","scope":"repo:example.org/b"}`}, "1: other scope"},
		{"here before everywhere", nil, []string{kettle, `{"id":2,"ts":"2026-11-01T12:00:00Z","content":"the kettle is red","scope":"repo:example.org/a"}`}, "2, 1"},
		{"switched off", func(n *ActivationRequest) { n.Disabled = off("user") }, []string{kettle}, "1: scope switched off"},
		{"expired", nil, []string{`{"id":1,"content":"a kettle","expires":"2026-11-21T12:00:00Z"}`}, ""},
		{"superseded", nil, []string{kettle, `{"id":2,"content":"the kettle is blue","supersedes":1}`}, "2"},
		{"forgotten", nil, []string{kettle, `{"id":2,"kind":"forget","target":1}`}, ""},
		{"waits", nil, []string{`{"id":1,"content":"a kettle","origin":"model"}`}, ""},
		{"archived comes last", nil, []string{kettle, `{"id":2,"ts":"2026-11-01T12:00:00Z","content":"the kettle is red","tier":"archive"}`}, "1, 2"},
		{"archived and alone", nil, []string{`{"id":1,"content":"a kettle","tier":"archive"}`}, "1"},
		{"what binds first", nil, []string{
			`{"id":1,"ts":"2026-11-01T12:00:00Z","content":"kettle one"}`, `{"id":2,"ts":"2026-11-01T12:00:00Z","kind":"goal","content":"kettle two"}`,
			`{"id":3,"ts":"2026-11-01T12:00:00Z","content":"kettle three"}`, `{"id":4,"ts":"2026-11-01T12:00:00Z","kind":"lesson","content":"kettle four"}`,
		}, "4, 2, 3, 1"},
		{"twice the words beat all", func(n *ActivationRequest) { n.Text = "red kettle" }, []string{
			`{"id":1,"ts":"2020-11-01T12:00:00Z","content":"the red kettle"}`,
			`{"id":2,"ts":"2026-11-21T12:00:00Z","kind":"goal","content":"a kettle","scope":"repo:example.org/a","pinned":true,"importance":9}`,
		}, "1, 2"},
		{"important", nil, []string{
			`{"id":1,"ts":"2026-11-01T12:00:00Z","content":"kettle one","importance":9}`, `{"id":2,"ts":"2026-11-01T12:00:00Z","content":"kettle two"}`,
			`{"id":3,"ts":"2026-11-01T12:00:00Z","content":"kettle three","importance":1}`,
		}, "1, 2, 3"},
		{"lately used", func(n *ActivationRequest) {
			n.LastUse = func(ref string) time.Time {
				if ref == "1" {
					return noon()
				}
				return time.Time{}
			}
		}, []string{`{"id":1,"ts":"2026-11-01T12:00:00Z","content":"kettle one"}`, `{"id":2,"ts":"2026-11-01T12:00:00Z","content":"kettle two"}`}, "1, 2"},
		{"newer first", nil, []string{`{"id":1,"ts":"2026-11-20T12:00:00Z","content":"kettle one"}`, `{"id":2,"ts":"2026-01-01T12:00:00Z","content":"kettle two"}`}, "1, 2"},
		{"much less to do with it", func(n *ActivationRequest) { n.Text = "how red is the old copper kettle downstairs" }, []string{
			`{"id":1,"content":"the old copper kettle downstairs is red"}`, `{"id":2,"content":"red wine"}`,
		}, "1, 2: below the floor"},
		{"no more than items", func(n *ActivationRequest) { n.Items = 1 }, []string{`{"id":1,"content":"kettle one"}`, `{"id":2,"content":"kettle two"}`}, "2, 1: as many as allowed"},
		{"no room", func(n *ActivationRequest) { n.Tokens = 60 }, []string{
			`{"id":1,"content":"kettle","importance":9}`, `{"id":2,"content":"kettle ` + strings.Repeat("x y z ", 5) + `"}`, `{"id":3,"content":"kettle ` + strings.Repeat("x y z ", 60) + `"}`,
		}, "1, 3: larger than the budget, 2: budget used up"},
		{"nothing to see", nil, []string{`{"id":1,"content":"\u200b","tags":["kettle"]}`}, "1: no printable text"},
		{"switched off by tokens", func(n *ActivationRequest) { n.Tokens = 0 }, []string{kettle}, "1: larger than the budget"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := need("where is my kettle?")
			if test.n != nil {
				test.n(&n)
			}
			if got := activated(activation(t, n, test.lines...)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestActivateStanding: what stands in the start-up block is not said again.
func TestActivateStanding(t *testing.T) {
	t.Parallel()
	lines := []string{`{"id":1,"content":"the kettle is red"}`, `{"id":2,"content":"the kettle is old"}`}
	n := need("kettle?")
	n.Standing = Background(fold(t, lines[0]), Query{Tokens: 500})
	a := activation(t, n, lines...)
	if got := activated(a); got != "2, +1" {
		t.Errorf("got %q", got)
	}
	if strings.Contains(a.Block(), "red") || len(a.Standing[0].Parts) == 0 {
		t.Errorf("block %q, parts %v", a.Block(), a.Standing[0].Parts)
	}
}

// TestActivateBlock: the bytes, with secrets masked and others marked.
func TestActivateBlock(t *testing.T) {
	t.Parallel()
	n := need("the kettle at the gate")
	n.Mask = func(s string) string { return strings.ReplaceAll(s, "4711", "[masked]") }
	a := activation(t, n,
		`{"id":1,"ts":"2026-05-13T19:01:01Z","kind":"pref","content":"kettle at the gate: 4711\n\u001b[31mtwo lines"}`,
		`{"id":2,"content":"kettle","scope":"repo:example.org/a"}`)
	want := ActivationHeader + "\n- (pref, 2026-05-13, user) kettle at the gate: [masked] two lines\n- (fact, no date, repo:example.org/a) kettle\n" + ActivationEnd
	if diff := cmp.Diff(want, a.Block()); diff != "" {
		t.Error(diff)
	}
	if (Activation{}).Block() != "" {
		t.Error("a header for nothing")
	}
}

// TestActivateGuests: what came with a repository gets half the room at most.
func TestActivateGuests(t *testing.T) {
	t.Parallel()
	var l memory.Lines
	for i := 1; i <= 40; i++ {
		l.Entries = append(l.Entries, memory.ParseLine([]byte(fmt.Sprintf(`{"id":%d,"content":"kettle number %d of those that stand in the kitchen"}`, i, i))))
	}
	l.Log, l.Ceiling, l.By = "them-1234", memory.OriginExternal, "trust:x"
	s := memory.Fold(memory.Lines{Log: "laptop-7f3a", Own: true}, l)
	n := need("kettle")
	n.Tokens, n.Items = 300, 100
	n.Item = func(ref string) (memory.Item, bool) {
		id, _ := memory.ParseID(ref)
		it, status := s.Get(id)
		return it, status == memory.StatusActive
	}
	a, err := Activate(t.Context(), []*index.Corpus{index.NewScan(slices.Values(index.Items(s, n.At)))}, n)
	if err != nil || len(a.Chosen) == 0 || a.Tokens > 200 {
		t.Errorf("%v: %d items in %d tokens", err, len(a.Chosen), a.Tokens)
	}
	if !strings.Contains(a.Block(), ", external) ") {
		t.Errorf("not marked:\n%s", a.Block())
	}
}

// TestL6Activation: never over the budgets, nothing of another place, no turn, the
// parts sum to the score, and the same every time.
//
//ken:unraced
func TestL6Activation(t *testing.T) {
	t.Parallel()
	words := []string{"kettle", "tea", "red", "staging", "host", "pnpm", "install", "deploy", "gate", "\u6771\u4eac"}
	rapid.Check(t, func(rt *rapid.T) {
		scopes := []string{"", "user", "repo:example.org/a", "repo:example.org/b", "dir:~/x"}
		kinds := []string{"fact", "pref", "lesson", "rule", "recipe"}
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(rt, name), " ")
		}
		var lines []string
		for i := range rapid.IntRange(0, 60).Draw(rt, "items") {
			tier := rapid.SampledFrom([]string{"hot", "hot", "archive"}).Draw(rt, "tier")
			lines = append(lines, fmt.Sprintf(`{"id":%d,"ts":"2026-%02d-01T00:00:00Z","kind":%q,"content":%q,"scope":%q,"tier":%q,"importance":%d,"pinned":%t}`,
				i+1, rapid.IntRange(1, 12).Draw(rt, "month"), rapid.SampledFrom(kinds).Draw(rt, "kind"), text("content"),
				rapid.SampledFrom(scopes).Draw(rt, "scope"), tier, rapid.IntRange(1, 10).Draw(rt, "importance"), rapid.Bool().Draw(rt, "pinned")))
		}
		n := need(text("question"))
		n.Tokens, n.Items = rapid.IntRange(0, 400).Draw(rt, "tokens"), rapid.IntRange(0, 20).Draw(rt, "most")
		a := activation(t, n, lines...)
		if got := tokens.Estimate(a.Block()); got != a.Tokens || got > n.Tokens || len(a.Chosen) > n.Items || len(a.Passed) > MostPassed {
			rt.Fatalf("%d tokens of %d, told as %d; %d items of %d; %d passed", got, n.Tokens, a.Tokens, len(a.Chosen), n.Items, len(a.Passed))
		}
		last := 0.0
		for i, f := range a.Chosen {
			sum := 0.0
			for _, p := range f.Parts {
				sum += p.Score
			}
			if sum != f.Score || f.Score <= 0 || i > 0 && f.Score > last {
				rt.Fatalf("item %s: %v sum to %v, score %v after %v", f.Item.Ref(), f.Parts, sum, f.Score, last)
			}
			last = f.Score
			if s := f.Item.Record.Scope; s != "" && s != "repo:example.org/a" {
				rt.Fatalf("item of %s", s)
			}
		}
		for range 20 {
			if again := activation(t, n, lines...); !reflect.DeepEqual(a, again) {
				rt.Fatalf("another time: %s\nat first: %s", activated(again), activated(a))
			}
		}
	})
}

// TestShared: the words that a question and an item have in common.
func TestShared(t *testing.T) {
	t.Parallel()
	it := fold(t, `{"id":1,"content":"we install packages with fetchUser.go","tags":["Pnpm"]}`)[0]
	for question, want := range map[string]string{
		"how do I install?":          "install",
		"installing a package":       "installing package",
		"what does pnpm do":          "pnpm",
		"the user of fetch":          "user fetch",
		"nothing of the kind":        "",
		"we we we install we":        "install",
		"Install PACKAGES packages!": "install packages",
	} {
		if got := strings.Join(Shared(question, it), " "); got != want {
			t.Errorf("%s: got %q, want %q", question, got, want)
		}
	}
}

// TestActivateShare: what has next to nothing of a question is not activated, but
// of long messages, of those of several lines and where words are written together.
func TestActivateShare(t *testing.T) {
	t.Parallel()
	const kettle = `{"id":1,"content":"the red kettle"}`
	const about = `{"id":2,"content":"水壶 upstairs"}`
	const common = `{"id":3,"content":"a blue kettle"}`
	for _, test := range []struct{ text, want string }{
		{"kettle upstairs", "2, 3, 1"},
		{"kettle insurance broker telephone", "3: below the floor, 1: below the floor"},
		{"kettle insurance\nbroker telephone", "3, 1"},
		{"水壶 insurance broker telephone", "2"},
		{"kettle insurance broker telephone extension tariff harbour ladder", ""},
	} {
		n := need(test.text)
		if got := activated(activation(t, n, kettle, about, common)); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}
