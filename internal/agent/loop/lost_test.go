package loop_test

import (
	"strings"
	"testing"

	"ken/internal/agent/loop"
	"ken/internal/session"
)

// TestS92Lost: of an answer whose process was killed nothing is done again: what was done has its result, what had begun
// is unknown, and the rest was not run.
func TestS92Lost(t *testing.T) {
	t.Parallel()
	const head = `{"meta":{"format":1,"session":"s"}}
{"ts":"2026-03-10T09:00:00Z","role":"user","content":"g","n":1}
`
	call := func(id string) string {
		return `{"id":"` + id + `","type":"function","function":{"name":"shell","arguments":"{}"}}`
	}
	three := call("a") + "," + call("b") + "," + call("c")
	answer := `{"ts":"2026-03-10T09:12:00Z","role":"assistant","content":"","n":2,"tool_calls":[` + three + `]}
{"ts":"2026-03-10T09:12:01Z","event":"act","id":"a","tool":"shell","what":"$ a","state":"begun"}
{"ts":"2026-03-10T09:12:02Z","role":"tool","content":"exit 0","n":3,"tool_call_id":"a"}
{"ts":"2026-03-10T09:12:02Z","event":"act","id":"a","state":"done","outcome":"done","exit":0}
{"ts":"2026-03-10T09:12:03Z","event":"act","id":"b","tool":"shell","what":"$ b","state":"begun"}
`
	lines := `{"ts":"2026-03-10T09:12:00Z","role":"assistant","content":"CMD: a\nCMD: b\nCMD: c\n","n":2}
{"ts":"2026-03-10T09:12:01Z","event":"act","id":"2.1","tool":"shell","what":"$ a","state":"begun"}
{"ts":"2026-03-10T09:12:02Z","event":"act","id":"2.1","state":"done","outcome":"done","exit":0,"text":"exit 0\none","from":"external"}
{"ts":"2026-03-10T09:12:03Z","event":"act","id":"2.2","tool":"shell","what":"$ b","state":"begun"}
`
	for name, c := range map[string]struct {
		text string
		want []loop.Lost
	}{
		"calls": {answer, []loop.Lost{
			{Call: "b", Text: "ended with ken, which was killed after 09:12:03"}, {Call: "c", Text: "not run: ken was ended before"},
		}},
		"calls of another tool": {strings.ReplaceAll(answer, `"tool":"shell"`, `"tool":"edit_file"`), []loop.Lost{
			{Call: "b", Text: "unknown whether it ran: killed after 09:12:03"}, {Call: "c", Text: "not run: ken was ended before"},
		}},
		"lines": {lines, []loop.Lost{
			{Line: "a", Text: "exit 0\none", From: "external"},
			{Line: "b", Text: "ended with ken, which was killed after 09:12:03"},
			{Line: "c", Text: "not run: ken was ended before"},
		}},
		"gone on with": {answer + `{"ts":"2026-03-10T09:13:00Z","role":"user","content":"well?","n":4}` + "\n", nil},
		"no answer":    {"", nil},
	} {
		tr, err := session.Read(strings.NewReader(head+c.text), "s")
		if err != nil {
			t.Fatal(err)
		}
		got := loop.RestOf(tr).Lost
		if len(got) != len(c.want) {
			t.Fatalf("%s: %+v", name, got)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %+v, want %+v", name, got[i], c.want[i])
			}
		}
	}
}
