package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
	"ken/internal/session"
	"ken/internal/tokens"
)

// toolDefinitions are as large as those of a conversation.
func toolDefinitions() (list []json.RawMessage) {
	for _, name := range []string{"shell", "read_file", "edit_file", "write_file", "search_files", "recall", "remember"} {
		list = append(list, json.RawMessage(fmt.Sprintf(
			`{"type":"function","function":{"name":%q,"description":%q,"parameters":{"type":"object","properties":{"x":{"type":"string"}}}}}`,
			name, strings.Repeat("does something useful. ", 17))))
	}
	return list
}

// A busy model calls tools, round after round. It implements Model.
type busy struct {
	rounds int
	calls  func(round int) []llm.ToolCall
	text   func(round int) string
	look   func(llm.Request)
	n      int
}

func (b *busy) Stream(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Answer, error) {
	b.look(req)
	a := llm.Answer{Message: llm.Message{Role: "assistant", Content: b.text(b.n)}, Preset: "busy", Finish: "stop"}
	if b.n < b.rounds {
		a.Message.ToolCalls = b.calls(b.n)
	}
	b.n++
	return a, nil
}

// drive asks a question and has it answered, with results of what it is given.
func drive(ctx context.Context, c *Conversation, q Question, result func(call llm.ToolCall, of int) string) error {
	a, err := c.Ask(ctx, q, nil)
	for err == nil && len(a.Message.ToolCalls) > 0 {
		for _, call := range a.Message.ToolCalls {
			c.Return(Returned{Call: call.ID, Text: result(call, len(a.Message.ToolCalls))})
		}
		a, err = c.GoOn(ctx, nil)
	}
	return err
}

// TestEveryRequestFits: whatever a model calls and gets, each request fits the window, is one that all servers take, and has the
// question, and the calls of the last round with a result each; a process that goes on sends the same.
//
//ken:unraced
func TestEveryRequestFits(t *testing.T) {
	t.Parallel()
	shortened := 0
	rapid.Check(t, func(rt *rapid.T) {
		dir := shelf(t)
		rec, err := dir.Create(session.Header{})
		if err != nil {
			rt.Fatal(err)
		}
		defer rec.Close()
		window := rapid.SampledFrom([]int{6000, 8192, 8192, 16_384}).Draw(rt, "window")
		o := Options{
			Record: rec, Now: clock, Keys: masks(masker()), Compaction: Compaction{At: 0.75, Keep: 6, Tokens: 300},
			Tools: hands{tools: toolDefinitions()},
		}
		c := New(o)
		preset := llm.New(llm.Preset{Name: "busy", BaseURL: "http://x", Model: "m"}, llm.Options{})
		text := func(most int, label string) string {
			word := rapid.SampledFrom([]string{"word ", "{\"a\":1},\n", "äöü€ ", "line\n", "0x1f "}).Draw(rt, label)
			return strings.Repeat(word, rapid.IntRange(0, most).Draw(rt, label+" times"))
		}
		question, last := "", []llm.ToolCall(nil)
		m := &busy{
			text: func(int) string { return text(100, "text") },
			look: func(r llm.Request) {
				body, err := preset.Body(r)
				if err == nil {
					err = (llmtest.Rules{}).Legal(body)
				}
				if err != nil {
					rt.Fatalf("%v\n%s", err, brief(r.Messages))
				}
				if size := requestSize(r); size > window {
					rt.Fatalf("%d tokens in a window of %d\n%s", size, window, brief(r.Messages))
				}
				asked := false
				for _, m := range r.Messages {
					asked = asked || m.Role == roleUser && strings.Contains(m.Content, question)
				}
				if !asked {
					rt.Fatalf("the question is gone\n%s", brief(r.Messages))
				}
				if len(last) == 0 {
					return
				}
				var calls, results int
				for i := len(r.Messages) - 1; r.Messages[i].Role != roleUser && calls == 0; i-- {
					if calls = len(r.Messages[i].ToolCalls); r.Messages[i].Role == roleTool {
						results++
					}
				}
				if want := min(len(last), mostInRound); calls < want || results != calls {
					rt.Fatalf("%d calls with %d results of the last round of %d\n%s", calls, results, want, brief(r.Messages))
				}
			},
		}
		ids := 0
		m.calls = func(int) []llm.ToolCall {
			last = nil
			for range rapid.SampledFrom([]int{1, 1, 1, 1, 2, 4, 16, 24}).Draw(rt, "calls") {
				ids++
				much := rapid.SampledFrom([]int{5, 5, 800}).Draw(rt, "much")
				args, err := json.Marshal(map[string]any{"command": text(40, "argument"), "content": text(much, "content")})
				if err != nil {
					rt.Fatal(err)
				}
				last = append(last, llm.ToolCall{ID: fmt.Sprintf("call%05d", ids), Name: "shell", Arguments: string(args)})
			}
			return last
		}
		for i := range rapid.IntRange(1, 3).Draw(rt, "questions") {
			question, last = fmt.Sprintf("question %d", i), nil
			m.n, m.rounds = 0, rapid.IntRange(0, 10).Draw(rt, "rounds")
			q := Question{Text: question, Model: m, Name: "busy", Window: window}
			err := drive(rt.Context(), c, q, func(_ llm.ToolCall, of int) string {
				most := max(64, min(window/8, window/3/of)) // as package loop gives them
				s, _ := tokens.Cut(text(2000, "result"), most)
				return s
			})
			if empty := (*EmptyError)(nil); err != nil && !errors.As(err, &empty) {
				rt.Fatal(err)
			}
		}
		if c.short != (session.Shortened{}) {
			shortened++
		}
		if err := rec.Close(); err != nil {
			rt.Fatal(err)
		}
		again, live, err := dir.Open(rec.Path())
		if err != nil {
			rt.Fatal(err)
		}
		defer again.Close()
		o.Record = again
		other := New(o)
		other.Continue(t.Context(), live.Live(), again, "")
		here, _ := preset.Body(c.Request(rt.Context()))
		there, _ := preset.Body(other.Request(rt.Context()))
		if string(here) != string(there) {
			rt.Fatalf("here and there:\n%s\n%s", here, there)
		}
	})
	if shortened == 0 {
		t.Error("nothing was ever shortened")
	}
}

