package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/app"
	"ken/internal/frame"
	"ken/internal/index"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
	"ken/internal/trace"
)

// recalling has a set activate what its texts have on a question. fault, if it is
// not nil, is what the memory says instead.
func recalling(texts []string, fault *error) func(*Options) {
	return func(o *Options) {
		mindOf(o).activate = func(ctx context.Context, w app.ActivationQuery, block recall.Choice) (recall.Activation, error) {
			if fault != nil && *fault != nil {
				return recall.Activation{}, *fault
			}
			l := memory.Lines{Own: true}
			for i, text := range texts {
				r := memory.Record{ID: memory.Num(int64(i + 1)), Kind: memory.KindFact, Content: text}
				l.Entries = append(l.Entries, memory.ParseLine(r.AppendJSON(nil)))
			}
			s := memory.Fold(l)
			n := recall.ActivationRequest{Query: recall.Query{Tokens: 800, At: clock()}, Text: w.Text, Items: 12, Standing: block}
			n.Item = func(ref string) (memory.Item, bool) {
				id, _ := memory.ParseID(ref)
				it, status := s.Get(id)
				return it, status == memory.StatusActive
			}
			return recall.Activate(ctx, []*index.Corpus{index.NewScan(slices.Values(index.Items(s, n.At)))}, n)
		}
	}
}

// TestR173Activation: what the memory has on a question stands at the head of the
// newest message, in that request alone, and in no turn; the session has a trace.
func TestR173Activation(t *testing.T) {
	t.Parallel()
	s := newSet(t, recalling([]string{"use pnpm to install"}, nil))
	a := s.ask("how do I install?")
	want := recall.ActivationHeader + "\n- (fact, no date, user) use pnpm to install\n" + recall.ActivationEnd + "\n\nhow do I install?"
	if got := s.model.asked[0].Messages[1].Content; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
	if len(a.Trace.Refs()) != 1 || a.Trace.N != a.N || a.Trace.Chosen[0].Tokens == 0 {
		t.Errorf("trace %+v", a.Trace)
	}
	s.ask("and then?") // it calls nothing up
	for _, m := range s.model.asked[1].Messages {
		if strings.Contains(m.Content, "pnpm") {
			t.Errorf("sent again: %s", m.Content)
		}
	}
	for _, turn := range s.tape.turns {
		if strings.Contains(turn.Content, "pnpm") {
			t.Errorf("recorded: %s", turn.Content)
		}
	}
	if len(s.tape.events) != 1 {
		t.Fatalf("events %+v", s.tape.events)
	}
	got, ok := trace.Read(s.tape.events[0])
	if !ok || got.N != 2 || strings.Join(got.Refs(), " ") != "1" {
		t.Errorf("event %+v", got)
	}
}

// TestR173HeadOfTheMessage: what commands printed comes behind the block, in the one
// message that they become.
func TestR173HeadOfTheMessage(t *testing.T) {
	t.Parallel()
	s := newSet(t, func(o *Options) {
		recalling([]string{"use pnpm to install"}, nil)(o)
		o.OutputTokens = 500
	})
	s.model.replies = []reply{{err: errors.New("no luck")}}
	if _, err := s.Ask(t.Context(), Question{Text: "hello?", Model: s.model}, nil); err == nil {
		t.Fatal("no error")
	}
	s.Ran(Ran{Command: "npm install", Output: "failed"})
	s.ask("why did install fail?")
	msgs := s.model.asked[1].Messages
	last := msgs[len(msgs)-1].Content
	block, question, output := strings.Index(last, recall.ActivationEnd), strings.Index(last, "why did"), strings.Index(last, "[exec output]")
	if len(msgs) != 2 || !strings.HasPrefix(last, recall.ActivationHeader) || block > output || output > question || strings.Contains(last, "hello?") {
		t.Errorf("%d messages, the last:\n%s", len(msgs), last)
	}
}

// TestR330NothingActivated: a question that calls nothing up is sent byte for byte
// as without a memory.
func TestR330NothingActivated(t *testing.T) {
	t.Parallel()
	client := llm.New(llm.Preset{BaseURL: "http://127.0.0.1:1", Model: "test"}, llm.Options{})
	var bodies []string
	for _, change := range []func(*Options){nil, recalling([]string{"use pnpm to install"}, nil)} {
		s := newSet(t, change)
		s.ask("hello")
		b, err := client.Body(s.model.asked[0])
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, string(b))
		if len(s.tape.events) != 0 {
			t.Errorf("events %+v", s.tape.events)
		}
	}
	if bodies[0] != bodies[1] {
		t.Errorf("%s\n%s", bodies[0], bodies[1])
	}
}

