//go:build unix

package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/cli/clitest"
	"ken/internal/proctest"
)

// A door is a way by which assistants come to one memory.
type door struct {
	name string
	// to is a new transport; token is the client's, which standard streams do without.
	to func(t *testing.T, token string) mcp.Transport
	as string // the name under which it suggests; "": that of its token
}

// doors opens all of them at the memory of dir: standard streams, `ken serve` at an address and at its socket, and `ken mcp --http`.
func doors(t *testing.T, dir string) []door {
	t.Helper()
	type dials func(ctx context.Context, network, addr string) (net.Conn, error)
	web := func(address string, dial dials) func(*testing.T, string) mcp.Transport {
		return func(t *testing.T, token string) mcp.Transport {
			t.Helper()
			way := &http.Transport{DialContext: dial}
			t.Cleanup(way.CloseIdleConnections)
			return &mcp.StreamableClientTransport{
				Endpoint: address + "/mcp", DisableStandaloneSSE: true,
				HTTPClient: &http.Client{Transport: bearer{token, way}, Timeout: time.Minute},
			}
		}
	}
	socket := filepath.Join(dir, "ken", "run", "serve.sock")
	served(t, dir, "serve")
	return []door{
		{"standard streams", func(t *testing.T, _ string) mcp.Transport {
			t.Helper()
			return &mcp.CommandTransport{Command: clitest.Command(t, dir, nil, "mcp")}
		}, "claude"},
		{"ken serve --tcp", web(served(t, dir, "serve", "--tcp", "127.0.0.1:0"), nil), ""},
		{"ken mcp --http", web(strings.TrimSuffix(served(t, dir, "mcp", "--http", "127.0.0.1:0"), "/mcp"), nil), ""},
		{"the socket", web("http://localhost", func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}), ""},
	}
}

// bearer sends a token along.
type bearer struct {
	token string
	way   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.way.RoundTrip(r)
}

// served starts a ken that serves, and returns where it says that it does. It ends with the test.
func served(t *testing.T, dir string, args ...string) (at string) {
	t.Helper()
	cmd := clitest.Command(t, dir, nil, args...)
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(errs)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	rest := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(lines)
		rest <- string(text)
	}()
	t.Cleanup(func() {
		said := <-rest
		_ = cmd.Wait() // it was killed
		if strings.Contains(said, "fault of ken") || strings.Contains(line+said, "ken_") {
			t.Errorf("ken %v says\n%s%s", args, line, said)
		}
	})
	_, at, ok := strings.Cut(strings.TrimSpace(line), "serving at ")
	if !ok {
		t.Fatalf("ken %v says %q", args, line)
	}
	return at
}

// token makes a client's token.
func token(t *testing.T, dir, name string) string {
	t.Helper()
	out, errs, code := clitest.Run(t, dir, "", "serve", "token", "add", name)
	if code != 0 {
		t.Fatal(errs)
	}
	return strings.TrimSpace(out)
}

// joins is an assistant at a door, by a version of the protocol; "": the newest.
func (d door) joins(t *testing.T, token, version string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "claude-code", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), d.to(t, token), &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("%s: %v", d.name, err)
	}
	return s
}

// calls calls a tool.
func calls(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) (text string, bad bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			text += c.Text
		}
	}
	return text, r.IsError
}

