package agent

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/session"
)

// TestHidden: turns that must not come back are sent as no more than that, the
// roles go on alternating, and what was said stays until it is sent again.
func TestHidden(t *testing.T) {
	t.Parallel()
	hide, asked := "nothing", 0
	s := newSet(t, func(o *Options) {
		mindOf(o).hides = func() func(session.Turn) bool {
			asked++
			word := hide
			return func(t session.Turn) bool { return strings.Contains(t.Content, word) }
		}
	})
	s.ask("the vault opens with plum")
	s.ask("and now?")
	hide = "plum"
	s.ask("still?")
	if sent := s.sent(); !strings.Contains(sent, "plum") {
		t.Errorf("hidden before anything changed: %s", sent)
	}
	s.Refresh()
	s.ask("and after?")
	if sent := s.sent(); strings.Contains(sent, "plum") || !strings.HasPrefix(sent, `user "`+Forgotten) {
		t.Errorf("sent %s", sent)
	}
	if s.Turns()[0].Content != "the vault opens with plum" || len(s.Sent(t.Context())) != len(s.Turns()) {
		t.Errorf("the turns themselves changed: %+v", s.Turns())
	}
	hide = "nothing"
	s.Refresh()
	s.ask("undone?")
	if sent := s.sent(); !strings.Contains(sent, "plum") {
		t.Errorf("it does not come back: %s", sent)
	}
	if asked != 3 {
		t.Errorf("asked %d times, want 3: at the start and after each change", asked)
	}
	hide = "plum"
	other := &tape{}
	s.Continue(t.Context(), session.Live{Turns: s.Turns()}, other, "")
	if sent := s.Sent(t.Context()); sent[0].Content != Forgotten || mindOf(s.o).of != other {
		t.Errorf("a conversation that goes on in another record: %+v", sent[0])
	}
}

// TestErased: what is erased is gone from the live turns, from the calls of tools
// and from what commands printed.
func TestErased(t *testing.T) {
	t.Parallel()
	s := newSet(t, func(o *Options) { o.OutputTokens = 100 })
	s.Continue(t.Context(), session.Live{Turns: []session.Turn{
		{N: 1, Role: session.RoleUser, Content: "plum"},
		{N: 2, Role: session.RoleAssistant, Content: "hm", ToolCalls: []byte(`[{"id":"c","type":"function","function":{"name":"f","arguments":"plum"}}]`)},
		{N: 3, Role: session.RoleUser, Content: "pear"},
		{N: 4, Role: session.RoleAssistant, Content: "fine"},
	}}, s.tape, "")
	s.Ran(Ran{Command: "echo", Output: "plum"})
	s.Ran(Ran{Command: "date", Output: "Monday"})
	s.Erase(func(text string) bool { return strings.Contains(text, "plum") }, []session.Turn{{N: 3, Content: "[erased]"}, {N: 4, Content: "other"}})
	var got []string
	for _, turn := range s.Turns() {
		got = append(got, turn.Content+string(turn.ToolCalls))
	}
	if diff := cmp.Diff([]string{"[erased]", "[erased]", "[erased]", "fine"}, got); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	s.model.replies = []reply{{llm.Answer{Message: llm.Message{Content: "ok"}}, nil}}
	s.ask("and?")
	if sent := s.sent(); strings.Contains(sent, "plum") || !strings.Contains(sent, "Monday") {
		t.Errorf("sent %s", sent)
	}
	s.model.replies = append(s.model.replies, reply{llm.Answer{Message: llm.Message{Content: "ok"}}, nil})
	s.ask("where is the plum?")
	s.Erase(func(text string) bool { return strings.Contains(text, "plum") }, nil)
	if s.q.Text != "" || len(s.q.Attached) > 0 {
		t.Errorf("the question is held: %q", s.q.Text)
	}
}
