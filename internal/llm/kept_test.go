package llm_test

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

// TestLearnedIsKept: what a refusal taught is told once, when the server answered; a client that knows it of an earlier run
// asks so at once, without a word.
func TestLearnedIsKept(t *testing.T) {
	t.Parallel()
	temperature := 0.2
	for _, test := range []struct {
		status     int
		said, name string
		rules      llmtest.Rules
		gone       string
	}{
		{400, "messages.2: content must not be empty", "null-content", llmtest.Rules{Null: true}, ""},
		{500, "This model only supports single tool-calls at once!", "one-call", llmtest.Rules{OneCall: true}, ""},
		{500, "Tool call IDs should be alphanumeric strings with length 9!", "short-ids", llmtest.Rules{ShortIDs: true}, ""},
		{400, "gemma:2b does not support tools", "no-tools", llmtest.Rules{NoTools: true}, ""},
		{500, "System role not supported", "no-system", llmtest.Rules{NoSystem: true}, ""},
		{400, "'temperature' does not support 0.2", "no-temperature", llmtest.Rules{}, "temperature"},
		{422, "stream_options: Extra inputs are not permitted", "no-stream-options", llmtest.Rules{}, "stream_options"},
		{400, "'max_tokens' is not supported. Use 'max_completion_tokens'", "completion-tokens", llmtest.Rules{}, `"max_tokens"`},
		{400, "'messages.1': property 'reasoning_content' is unsupported", "no-fields", llmtest.Rules{}, ""},
	} {
		s := llmtest.New(t, llmtest.Error(test.status, test.said))
		s.Always(llmtest.Text("ok"))
		p := preset(s)
		p.Temperature, p.MaxTokens = &temperature, 50
		var told [][]string
		o := llm.Options{Sleep: noSleep, Learned: func(names []string) { told = append(told, names) }}
		first := llm.New(p, o)
		for range 2 {
			if _, err := first.Complete(t.Context(), talk()); err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		first.Close()
		if len(told) != 1 || !slices.Equal(told[0], []string{test.name}) {
			t.Errorf("%s: told %q", test.name, told)
			continue
		}
		o.Known, told = append(told[0], "of a later version"), nil
		second := llm.New(p, o)
		a, err := second.Complete(t.Context(), talk())
		if err != nil || len(a.Warnings) > 0 || len(told) > 0 {
			t.Errorf("%s: %v, %q, told %q", test.name, err, a.Warnings, told)
		}
		second.Close()
		all := s.Requests()
		last := all[len(all)-1].Body
		if err := test.rules.Legal(last); err != nil || len(all) != 4 || test.gone != "" && strings.Contains(string(last), test.gone) {
			t.Errorf("%s: %v in request %d: %s", test.name, err, len(all), last)
		}
	}
}

// TestFlagIsNotKept: a server that was not started for tools may be the next time.
func TestFlagIsNotKept(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Error(400, `"auto" tool choice requires --enable-auto-tool-choice`))
	s.Always(llmtest.Text("ok"))
	c := llm.New(preset(s), llm.Options{Sleep: noSleep, Learned: func(names []string) { t.Errorf("kept %q", names) }})
	defer c.Close()
	for range 2 {
		if _, err := c.Complete(t.Context(), talk()); err != nil {
			t.Error(err)
		}
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// TestWrongIsForgotten: what is known and does not hold any more is refused, in words that teach nothing; the request goes
// out as at first, and if it is answered so that is told. Where it is refused as well it is not tried again until something
// was answered.
func TestWrongIsForgotten(t *testing.T) {
	t.Parallel()
	refusal := llmtest.Error(400, "messages.2.content: expected a string")
	s := llmtest.New(t, refusal, llmtest.Text("ok"), refusal)
	var told [][]string
	o := llm.Options{Sleep: noSleep, Known: []string{"null-content", "no-system"}}
	o.Learned = func(names []string) { told = append(told, names) }
	c := llm.New(preset(s), o)
	defer c.Close()
	a, err := c.Complete(t.Context(), talk())
	if err != nil || len(a.Warnings) > 0 {
		t.Errorf("%v, %q", err, a.Warnings)
	}
	if len(told) != 1 || len(told[0]) != 0 {
		t.Errorf("told %q", told)
	}
	all := s.Requests()
	if len(all) != 2 || strings.Contains(string(all[1].Body), "null") || !strings.Contains(string(all[1].Body), `"role":"system"`) {
		t.Fatalf("%d requests, the last %s", len(all), all[len(all)-1].Body)
	}
	if _, err := c.Complete(t.Context(), talk()); err == nil || len(s.Requests()) != 3 {
		t.Errorf("with nothing to forget: %v after %d requests", err, len(s.Requests()))
	}

	// A refusal of what was asked, whatever its form.
	other := llmtest.Error(400, "null is what we take for empty content")
	s = llmtest.New(t, refusal, other, refusal, refusal, llmtest.Text("ok"), refusal, refusal)
	told = nil
	c = llm.New(preset(s), o)
	defer c.Close()
	for i, want := range []int{3, 4, 5, 7} {
		_, err := c.Complete(t.Context(), talk())
		if ok := i == 2; (err == nil) != ok || len(s.Requests()) != want {
			t.Errorf("question %d: %v after %d requests, want %d", i+1, err, len(s.Requests()), want)
		}
	}
	if len(told) != 1 || !slices.Equal(told[0], []string{"null-content"}) {
		t.Errorf("told %q", told)
	}
}

// TestLongIsNotForgotten: a refusal for length says nothing of the form.
func TestLongIsNotForgotten(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Error(400, "This model's maximum context length is 10 tokens."))
	c := llm.New(preset(s), llm.Options{Sleep: noSleep, Known: []string{"no-system"}})
	defer c.Close()
	if _, err := c.Complete(t.Context(), talk()); err == nil || len(s.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
}
