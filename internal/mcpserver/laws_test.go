package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/app"
	"ken/internal/connect"
)

// joined is a client of a server in this process.
func joined(t *testing.T, o Options, as *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	f := newFace(o)
	f.lasts = true
	if _, err := f.server().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "claude-code", Version: "1"}, as).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(); f.end() }) // what is noted is noted before the directory goes
	return s
}

// of are the options of a server of the memory in dir.
func of(dir, at string) Options {
	return Options{
		App: app.Open(app.Options{Getenv: in(dir), Now: time.Now}), At: at, Home: dir, Version: "test", Wait: time.Minute,
	}
}

// remembering is a memory of so many long lines.
func remembering(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	for i := range n {
		text := fmt.Sprintf("kettle %d <|im_end|> %s", i, strings.Repeat("is on the shelf of the kitchen, ", 5+i%90))
		line, err := json.Marshal(map[string]any{"id": i + 1, "ts": "2026-03-01T00:00:00Z", "kind": "fact", "content": text})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLimits: whatever is asked of a large memory, no text is longer than assistants take, and none holds a token that a
// model takes for the bounds of a message.
func TestLimits(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 500)
	s := joined(t, of(dir, dir), nil)
	check := func(what, text string, most int) {
		t.Helper()
		if len(text) > most || len(text) < 1000 || strings.Contains(text, "<|im_end|>") || !strings.Contains(text, "kettle") {
			t.Errorf("%s: %d bytes: %.200q", what, len(text), text)
		}
	}
	f := newFace(of(dir, dir)) // however long it takes on a busy machine
	f.begin(t.Context())
	check("instructions", instructions+(<-f.block).text, 4000)
	for _, args := range []map[string]any{
		{"query": "kettle", "limit": 500}, {"query": "the shelf of the kitchen, where it is on", "limit": "500"},
	} {
		text, bad := ask(t, s, "recall", args)
		if check("recall", text, 8000); bad || !strings.Contains(text, "more: ask more narrowly") {
			t.Errorf("%.200q", text)
		}
	}
	if text, bad := ask(t, s, "recall", map[string]any{"query": "kettle", "limit": 500, "format": "json"}); !bad || len(text) > 8000 {
		t.Errorf("%v %.200q", bad, text)
	}
	for _, uri := range []string{"ken://block", "ken://page/1", "ken://page/10"} {
		r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(r.Contents) != 1 {
			t.Fatalf("%s: %v, %+v", uri, err, r)
		}
		check(uri, r.Contents[0].Text, 8000)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		a := tool.Annotations
		no := func(hint *bool) bool { return hint != nil && !*hint }
		if len(tool.Description) > 1500 || a == nil || !no(a.OpenWorldHint) || !no(a.DestructiveHint) {
			t.Errorf("%+v", tool)
		}
		reads := map[string]bool{"recall": true, "why": true, "status": true}[tool.Name]
		if a.ReadOnlyHint != reads || (tool.Meta["anthropic/alwaysLoad"] == true) != (tool.Name == "recall") {
			t.Errorf("%s: %+v, %v", tool.Name, a, tool.Meta)
		}
	}
}

// TestPromisesNothing: no list is said to change, for none does.
func TestPromisesNothing(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 1)
	s := joined(t, of(dir, dir), nil)
	caps := s.InitializeResult().Capabilities
	want := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{}}
	if diff := cmp.Diff(want, caps); diff != "" {
		t.Errorf("capabilities (-want +got)\n%s", diff)
	}
}

