package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/llm"
	"ken/internal/session"
)

// sends are the messages behind the system message of the last request, "u: text" each.
func sends(r llm.Request) (list []string) {
	for _, m := range r.Messages[1:] {
		list = append(list, m.Role[:1]+": "+m.Content)
	}
	return list
}

func (s *set) asks(text string) {
	s.t.Helper()
	if _, err := s.Ask(s.t.Context(), Question{Text: text, Model: s.model}, nil); err != nil {
		s.t.Fatal(err)
	}
}

// again asks the last question once more.
func (s *set) again(change string, why session.Left) error {
	s.t.Helper()
	last, err := s.Asked(s.t.Context())
	if err != nil {
		return err
	}
	text := last.Content
	if change != "" {
		text = change
	}
	q := Question{Text: text, From: last.From, Model: s.model, Again: &last, Why: why}
	_, err = s.Ask(s.t.Context(), q, nil)
	return err
}

// TestRetry: a question that is asked once more goes without its answer, and what it is now
// stands in the context in its place; in vain nothing changed.
func TestRetry(t *testing.T) {
	t.Parallel()
	s := newSet(t, nil)
	s.asks("q1")
	s.asks("q2")
	if err := s.again("", session.LeftReplaced); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"u: q1", "a: answer 1", "u: q2"}, sends(s.model.asked[2])); diff != "" {
		t.Errorf("retried (-want +got):\n%s", diff)
	}
	if err := s.again("q2, shorter", session.LeftReplaced); err != nil {
		t.Fatal(err)
	}
	want := []string{"u: q1", "a: answer 1", "u: q2, shorter", "a: answer 4"}
	if diff := cmp.Diff(want, sends(s.Request(t.Context()))); diff != "" {
		t.Errorf("edited (-want +got):\n%s", diff)
	}
	s.model.replies = []reply{{err: &llm.Error{Kind: llm.Server}}}
	if err := s.again("", session.LeftReplaced); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff(want, sends(s.Request(t.Context()))); diff != "" {
		t.Errorf("in vain (-want +got):\n%s", diff)
	}
	aside := "3 replaced, 4 replaced, 5 replaced, 6 replaced, 9 unanswered"
	if diff := cmp.Diff(aside, sorted(s.Aside())); diff != "" {
		t.Errorf("aside (-want +got):\n%s", diff)
	}
	// The old answer and the new one change places.
	for _, answer := range []string{"a: answer 3", "a: answer 4"} {
		if _, err := s.Restore(); err != nil {
			t.Fatal(err)
		}
		if got := sends(s.Request(t.Context())); len(got) != 4 || got[3] != answer {
			t.Errorf("restored: %q, want %s last", got, answer)
		}
	}
	if len(s.tape.turns) != 9 {
		t.Errorf("%d turns in the session: some are lost", len(s.tape.turns))
	}
}

