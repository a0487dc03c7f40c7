package why

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/trace"
)

// state is the memory of these lines.
func state(lines ...string) *memory.State {
	l := memory.Lines{Log: "laptop-7f3a", Own: true}
	for _, line := range lines {
		l.Entries = append(l.Entries, memory.ParseLine([]byte(line)))
	}
	return memory.Fold(l)
}

// before is the memory at the time of the answers, and given what one had of it.
func before() []string {
	return []string{
		`{"id":1,"ts":"2026-05-01T12:00:00Z","content":"install with pnpm","scope":"repo:example.org/a","source":{"session":"20260501T110000Z-7f3a","turn":3}}`,
		`{"id":2,"ts":"2026-05-02T12:00:00Z","kind":"pref","content":"short \u001b[31manswers"}`,
		`{"id":3,"ts":"2026-05-02T12:00:00Z","content":"password 4711 opens it","key":"door"}`,
	}
}

func given(t *testing.T, s *memory.State, n int64, standing bool, parts ...recall.Part) trace.Given {
	t.Helper()
	it, status := s.Get(memory.Num(n))
	if status != memory.StatusActive {
		t.Fatalf("%d is %v", n, status)
	}
	return trace.Given{Ref: it.Ref(), Sum: trace.SumOf(it), Parts: parts, Tokens: 10, Standing: standing}
}

func source(t *testing.T, later ...string) Source {
	t.Helper()
	s := state(before()...)
	return Source{
		Trace: trace.Trace{
			N: 2, Time: time.Date(2026, 5, 10, 19, 0, 9, 0, time.UTC),
			Chosen: []trace.Given{
				given(t, s, 1, false, recall.Part{Name: recall.PartStems, Score: 7}, recall.Part{Name: recall.PartScope, Score: 1.5}, recall.Part{Name: recall.PartArchive, Score: -2}),
				given(t, s, 3, false, recall.Part{Name: recall.PartWords, Score: 2}), given(t, s, 2, true),
			},
			Passed: []trace.Passed{{Ref: "9", Reason: recall.NotHere}, {Ref: "2", Reason: recall.OverBudget, Standing: true}},
			Budget: trace.Budget{Tokens: 800, Items: 12, Background: 500},
		},
		Now: In(state(append(before(), later...)...)), Session: "20260510T190001Z-7f3a", Scope: "repo:example.org/a",
		Question: "how do I install this?",
		Mask:     func(s string) string { return strings.ReplaceAll(s, "4711", "[masked]") },
	}
}

// TestText: the whole of it for a person.
func TestText(t *testing.T) {
	t.Parallel()
	want := `answer 20260510T190001Z-7f3a:2 (2026-05-10T19:00:09Z): 3 memories
shaped by 2 facts; 1 more was sent
recalled for the question (20 of 800 tokens)
- [1] install with pnpm (fact, fluid, 2026-05-01, repo:example.org/a, 10 tokens)
    repo match; words: install; archived; said in 20260501T110000Z-7f3a:3
    6.50 = stems 7.00 + scope 1.50 - archive 2.00
- [3] password [masked] opens it (fact, fluid, 2026-05-02, user, 10 tokens)
    a hit for the question
    2.00 = words 2.00
in the start-up block (10 of 500 tokens)
- [2] short answers (pref, fluid, 2026-05-02, user, 10 tokens)
    kind pref
left out
- [9]: other scope; gone since
- [2] (pref, fluid): budget used up (start-up block)`
	if diff := cmp.Diff(want, Text(Of(source(t)))); diff != "" {
		t.Error(diff)
	}
}