// TestS86Doors: an assistant lists, recalls, adds and forgets by each door and in both versions of the protocol, two at once; what it
// writes waits for the person under its name, whatever it claims; nothing that only a person does is to be had, and what it
// is given is masked. Once the person said yes it is found by every door.
func TestS86Doors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"remember", "the staging host is kettle"},
		{"remember", "the printer is called drum"},
		{"remember", "--kind", "rule", "ask before you push"},
	} {
		if _, errs, code := clitest.Run(t, dir, "", args...); code != 0 {
			t.Fatal(errs)
		}
	}
	secret := "hunter2" + "-Zq81xWv"
	memory := filepath.Join(dir, "ken", "memory.jsonl")
	appendTo(t, memory, `{"id":9,"kind":"fact","content":"the vault key is password=`+secret+`"}`+"\n")
	before, err := os.ReadFile(memory)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var want []string
	open := doors(t, dir)
	for i, d := range open {
		name := fmt.Sprintf("client-%d", i)
		key := token(t, dir, name)
		if d.as != "" {
			name = d.as
		}
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			word := fmt.Sprintf("flute%s%d", strings.ReplaceAll(version, "-", ""), i)
			want = append(want, "agent:"+name+" "+word)
			s := d.joins(t, key, version)
			all.Go(func() {
				useMemory(t, d.name+" "+version, s, word, secret)
				if err := s.Close(); err != nil {
					t.Errorf("%s: %v", d.name, err)
				}
			})
		}
	}
	all.Wait()
	if after, err := os.ReadFile(memory); err != nil || string(after) != string(before) {
		t.Errorf("without the person's yes the memory is\n%s\n%v", after, err)
	}
	list, _, _ := clitest.Run(t, dir, "", "review", "--json")
	var waits []struct {
		Ref, Origin, Content, Kind string
	}
	if err := json.Unmarshal([]byte(list), &waits); err != nil {
		t.Fatal(err, list)
	}
	if len(waits) != len(want)+1 || strings.Contains(list, secret) { // one word of each, and that one memory is to be forgotten
		t.Errorf("%d wait: %s", len(waits), list)
	}
	yes, had := []string{"review", "yes"}, map[string]bool{}
	for _, w := range waits {
		yes = append(yes, w.Ref)
		had[w.Origin+" "+w.Content[strings.LastIndex(w.Content, " ")+1:]] = true
	}
	for _, w := range want {
		if !had[w] {
			t.Errorf("%s does not wait: %s", w, list)
		}
	}
	x := clitest.Start(t, dir, nil, yes...)
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d: %s", code, x.Text())
	}
	for i, d := range open {
		s := d.joins(t, token(t, dir, fmt.Sprintf("later-%d", i)), "")
		for _, w := range want {
			_, word, _ := strings.Cut(w, " ")
			if text, bad := calls(t, s, "recall", map[string]any{"query": word}); bad || !strings.Contains(text, word) {
				t.Errorf("%s: %s", d.name, text)
			}
		}
		if text, _ := calls(t, s, "recall", map[string]any{"query": "printer drum"}); strings.Contains(text, "drum") {
			t.Errorf("%s: what was forgotten is recalled: %s", d.name, text)
		}
		_ = s.Close()
	}
	shown, _, _ := clitest.Run(t, dir, "", "memory", "list", "--json")
	for _, origin := range []string{`"origin": "agent:claude"`, `"origin": "agent:client-1"`, `"origin": "agent:client-3"`} {
		if !strings.Contains(shown, origin) {
			t.Errorf("%s is not shown: %s", origin, shown)
		}
	}
}

