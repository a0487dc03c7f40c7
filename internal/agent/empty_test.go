package agent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
	"ken/internal/session"
)

// TestEmptyAnswer: an answer that ends in order and says nothing is an error that says
// so, whatever is in it instead of text.
func TestEmptyAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script llmtest.Script
		want   string
	}{
		"nothing":           {llmtest.Text(), "model test: the answer is empty"},
		"blanks":            {llmtest.Text(" \n", "\t"), "model test: the answer is empty"},
		"control sequences": {llmtest.Text("\x1b]0;x\a"), "model test: the answer is empty"},
		"a filter":          {llmtest.Raw(llmtest.Delta(`{"role":"assistant"}`), llmtest.Finish("content_filter")+llmtest.Done), "model test: the answer is empty (content_filter)"},
		"reasoning":         {llmtest.Raw(llmtest.Delta(`{"reasoning_content":"hm"}`), llmtest.Finish("stop")+llmtest.Done), "model test: the answer is empty: there is reasoning and no answer behind it"},
		"all of it spent":   {llmtest.Raw(llmtest.Delta(`{"reasoning_content":"hm"}`), llmtest.Finish("length")+llmtest.Done), "model test: the answer is empty: there is reasoning and no answer behind it (length)"},
		"a call":            {llmtest.Call("c", "run\x1b[2J", "{}"), `model test: the answer is empty: it asks for the tool "run", which it was not offered`},
		"a picture":         {llmtest.Raw(llmtest.Delta(`{"content":[{"type":"image_url","image_url":{"url":"data:"}}]}`), llmtest.Finish("stop")+llmtest.Done), "model test: the answer is empty"},
		"no choice":         {llmtest.JSON(`{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}`), "model test: the answer is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t, c.script)
			client := llm.New(llm.Preset{Name: "test", BaseURL: server.URL, Model: "test"}, llm.Options{})
			t.Cleanup(client.Close)
			s := newSet(t, nil)
			_, err := s.Ask(t.Context(), Question{Text: "q", Model: client}, nil)
			if empty := (*EmptyError)(nil); !errors.As(err, &empty) || err.Error() != c.want || empty.Hint() == "" {
				t.Errorf("%v, want %s", err, c.want)
			}
			if n := len(s.tape.events); n == 0 || s.tape.events[n-1].Name != session.EventUnanswered || s.tape.events[n-1].Int("n") != 1 {
				t.Errorf("the session has %+v", s.tape.events)
			}
		})
	}
}

// TestUnanswered: a question that failed before a word came is marked and not sent with
// the next one, neither here nor where another process goes on; what commands printed
// before it is not lost with it, and a part of an answer is kept.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	dir := shelf(t)
	rec, err := dir.Create(session.Header{})
	if err != nil {
		t.Fatal(err)
	}
	half := llm.Answer{Message: llm.Message{Role: "assistant", Content: "half"}}
	model := &fake{replies: []reply{
		{err: &llm.Error{Kind: llm.Server}},
		{err: &llm.Error{Kind: llm.BadRequest}},
		{err: context.Canceled},
		{answer: llm.Answer{Finish: "stop"}},
		{answer: half, err: &llm.Error{Kind: llm.Incomplete, Partial: &half}},
	}}
	c := New(Options{Record: rec, Now: clock, OutputTokens: 500})
	c.Ran(Ran{Command: "make", Output: "it broke"})
	for _, q := range []string{"q1", "q2", "q3", "q4", "q5", "q6"} {
		_, _ = c.Ask(t.Context(), Question{Text: q, Model: model}, nil) // most fail, as planned
	}
	const printed = "[exec output]\n$ make\nit broke\n[end of exec output]\n\n"
	want := brief([]llm.Message{{Role: "user", Content: printed + "q5"}, {Role: "assistant", Content: "half"}, {Role: "user", Content: "q6"}})
	if diff := cmp.Diff(want, brief(model.asked[5].Messages[1:])); diff != "" {
		t.Errorf("sent last (-want +got):\n%s", diff)
	}
	for i, req := range model.asked[:4] {
		if n := len(req.Messages); n != 2 || !strings.Contains(req.Messages[1].Content, printed) {
			t.Errorf("question %d: %s", i+1, brief(req.Messages[1:]))
		}
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	again, tr, err := dir.Open(rec.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if n := len(tr.Turns()); n != 8 {
		t.Errorf("%d turns in the session", n)
	}
	other := New(Options{Record: again, Now: clock})
	other.Continue(t.Context(), tr.Live(), again, "")
	if diff := cmp.Diff(brief(c.Request(t.Context()).Messages), brief(other.Request(t.Context()).Messages)); diff != "" {
		t.Errorf("in another process (-here +there):\n%s", diff)
	}
}