// TestSince: what became of an item is told, and of what is gone no word.
func TestSince(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		later string
		since string
		told  string // a word that must stand there; "" = nothing of the item may
	}{
		{"as it was", `{"id":8,"content":"x"}`, "", "install with pnpm"},
		{"edited", `{"id":8,"kind":"edit","target":1,"content":"install with yarn"}`, "edited since", "install with yarn"},
		{"by hand", `{"id":1,"content":"install by hand"}`, "edited since", "install by hand"},
		{"pinned", `{"id":8,"kind":"pin","target":1}`, "", "install with pnpm"},
		{"superseded", `{"id":8,"content":"x","supersedes":1}`, "superseded since", "install with pnpm"},
		{"forgotten", `{"id":8,"kind":"forget","target":1}`, "forgotten since", ""},
		{"undone", `{"id":8,"kind":"undo","target":1}`, "undone since", ""},
		{"erased", `{"id":1,"kind":"erased"}`, "erased since", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := Of(source(t, test.later))
			it := r.Provenance[0].Items[0]
			if it.Ref != "1" || it.Since != test.since {
				t.Errorf("%s, %q, want %q", it.Ref, it.Since, test.since)
			}
			b, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{Text(r), string(b)} {
				switch {
				case test.told != "" && !strings.Contains(text, test.told):
					t.Errorf("no %q in %s", test.told, text)
				case test.told == "" && (strings.Contains(text, "install") || strings.Contains(text, "20260501T110000Z")):
					t.Errorf("it says what is gone: %s", text)
				}
				if strings.Contains(text, "4711") {
					t.Errorf("a secret: %s", text)
				}
			}
		})
	}
}

// TestShape: lists are lists, and the references those of the trace.
func TestShape(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(Of(Source{Trace: trace.Trace{N: 2}, Session: "s", Mask: strings.TrimSpace}))
	if want := `{"session":"s","n":2,"phase":"fluid","provenance":[],"passed":[]}`; err != nil || string(b) != want {
		t.Errorf("%v, %s", err, b)
	}
	src := source(t)
	if diff := cmp.Diff(src.Trace.Refs(), Of(src).Refs()); diff != "" {
		t.Error(diff)
	}
	src.Now = nil // it cannot be read
	if diff := cmp.Diff(src.Trace.Refs(), Of(src).Refs()); diff != "" {
		t.Error(diff)
	}
	if got := Of(src).Provenance[0].Items[0]; got.Content != "" || got.Why != "words of the question; archived" {
		t.Errorf("%+v", got)
	}
}

