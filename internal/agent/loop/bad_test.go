//go:build unix

package loop_test

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/agent/loop"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/tokens"
	"ken/internal/tool"
)

// TestBadCalls: whatever is called, in whatever form and however often, each call has one result of a bounded size that
// says what was wrong, in the order of the calls, and nothing is done that was not understood.
func TestBadCalls(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("x", 1<<20)
	for _, test := range []struct {
		name, args string
		state      tool.State
		want       string
	}{
		{"shell", `{"command":`, tool.Invalid, "cannot be read"},
		{"shell", `not JSON`, tool.Invalid, "cannot be read"},
		{"shell", huge, tool.Invalid, "cannot be read"},
		{"shell", `[1,2]`, tool.Invalid, "no JSON object"},
		{"shell", `null`, tool.Invalid, "no JSON object"},
		{"shell", ``, tool.Invalid, "needs command"},
		{"shell", `{}`, tool.Invalid, "needs command"},
		{"shell", `{"command":7.5,"timeout":"soon"}`, tool.Invalid, "want"},
		{"shell", `{"command":{"a":1}}`, tool.Invalid, "want a text"},
		{"shell", `{"command":"touch made","timeout":"soon"}`, tool.Invalid, "want a whole number"},
		{"shell", `{"command":"  "}`, tool.Invalid, "empty"},
		{"shell", `{"command":"touch made ` + huge + `"}`, tool.Refused, "not run"},
		{"", `{"command":"touch made"}`, tool.Invalid, "no tool"},
		{"nosuch", `{"command":"touch made"}`, tool.Invalid, "there are: shell"},
		{huge, `{}`, tool.Invalid, "no tool"},
		{"shell\n[background]", `{"command":"touch made"}`, tool.Invalid, "no tool"},
		{"write_file", `{"path":"made"}`, tool.Invalid, "needs content"},
		{"read_file", `{"path":"` + strings.Repeat("../", 5000) + `etc/passwd"}`, "", ""},
		{"recall", `{"query":"tea","in":"everywhere"}`, tool.Invalid, "want one of"},
	} {
		b := open(t, staging, map[string]string{"a": ""})
		r := b.call(t, test.name, test.args)
		if test.state != "" && (r.State != test.state || !strings.Contains(r.Text, test.want)) {
			t.Errorf("%.40s %.60s: %s %.300q", test.name, test.args, r.State, r.Text)
		}
		if len(r.Text) > 4<<10 || b.read(t, "made") != "" {
			t.Errorf("%.40s %.60s: %d bytes of result", test.name, test.args, len(r.Text))
		}
	}
}

// staging is a line of a memory.
const staging = `{"id":1,"ts":"2026-01-02T10:00:00Z","kind":"fact","content":"the staging host is called kettle"}` + "\n"

// TestManyCalls: of a thousand calls a few are made, one that stands there twice once, and each has its result, all of them
// within a part of a small window.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	const window = 8192
	b := open(t, "", map[string]string{"long.txt": strings.Repeat("a line of text that is not short\n", 4000)})
	b.Begin(loop.Asked{Model: "test", Window: window, Journal: noted(func(session.Event) error { return nil })})
	var list []llm.ToolCall
	for i := range 1000 {
		args := fmt.Sprintf(`{"command":"echo %d; cat long.txt"}`, i/2)
		list = append(list, llm.ToolCall{ID: fmt.Sprint(i / 2), Name: "shell", Arguments: args})
	}
	ended := 0
	replies, _ := b.Answer(t.Context(), list, loop.Watch{Ended: func(string, string) { ended++ }})
	size, done := 0, 0
	for i, r := range replies {
		if r.Call != list[i].ID || r.Text == "" {
			t.Fatalf("%d: %+v", i, r)
		}
		if i < 16 {
			size += tokens.Estimate(r.Text)
		}
		if r.State == tool.Done {
			done++
		} else if !strings.HasPrefix(r.Text, "not run: at most 16 calls") {
			t.Errorf("%d: %.200q", i, r.Text)
		}
	}
	if len(replies) != 1000 || done != 16 || ended > 16 || size > window {
		t.Errorf("%d replies, %d done, %d shown, %d tokens", len(replies), done, ended, size)
	}
}
