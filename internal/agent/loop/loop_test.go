//go:build unix

package loop_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/agent/loop"
	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/gate"
	"ken/internal/llm"
	"ken/internal/proctest"
	"ken/internal/runner"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/tool"
)

// A bench is a loop with all that it stands on: a memory, a project, and somebody to ask.
type bench struct {
	*loop.Loop
	home    *app.View
	run     *runner.Runner
	project string
	answer  func(runner.Request) (gate.How, error) // of whoever is asked; nil: no
	asked   []string                               // what they were shown, a line each
	shown   []string                               // whole
	events  []session.Event
	n       int
}

func (b *bench) Approve(_ context.Context, q runner.Request) (gate.How, error) {
	if q.Operation != nil {
		b.asked = append(b.asked, fmt.Sprintf("%s: %s", q.Operation.Level, q.Operation.Title))
		b.shown = append(b.shown, q.Operation.Shown)
	} else {
		b.asked = append(b.asked, fmt.Sprintf("%s: $ %s", q.Decision.Level, q.Line))
	}
	if b.answer == nil {
		return gate.HowRefused, nil
	}
	return b.answer(q)
}

func yes(runner.Request) (gate.How, error) { return gate.HowOnce, nil }

// open makes a bench whose project has files, and whose memory these lines.
func open(t *testing.T, memory string, files map[string]string) *bench {
	t.Helper()
	root := t.TempDir()
	files["../ken/memory.jsonl"], files["../ken/config.toml"] = memory, ""
	for name, text := range files {
		path := filepath.Join(root, "project", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return in(t, root)
}

// in is another bench in a directory where one was opened.
func in(t *testing.T, root string) *bench {
	t.Helper()
	b := &bench{project: filepath.Join(root, "project")}
	getenv := func(name string) string {
		return map[string]string{"KEN_HOME": filepath.Join(root, "ken"), "HOME": root}[name]
	}
	dir := func() string { return b.project }
	b.home = app.Open(app.Options{
		Local:  []string{},
		Getenv: getenv,
		Now:    func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) },
	}).View(app.Standing{Dir: dir(), Actor: engine.Actor{Kind: engine.Person}})
	if _, err := b.home.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	run := runner.New(b.home, runner.Ports{
		Dir: dir, Getenv: getenv,
		Environ: func() []string { return proctest.Environ(t) }, FindProgram: exec.LookPath,
		Approver: b, Approved: new(gate.Session),
	})
	b.run, b.Loop = run, loop.New(b.home, run, loop.Options{})
	b.begin()
	return b
}

// begin begins a question.
func (b *bench) begin() {
	b.Begin(loop.Asked{Model: "test", Journal: noted(func(e session.Event) error {
		if e.Value("path") != nil { // of a change; the others are what every act has
			b.events = append(b.events, e)
		}
		return nil
	})})
	b.n++
	b.Run(fmt.Sprint(b.n))
}

// Answer gives the replies together.
func (b *bench) Answer(ctx context.Context, calls []llm.ToolCall, w loop.Watch) (replies []loop.Reply, stalled bool) {
	stalled = b.Loop.Answer(ctx, calls, w, func(r loop.Reply) { replies = append(replies, r) })
	return replies, stalled
}

// call makes one call and returns its reply.
func (b *bench) call(t *testing.T, name, args string) loop.Reply {
	t.Helper()
	replies, _ := b.Answer(t.Context(), []llm.ToolCall{{ID: "1", Name: name, Arguments: args}}, loop.Watch{})
	if len(replies) != 1 || replies[0].Call != "1" {
		t.Fatalf("%+v", replies)
	}
	return replies[0]
}

func (b *bench) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.project, name))
	if err != nil {
		return ""
	}
	return string(text)
}