// TestR249Counts: the line under an answer names and counts by kind what the question called
// up, with the rules; what only stood there is sent, and so is what the conversation began
// with. Where nothing was called up there is no line.
func TestR249Counts(t *testing.T) {
	t.Parallel()
	if got, want := Footer(Of(source(t)), ":why"), "shaped by 2 facts; 1 more was sent (why: :why)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	pref := Ground{Kind: "pref", Content: "concise git output", As: AsActivated}
	stood := Ground{Kind: "fact", Content: "stood there", As: AsStanding}
	project := Ground{Kind: "convention", Scope: "repo:x", As: AsActivated}
	rule := Ground{Kind: "rule", Content: "never push", As: AsRule}
	context := &Standing{Working: trace.Sent, Profile: true}
	for _, test := range []struct {
		want  string
		items []Ground
		with  *Standing
	}{
		{"", nil, nil},
		{"", nil, context},
		{"", []Ground{stood}, nil},
		{"", []Ground{rule, stood}, context},
		{
			"shaped by your preference for concise git output and 2 project conventions; 1 more was sent",
			[]Ground{pref, stood, project, project},
			nil,
		},
		{`shaped by your preference for concise git output and your rule "never push"`, []Ground{rule, pref}, nil},
		{
			"shaped by your preference for concise git output and 2 rules; 2 more were sent",
			[]Ground{rule, pref, stood, rule, stood},
			&Standing{Working: trace.Expired},
		},
		{"shaped by your preference for concise git output; your recent context was sent", []Ground{pref}, &Standing{Working: trace.Sent}},
		{
			"shaped by your preference for concise git output; 1 more and your profile were sent",
			[]Ground{pref, stood},
			&Standing{Working: trace.None, Profile: true},
		},
		{
			"shaped by your preference for concise git output; 1 more, your recent context and your profile were sent",
			[]Ground{pref, stood},
			context,
		},
		{
			`shaped by the project fact "tea"; 2 more were sent`,
			[]Ground{{Kind: "fact", Content: "tea", Scope: "dir:~/x", As: AsActivated}, stood, stood},
			nil,
		},
		{"shaped by a fact that is forgotten since", []Ground{{Kind: "fact", Since: "forgotten since", As: AsActivated}}, nil},
	} {
		if got := shaped(Report{Provenance: []Envelope{{Source: SourceBackground, Items: test.items}}, Standing: test.with}); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestC29Apart: each memory says whether the question called it up, whether it is a rule that
// holds, or only stood there; of what the question called up in the block as well.
func TestC29Apart(t *testing.T) {
	t.Parallel()
	lines := append(before(), `{"id":4,"ts":"2026-05-02T12:00:00Z","kind":"rule","content":"never push"}`)
	s := state(lines...)
	src := source(t)
	src.Now = In(s)
	src.Trace.Chosen = []trace.Given{
		given(t, s, 1, false, recall.Part{Name: recall.PartStems, Score: 7}),
		given(t, s, 3, true, recall.Part{Name: recall.PartWords, Score: 2}),
		given(t, s, 4, true), given(t, s, 2, true),
	}
	r := Of(src)
	var got []string
	for _, e := range r.Provenance {
		for _, it := range e.Items {
			got = append(got, it.Ref+" "+e.Source+" "+string(it.As))
		}
	}
	want := []string{"1 question activated", "3 background activated", "4 background rule", "2 background standing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want := `shaped by your rule "never push" and 2 facts; 1 more was sent`; r.Shaped != want {
		t.Errorf("shaped: %q, want %q", r.Shaped, want)
	}
	src.Trace.Chosen = src.Trace.Chosen[2:]
	r = Of(src)
	if r.Shaped != "" || !strings.Contains(Text(r), "\nnothing was called up for the question\n") {
		t.Errorf("%q\n%s", r.Shaped, Text(r))
	}
}

// TestTaughtByTheQuestion: what a line teaches did not shape the answer to that line, and shapes
// later ones.
func TestTaughtByTheQuestion(t *testing.T) {
	t.Parallel()
	s := state(append(before(), `{"id":4,"content":"tea at four","source":{"session":"20260510T190001Z-7f3a","turn":5}}`)...)
	for n, want := range map[int]string{6: "", 8: `shaped by the fact "tea at four"`} {
		src := source(t)
		src.Now, src.Trace.N = In(s), n
		src.Trace.Chosen = []trace.Given{given(t, s, 4, true, recall.Part{Name: recall.PartWords, Score: 2})}
		if got := Of(src).Shaped; got != want {
			t.Errorf("answer %d: %q, want %q", n, got, want)
		}
	}
}

// TestHitInTheBlock: what stands in the start-up block and is a hit by words that the
// question does not show, such as those of a task, is not there for its age alone.
func TestHitInTheBlock(t *testing.T) {
	t.Parallel()
	src, s := source(t), state(before()...)
	src.Question = "what comes next?"
	for want, g := range map[string]trace.Given{
		"a hit for the question":    given(t, s, 3, true, recall.Part{Name: recall.PartStems, Score: 2}),
		"newest of what holds here": given(t, s, 3, true),
		"the question before":       given(t, s, 3, false, recall.Part{Name: recall.PartBefore, Score: 2}),
	} {
		src.Trace.Chosen = []trace.Given{g}
		if got := Of(src).Provenance[0].Items[0].Why; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOriginAndLeft: of an answer it is said what its model read that is trusted less than its own
// words, and which answer stands in its place.
func TestOriginAndLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from string
		left session.Left
		by   int
		want string
	}{
		{"", "", 0, ""},
		{"model", "", 0, ""},
		{"external", "", 0, "origin external: text from outside went along, and what is suggested from this answer counts as that"},
		{"tool", "", 0, "origin tool: what commands printed went along, and what is suggested from this answer counts as that"},
		{"agent:x\x1b[1m", "", 0, "origin agent:x: the words of another went along, and what is suggested from this answer counts as that"},
		{"", session.LeftDropped, 0, "not in the context: it was dropped"},
		{"", session.LeftReplaced, 4, "not in the context: the question was asked again, and s:4 stands in its place"},
		{"", session.LeftReplaced, 0, "not in the context: the question was asked again"},
		{"", session.LeftUnanswered, 0, "not in the context: no answer"},
	} {
		r := Of(Source{Trace: trace.Trace{N: 2}, Session: "s", From: c.from, Left: c.left, By: c.by, Mask: strings.TrimSpace})
		lines := strings.Split(Text(r), "\n")[1:] // behind how many memories there were
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.from, c.left, got, c.want)
		}
	}
}
