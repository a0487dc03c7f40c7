package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
)

// A taker keeps the messages of each request.
type taker struct{ sent [][]llm.Message }

func (m *taker) Stream(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Answer, error) {
	m.sent = append(m.sent, req.Messages)
	return llm.Answer{Message: llm.Message{Role: roleAssistant, Content: "fine"}, Finish: "stop"}, nil
}

// told is the environment as a reader of the messages knows it: what the system message
// has, with what the newest question says is another.
func told(messages []llm.Message) map[string]string {
	known := make(map[string]string)
	for _, m := range []llm.Message{messages[0], messages[len(messages)-1]} {
		for _, b := range frame.Parse(m.Content) {
			if b.Head != frame.Environment {
				continue
			}
			for line := range strings.SplitSeq(b.Text, "\n") {
				if name, value, ok := strings.Cut(line, ": "); ok {
					known[name] = value
				}
			}
		}
	}
	return known
}

// TestE3Environment: whatever happens to the place and to the memory, a request says where the
// person is now; and while nothing but the place has changed, no byte of the system
// message does.
func TestE3Environment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, branch, kept, stranger := "~/a", "main", 0, false
		c := New(Options{
			Record: session.Discard(), Now: clock,
			Surroundings: scene{stranger: func() bool { return stranger }, environment: func(known bool) []string {
				lines := []string{"os: Debian 12"}
				if known {
					lines = append(lines, "directory: "+dir)
					if branch != "" {
						lines = append(lines, "branch: "+branch)
					}
				}
				return lines
			}},
			Memory: &mind{background: func(context.Context) (recall.Choice, error) {
				items := make([]memory.Item, kept)
				for i := range items {
					items[i].Record = &memory.Record{ID: memory.Num(int64(i + 1)), Kind: memory.KindFact, Content: fmt.Sprint("thing ", i)}
				}
				return recall.Background(items, recall.Query{Tokens: 500}), nil
			}},
		})
		m := &taker{}
		same := false // nothing but the place changed since the last request
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"ask", "ask", "move", "switch", "remember", "reset", "model", "look"}).Draw(rt, "step") {
			case "move":
				dir = rapid.SampledFrom([]string{"~/a", "~/b", "/tmp"}).Draw(rt, "dir")
			case "switch":
				branch = rapid.SampledFrom([]string{"main", "fix", ""}).Draw(rt, "branch")
			case "remember":
				kept++
				c.Refresh()
				same = false
			case "reset":
				c.Reset()
				same = false
			case "model":
				stranger = !stranger
				same = false
			case "look":
				if text := c.System(t.Context()); strings.Contains(text, "directory: ") == stranger {
					rt.Fatalf("a stranger: %v; the system message:\n%s", stranger, text)
				}
			case "ask":
				if _, err := c.Ask(t.Context(), Question{Text: "and now?", Model: m}, nil); err != nil {
					rt.Fatal(err)
				}
				now := m.sent[len(m.sent)-1]
				got, want := told(now), map[string]string{"os": "Debian 12", "directory": dir, "branch": branch}
				for name, value := range want {
					if has := got[name]; has != value && (value != "" || has != "none" && has != "") && !stranger {
						rt.Fatalf("%s is %q, the model was told %q:\n%+v", name, value, has, now)
					}
				}
				if stranger && (got["directory"] != "" || got["branch"] != "") {
					rt.Fatalf("a stranger was told %v", got)
				}
				if before := len(m.sent) - 2; same && m.sent[before][0].Content != now[0].Content {
					rt.Fatalf("the system message changed:\n%s\nto\n%s", m.sent[before][0].Content, now[0].Content)
				}
				same = true
				if slices.ContainsFunc(c.Turns(), func(t session.Turn) bool { return strings.Contains(t.Content, frame.Environment) }) {
					rt.Fatal("the environment is part of a turn")
				}
			}
		}
	})
}

// TestE3Cache: with nothing remembered each request begins with the bytes of the one
// before, up to its last question, wherever the person goes.
func TestE3Cache(t *testing.T) {
	t.Parallel()
	dir := "~/a"
	where := scene{environment: func(bool) []string { return []string{"directory: " + dir} }}
	c := New(Options{Record: session.Discard(), Now: clock, Surroundings: where})
	m := &taker{}
	for _, dir = range []string{"~/a", "~/a", "~/b", "~/b", "~/a"} {
		if _, err := c.Ask(t.Context(), Question{Text: "so?", Model: m}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, now := range m.sent[1:] {
		before := m.sent[i]
		for j := range before[:len(before)-1] {
			if before[j].Content != now[j].Content {
				t.Errorf("request %d, message %d: %q, and then %q", i, j, before[j].Content, now[j].Content)
			}
		}
	}
	if last := m.sent[4]; strings.Contains(last[len(last)-1].Content, frame.Environment) {
		t.Errorf("back where it began, and told so: %q", last[len(last)-1].Content)
	}
}
