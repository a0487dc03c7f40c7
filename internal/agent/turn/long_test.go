//go:build unix

package turn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"ken/internal/agent/auto"
	"ken/internal/agent/loop"
	"ken/internal/agent/turn"
	"ken/internal/gate"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
	"ken/internal/runner"
	"ken/internal/session"
	"ken/internal/tokens"
)

// nobody halts no run: all that these do is safe.
type nobody struct{ t *testing.T }

func (n nobody) Halted(_ context.Context, h auto.Halt) (auto.Said, error) {
	n.t.Errorf("halted: %+v", h)
	return auto.Said{Choice: auto.Abort}, nil
}

func (n nobody) Planned(context.Context, string) (auto.Said, error) {
	n.t.Error("asked for a plan")
	return auto.Said{Choice: auto.Abort}, nil
}

// TestLongRun: a model with a window of 8192 tokens that works in 40 rounds, each with more output than fits, comes to its end, by
// calls and by command lines, in a question and in a run by itself; each request fits, is legal, and has the person's words.
func TestLongRun(t *testing.T) {
	t.Parallel()
	const rounds, window = 40, 8192
	for _, mode := range []string{"question", "auto", "lines"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Describe(fmt.Sprintf(`"context_length":%d`, window))
			var n atomic.Int32
			server.Reply(func(r llmtest.Request) llmtest.Script {
				if strings.Contains(string(r.Body), "You sum up ") {
					return llmtest.Text("files were counted")
				}
				i := int(n.Add(1))
				line := fmt.Sprintf("seq %d %d", i*1000, i*1000+3000)
				switch {
				case i > rounds:
					return llmtest.Text("counted\nGOAL: complete")
				case mode == "lines":
					return llmtest.Text("I count.\nCMD: " + line)
				}
				return llmtest.Call(fmt.Sprintf("c%d", i), "shell", fmt.Sprintf(`{"command":%q}`, line))
			})
			dir := files(t, map[string]string{"memory.jsonl": staging, "config.toml": "[mcp]\nmax_tool_depth = 64\n"})
			h := open(t, dir, server, nil)
			ports := runner.Ports{
				Dir: func() string { return dir }, Getenv: os.Getenv, Approved: new(gate.Session), Approver: says(gate.HowRefused),
				FindProgram: func(string) (string, error) { return "/bin/bash", nil }, Environ: func() []string { return proctest.Environ(t) },
			}
			d := turn.New(h.View, turn.Options{
				Channel: session.ChannelAsk, Loop: loop.New(h.View, runner.New(h.View, ports), loop.Options{}),
			})
			const asked = "count the numbers for me"
			q := turn.Question{Text: asked}
			if mode != "question" {
				q.Auto = auto.New(auto.Options{Goal: asked, Limits: auto.Limits{Steps: 64, Skips: 3}, Person: nobody{t}})
			}
			ans, err := d.Ask(t.Context(), q, turn.Events{})
			if err != nil || !strings.HasPrefix(ans.Message.Content, "counted") || int(n.Load()) != rounds+1 {
				t.Errorf("%d rounds, %q, %v", n.Load(), ans.Message.Content, err)
			}
			largest := 0
			for i, body := range sent(server) {
				if err := (llmtest.Rules{}).Legal([]byte(body)); err != nil {
					t.Errorf("request %d: %v", i+1, err)
				}
				if largest = max(largest, tokensOf(t, body)); tokensOf(t, body) > window {
					t.Errorf("request %d has %d tokens", i+1, tokensOf(t, body))
				}
				if !strings.Contains(body, asked) && !strings.Contains(body, "You sum up ") {
					t.Errorf("request %d has no word of the person: %s", i+1, body)
				}
			}
			if largest < window/2 {
				t.Errorf("no request has more than %d tokens", largest)
			}
		})
	}
}

// tokensOf is what the texts of a request take.
func tokensOf(t *testing.T, body string) (n int) {
	t.Helper()
	var req struct {
		Messages []struct {
			Content string            `json:"content"`
			Calls   []json.RawMessage `json:"tool_calls"`
		} `json:"messages"`
		Tools []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal([]byte(body), &req); err != nil {
		t.Fatal(err)
	}
	for _, m := range req.Messages {
		n += tokens.Estimate(m.Content) + 4
		for _, c := range m.Calls {
			n += tokens.Estimate(string(c))
		}
	}
	for _, one := range req.Tools {
		n += tokens.Estimate(string(one))
	}
	return n
}
