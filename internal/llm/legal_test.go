package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

func called(preset string, ids ...string) llm.Message {
	m := llm.Message{Role: "assistant", Preset: preset}
	for _, id := range ids {
		m.ToolCalls = append(m.ToolCalls, llm.ToolCall{ID: id, Name: "f", Arguments: "{}"})
	}
	return m
}

func returned(id string) llm.Message {
	return llm.Message{Role: "tool", ToolCallID: id, Content: "result of " + id}
}

// talk is a conversation with calls, and a tool that is offered.
func talk() llm.Request {
	return llm.Request{
		Messages: []llm.Message{
			{Role: "system", Content: "base\n\nguide\n\nrest"},
			{Role: "user", Content: "q"},
			called("fast", "functions.f:0", "functions.f:1"), returned("functions.f:0"), returned("functions.f:1"),
			{Role: "assistant", Content: "a"},
			{Role: "user", Content: "more"},
			called("other", "call_x"), returned("call_x"),
		},
		Tools: []json.RawMessage{json.RawMessage(`{"type":"function","function":{"name":"f"}}`)},
		Guide: "guide",
	}
}

// TestLearnsTranscripts: what a server or the template of a model refuses of a conversation with calls is put
// otherwise, once and from then on, and a line says so.
func TestLearnsTranscripts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		status  int
		said    []string // words of refusals of one kind
		rules   llmtest.Rules
		warning string
	}{
		{"no text", 400, []string{
			"The text field in the ContentBlock object at messages.2.content.0 is blank. Add text to the text field, and try again.",
			"messages.2: content must not be empty", "messages: text content blocks must be non-empty",
			"2.content: String should have at least 1 character",
		}, llmtest.Rules{Null: true}, "empty text"},
		{"one call", 500, []string{
			"This model only supports single tool-calls at once! at row 92, column 30",
			"Only one tool call per assistant message is supported.",
		}, llmtest.Rules{OneCall: true}, "one call of a tool in a message"},
		{"ids", 500, []string{
			"Tool call IDs should be alphanumeric strings with length 9!",
			"Tool call id was call_x but must be a-z, A-Z, 0-9, with a length of 9: alphanumeric",
		}, llmtest.Rules{ShortIDs: true}, "short ones"},
		{"no tools", 400, []string{
			"registry.ollama.ai/library/gemma:2b does not support tools", "`tools` are not supported: this model does not support tool calling",
			"Function calling is not enabled for models/gemma-3-27b-it",
		}, llmtest.Rules{NoTools: true}, "CMD:"},
		{"no tools, by a router", 404, []string{
			"No endpoints found that support tool use. To learn more ...",
		}, llmtest.Rules{NoTools: true}, "CMD:"},
		{"not started for tools", 400, []string{
			`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`,
		}, llmtest.Rules{NoTools: true}, "--enable-auto-tool-choice"},
		{"not started for tools, of llama.cpp", 500, []string{"tools param requires --jinja flag"}, llmtest.Rules{NoTools: true}, "--jinja"},
		{"no system", 500, []string{
			"System role not supported", "Jinja exception: System role not supported at row 1",
			"Developer instruction is not enabled for models/gemma-3",
		}, llmtest.Rules{NoSystem: true}, "system message"},
	} {
		for _, said := range test.said {
			s := llmtest.New(t, llmtest.Error(test.status, said))
			s.Always(llmtest.Text("ok"))
			c := llm.New(preset(s), llm.Options{Sleep: noSleep})
			for try := range 2 {
				a, err := c.Complete(t.Context(), talk())
				if err != nil {
					t.Errorf("%s: %q: %v", test.name, said, err)
					continue
				}
				if told := strings.Join(a.Warnings, "|"); try == 0 != strings.Contains(told, test.warning) || len(a.Warnings) > 1 {
					t.Errorf("%s: told %q", test.name, told)
				}
			}
			all := s.Requests()
			if len(all) != 3 {
				t.Errorf("%s: %d requests, want 3", test.name, len(all))
			}
			if err := test.rules.Legal(all[0].Body); err == nil {
				t.Errorf("%s: there was nothing to learn", test.name)
			}
			for _, r := range all[1:] {
				body := string(r.Body)
				if err := test.rules.Legal(r.Body); err != nil {
					t.Errorf("%s: %v", test.name, err)
				}
				for _, want := range []string{"base", "rest", "result of functions.f:0", "result of functions.f:1", "more", "result of call_x"} {
					if !strings.Contains(body, want) {
						t.Errorf("%s: %q is lost: %s", test.name, want, body)
					}
				}
				if strings.Contains(body, "guide") == test.rules.NoTools {
					t.Errorf("%s: %s", test.name, body)
				}
			}
			c.Close()
		}
	}
}

// TestLearnsOnlyFromWords: a refusal without such words teaches nothing, and neither does one that cannot be
// about what was sent.
func TestLearnsOnlyFromWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status int
		said   string
		change func(*llm.Request)
	}{
		{500, "internal error", nil},
		{500, "", nil},
		{500, "content must not be empty", nil}, // not said with this status
		{400, "the content was filtered by the content management policy: content_filter, none", nil},
		{400, "does not support tools", func(r *llm.Request) { r.Tools = nil }},
		{400, "content must not be empty", func(r *llm.Request) { r.Messages = r.Messages[:2] }},
		{400, "only supports single tool-calls at once", func(r *llm.Request) { r.Messages = append(r.Messages[:2:2], r.Messages[5:]...) }},
		{400, "System role not supported", func(r *llm.Request) { r.Messages = r.Messages[1:] }},
		{403, "does not support tools", nil},
	} {
		c, s := client(t, llmtest.Error(test.status, test.said))
		req := talk()
		if test.change != nil {
			test.change(&req)
		}
		if _, err := c.Complete(t.Context(), req); err == nil || len(s.Requests()) != 1 {
			t.Errorf("%d %s: %v after %d requests", test.status, test.said, err, len(s.Requests()))
		}
	}
}