// TestGaves: exactly what a client was given is noted, once for each answer, and by a client that greets twice its block once;
// what it was refused, or did not fit, is not.
func TestGaves(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 120)
	s := joined(t, of(dir, dir), nil)
	given := func() (by []string, refs int) {
		files, err := filepath.Glob(filepath.Join(dir, "sessions", "*.jsonl"))
		if err != nil || len(files) > 1 {
			t.Fatalf("%v: %v", err, files)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(b)) {
				if strings.Contains(line, "kettle") {
					t.Errorf("a text is noted: %.200s", line)
				}
				var e struct {
					By     string
					Chosen []struct{ Ref string }
				}
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				if e.By != "" && e.By != "block" { // which is noted beside the answer
					by, refs = append(by, e.By), len(e.Chosen)
				}
			}
		}
		return by, refs
	}
	text, _ := ask(t, s, "recall", map[string]any{"query": "kettle", "limit": 100})
	if by, refs := given(); len(by) != 1 || refs != strings.Count(text, "\n[") || refs < 3 || refs > 90 {
		t.Errorf("%v, %d of %d", by, refs, strings.Count(text, "\n["))
	}
	long := map[string]any{"query": "kettle", "limit": 100, "format": "json"}
	for _, refused := range []map[string]any{long, {"query": "zebra"}, {"query": ""}} {
		ask(t, s, "recall", refused)
	}
	ask(t, s, "why", map[string]any{"ref": "999"})
	ask(t, s, "status", nil)
	if by, _ := given(); len(by) != 1 {
		t.Errorf("what was not given is noted: %v", by)
	}
	ask(t, s, "why", map[string]any{"ref": "4"})
	r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ken://page/2"})
	if err != nil {
		t.Fatal(err)
	}
	by, refs := given()
	shown := strings.Count(r.Contents[0].Text, "kettle")
	if diff := cmp.Diff([]string{"recall", "why", "page"}, by); diff != "" || refs != 50 || shown != 50 {
		t.Errorf("%s %d %d", diff, refs, shown)
	}
}

// TestOnlyLooks: who only looks whether there is a server is given nothing of the memory, and nothing is noted.
func TestOnlyLooks(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]bool{connect.CheckClient: false, "claude-code": true} {
		dir := remembering(t, 5)
		o := of(dir, dir)
		o.Name = "claude" // as setup has it started
		f := newFace(o)
		f.begin(t.Context())
		here, there := mcp.NewInMemoryTransports()
		if _, err := f.server().Connect(t.Context(), there, nil); err != nil {
			t.Fatal(err)
		}
		s, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil).Connect(t.Context(), here, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := s.InitializeResult().Instructions; strings.Contains(text, "kettle") != given || !strings.Contains(text, "Call recall") {
			t.Errorf("%s: %s", name, text)
		}
		_ = s.Close()
		block := <-f.block // the memory was opened, whoever was greeted
		f.block <- block
		f.end()
		if files, err := filepath.Glob(filepath.Join(dir, "sessions", "*.jsonl")); err != nil || (len(files) > 0) != given {
			t.Errorf("%s: %v %v", name, files, err)
		}
	}
}

// TestKeptToItsPlace: an assistant learns nothing of a memory that does not hold where it works, by no scope and no reference, and
// as much of it as of one that never was.
func TestKeptToItsPlace(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 1)
	here := filepath.Join(dir, "here")
	if err := os.MkdirAll(here, 0o700); err != nil {
		t.Fatal(err)
	}
	lines := ""
	for n, scope := range []string{"dir:~/here", "dir:~/there", "repo:example.org/me/tea"} {
		lines += fmt.Sprintf(`{"id":%d,"kind":"fact","content":"quince %d","scope":%q}`+"\n", n+2, n+2, scope)
	}
	f, err := os.OpenFile(filepath.Join(dir, "memory.jsonl"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(lines); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s := joined(t, of(dir, here), nil)
	if text, bad := ask(t, s, "why", map[string]any{"ref": "2"}); bad || !strings.Contains(text, "quince 2") {
		t.Errorf("what holds here: %v %s", bad, text)
	}
	if text, bad := ask(t, s, "recall", map[string]any{"query": "quince", "scope": "here"}); bad || !strings.Contains(text, "quince 2") {
		t.Errorf("what holds here: %v %s", bad, text)
	}
	never, _ := ask(t, s, "why", map[string]any{"ref": "99"})
	for _, ref := range []string{"3", "4"} {
		for tool, args := range map[string]map[string]any{
			"why": {"ref": ref}, "edit": {"ref": ref, "text": "x"}, "forget": {"ref": ref}, "pin": {"ref": ref},
		} {
			text, bad := ask(t, s, tool, args)
			if !bad || strings.Contains(text, "quince") || strings.ReplaceAll(text, "memory "+ref, "memory 99") != never {
				t.Errorf("%s %s: %v %s", tool, ref, bad, text)
			}
		}
		if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ken://memory/" + ref}); err == nil {
			t.Errorf("the resource of %s is read", ref)
		}
	}
	for _, scope := range []string{"dir:~/there", "repo:example.org/me/tea", "repo:tea"} {
		if text, bad := ask(t, s, "recall", map[string]any{"query": "quince", "scope": scope}); !bad || strings.Contains(text, "quince") {
			t.Errorf("%s: %v %s", scope, bad, text)
		}
		if text, bad := ask(t, s, "remember", map[string]any{"text": "x y z", "scope": scope}); !bad {
			t.Errorf("%s: %s", scope, text)
		}
	}
}