// TestRefusedBetweenRounds: a request of a later round that the server refuses as too long goes once more, shorter, whether or not
// anybody knows how much it takes.
func TestRefusedBetweenRounds(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]int{"it says how much": 4000, "nobody says": 0} {
		refused, largest := 0, 0
		m := &busy{rounds: 12, text: func(int) string { return "" }, look: func(r llm.Request) { largest = max(largest, requestSize(r)) }}
		m.calls = func(i int) []llm.ToolCall {
			return []llm.ToolCall{{ID: fmt.Sprintf("c%d", i), Name: "shell", Arguments: `{"command":"ls"}`}}
		}
		server := says(func(ctx context.Context, req llm.Request, show func(llm.Delta) error) (llm.Answer, error) {
			if requestSize(req) > 4000 {
				refused++
				return llm.Answer{}, &llm.Error{Kind: llm.BadRequest, Op: "ask", Message: "the prompt is too long"}
			}
			return m.Stream(ctx, req, show)
		})
		rec := session.Discard()
		c := New(Options{Record: rec, Now: clock, Tools: hands{tools: toolDefinitions()}})
		q := Question{Text: "list it", Model: server, Name: "busy", Server: windowed{0, func(*llm.Error) int { return known }}}
		err := drive(t.Context(), c, q, func(llm.ToolCall, int) string { return strings.Repeat("word ", 500) })
		if empty := (*EmptyError)(nil); err != nil && !errors.As(err, &empty) || m.n != 13 || refused == 0 || refused > 8 {
			t.Errorf("%s: %d answers, refused %d times, %v", name, m.n, refused, err)
		}
	}
}

// says is a function that does so. It implements Model.
type says func(context.Context, llm.Request, func(llm.Delta) error) (llm.Answer, error)

func (m says) Stream(ctx context.Context, req llm.Request, show func(llm.Delta) error) (llm.Answer, error) {
	return m(ctx, req, show)
}

// TestResultsLeaveFirst: where what came of calls takes the room, that leaves, and what was said stays; no model is asked to sum it up.
// The newest round stays, and what is left can be read by its turn.
func TestResultsLeaveFirst(t *testing.T) {
	t.Parallel()
	var last llm.Request
	m := &busy{rounds: 1, text: func(int) string { return "I see" }, look: func(r llm.Request) { last = r }}
	m.calls = func(int) []llm.ToolCall {
		return []llm.ToolCall{{ID: "c1", Name: "read_file", Arguments: `{"path":"a.go"}`}}
	}
	c := New(Options{
		Record: session.Discard(), Now: clock, Tools: hands{tools: toolDefinitions()},
		Compaction: Compaction{At: 0.75, Keep: 2, Tokens: 300, By: summarizer(func() (Model, string, int, error) {
			t.Error("a model is asked for a summary")
			return nil, "", 0, errors.New("none")
		})},
	})
	for i := range 12 {
		m.n = 0
		q := Question{Text: fmt.Sprintf("look once more, %d", i), Model: m, Name: "busy", Window: 8192}
		if err := drive(t.Context(), c, q, func(llm.ToolCall, int) string { return "head\n" + strings.Repeat("word ", 900) }); err != nil {
			t.Fatal(err)
		}
	}
	texts := strings.ReplaceAll(brief(last.Messages), `\n`, "\n")
	for i := range 12 {
		if !strings.Contains(texts, fmt.Sprintf("look once more, %d", i)) {
			t.Errorf("question %d is gone", i)
		}
	}
	whole := strings.Count(texts, "word word word")
	short := strings.Count(texts, "head\n[... 1127 tokens left out to make room: read_file out:")
	if whole == 0 || short == 0 || !strings.Contains(texts, " tokens left out to make room: read_file out:3]\n") {
		t.Errorf("%d whole, %d shorter:\n%.2000s", whole, short, texts)
	}
	if turn, ok := c.ResultAt(3); !ok || !strings.HasPrefix(turn.Content, "head\nword ") {
		t.Errorf("%.100q, %v", turn.Content, ok)
	}
	c.Reset()
	if c.short != (session.Shortened{}) {
		t.Errorf("%+v", c.short)
	}
}