// TestRetryPrinted: what commands printed goes with the question that it went with, once; what
// they printed since waits for the next one.
func TestRetryPrinted(t *testing.T) {
	t.Parallel()
	s := newSet(t, func(o *Options) { o.OutputTokens = 500 })
	block := func(what string) string { return "[exec output]\n$ " + what + "\nok\n[end of exec output]\n\n" }
	s.Ran(Ran{Command: "one", Output: "ok"})
	s.model.replies = []reply{{err: &llm.Error{Kind: llm.Server}}}
	_, _ = s.Ask(t.Context(), Question{Text: "q", Model: s.model}, nil) // it fails, as planned
	for range 2 {                                                       // once after the fault, once after the answer
		if err := s.again("", session.LeftReplaced); err != nil {
			t.Fatal(err)
		}
		s.Ran(Ran{Command: "two", Output: "ok"})
	}
	s.asks("next")
	for i, want := range map[int][]string{
		1: {"u: " + block("one") + "q"}, 2: {"u: " + block("one") + "q"},
		3: {"u: " + block("one") + "q", "a: answer 3", "u: [exec output]\n$ two\nok\n$ two\nok\n[end of exec output]\n\nnext"},
	} {
		if diff := cmp.Diff(want, sends(s.model.asked[i])); diff != "" {
			t.Errorf("request %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestDrop: the last questions leave the context with what followed them, and come back to
// where they stood; what was erased or forgotten does not.
func TestDrop(t *testing.T) {
	t.Parallel()
	s := newSet(t, nil)
	for _, q := range []string{"q1", "q2", "q3"} {
		s.asks(q)
	}
	for _, n := range []int{0, -1, 4} {
		if _, err := s.Drop(n); !errors.Is(err, ErrNoQuestions) {
			t.Errorf("drop %d: %v", n, err)
		}
	}
	gone, err := s.Drop(2)
	if err != nil || len(gone.Turns) != 4 || gone.Turns[0].Content != "q2" || len(s.Turns()) != 2 {
		t.Fatalf("%+v, %v", gone, err)
	}
	s.asks("q4")
	if _, err := s.Restore(); err != nil {
		t.Fatal(err)
	}
	want := []string{"u: q1", "a: answer 1", "u: q2", "a: answer 2", "u: q3", "a: answer 3", "u: q4", "a: answer 4"}
	if diff := cmp.Diff(want, sends(s.Request(t.Context()))); diff != "" || len(s.Aside()) > 0 {
		t.Errorf("restored (-want +got):\n%s\naside %v", diff, s.Aside())
	}
	if _, err := s.Restore(); !errors.Is(err, ErrNothingDropped) {
		t.Errorf("restored twice: %v", err)
	}
	if _, err := s.Drop(1); err != nil {
		t.Fatal(err)
	}
	s.Erase(func(text string) bool { return strings.Contains(text, "q4") }, nil)
	if back, err := s.Restore(); err != nil || back.Turns[0].Content != session.Gone {
		t.Errorf("what was erased came back: %+v, %v", back, err)
	}
	if _, err := s.Asked(t.Context()); !errors.Is(err, ErrForgotten) {
		t.Errorf("asked: %v", err)
	}
}

// TestLeftElsewhere: whatever was asked, retried, edited, dropped, restored, summed up or begun
// anew, and whatever failed, another process goes on with the same: what is sent, what can be asked
// once more, and what can come back. No turn is lost.
func TestLeftElsewhere(t *testing.T) {
	t.Parallel()
	dir := shelf(t)
	rapid.Check(t, func(rt *rapid.T) {
		rec, err := dir.Create(session.Header{})
		if err != nil {
			rt.Fatal(err)
		}
		model := &fake{}
		most := rapid.SampledFrom([]int{0, 6}).Draw(rt, "max")
		c := New(Options{Record: rec, Now: clock, MaxTurns: most, Compaction: Compaction{Keep: 2, Tokens: 100}})
		asked := 0
		for i := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			if rapid.IntRange(0, 3).Draw(rt, "fails") == 0 {
				model.replies = []reply{{err: &llm.Error{Kind: llm.BadRequest}}}
			} else {
				model.replies = nil
			}
			q := Question{Text: fmt.Sprintf("q%d", i), Model: model}
			switch rapid.IntRange(0, 7).Draw(rt, "step") {
			case 0, 1:
				last, err := c.Asked(rt.Context())
				if err != nil {
					continue
				}
				q.Again, q.Why, q.Text = &last, session.LeftReplaced, last.Content
				if _, err := c.Ask(rt.Context(), q, nil); err == nil {
					asked++
				}
			case 2:
				_, _ = c.Drop(rapid.IntRange(1, 2).Draw(rt, "n")) // there may be none
			case 3:
				_, _ = c.Restore() // there may be nothing
			case 4:
				_, _ = c.Compact(rt.Context()) // it may be short
			case 5:
				if rapid.IntRange(0, 2).Draw(rt, "reset") == 0 {
					c.Reset()
				}
			default:
				if _, err := c.Ask(rt.Context(), q, nil); err == nil {
					asked++
				}
			}
		}
		if err := rec.Close(); err != nil {
			rt.Fatal(err)
		}
		if asked == 0 {
			return // there may be no file
		}
		again, tr, err := dir.Open(rec.Path())
		if err != nil {
			rt.Fatal(err)
		}
		defer again.Close()
		if tr.Last() != rec.Last() || len(tr.Turns()) != rec.Last() {
			rt.Fatalf("%d turns of %d are in the file", len(tr.Turns()), rec.Last())
		}
		for _, n := range liveBefore(tr) {
			if !slices.ContainsFunc(c.Turns(), func(t session.Turn) bool { return t.N == n }) {
				rt.Fatalf("a ken of before sends turn %d, which is not live", n)
			}
		}
		other := New(Options{Record: again, Now: clock})
		other.Continue(t.Context(), tr.Live(), again, "")
		if diff := cmp.Diff(brief(c.Request(rt.Context()).Messages), brief(other.Request(rt.Context()).Messages)); diff != "" {
			rt.Fatalf("sent (-here +there):\n%s", diff)
		}
		here, err := c.Asked(rt.Context())
		there, oerr := other.Asked(rt.Context())
		if here.Content != there.Content || !errors.Is(oerr, err) {
			rt.Fatalf("asked %q, %v here and %q, %v there", here.Content, err, there.Content, oerr)
		}
		if diff := cmp.Diff(sorted(c.Aside()), sorted(other.Aside())); diff != "" {
			rt.Fatalf("aside (-here +there):\n%s", diff)
		}
		c.record = session.Discard()
		for range 5 { // two answers to one question change places for ever
			_, err := c.Restore()
			if _, oerr := other.Restore(); !errors.Is(oerr, err) {
				rt.Fatalf("restored: %v here, %v there", err, oerr)
			}
			if diff := cmp.Diff(brief(c.Request(rt.Context()).Messages), brief(other.Request(rt.Context()).Messages)); diff != "" {
				rt.Fatalf("restored (-here +there):\n%s", diff)
			}
			if err != nil {
				return
			}
		}
	})
}

// liveBefore are the numbers of the turns that are live for a ken that knows questions without an
// answer, and nothing else that leaves the context.
func liveBefore(t *session.Transcript) (live []int) {
	for _, e := range t.Entries {
		switch {
		case e.Turn != nil:
			live = append(live, e.Turn.N)
		case e.Event.Name == session.EventReset:
			live = nil
		case e.Event.Name == session.EventCompact:
			live = slices.DeleteFunc(live, func(n int) bool { return n < e.Event.Int("keep_from") })
		case e.Event.Name == session.EventUnanswered:
			live = slices.DeleteFunc(live, func(n int) bool { return n >= e.Event.Int("n") })
		}
	}
	return live
}

// sorted are turns that are not in the context, by their number.
func sorted(list []session.Entry) string {
	list = slices.SortedFunc(slices.Values(list), func(a, b session.Entry) int { return a.Turn.N - b.Turn.N })
	var says []string
	for _, e := range list {
		says = append(says, fmt.Sprint(e.Turn.N, " ", string(e.Left)))
	}
	return strings.Join(says, ", ")
}

// TestNudge: what ken says by itself to have the model go on is no question: what is asked again, changed or dropped is
// what the person said last, with all that came of it.
func TestNudge(t *testing.T) {
	t.Parallel()
	s := newSet(t, nil)
	s.asks("q1")
	s.asks("q2")
	nudge := func() error {
		_, err := s.Ask(t.Context(), Question{Text: "go on", From: "tool", Nudge: true, Model: s.model}, nil)
		return err
	}
	if err := nudge(); err != nil {
		t.Fatal(err)
	}
	want := []string{"u: q1", "a: answer 1", "u: q2", "a: answer 2", "u: go on"}
	if diff := cmp.Diff(want, sends(s.model.asked[2])); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	s.model.replies = []reply{{err: &llm.Error{Kind: llm.Server}}}
	if nudge() == nil {
		t.Error("no error")
	}
	if last, err := s.Asked(t.Context()); err != nil || last.Content != "q2" {
		t.Errorf("asked %q, %v", last.Content, err)
	}
	if err := s.again("", session.LeftReplaced); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"u: q1", "a: answer 1", "u: q2"}, sends(s.model.asked[len(s.model.asked)-1])); diff != "" {
		t.Errorf("retried (-want +got):\n%s", diff)
	}
	if err := nudge(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Drop(1); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"u: q1", "a: answer 1"}, sends(s.Request(t.Context()))); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
}