// useMemory is what an assistant does: it lists, recalls, adds, forgets, and tries what is not for it.
func useMemory(t *testing.T, who string, s *mcp.ClientSession, word, secret string) {
	t.Helper()
	page, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ken://page/1"})
	if err != nil || len(page.Contents) != 1 {
		t.Errorf("%s: %v, %+v", who, err, page)
		return
	}
	if text := page.Contents[0].Text; !strings.Contains(text, "kettle") || !strings.Contains(text, "drum") || strings.Contains(text, secret) {
		t.Errorf("%s lists %s", who, text)
	}
	for query, want := range map[string]string{"staging host": "kettle", "vault key": "masked"} {
		text, bad := calls(t, s, "recall", map[string]any{"query": query})
		if bad || !strings.Contains(text, want) || strings.Contains(text, secret) {
			t.Errorf("%s recalls %s", who, text)
		}
	}
	text, bad := calls(t, s, "remember", map[string]any{
		"text": "the fax is called " + word, "source": "user", "origin": "user", "by": "user", "trust": "user", "phase": "rigid",
	})
	if bad || !strings.Contains(text, "it waits for the person") {
		t.Errorf("%s: %s", who, text)
	}
	if text, bad := calls(t, s, "forget", map[string]any{"ref": "2", "why": "it is gone"}); bad || !strings.Contains(text, "proposed as") {
		t.Errorf("%s: %s", who, text)
	}
	for _, tool := range []string{"erase", "review", "undo", "accept", "clear", "import", "config"} {
		if text, bad := calls(t, s, tool, map[string]any{"ref": "1", "verdict": "yes"}); !bad {
			t.Errorf("%s has %s: %s", who, tool, text)
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestDoorsTogether: eight assistants that begin one memory at once by different doors, and all edit one item, lose nothing and
// are refused nothing.
func TestDoorsTogether(t *testing.T) {
	t.Parallel()
	const clients, each = 8, 5
	dir := t.TempDir()
	open := doors(t, dir)
	var all sync.WaitGroup
	sessions := make([]*mcp.ClientSession, clients)
	keys := make([]string, clients)
	for c := range clients {
		keys[c] = token(t, dir, fmt.Sprintf("client-%d", c))
	}
	for c := range clients {
		all.Go(func() {
			s := open[c%len(open)].joins(t, keys[c], "")
			sessions[c] = s
			for i := range each {
				if text, bad := calls(t, s, "remember", map[string]any{"text": fmt.Sprintf("drawer %d of desk %d holds string", i, c)}); bad {
					t.Errorf("client %d: %s", c, text)
				}
			}
		})
	}
	all.Wait()
	count := func(word string) int {
		text, err := os.ReadFile(filepath.Join(dir, "ken", "review.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), word)
	}
	if n := count("holds string"); n != clients*each {
		t.Errorf("%d suggestions, want %d", n, clients*each)
	}
	if _, errs, code := clitest.Run(t, dir, "", "remember", "the lamp is blue"); code != 0 {
		t.Fatal(errs)
	}
	for c, s := range sessions {
		all.Go(func() {
			if text, bad := calls(t, s, "edit", map[string]any{"ref": "1", "text": fmt.Sprintf("the lamp is shade %d", c)}); bad {
				t.Errorf("client %d: %s", c, text)
			}
		})
	}
	all.Go(func() {
		if _, errs, code := clitest.Run(t, dir, "", "memory", "pin", "1"); code != 0 {
			t.Error(errs)
		}
	})
	all.Wait()
	for _, s := range sessions {
		_ = s.Close()
	}
	if n := count("the lamp is shade"); n != clients {
		t.Errorf("%d edits wait, want %d", n, clients)
	}
	list, _, _ := clitest.Run(t, dir, "", "memory", "list", "--json")
	if !strings.Contains(list, "the lamp is blue") || !strings.Contains(list, `"pinned": true`) {
		t.Errorf("what the person said is %s", list)
	}
}

// TestS86Ports: a program exports the memory over HTTP: counts of each kind, where it comes from, its phases, rules first; and
// what it would forget or remember waits.
func TestS86Ports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"remember", "--kind", "rule", "ask before you push"},
		{"remember", "the staging host is kettle"},
		{"remember", "--kind", "pref", "tabs over spaces"},
	} {
		if _, errs, code := clitest.Run(t, dir, "", args...); code != 0 {
			t.Fatal(errs)
		}
	}
	key := token(t, dir, "notes")
	at := served(t, dir, "serve", "--tcp", "127.0.0.1:0")
	post := func(port, body string) (got map[string]any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/api/ports/"+port, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal(text, &got) != nil {
			t.Fatalf("%s: %d %s, %v", port, resp.StatusCode, text, err)
		}
		return got
	}
	got := post("export", `{"scope":"user","profile":"work"}`)
	items, _ := got["items"].([]any)
	if len(items) != 3 || fmt.Sprint(got["by_kind"]) != "map[fact:1 pref:1 rule:1]" || got["profile"] != "work" || got["status"] != "ok" {
		t.Fatalf("%v", got)
	}
	if first, _ := items[0].(map[string]any); first["kind"] != "rule" {
		t.Errorf("first is %v", first)
	}
	if p, _ := got["provenance_summary"].(map[string]any); fmt.Sprint(p["by_origin"]) != "map[user:3]" {
		t.Errorf("%v", p)
	}
	if p, _ := got["phases"].([]any); len(p) == 0 || p[len(p)-1] != "rigid" {
		t.Errorf("phases %v", got["phases"])
	}
	got = post("recall-preferences", `{"scope":"user","kinds":["pref"]}`)
	if items, _ := got["items"].([]any); len(items) != 1 || got["phase"] != "fluid" || got["provenance"] == nil || got["note"] == nil {
		t.Errorf("%v", got)
	}
	before, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	post("forget", `{"scope":"user"}`)
	post("remember-preference", `{"key":"editor","value":"vim","scope":"user"}`)
	if after, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl")); err != nil || string(after) != string(before) {
		t.Errorf("without the person's yes the memory is\n%s, %v", after, err)
	}
}

// TestS86TypeScript: the protocol's other client lists, recalls, adds and forgets over standard streams and HTTP.
func TestS86TypeScript(t *testing.T) {
	t.Parallel()
	npm := os.Getenv("KEN_CONFORMANCE")
	if npm == "" {
		t.Skip("no client: make conformance-server has one")
	}
	dir := t.TempDir()
	if _, errs, code := clitest.Run(t, dir, "", "remember", "the staging host is kettle"); code != 0 {
		t.Fatal(errs)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "client.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	ken, err := exec.LookPath("ken")
	if err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(npm, "node_modules", ".bin", "node")
	for name, args := range map[string][]string{
		"standard streams": {ken},
		"HTTP":             {served(t, dir, "mcp", "--http", "127.0.0.1:0"), token(t, dir, "typed")},
	} {
		cmd := proctest.Command(t, node, append([]string{script, npm}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "HOME="+dir, "KEN_HOME="+filepath.Join(dir, "ken"))
		if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "well\n") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	list, _, _ := clitest.Run(t, dir, "", "review", "--json")
	for _, want := range []string{`"agent:ts-client"`, `"agent:typed"`} {
		if strings.Count(list, want) < 1 {
			t.Errorf("%s suggested nothing: %s", want, list)
		}
	}
}