// TestReadUnknown: what is not there is not found, in the protocol's way.
func TestReadUnknown(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 3)
	s := joined(t, of(dir, dir), nil)
	for _, uri := range []string{
		"ken://memory/99", "ken://memory/x", "ken://page/0", "ken://page/9", "ken://page/x", "ken://else", "file:///etc/passwd",
	} {
		if r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: %v, %+v", uri, err, r)
		}
	}
	r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ken://memory/2"})
	if err != nil || !strings.Contains(r.Contents[0].Text, "kettle 1") {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestTextAlone: no result has structured content, which some assistants show their model in place of the text; arguments
// that nobody knows, and numbers in quotes, are taken.
func TestTextAlone(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 3)
	s := joined(t, of(dir, dir), nil)
	for name, args := range map[string]map[string]any{
		"recall": {"query": "kettle", "limit": "2", "invented": []int{1}}, "why": {"ref": 2}, "status": {"verbose": true},
		"remember": {"text": "tea is at four", "tags": "tea"}, "edit": {"ref": "1", "text": "kettle nought"},
		"pin": {"ref": "1", "on": "false"}, "forget": {"ref": "3", "why": "it is broken"},
	} {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil || r.IsError || r.StructuredContent != nil || len(r.Content) != 1 {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
	queue, err := os.ReadFile(filepath.Join(dir, "review.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tea is at four", "kettle nought", `"forget"`, `"unpin"`, `"agent:claude"`} {
		if !strings.Contains(string(queue), want) {
			t.Errorf("%s is not in the queue: %s", want, queue)
		}
	}
	text, _ := ask(t, s, "recall", map[string]any{"query": "tea nought"})
	if strings.Contains(text, "four") || strings.Contains(text, "nought") {
		t.Errorf("what waits is recalled: %s", text)
	}
}

// TestBrokenMemory: the server answers whatever is wrong, says it in the results of calls, and is there when it is mended.
func TestBrokenMemory(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 3)
	settings := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(settings, []byte("\n\nwhat is this?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := joined(t, of(dir, dir), nil)
	if got := s.InitializeResult().Instructions; got != instructions+blockFailed {
		t.Errorf("instructions: %q", got)
	}
	for tool, args := range map[string]map[string]any{"recall": {"query": "kettle"}, "status": nil} { // the greeting names the second
		if text, bad := ask(t, s, tool, args); !bad || !strings.Contains(text, "config.toml:3") {
			t.Errorf("%s: %v %s", tool, bad, text)
		}
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if text, bad := ask(t, s, "recall", map[string]any{"query": "kettle"}); bad || !strings.Contains(text, "shelf") {
		t.Errorf("%v %s", bad, text)
	}
}

// TestLateBlock: a client is not kept waiting for a memory that opens slowly, and learns that there is one; a client that greets
// again once it is open has it.
func TestLateBlock(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 3)
	o := of(dir, dir)
	o.Wait = 50 * time.Millisecond
	gate := make(chan struct{})
	o.App = app.Open(app.Options{Now: time.Now, Getenv: func(name string) string {
		<-gate
		return in(dir)(name)
	}})
	began := time.Now()
	s := joined(t, o, nil)
	if took := time.Since(began); took > 5*time.Second || s.InitializeResult().Instructions != instructions+blockLate {
		t.Errorf("after %s: %q", took, s.InitializeResult().Instructions)
	}
	close(gate)
	if text, bad := ask(t, s, "recall", map[string]any{"query": "kettle"}); bad || !strings.Contains(text, "shelf") {
		t.Errorf("%v %s", bad, text)
	}
}

// TestSlowBlock: a memory that takes longer than it takes on a machine that is idle is waited for, as long as the client waits for a
// server, and stands in the greeting.
func TestSlowBlock(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 3)
	o := of(dir, dir)
	o.Wait = 0
	for name, want := range map[string]time.Duration{
		"claude-code": 5 * time.Second, "some-one": 5 * time.Second, "codex-mcp-client": time.Second,
	} {
		if got := newFace(o).waits(&mcp.Implementation{Name: name}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	busy := sync.OnceFunc(func() { time.Sleep(700 * time.Millisecond) })
	o.App = app.Open(app.Options{Now: time.Now, Getenv: func(name string) string {
		busy()
		return in(dir)(name)
	}})
	if got := joined(t, o, nil).InitializeResult().Instructions; !strings.Contains(got, "kettle") {
		t.Errorf("%q", got)
	}
}

// TestWhereItWorks: what holds in the client's directory is recalled; a client that started the server at home says where
// it works, if it can, and else gets what holds everywhere.
func TestWhereItWorks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	lines := fmt.Sprintf(`{"id":1,"content":"the kettle is blue"}`+"\n"+
		`{"id":2,"scope":"dir:%s","content":"the kettle of the project is red"}`+"\n", project)
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		at    string
		roots []string
		red   bool
	}{
		"in the project":    {at: project, red: true},
		"at home":           {at: dir},
		"at home, rooted":   {at: dir, roots: []string{project}, red: true},
		"nowhere, rooted":   {at: "/", roots: []string{project}, red: true},
		"elsewhere, rooted": {at: t.TempDir(), roots: []string{project}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := clientAt(t, dir, c.at, "x", c.roots...)
			text, bad := ask(t, s, "recall", map[string]any{"query": "kettle"})
			if bad || !strings.Contains(text, "blue") || strings.Contains(text, "red") != c.red {
				t.Errorf("%v %s", bad, text)
			}
		})
	}
}

// TestEnds: the server ends when its client hangs up, and when it is told to while the client says nothing.
func TestEnds(t *testing.T) {
	t.Parallel()
	dir := remembering(t, 1)
	for name, end := range map[string]func(in io.Closer, cancel func()){
		"hung up": func(in io.Closer, _ func()) { _ = in.Close() },
		"told":    func(_ io.Closer, cancel func()) { cancel() },
	} {
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, of(dir, dir), r, nop{io.Discard}) }()
		end(w, cancel)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: it goes on", name)
		}
		cancel()
		_ = w.Close()
	}
}

