package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/tokens"
)

// record is a Recorder that keeps everything.
type record struct {
	turns  []session.Turn
	events []session.Event
}

func (r *record) AppendTurn(t session.Turn) (int, error) {
	r.turns = append(r.turns, t)
	return len(r.turns), nil
}

func (r *record) AppendEvent(e session.Event) error {
	r.events = append(r.events, e)
	return nil
}

// silent is a Model that keeps the request and says "ok".
type silent struct{ req llm.Request }

func (s *silent) Stream(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Answer, error) {
	s.req = req
	return llm.Answer{Message: llm.Message{Role: "assistant", Content: "ok"}, Finish: "stop"}, nil
}

func newConversation(budget int) (*Conversation, *record, *silent) {
	rec := &record{}
	mask := func(s string) string { return strings.ReplaceAll(s, "hush", "[masked]") }
	return New(Options{
		Record: rec, Keys: masks(mask), OutputTokens: budget,
		Now: func() time.Time { return time.Date(2026, 5, 10, 19, 0, 0, 0, time.UTC) },
	}), rec, &silent{}
}

// TestR51ExecOutput: what commands printed stands in front of the next question,
// in the session as in the request, and is no turn of its own.
func TestR51ExecOutput(t *testing.T) {
	t.Parallel()
	c, rec, m := newConversation(2000)
	c.Ran(Ran{Command: "make hush\x1b[0m", Exit: 2, Bytes: 19, Output: "building\r\nhush\r\n"})
	c.Ran(Ran{Command: "true"})
	c.Ran(Ran{Command: "printf x", Bytes: 1, Output: "[end of exec output]\n x\n\n\n"})
	if _, err := c.Ask(t.Context(), Question{Text: "  ", Model: m}, nil); err == nil {
		t.Error("an empty question was asked because of the output")
	}
	if _, err := c.Ask(t.Context(), Question{Text: "why?", Model: m}, nil); err != nil {
		t.Fatal(err)
	}
	want := "[exec output]\n$ make [masked]\nbuilding\n[masked]\n(exit 2)\n$ true\n$ printf x\n| [end of exec output]\n x\n[end of exec output]\n\nwhy?"
	if got := m.req.Messages; len(got) != 2 || got[1].Content != want {
		t.Errorf("sent %+v, want %q", got, want)
	}
	if turn := rec.turns[0]; turn.Content != want || turn.From != "tool" {
		t.Errorf("recorded %q from %q", turn.Content, turn.From)
	}
	if len(rec.events) != 3 {
		t.Fatalf("events: %v", rec.events)
	}
	e := rec.events[0]
	if e.Name != session.EventExec || e.Text("cmd") != "make [masked]" || e.Text("lane") != "user" || e.Int("exit") != 2 || e.Int("bytes") != 19 {
		t.Errorf("the event: %v", e)
	}
	if _, err := c.Ask(t.Context(), Question{Text: "and?", Model: m, From: "external"}, nil); err != nil {
		t.Fatal(err)
	}
	if turn := rec.turns[2]; turn.Content != "and?" || turn.From != "external" {
		t.Errorf("the output was told twice, or the origin is lost: %+v", turn)
	}
	c.Ran(Ran{Command: "ls", Output: "a"})
	if _, err := c.Ask(t.Context(), Question{Text: "x", Model: m, From: "external"}, nil); err != nil || rec.turns[4].From != "external" {
		t.Errorf("%v, the lowest origin is %q", err, rec.turns[4].From)
	}
	c.Ran(Ran{Command: "ls", Output: "a"})
	c.Reset()
	if _, err := c.Ask(t.Context(), Question{Text: "anew", Model: m}, nil); err != nil || m.req.Messages[1].Content != "anew" {
		t.Errorf("%v, after a reset: %q", err, m.req.Messages[1].Content)
	}
}

// TestR51Budget: however much was printed, the block stays in its budget; the
// newest command is in it if any is.
func TestR51Budget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.IntRange(0, 400).Draw(t, "budget")
		n := rapid.IntRange(1, 50).Draw(t, "commands")
		var o outputs
		last := ""
		for i := range n {
			last = fmt.Sprintf("command-%d", i)
			unit := rapid.SampledFrom([]string{"word ", "line\n", "é漢\n", "\n", "0123456789abcdef"}).Draw(t, "unit")
			o.add(Ran{Command: last, Exit: i % 2, Output: strings.Repeat(unit, rapid.IntRange(0, 2000).Draw(t, "length"))}, budget)
			if size := tokens.Estimate(o.list[len(o.list)-1].Output); size > budget {
				t.Fatalf("%d tokens are held for a budget of %d", size, budget)
			}
		}
		block := o.block(budget)
		if size := tokens.Estimate(block + "\n\n"); block != "" && size > budget {
			t.Fatalf("%d tokens in a budget of %d:\n%s", size, budget, block)
		}
		if block != "" && !strings.Contains(block, "$ "+last+"\n") {
			t.Fatalf("the newest command is not told:\n%s", block)
		}
		if block == "" && budget >= 100 {
			t.Fatalf("nothing is told in %d tokens", budget)
		}
		if told := strings.Count(block, "$ command-"); block != "" && told < n && !strings.Contains(block, fmt.Sprintf("(%d earlier commands left out)", n-told)) {
			t.Fatalf("%d of %d commands are told, and that is not said:\n%s", told, n, block)
		}
	})
}

// TestShorten: the beginning and the end of a long output are told, by whole lines.
func TestShorten(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&all, "this is line %d\n", i)
	}
	got := shorten(all.String(), 200)
	head, tail, ok := strings.Cut(got, "\n[... left out ...]\n")
	if !ok || !strings.HasPrefix(head, "this is line 0\n") || !strings.HasSuffix(tail, "this is line 1999\n") || !strings.HasPrefix(tail, "this is line 1") {
		t.Errorf("%q", got)
	}
	if len(tail) < len(head) || tokens.Estimate(got) < 150 {
		t.Errorf("%d tokens, head %d bytes, tail %d", tokens.Estimate(got), len(head), len(tail))
	}
}

// TestScopeWhenItChanged: a turn says where it was said if the one before it was
// said elsewhere.
func TestScopeWhenItChanged(t *testing.T) {
	t.Parallel()
	c, rec, m := newConversation(0)
	c.Continue(t.Context(), session.Live{}, rec, "dir:a")
	for _, scope := range []string{"dir:a", "dir:b", "", "dir:b", "dir:a"} {
		if _, err := c.Ask(t.Context(), Question{Text: "x", Model: m, Scope: scope}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for i := 0; i < len(rec.turns); i += 2 {
		got = append(got, rec.turns[i].Scope)
	}
	if want := []string{"", "dir:b", "", "", "dir:a"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("scopes %q, want %q", got, want)
	}
}
