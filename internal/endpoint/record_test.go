package endpoint

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/llm/llmtest"
	"ken/internal/session"
)

// kept are the sessions of a bed, as turns: who, what, how it ended, and whose text it is.
func (b *bed) kept() (list [][]string) {
	b.t.Helper()
	paths, err := filepath.Glob(filepath.Join(b.dir, "sessions", "*.jsonl"))
	if err != nil {
		b.t.Fatal(err)
	}
	slices.Sort(paths)
	for _, path := range paths {
		tr, err := session.Load(path)
		if err != nil {
			b.t.Fatal(err)
		}
		if tr.Header.Agent != "" {
			continue // notes of what was given
		}
		turns := []string{string(tr.Header.Channel)}
		for _, f := range tr.Header.Extra {
			turns = append(turns, f.Name+"="+string(f.Value))
		}
		for _, t := range tr.Turns() {
			turns = append(turns, strings.TrimRight(string(t.Role)+": "+t.Content+" ("+t.From+") "+t.Finish, " "))
		}
		list = append(list, turns)
	}
	return list
}

const recording = "[serve]\nrecord = true\nowner = [\"me-17\"]\n"

// TestRecord: with serve.record what is asked of a model with memory is kept with its answer, masked, a conversation a session, as text
// that came from outside; a loop of calls has its question once, and what is not the person's or not a question is not kept.
func TestRecord(t *testing.T) {
	t.Parallel()
	b := newBed(t, recording)
	calls := llmtest.Script{Status: 200, ContentType: "application/json", Steps: []llmtest.Step{{
		Write: `{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{}]},"finish_reason":"tool_calls"}]}`,
	}}}
	whole := llmtest.Script{Status: 200, ContentType: "application/json", Steps: []llmtest.Step{{
		Write: `{"choices":[{"index":1,"message":{"content":"no"}},` +
			`{"index":0,"message":{"content":"It is \u001b[31mkettle."},"finish_reason":"stop"}]}`,
	}}}
	b.model.Add(calls, whole, llmtest.Text("Of ", "course"), llmtest.Cut("I th", "ink"), llmtest.Error(500, "boom"))
	b.model.Always(llmtest.Text("yes"))
	b.state("the staging host is kettle", "")
	token := "ghp_" + strings.Repeat("a1B2", 9)
	first := `"<system-reminder>tea</system-reminder>the staging host? my key is ` + token + `"`
	b.ask(msgs("user", first))
	b.ask(strings.Replace(msgs("user", first, "assistant", `null`), "]}", `,{"role":"tool","tool_call_id":"c","content":"x"}]}`, 1))
	b.ask(msgs("user", first, "assistant", `"It is kettle."`, "user", `"sure?"`))
	b.ask(msgs("user", `"another thing"`))
	b.ask(msgs("user", `"it breaks"`))
	for _, plain := range []string{
		strings.Replace(msgs("user", `"plain"`), "ken/fast", "fast", 1),
		msgs("user", `"### Task:\nA title.\n<chat_history>x</chat_history>"`),
		strings.Replace(msgs("user", `"hers"`), "{", `{"user":"you-18",`, 1),
	} {
		if status, _, _ := b.ask(plain); status != 200 {
			t.Errorf("%d: %s", status, plain)
		}
	}
	got := b.kept()
	if len(got) != 2 {
		t.Fatalf("%d sessions: %q", len(got), got)
	}
	if len(got[0]) < len(got[1]) {
		got[0], got[1] = got[1], got[0]
	}
	if strings.Contains(strings.Join(got[0], "\n"), token) {
		t.Errorf("a secret is kept: %q", got[0])
	}
	asked, rest, _ := strings.Cut(got[0][2], "my key is")
	if asked != "user: the staging host? " || !strings.HasSuffix(rest, "(external)") {
		t.Errorf("asked: %q", got[0][2])
	}
	got[0][2] = ""
	want := [][]string{
		{
			"http", `client="notes"`, "", "assistant: It is kettle. (external) stop",
			"user: sure? (external)", "assistant: Of course (external) stop",
		},
		{"http", `client="notes"`, "user: another thing (external)", "assistant: I think (external) truncated"},
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

// TestRecordThreads: programs that say which conversation a question is of are believed; one that was gone on with elsewhere or
// taken away begins anew; who hangs up has kept what came.
func TestRecordThreads(t *testing.T) {
	t.Parallel()
	b := newBed(t, recording)
	b.model.Always(llmtest.Text("yes"))
	b.ask(msgs("user", `"one"`), "X-OpenWebUI-Chat-Id", "a")
	b.ask(msgs("user", `"one"`), "X-OpenWebUI-Chat-Id", "b")
	b.ask(msgs("user", `"two"`), "X-OpenWebUI-Chat-Id", "a")
	lengths := func() (list []int) {
		for _, s := range b.kept() {
			list = append(list, len(s)-2)
		}
		slices.Sort(list)
		return list
	}
	if got := lengths(); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("turns: %v", got)
	}
	paths, err := filepath.Glob(filepath.Join(b.dir, "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	b.ask(msgs("user", `"three"`), "X-OpenWebUI-Chat-Id", "a")
	if got := lengths(); !slices.Equal(got, []int{2}) {
		t.Errorf("anew: %v", got)
	}
	paths, err = filepath.Glob(filepath.Join(b.dir, "sessions", "*.jsonl"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	dir := session.Dir{Path: filepath.Join(b.dir, "sessions"), Lock: b.dir, Run: filepath.Join(b.dir, "run"), Now: b.end.o.Now}
	w, _, err := dir.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	b.ask(msgs("user", `"four"`), "X-OpenWebUI-Chat-Id", "a")
	if got := lengths(); !slices.Equal(got, []int{2, 2}) {
		t.Errorf("held elsewhere: %v", got)
	}
	never := make(chan struct{})
	b.model.Reply(func(llmtest.Request) llmtest.Script { return llmtest.Text("begun", "two").Gate(2, never) })
	ctx, cancel := context.WithCancel(t.Context())
	res := b.send(ctx, msgs("user", `"hang up"`), "X-Session-Id", "c")
	defer func() { _ = res.Body.Close() }()
	if _, err := res.Body.Read(make([]byte, 1<<10)); err != nil {
		t.Fatal(err)
	}
	cancel()
	b.http.Close() // it waits for what is being answered
	hungUp := func(turns []string) bool { return slices.Contains(turns, "user: hang up (external)") }
	if got := b.kept(); !slices.ContainsFunc(got, hungUp) {
		t.Errorf("hung up: %q", got)
	}
}

// TestTape: however an answer is cut into pieces, its text is the same, and none is too much for it.
func TestTape(t *testing.T) {
	t.Parallel()
	stream := llmtest.Token("a") + ": comment\r\n\r\n" + llmtest.Token("\u00e9\n") +
		"data: {broken\n\ndata: 7\n\ndata: {\"choices\":[7]}\n\n" +
		`data: {"choices":[{"delta":{"content":7},"finish_reason":null}]}` + "\n\n" + llmtest.Token("z") + llmtest.Done
	for size := 1; size < len(stream); size++ {
		x := tape{stream: true}
		for part := range slices.Chunk([]byte(stream), size) {
			x.take(part)
		}
		if got := x.text.String(); got != "a\u00e9\nz" || x.cut {
			t.Fatalf("by %d: %q, cut: %v", size, got, x.cut)
		}
	}
	long := tape{stream: true}
	for range 3 * mostLine / (64 << 10) {
		long.take([]byte(strings.Repeat("x", 64<<10)))
	}
	if len(long.line) > mostLine {
		t.Errorf("%d bytes of a line are held", len(long.line))
	}
	long.take([]byte("\n" + llmtest.Token("a")))
	for range mostAnswer / 1000 {
		long.take([]byte(llmtest.Token(strings.Repeat("y", 2000))))
	}
	if n := long.text.Len(); n > mostAnswer || n < mostAnswer/2 || !long.cut {
		t.Errorf("%d bytes of an answer, cut: %v", n, long.cut)
	}
}