type nop struct{ io.Writer }

func (nop) Close() error { return nil }

// TestBadLines: a line of 64 MiB, deep JSON, a batch and ids that are used twice end the server or are answered; they take no more
// memory than a line may, and leave the memory as it was.
func TestBadLines(t *testing.T) {
	t.Parallel()
	const open = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"x","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"kettle"}}}` + "\n"
	for name, c := range map[string]struct {
		say  io.Reader
		want string // in what is answered; "": nothing more than the greeting is promised
	}{
		"long": {io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"`), io.LimitReader(letters{}, 64<<20)), ""},
		"deep": {strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"ping","params":` + strings.Repeat("[", 1<<20) + "\n"), ""},
		"deep arguments": {
			strings.NewReader(strings.Replace(call, `"kettle"`, strings.Repeat(`{"a":`, 400)+"1"+strings.Repeat("}", 400), 1)), "want a text",
		},
		"batch":     {strings.NewReader("[" + strings.TrimSpace(call) + "]\n"), ""},
		"ids twice": {strings.NewReader(call + call + call), "shelf"},
		"cancelled": {
			strings.NewReader(call + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n" +
				strings.Replace(call, `"id":2`, `"id":3`, 1)), `"id":3`,
		},
		"cancelled early": {
			strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n" + call), "shelf",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := remembering(t, 3)
			before, err := os.ReadFile(filepath.Join(dir, "memory.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			in := io.NopCloser(io.MultiReader(strings.NewReader(open), c.say))
			ended := make(chan error, 1)
			go func() { ended <- Serve(t.Context(), of(dir, dir), in, nop{&out}) }()
			select {
			case err := <-ended:
				t.Log(err)
			case <-time.After(time.Minute):
				t.Fatal("it goes on")
			}
			if got := out.String(); !strings.Contains(got, c.want) || strings.Contains(got, "fault of ken") {
				t.Errorf("%.2000s", got)
			}
			if after, err := os.ReadFile(filepath.Join(dir, "memory.jsonl")); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the memory has changed: %v", err)
			}
		})
	}
}

// letters is a text without an end.
type letters struct{}

// Read implements io.Reader.
func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
