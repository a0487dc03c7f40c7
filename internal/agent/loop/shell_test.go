//go:build unix

package loop_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ken/internal/agent/loop"
	"ken/internal/gate"
	"ken/internal/llm"
	"ken/internal/runner"
	"ken/internal/tool"
)

// A printed is called with what a command prints.
type printed func(text string)

func (f printed) Write(p []byte) (int, error) { f(string(p)); return len(p), nil }

// quoted is a text as JSON has it.
func quoted(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// stubborn prints something and does not end by itself, nor by a polite signal.
const stubborn = `trap "" INT TERM; echo "half of it is done"; while :; do sleep 1; done`

// TestStoppedSoFar: what a command printed before the person stopped it, or its time was up, is in its result.
func TestStoppedSoFar(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": ""})
	b.answer = yes
	ctx, cancel := context.WithCancel(t.Context())
	live := printed(func(text string) {
		if strings.Contains(text, "half") {
			cancel()
		}
	})
	args := `{"command":` + quoted(t, stubborn) + `}`
	replies, _ := b.Answer(ctx, []llm.ToolCall{{ID: "1", Name: "shell", Arguments: args}}, loop.Watch{Live: live})
	if r := replies[0]; r.State != tool.Stopped || !strings.Contains(r.Text, "stopped by the person") ||
		!strings.Contains(r.Text, "half of it is done") {
		t.Errorf("%+v", r)
	}
	r := b.call(t, "shell", `{"command":`+quoted(t, stubborn)+`,"timeout":1}`)
	if r.State != tool.Expired || !strings.Contains(r.Text, "time limit") || !strings.Contains(r.Text, "half of it is done") {
		t.Errorf("%+v", r)
	}
}

// TestLimitOfRunning: the time that a model gives a command is not that of the person who is asked about it.
func TestLimitOfRunning(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": ""})
	b.answer = func(runner.Request) (gate.How, error) {
		time.Sleep(1200 * time.Millisecond) // longer than the limit
		return gate.HowOnce, nil
	}
	if r := b.call(t, "shell", `{"command":"touch made && echo yes","timeout":1}`); r.State != tool.Done || !strings.Contains(r.Text, "yes") {
		t.Errorf("%+v", r)
	}
}

// TestReadAgain: what was read before a change of the same answer is read anew behind it.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": "one\n"})
	b.answer = yes
	read := llm.ToolCall{Name: "read_file", Arguments: `{"path":"a.txt"}`}
	edit := llm.ToolCall{Name: "edit_file", Arguments: `{"path":"a.txt","old":"one","new":"two"}`}
	replies, _ := b.Answer(t.Context(), []llm.ToolCall{read, read, edit, edit, read}, loop.Watch{})
	for i, want := range []string{"one", "one", "done", "done", "two"} {
		if r := replies[i]; r.State != tool.Done || !strings.Contains(r.Text, want) {
			t.Errorf("%d: %+v, want %s", i, r, want)
		}
	}
}