// TestIDs: a preset gets its own ids back, and nine letters and digits of the calls that others made, the same
// ones each time.
func TestIDs(t *testing.T) {
	t.Parallel()
	body := func(name string, change func(*llm.Request)) string {
		req := talk()
		if change != nil {
			change(&req)
		}
		before, _ := json.Marshal(req)
		b, err := llm.New(llm.Preset{Name: name, BaseURL: "http://x", Model: "m"}, llm.Options{}).Body(req)
		if err != nil {
			t.Fatal(err)
		}
		if after, _ := json.Marshal(req); string(after) != string(before) {
			t.Errorf("the request was changed: %s", after)
		}
		return string(b)
	}
	for name, want := range map[string]int{"fast": 2, "other": 1, "third": 0} {
		got := body(name, nil)
		kept := 0
		for _, id := range []string{"functions.f:0", "functions.f:1", "call_x"} {
			n := strings.Count(got, fmt.Sprintf("%q:%q", "id", id)) + strings.Count(got, fmt.Sprintf("%q:%q", "tool_call_id", id))
			if n != 0 && n != 2 {
				t.Errorf("%s: %s stands there %d times", name, id, n)
			}
			kept += n / 2
		}
		if kept != want {
			t.Errorf("%s has %d ids as received, want %d", name, kept, want)
		}
		if again := body(name, nil); again != got {
			t.Error("they change")
		}
		longer := body(name, func(r *llm.Request) {
			r.Messages = append(r.Messages, llm.Message{Role: "assistant", Content: "end"}, llm.Message{Role: "user", Content: "q"},
				called("fourth", "call_x"), returned("call_x"))
		})
		if !strings.HasPrefix(longer, strings.TrimSuffix(got, "]}")) {
			t.Errorf("%s: what comes later changes what stands before", name)
		}
		if err := (llmtest.Rules{ShortIDs: name == "third"}).Legal([]byte(longer)); err != nil {
			t.Error(err)
		}
	}
}

// TestFitIsLegal: whatever conversation, and whatever was learned, the strictest server of that kind takes
// it, and no text is lost.
func TestFitIsLegal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		req := llm.Request{Guide: "guide", Messages: []llm.Message{{Role: "system", Content: "base\n\nguide"}}}
		if rapid.Bool().Draw(rt, "tools") {
			req.Tools = []json.RawMessage{json.RawMessage(`{"type":"function"}`)}
		}
		ids := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "call_1", "", "Ab3456789", "x.y:0"}), 0, 3, rapid.ID[string])
		var texts []string
		text := func(role string) llm.Message {
			s := fmt.Sprintf("text%d.", len(texts))
			texts = append(texts, s)
			return llm.Message{Role: role, Content: s}
		}
		for range rapid.IntRange(0, 4).Draw(rt, "turns") {
			req.Messages = append(req.Messages, text("user"))
			for range rapid.IntRange(0, 3).Draw(rt, "rounds") {
				m := called(rapid.SampledFrom([]string{"fast", "other", ""}).Draw(rt, "preset"), ids.Draw(rt, "ids")...)
				if len(m.ToolCalls) == 0 {
					continue
				}
				req.Messages = append(req.Messages, m)
				for _, c := range m.ToolCalls {
					r := text("tool")
					r.ToolCallID = c.ID
					req.Messages = append(req.Messages, r)
				}
			}
			req.Messages = append(req.Messages, text("assistant"))
		}
		req.Messages = append(req.Messages, text("user"))
		refusals := map[string]func(*llmtest.Rules){
			"content must not be empty":                 func(r *llmtest.Rules) { r.Null = true },
			"only supports single tool-calls":           func(r *llmtest.Rules) { r.OneCall = true },
			"should be alphanumeric, with length 9":     func(r *llmtest.Rules) { r.ShortIDs = true },
			"does not support tools":                    func(r *llmtest.Rules) { r.NoTools = true },
			"System role not supported by the template": func(r *llmtest.Rules) { r.NoSystem = true },
		}
		var rules llmtest.Rules
		s := llmtest.New(t)
		s.Reply(func(r llmtest.Request) llmtest.Script {
			for said, rule := range refusals {
				try := rules
				rule(&try)
				if rules.Legal(r.Body) == nil && try != rules && try.Legal(r.Body) != nil {
					rules = try
					return llmtest.Error(400, said)
				}
			}
			return llmtest.Text("ok")
		})
		p := preset(s)
		c := llm.New(p, llm.Options{Sleep: noSleep})
		defer c.Close()
		if _, err := c.Complete(t.Context(), req); err != nil {
			rt.Fatal(err)
		}
		last := s.Requests()[len(s.Requests())-1]
		if err := rules.Legal(last.Body); err != nil {
			rt.Fatalf("%+v: %v", rules, err)
		}
		for _, want := range append(texts, "base") {
			if !strings.Contains(string(last.Body), want) {
				rt.Errorf("%s is lost", want)
			}
		}
	})
}