// TestReadsUnasked: what only reads the project is done; what is elsewhere, or may hold keys, is asked about.
func TestReadsUnasked(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{
		"a.go": "package a\n\nfunc one() {}\n", "sub/b.go": "package sub\n", ".env": "KEY=x\n", "../beside.txt": "outside\n",
	})
	for args, want := range map[string]string{
		`{"path":"a.go"}`:           "func one() {}",
		`{"path":"."}`:              "a.go",
		`{"path":"sub"}`:            "b.go",
		`{"path":"nosuch"}`:         "nosuch",
		`{"path":"a.go","limit":1}`: "package a",
	} {
		if r := b.call(t, "read_file", args); !strings.Contains(r.Text, want) || r.From == "external" {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := b.call(t, "search_files", `{"pattern":"^func"}`); !strings.Contains(r.Text, "a.go:3: func one") {
		t.Errorf("%+v", r)
	}
	if r := b.call(t, "search_files", `{"glob":"**/*.go"}`); !strings.Contains(r.Text, "sub/b.go") {
		t.Errorf("%+v", r)
	}
	if len(b.asked) > 0 {
		t.Errorf("asked: %q", b.asked)
	}
	for _, args := range []string{`{"path":".env"}`, `{"path":"../beside.txt"}`} {
		r := b.call(t, "read_file", args)
		if r.State != tool.Refused || strings.Contains(r.Text, "KEY=x") || strings.Contains(r.Text, "outside\n") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if len(b.asked) != 2 {
		t.Errorf("asked: %q", b.asked)
	}
}

// TestChangesAsked: a change is shown whole and asked about, is not made after a no, and can be taken back.
func TestChangesAsked(t *testing.T) {
	t.Parallel()
	const was = "package a\n\nfunc one() int { return 1 }\n"
	b := open(t, "", map[string]string{"a.go": was})
	const change = `{"path":"a.go","old":"return 1","new":"return 2"}`
	r := b.call(t, "edit_file", change)
	if r.State != tool.Refused || b.read(t, "a.go") != was || !strings.Contains(r.Text, "the person said no") {
		t.Errorf("%+v", r)
	}
	if len(b.shown) != 1 || !strings.Contains(b.shown[0], "-func one() int { return 1 }\n+func one() int { return 2 }") {
		t.Errorf("shown: %q", b.shown)
	}
	b.answer = func(runner.Request) (gate.How, error) { return "", &runner.Declined{Words: "use make"} }
	if r := b.call(t, "write_file", `{"path":"new.txt","content":"x"}`); r.Text != `not run: the person said no: "use make"` {
		t.Errorf("%+v", r)
	}
	b.answer = yes
	if r := b.call(t, "edit_file", change); r.State != tool.Done || b.read(t, "a.go") != strings.Replace(was, "1 }", "2 }", 1) {
		t.Errorf("%+v", r)
	}
	if r := b.call(t, "write_file", `{"path":"new/deep.txt","content":"x\n"}`); r.State != tool.Done || b.read(t, "new/deep.txt") != "x\n" {
		t.Errorf("%+v", r)
	}
	if len(b.events) != 2 {
		t.Errorf("%d events", len(b.events))
	}
	want := []string{
		"caution: edit a.go, +1 -1", "caution: make new.txt, +1 -0", "caution: edit a.go, +1 -1", "caution: make new/deep.txt, +1 -0",
	}
	if diff := cmp.Diff(want, b.asked); diff != "" {
		t.Error(diff)
	}
}

// TestSessionEdits: a yes for the session spares the question for edits in the project, and for nothing else.
func TestSessionEdits(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": "one\n", ".git/hooks/pre-commit": "x\n", "../outside.txt": "y\n"})
	b.answer = func(q runner.Request) (gate.How, error) {
		if q.Session {
			return gate.HowSession, nil
		}
		return gate.HowRefused, nil
	}
	b.call(t, "write_file", `{"path":"a.txt","content":"two\n"}`)
	b.call(t, "write_file", `{"path":"b.txt","content":"three\n"}`)
	if len(b.asked) != 1 || b.read(t, "b.txt") != "three\n" {
		t.Errorf("asked: %q", b.asked)
	}
	for _, path := range []string{".git/hooks/pre-commit", ".envrc", "../outside.txt", ".ken/tests/a.toml"} {
		n := len(b.asked)
		r := b.call(t, "write_file", fmt.Sprintf(`{"path":%q,"content":"bad\n"}`, path))
		if r.State != tool.Refused || len(b.asked) != n+1 || b.read(t, path) == "bad\n" {
			t.Errorf("%s: %+v, asked: %q", path, r, b.asked)
		}
	}
}

// TestOwnFiles: what ken remembers, trusts and was allowed is written by no tool, whatever anybody says.
func TestOwnFiles(t *testing.T) {
	t.Parallel()
	line := `{"id":1,"ts":"2026-03-01T00:00:00Z","kind":"fact","content":"the kettle is blue"}` + "\n"
	b := open(t, line, map[string]string{"a.txt": ""})
	b.answer = yes
	if err := os.Symlink(filepath.Join(filepath.Dir(b.project), "ken"), filepath.Join(b.project, "link")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../ken/memory.jsonl", "link/memory.jsonl", "../ken/approvals.jsonl", "../ken/new/deep.txt"} {
		if r := b.call(t, "write_file", fmt.Sprintf(`{"path":%q,"content":"bad\n"}`, path)); r.State != tool.Failed {
			t.Errorf("%s: %+v", path, r)
		}
	}
	if r := b.call(t, "edit_file", `{"path":"../ken/memory.jsonl","old":"the kettle is blue","new":"the kettle is red"}`); r.State != tool.Failed {
		t.Errorf("%+v", r)
	}
	if got := b.read(t, "../ken/memory.jsonl"); got != line || len(b.asked) > 0 {
		t.Errorf("%s, asked: %q", got, b.asked)
	}
}

// TestNotedFirst: an act is noted before it is done, which it is not if that fails, be it a line, a change or a read; what came
// of it is noted behind.
func TestNotedFirst(t *testing.T) {
	t.Parallel()
	calls := []llm.ToolCall{
		{ID: "1", Name: "shell", Arguments: `{"command":"touch made"}`},
		{ID: "2", Name: "write_file", Arguments: `{"path":"made","content":"x"}`},
		{ID: "3", Name: "read_file", Arguments: `{"path":"a.txt"}`},
	}
	for _, fails := range []bool{true, false} {
		b := open(t, "", map[string]string{"a.txt": "secretive\n"})
		b.answer = yes
		var lines []string
		b.Begin(loop.Asked{Model: "test", Journal: apart{begun: func(e session.Event) error {
			if e.Value("path") != nil {
				return nil
			}
			lines = append(lines, e.Text("id")+" "+e.Text("state"))
			if fails {
				return errors.New("the disk is full")
			}
			return nil
		}, ended: func(e session.Event) error {
			lines = append(lines, e.Text("id")+" "+e.Text("state"))
			return nil
		}}})
		replies, _ := b.Answer(t.Context(), calls, loop.Watch{})
		want := []string{"1 begun", "1 done", "2 begun", "2 done", "3 begun", "3 done"}
		if fails {
			want = []string{"1 begun", "2 begun", "3 begun"}
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("fails %t: %s", fails, diff)
		}
		for _, r := range replies {
			if says := strings.Contains(r.Text, "cannot be noted in the session first: the disk is full"); says != fails {
				t.Errorf("fails %t: %+v", fails, r)
			}
		}
		if _, err := os.Stat(filepath.Join(b.project, "made")); (err == nil) == fails {
			t.Errorf("fails %t: %v", fails, err)
		}
	}
}

// TestNotedFrom: what a command line in a text printed is noted with where it is from: a run that is gone on with knows that it
// read text from outside the project.
func TestNotedFrom(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": "one\n", "../outside.txt": "two\n"})
	b.answer = yes
	got := make(map[string]string)
	b.Begin(loop.Asked{Model: "test", Journal: noted(func(e session.Event) error {
		if a, ok := acts.Of(e); ok && a.State == acts.Done {
			got[a.ID] = a.From
		}
		return nil
	})})
	b.Lines(t.Context(), 7, []string{"cat a.txt", "cat ../outside.txt"}, loop.Watch{}, func(loop.Reply) {})
	if diff := cmp.Diff(map[string]string{"7.1": "", "7.2": "external"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestProposes: remember proposes, and nothing becomes memory by it.
func TestProposes(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{})
	r := b.call(t, "remember", `{"text":"the staging host is tea","kind":"fact"}`)
	if r.State != tool.Done || !strings.Contains(r.Text, "waits") {
		t.Errorf("%+v", r)
	}
	s, err := b.home.Memory.State(t.Context())
	if err != nil || s.Len() != 0 || len(s.Waiting()) != 0 {
		t.Errorf("%d active, %v", s.Len(), err)
	}
	queue, err := os.ReadFile(b.home.Settings.Paths().Review())
	if err != nil || !strings.Contains(string(queue), "the staging host is tea") || !strings.Contains(string(queue), `"model"`) {
		t.Errorf("%s, %v", queue, err)
	}
}

// TestOffered: with nothing remembered nothing of the memory is offered; the definitions of all are small.
func TestOffered(t *testing.T) {
	t.Parallel()
	names := func(b *bench) (list []string) {
		size := 0
		for _, d := range b.Definitions(t.Context()) {
			size += len(d)
			_, rest, _ := strings.Cut(string(d), `"name":"`)
			name, _, _ := strings.Cut(rest, `"`)
			list = append(list, name)
		}
		if size > 6<<10 {
			t.Errorf("%d bytes", size)
		}
		return list
	}
	plain := []string{"shell", "read_file", "edit_file", "write_file", "search_files"}
	if diff := cmp.Diff(plain, names(open(t, "", map[string]string{}))); diff != "" {
		t.Error(diff)
	}
	all := append(plain, "recall", "remember")
	line := `{"id":1,"ts":"2026-03-01T00:00:00Z","kind":"fact","content":"the kettle is blue"}` + "\n"
	b := open(t, line, map[string]string{})
	if diff := cmp.Diff(all, names(b)); diff != "" {
		t.Error(diff)
	}
	if r := b.call(t, "recall", `{"query":"kettle"}`); !strings.Contains(r.Text, "the kettle is blue") {
		t.Errorf("%+v", r)
	}
}

// TestEveryCallHasAReply: in the order of the calls, once for each, whatever they are.
func TestEveryCallHasAReply(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": "one\n"})
	var calls []llm.ToolCall
	for i := range 30 {
		c := llm.ToolCall{ID: fmt.Sprint("c", i), Name: "read_file", Arguments: `{"path":"a.txt"}`}
		switch i % 5 {
		case 1:
			c.Name = "nosuch"
		case 2:
			c.Arguments = `{"path":`
		case 3:
			c.Name, c.Arguments = "shell", `{"command":"rm a.txt"}`
		case 4:
			c.Name, c.Arguments = "", ""
		}
		calls = append(calls, c)
	}
	replies, stalled := b.Answer(t.Context(), calls, loop.Watch{})
	if len(replies) != len(calls) || stalled {
		t.Fatalf("%d replies, stalled %v", len(replies), stalled)
	}
	for i, r := range replies {
		if r.Call != calls[i].ID || r.Text == "" {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if b.read(t, "a.txt") != "one\n" || len(b.asked) != 1 {
		t.Errorf("asked: %q", b.asked)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	replies, _ = b.Answer(ctx, calls[:3], loop.Watch{})
	for _, r := range replies {
		if r.State != tool.Stopped {
			t.Errorf("%+v", r)
		}
	}
}

// TestRound: a model that makes the same call again and again is told, refused and stopped.
func TestRound(t *testing.T) {
	t.Parallel()
	b := open(t, "", map[string]string{"a.txt": "one\n"})
	var got []string
	for range 8 {
		replies, stalled := b.Answer(t.Context(), []llm.ToolCall{{ID: "1", Name: "read_file", Arguments: `{"path":"a.txt"}`}}, loop.Watch{})
		word := "."
		switch {
		case stalled:
			word = "stop"
		case replies[0].State == tool.Refused:
			word = "refused"
		case strings.Contains(replies[0].Text, "the same outcome"):
			word = "said"
		}
		if got = append(got, word); stalled {
			break
		}
	}
	if diff := cmp.Diff([]string{".", ".", "said", "said", "refused", "refused", "stop"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestR90BreaksOff: where the person breaks off at a question, of a command or of a change, what else the answer asked for is
// neither done nor asked about, be it safe; each call has its result.
func TestR90BreaksOff(t *testing.T) {
	t.Parallel()
	for _, asks := range []llm.ToolCall{
		{ID: "b", Name: "shell", Arguments: `{"command":"touch made"}`},
		{ID: "b", Name: "write_file", Arguments: `{"path":"made","content":"x\n"}`},
	} {
		b := open(t, "", map[string]string{"a.txt": "one\n"})
		b.answer = func(runner.Request) (gate.How, error) { return "", &runner.Declined{Stopped: true} }
		var got []string
		b.Loop.Answer(t.Context(), []llm.ToolCall{
			{ID: "a", Name: "read_file", Arguments: `{"path":"a.txt"}`},
			asks,
			{ID: "c", Name: "read_file", Arguments: `{"path":"."}`},
			{ID: "d", Name: "shell", Arguments: `{"command":"touch more"}`},
		}, loop.Watch{}, func(r loop.Reply) { got = append(got, fmt.Sprintf("%s %v %s", r.Call, r.Stopped(), r.Text)) })
		const not = " true not run: the person stopped it"
		if want := []string{"a false one", "b" + not, "c" + not, "d" + not}; !slices.Equal(got, want) || len(b.asked) != 1 {
			t.Errorf("%s: %q, asked %q", asks.Name, got, b.asked)
		}
	}
}
