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
)

// A wild model answers with whatever is drawn, and has each request looked at.
type wild struct {
	rt   *rapid.T
	look func(llm.Request)
	name string
}

// draws are the calls of one answer: names, ids and arguments as models get them wrong.
func (w *wild) draws() (calls []llm.ToolCall) {
	one := rapid.SampledFrom([]llm.ToolCall{
		{ID: "call_1", Name: "shell", Arguments: `{"command":"ls"}`},
		{ID: "call_1", Name: "shell", Arguments: `{"command":"ls"}`}, // an id twice
		{ID: "functions.shell:0", Name: "shell", Arguments: `{}`},
		{ID: "abcdefghi", Name: "nosuch", Arguments: `{"a":[1,{"b":null}]}`},
		{ID: "x", Name: "shell", Arguments: `{"command":`, Problem: "the arguments are no valid JSON"},
		{ID: "y", Name: "", Arguments: `[1]`, Problem: "the call names no tool"},
		{ID: "z", Name: "shell\n[background]", Arguments: `"` + strings.Repeat("x", 3000) + `"`},
		{ID: "[end of result", Name: "<|im_start|>", Arguments: "null"},
	})
	return rapid.SliceOfN(one, 0, 4).Draw(w.rt, "calls")
}

func (w *wild) Stream(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Answer, error) {
	w.look(req)
	a := llm.Answer{Message: llm.Message{Role: "assistant"}, Preset: w.name, Finish: "stop"}
	a.Message.Content = rapid.SampledFrom([]string{"", " \n", "I look", "[result of shell: data]\nCMD: ls"}).Draw(w.rt, "text")
	a.Message.ToolCalls = w.draws()
	if rapid.IntRange(0, 5).Draw(w.rt, "raw?") == 0 {
		a.Message.Raw = map[string]json.RawMessage{"reasoning_content": json.RawMessage(`"hm"`)}
	}
	switch rapid.IntRange(0, 7).Draw(w.rt, "end") {
	case 0:
		return llm.Answer{}, &llm.Error{Kind: llm.Server, Op: "ask"}
	case 1:
		return a, &llm.Error{Kind: llm.Incomplete, Op: "read answer", Partial: &a}
	case 2:
		return a, &llm.Error{Kind: llm.Cancelled, Op: "read answer", Partial: &a}
	case 3:
		a.Truncated, a.Finish = true, ""
	}
	return a, nil
}

// TestTranscriptsAreLegal: whatever is called, returned, interrupted, taken out of the context, summed up or asked
// of another model, the strictest server takes what is sent; and a process that goes on with the session sends
// the same bytes.
func TestTranscriptsAreLegal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir := shelf(t)
		rec, err := dir.Create(session.Header{})
		if err != nil {
			rt.Fatal(err)
		}
		defer rec.Close()
		presets := map[string]*llm.Client{}
		for _, name := range []string{"fast", "other"} {
			presets[name] = llm.New(llm.Preset{Name: name, BaseURL: "http://x", Model: "m"}, llm.Options{})
		}
		check := func(name string, req llm.Request) string {
			b, err := presets[name].Body(req)
			if err == nil {
				err = llmtest.Rules{}.Legal(b)
			}
			if err != nil {
				rt.Fatalf("%s: %v\n%s", name, err, brief(req.Messages))
			}
			return string(b)
		}
		options := func(rec Recorder) Options {
			return Options{
				Record: rec, Now: clock, Keys: masks(masker()), MaxTurns: rapid.SampledFrom([]int{0, 0, 6}).Draw(rt, "most"),
				Compaction: Compaction{At: 0.75, Keep: 2, Tokens: 100},
				Tools:      hands{tools: []json.RawMessage{json.RawMessage(`{"type":"function","function":{"name":"shell"}}`)}},
			}
		}
		o := options(rec)
		c := New(o)
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			name := rapid.SampledFrom([]string{"fast", "other"}).Draw(rt, "preset")
			model := &wild{rt: rt, name: name, look: func(r llm.Request) { check(name, r) }}
			switch rapid.IntRange(0, 7).Draw(rt, "step") {
			case 0:
				_, _ = c.Drop(rapid.IntRange(1, 2).Draw(rt, "drop")) // nothing may be there
			case 1:
				_, _ = c.Restore()
			case 2:
				_, _ = c.Compact(rt.Context())
			default:
				window := rapid.SampledFrom([]int{0, 1200}).Draw(rt, "window")
				q := Question{Text: fmt.Sprintf("q%d", len(c.turns)), Model: model, Name: name, Window: window}
				a, err := c.Ask(rt.Context(), q, nil)
				for err == nil && len(a.Message.ToolCalls) > 0 {
					calls := a.Message.ToolCalls
					answered := rapid.SampledFrom([]int{len(calls), len(calls), len(calls) - 1, 0}).Draw(rt, "answered")
					for _, call := range calls[:answered] {
						c.Return(Returned{Call: call.ID, Text: rapid.SampledFrom([]string{"", "ok", "[background]\n<|im_end|>", "data"}).Draw(rt, "result")})
					}
					if answered < len(calls) { // the process ended, or the person ended it
						break
					}
					a, err = c.GoOn(rt.Context(), nil)
				}
				if e := (*llm.Error)(nil); err != nil && !errors.As(err, &e) && !errors.As(err, new(*EmptyError)) {
					rt.Fatal(err)
				}
			}
		}
		// What this process would send next, and another one that goes on with the session.
		if err := rec.Close(); err != nil {
			rt.Fatal(err)
		}
		again, live, err := dir.Open(rec.Path())
		if len(c.turns) == 0 {
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		defer again.Close()
		o.Record = again
		other := New(o)
		other.Continue(t.Context(), live.Live(), again, "")
		for name := range presets {
			var bodies []string
			for _, one := range []*Conversation{c, other} {
				kept := one.turns
				one.turns = append(kept[:len(kept):len(kept)], user("the next"))
				bodies = append(bodies, check(name, one.Request(rt.Context())))
				one.turns = kept
			}
			if bodies[0] != bodies[1] {
				rt.Fatalf("here and there:\n%s\n%s", bodies[0], bodies[1])
			}
		}
	})
}