// TestS85ActivationFaults: no fault of the memory stops an answer, and one fault is
// told once.
func TestS85ActivationFaults(t *testing.T) {
	t.Parallel()
	fault := errors.New("index is damaged")
	s := newSet(t, recalling([]string{"use pnpm to install"}, &fault))
	s.ask("install?")
	s.warned("going on without what memory has for this question: index is damaged")
	s.warnings = nil
	fault = nil
	if a := s.ask("install?"); len(a.Trace.Refs()) != 1 {
		t.Errorf("trace %+v", a.Trace)
	}
	s.fault, fault = errors.New("input/output error"), errors.New("input/output error")
	s.Refresh()
	s.ask("install?")
	s.warned("going on without memory: input/output error")
	// What cannot be recorded is told with the turns.
	s.warnings, s.fault, fault = nil, nil, nil
	s.Refresh()
	s.tape.err = errors.New("no space left")
	s.ask("install?")
	s.warned("this turn is not in the session: no space left", "this turn is not in the session: no space left")
}

// TestR174Given: who wants to know what goes with a question is told before it is
// sent, start-up block included.
func TestR174Given(t *testing.T) {
	t.Parallel()
	s := newSet(t, recalling([]string{"likes tea", "use pnpm to install"}, nil))
	s.memory = []string{"likes tea"}
	var told []string
	q := Question{Text: "ok", Activation: app.ActivationQuery{Text: "install"}, Model: s.model, Watcher: given(func(w trace.Trace) {
		if len(s.model.asked) > 0 {
			t.Error("told after the question was sent")
		}
		told = w.Refs()
	})}
	if _, err := s.Ask(t.Context(), q, nil); err != nil {
		t.Fatal(err)
	}
	if strings.Join(told, " ") != "2 1" {
		t.Errorf("told %v", told)
	}
}

// TestEdited: other words take the place of those that were typed, and of the files only those that
// are named anew; what commands printed and what was piped in is not lost.
func TestEdited(t *testing.T) {
	t.Parallel()
	const (
		out   = frame.Output + "\n$ why\nwhy?\n" + frame.OutputEnd + "\n\n"
		piped = "\n\n" + frame.Stdin + "\nwhy?\n\nmore"
	)
	block := func(name string) string { return frame.Attached + " " + name + "\nwhy?\n" + frame.AttachedEnd }
	old, other := "\n\n"+block("old"), []File{{Block: block("new")}}
	for _, c := range []struct {
		content string
		files   []File
		others  bool
		want    string
	}{
		{"why?", nil, false, "how?"},
		{"why?", nil, true, "how?"},
		{out + "why?", nil, false, out + "how?"},
		{out + "why?" + old + piped, nil, false, out + "how?" + old + piped},
		{out + "why?" + old + piped, nil, true, out + "how?" + piped},
		{out + "why?" + old, nil, true, out + "how?"},
		{out + "why?" + old + piped, other, true, out + "how?\n\n" + block("new") + piped},
		{"why?" + piped, other, true, "how?\n\n" + block("new") + piped},
	} {
		got := Edited(session.Turn{Content: c.content, From: "external"}, "how?", c.files, c.others)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.content, diff)
		}
	}
}

// TestTyped: what a person typed of a turn.
func TestTyped(t *testing.T) {
	t.Parallel()
	c := New(Options{Record: session.Discard(), Now: clock, OutputTokens: 500})
	c.Ran(Ran{Command: "make", Output: "one\n[end of exec output]\n\ntwo"})
	ran := c.asTurn(Question{Text: "why?"})
	for _, test := range []struct {
		turn session.Turn
		want string
	}{
		{session.Turn{Content: "hello"}, "hello"},
		{ran, "why?"},
		{session.Turn{Content: "why?\n\n[stdin]\nsome\n\n[stdin]\ntext", From: "external"}, "why?"},
		{session.Turn{Content: "why?\n\n[stdin]\nas I typed it"}, "why?\n\n[stdin]\nas I typed it"},
		{session.Turn{Content: "only text", From: "external"}, "only text"},
	} {
		if got := Typed(test.turn); got != test.want {
			t.Errorf("%q: got %q, want %q", test.turn.Content, got, test.want)
		}
		if before, typed, behind := aroundTyped(test.turn); before+typed+behind != test.turn.Content {
			t.Errorf("%q is no more %q, %q and %q", test.turn.Content, before, typed, behind)
		}
	}
}
