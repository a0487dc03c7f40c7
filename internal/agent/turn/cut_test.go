//go:build unix

package turn_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/agent/loop"
	"ken/internal/agent/turn"
	"ken/internal/gate"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
	"ken/internal/runner"
	"ken/internal/session"
)

// TestCutAnswers: of an answer that broke off nothing is done, whole calls included; one call more than the server
// has tokens for is answered as broken; and the next question is sent as all servers take it.
func TestCutAnswers(t *testing.T) {
	t.Parallel()
	call := func(n int, args string) string {
		return llmtest.Delta(fmt.Sprintf(
			`{"tool_calls":[{"index":%d,"id":"c%d","type":"function","function":{"name":"shell","arguments":%q}}]}`, n, n, args))
	}
	whole, half := call(0, `{"command":"touch made"}`), call(1, `{"command":"touch ma`)
	for name, c := range map[string]struct {
		script llmtest.Script
		made   bool
	}{
		"whole, and no end":      {llmtest.Raw(whole), false},
		"cut in a call":          {llmtest.Raw(half), false},
		"whole, then cut in one": {llmtest.Raw(whole, half), false},
		"the connection broke":   {llmtest.Script{Steps: llmtest.Raw(whole).Steps, End: llmtest.Break}, false},
		"out of tokens":          {llmtest.Raw(half, llmtest.Finish("length")+llmtest.Done), false},
		"whole":                  {llmtest.Raw(whole, llmtest.Finish("tool_calls")+llmtest.Done), true},
	} {
		server := llmtest.New(t, c.script)
		server.Always(llmtest.Text("done"))
		dir := files(t, map[string]string{"memory.jsonl": staging})
		h := open(t, dir, server, nil)
		ports := runner.Ports{
			Dir: func() string { return dir }, Getenv: os.Getenv, Approved: new(gate.Session), Approver: says(gate.HowOnce),
			FindProgram: func(string) (string, error) { return "/bin/bash", nil }, Environ: func() []string { return proctest.Environ(t) },
		}
		acts := loop.New(h.View, runner.New(h.View, ports), loop.Options{})
		d := turn.New(h.View, turn.Options{Channel: session.ChannelAsk, Loop: acts})
		_, err := d.Ask(t.Context(), turn.Question{Text: "make it"}, turn.Events{})
		if _, missing := os.Stat(filepath.Join(dir, "made")); (missing == nil) != c.made {
			t.Errorf("%s: made %v, %v", name, missing == nil, err)
		}
		if _, err := d.Ask(t.Context(), turn.Question{Text: "and now?"}, turn.Events{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, body := range sent(server) {
			if err := (llmtest.Rules{}).Legal([]byte(body)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestStoppedInACall: an interruption in the middle of a call ends the question; the call has its result, and the
// conversation goes on.
func TestStoppedInACall(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t, llmtest.Call("a", "shell", `{"command":"echo begun; cat"}`))
	server.Always(llmtest.Text("done"))
	dir := files(t, map[string]string{"memory.jsonl": staging})
	h := open(t, dir, server, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ports := runner.Ports{
		Dir: func() string { return dir }, Getenv: os.Getenv, Approved: new(gate.Session),
		Approver: stops{cancel}, FindProgram: func(string) (string, error) { return "/bin/bash", nil },
		Environ: func() []string { return proctest.Environ(t) },
	}
	server.Add(llmtest.Call("b", "shell", `{"command":"touch made"}`))
	acts := loop.New(h.View, runner.New(h.View, ports), loop.Options{})
	d := turn.New(h.View, turn.Options{Channel: session.ChannelAsk, Loop: acts})
	if _, err := d.Ask(ctx, turn.Question{Text: "make it"}, turn.Events{}); err == nil {
		t.Error("an interruption is no error")
	}
	if _, err := d.Ask(t.Context(), turn.Question{Text: "and now?"}, turn.Events{}); err != nil {
		t.Error(err)
	}
	bodies := sent(server)
	last := bodies[len(bodies)-1]
	if err := (llmtest.Rules{}).Legal([]byte(last)); err != nil || !strings.Contains(last, "stopped") {
		t.Errorf("%v: %s", err, last)
	}
}

// stops is a person who ends the run instead of an answer.
type stops struct{ cancel context.CancelFunc }

func (s stops) Approve(ctx context.Context, _ runner.Request) (gate.How, error) {
	s.cancel()
	return gate.HowOnce, ctx.Err()
}
