package mcpserver

import (
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
	"ken/internal/proctest"
)

// serveIn is the variable that makes this program a server of the memory in a directory.
const serveIn = "MCPSERVER_TEST_HOME"

// serveAt names the directory that its client works in.
const serveAt = "MCPSERVER_TEST_AT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(serveIn); dir != "" {
		serve(dir)
		return
	}
	os.Exit(m.Run())
}

// serve is the server that a client starts.
func serve(dir string) {
	err := Serve(context.Background(), Options{
		App: app.Open(app.Options{Getenv: in(dir), Now: time.Now}),
		At:  os.Getenv(serveAt), Home: dir, Version: "test",
	}, io.NopCloser(os.Stdin), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// in is the environment of a person whose files are all in dir.
func in(dir string) func(string) string {
	return func(name string) string {
		return map[string]string{"KEN_HOME": dir, "HOME": dir}[name]
	}
}

// client is an assistant with a server of its own over the memory in dir, where it works too.
func client(t *testing.T, dir, name string) *mcp.ClientSession {
	t.Helper()
	return clientAt(t, dir, dir+"/work", name)
}

// clientAt is one that works elsewhere, and says that it has these roots.
func clientAt(t *testing.T, dir, at, name string, roots ...string) *mcp.ClientSession {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(cmd.Environ(), serveIn+"="+dir, serveAt+"="+at)
	cmd.Stderr = os.Stderr
	c := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil)
	for _, root := range roots {
		c.AddRoots(&mcp.Root{URI: "file://" + root}) //nolint:staticcheck // clients of today have them
	}
	var with *mcp.ClientSessionOptions
	if len(roots) > 0 { // the next version has no requests of servers
		with = &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	}
	s, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, with)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// ask calls a tool, and gives its answer as text; bad says that it is an error.
func ask(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) (text string, bad bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			text += c.Text
		}
	}
	return text, r.IsError
}

// lines are the lines of a file that hold word.
func lines(t *testing.T, path, word string) (n int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(b), word)
}

// TestMCP: what a client remembers waits under its name, and is found once the person
// said yes; what it recalls is masked, and an error has its next step.
func TestMCP(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := client(t, dir, "Some Client/2")
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"edit", "forget", "pin", "recall", "remember", "status", "why"}, names); diff != "" {
		t.Errorf("tools (-want +got)\n%s", diff)
	}

	text, bad := ask(t, s, "remember", map[string]any{"text": "the staging host is called kettle", "why": "it was asked twice"})
	if bad || !strings.Contains(text, "proposed as p1") {
		t.Errorf("remember: %s", text)
	}
	if n := lines(t, filepath.Join(dir, "memory.jsonl"), "kettle"); n != 0 {
		t.Errorf("what waits is memory: %d lines", n)
	}
	if n := lines(t, filepath.Join(dir, "review.jsonl"), `"origin":"agent:some-client-2"`); n != 1 {
		t.Errorf("of the client: %d lines", n)
	}
	text, bad = ask(t, s, "recall", map[string]any{"query": "staging host"})
	if bad || !strings.Contains(text, "Nothing in the person's memory") {
		t.Errorf("recall of what waits: %s", text)
	}

	a := app.Open(app.Options{Getenv: in(dir), Now: time.Now})
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	person := a.View(app.Standing{Actor: app.Actor{Kind: app.Person}})
	if _, err := person.Remember(t.Context(), app.Statement{Text: "the staging host is called kettle"}); err != nil {
		t.Fatal(err)
	}
	// A line of the person's own hand may hold a secret: no client gets it.
	secret := "hunter2" + "-Zq81x"
	line := fmt.Sprintf(`{"id":7,"content":"the staging password is %s"}`+"\n", secret)
	f, err := os.OpenFile(filepath.Join(dir, "memory.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text, bad = ask(t, s, "recall", map[string]any{"query": "staging", "format": "json"})
	var got struct{ Hits []struct{ Ref string } }
	if err := json.Unmarshal([]byte(text), &got); bad || err != nil || len(got.Hits) != 2 {
		t.Errorf("recall: %v, %s", err, text)
	}
	if !strings.Contains(text, "kettle") || strings.Contains(text, secret) {
		t.Errorf("recall: %s", text)
	}

	for name, c := range map[string]struct {
		tool string
		args map[string]any
		want string
	}{
		"nothing":       {"recall", map[string]any{"query": " "}, "search for what?"},
		"no such kind":  {"remember", map[string]any{"text": "x", "kind": "poem"}, "unknown kind"},
		"no such scope": {"remember", map[string]any{"text": "x", "scope": "moon"}, "scope"},
		"no argument":   {"recall", map[string]any{}, "query"},
		"no number":     {"recall", map[string]any{"query": "x", "limit": "many"}, "want a whole number"},
		"no text":       {"recall", map[string]any{"query": map[string]any{"a": 1}}, "want a text"},
		"no memory":     {"why", map[string]any{"ref": "99"}, "not known"},
		"no reference":  {"forget", map[string]any{"ref": "the blue one"}, "reference"},
	} {
		if text, bad := ask(t, s, c.tool, c.args); !bad || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v %q", name, bad, text)
		}
	}
}

// TestMCPTogether: eight servers that begin one memory at once lose nothing.
func TestMCPTogether(t *testing.T) {
	t.Parallel()
	const clients, each = 8, 5
	dir := t.TempDir()
	var all sync.WaitGroup
	for c := range clients {
		s := client(t, dir, fmt.Sprintf("client-%d", c))
		all.Go(func() {
			for i := range each {
				r, err := s.CallTool(t.Context(), &mcp.CallToolParams{
					Name: "remember", Arguments: map[string]any{"text": fmt.Sprintf("drawer %d of desk %d holds string", i, c)},
				})
				if err != nil || r.IsError {
					t.Errorf("client %d: %v, %+v", c, err, r)
				}
			}
		})
	}
	all.Wait()
	if n := lines(t, filepath.Join(dir, "review.jsonl"), "holds string"); n != clients*each {
		t.Errorf("%d proposals, want %d", n, clients*each)
	}
	a := app.Open(app.Options{Getenv: in(dir), Now: time.Now})
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	// All of them write as the person now, through one App each and one shared.
	var told int
	var mu sync.Mutex
	a.Subscribe(func(app.Event) { mu.Lock(); defer mu.Unlock(); told++ })
	for c := range clients {
		all.Go(func() {
			other := app.Open(app.Options{Getenv: in(dir), Now: time.Now})
			for i, x := range []*app.App{a, other} {
				text := fmt.Sprintf("shelf %d of room %d holds books", i, c)
				done, err := x.View(app.Standing{Actor: app.Actor{Kind: app.Person}}).Remember(t.Context(), app.Statement{Text: text})
				if err != nil || done.Did != "remembered" {
					t.Errorf("%+v, %v", done, err)
				}
			}
		})
	}
	all.Wait()
	if n := lines(t, filepath.Join(dir, "memory.jsonl"), "holds books"); n != 2*clients {
		t.Errorf("%d memories, want %d", n, 2*clients)
	}
	if told != clients {
		t.Errorf("told %d times, want %d: once for each write of that App", told, clients)
	}
}
