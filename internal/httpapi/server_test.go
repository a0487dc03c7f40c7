package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/app"
	"ken/internal/config"
	"ken/internal/view/port"
)

// A bed is a server over a memory of its own, with two clients.
type bed struct {
	t      *testing.T
	dir    string // of all files
	app    *app.App
	s      *Server
	host   string
	token  string // of the client notes
	reader string // of the client looker, which may only read
	client *http.Client
	end    context.CancelFunc
	ended  chan error

	mu     sync.Mutex
	warned []string
}

// in is the environment of a person whose files are all in dir.
func in(dir string) func(string) string {
	return func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] }
}

// newBed starts a server; tune changes it before. A person has stated three memories: one that holds everywhere, one of a directory
// and one of a repository.
func newBed(t *testing.T, tune ...func(*Server)) *bed {
	t.Helper()
	b := &bed{t: t, dir: t.TempDir(), ended: make(chan error, 1)}
	var err error
	b.app = app.Open(app.Options{Getenv: in(b.dir), Now: time.Now})
	if err := b.app.Check(); err != nil {
		t.Fatal(err)
	}
	b.state("the staging host is called kettle", "user")
	b.state("the password hint of this project is "+elsewhere, "dir:"+filepath.Join(b.dir, "project"))
	b.state("the harbour of this repository is "+elsewhere, "repo:example.org/me/tea")
	clients := Clients{Path: filepath.Join(b.dir, "clients.jsonl"), Lock: b.dir, Now: time.Now}
	if b.token, err = clients.Add(t.Context(), "notes", false); err != nil {
		t.Fatal(err)
	}
	if b.reader, err = clients.Add(t.Context(), "looker", true); err != nil {
		t.Fatal(err)
	}
	l, hosts, err := ListenTCP(t.Context(), "--tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.host = hosts[0]
	b.s = New(Options{App: b.app, Clients: clients, Version: "test", Now: time.Now, Warn: b.warn}, hosts...)
	for _, f := range tune {
		f(b.s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.end = cancel
	go func() { b.ended <- b.s.Serve(ctx, l) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 4, ExpectContinueTimeout: 10 * time.Second}
	b.client = &http.Client{Transport: transport, Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		b.stop()
		for _, w := range b.warned {
			b.clean("a warning", w)
		}
	})
	return b
}

// elsewhere is in memories that hold in one project only.
const elsewhere = "quinceberry"

// stop ends the server, which ends without an error.
func (b *bed) stop() {
	b.t.Helper()
	b.end()
	select {
	case err := <-b.ended:
		if err != nil {
			b.t.Errorf("the server ends with %v", err)
		}
		b.ended <- nil
	case <-time.After(10 * time.Second):
		b.t.Error("the server does not end")
	}
}

func (b *bed) warn(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.warned = append(b.warned, err.Error())
}

// state has the person state something.
func (b *bed) state(text, scope string) {
	b.t.Helper()
	done, err := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Person}}).Remember(b.t.Context(), app.Statement{Text: text, Scope: scope})
	if err != nil || done.Did != "remembered" {
		b.t.Fatalf("%+v, %v", done, err)
	}
}

// clean wants a text without a token.
func (b *bed) clean(what, text string) {
	b.t.Helper()
	for _, token := range []string{b.token, b.reader} {
		if strings.Contains(text, token) || strings.Contains(text, strings.TrimPrefix(token, tokenMark)) {
			b.t.Errorf("a token stands in %s", what)
		}
	}
}

// An asked is a request.
type asked struct {
	method, path string
	body         string
	token        string // "-": none
	host         string
	header       map[string]string
}

// An answer is what came.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request, with the token of notes and as JSON unless it says otherwise.
func (b *bed) ask(q asked) answer {
	b.t.Helper()
	var body io.Reader = http.NoBody
	if q.body != "" {
		body = strings.NewReader(q.body)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), q.method, "http://"+b.host+q.path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	if q.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	switch q.token {
	case "":
		r.Header.Set("Authorization", "Bearer "+b.token)
	case "-":
	default:
		r.Header.Set("Authorization", q.token)
	}
	if q.host != "" {
		r.Host = q.host
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	resp, err := b.client.Do(r)
	if err != nil {
		b.t.Fatalf("%s %s: %v", q.method, q.path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	got := answer{resp.StatusCode, resp.Header, string(text)}
	b.clean("an answer", got.body+fmt.Sprint(got.header))
	for name := range got.header {
		if strings.HasPrefix(name, "Access-Control-") || name == "Set-Cookie" {
			b.t.Errorf("%s %s: %s is answered", q.method, q.path, name)
		}
	}
	return got
}

// hello is how an assistant begins.
const hello = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}`

// rpc sends a request of an assistant.
func (b *bed) rpc(token, method, params string) answer {
	b.t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	return b.ask(asked{method: "POST", path: "/mcp", token: token, body: body})
}

// tool has an assistant call a tool.
func (b *bed) tool(token, name, args string) answer {
	b.t.Helper()
	return b.rpc(token, "tools/call", `{"name":"`+name+`","arguments":`+args+`}`)
}

// refused wants a Problem with a status and a hint.
func (b *bed) refused(what string, got answer, status int) {
	b.t.Helper()
	var p port.Problem
	if err := json.Unmarshal([]byte(got.body), &p); err != nil || p.Error.Code == "" || p.Error.Message == "" || p.Error.Hint == "" {
		b.t.Errorf("%s: not a problem with a hint: %d %q", what, got.status, got.body)
	}
	if got.status != status {
		b.t.Errorf("%s: %d %s, want %d", what, got.status, got.body, status)
	}
	if strings.Contains(got.body, "kettle") || strings.Contains(got.body, elsewhere) || strings.Contains(got.body, b.dir) {
		b.t.Errorf("%s: the refusal says %q", what, got.body)
	}
}

// example is a request for a route that is answered with 200.
func example(r route) asked {
	q := asked{method: r.method, path: strings.ReplaceAll(r.path, "{ref}", "1")}
	if r.path == "/api/recall" {
		q.path += "?q=staging+host&limit=3&kind=fact"
	}
	if r.path == "/api/events" {
		q.path += "?for=0"
	}
	if r.method == http.MethodPost {
		q.body = map[string]string{
			"/api/memories":                  `{"text":"the printer is called drum","tags":["desk"],"why":"it was asked twice"}`,
			"/api/memories/{ref}/edit":       `{"text":"the staging host is called pot","why":"it moved"}`,
			"/api/memories/{ref}/forget":     `{"why":"it is gone"}`,
			"/api/ports/remember-preference": `{"key":"editor","value":"vim"}`,
			"/api/ports/forget":              `{"scope":"user"}`,
			"/api/ports/procedural-rule":     `{"rule":"ask before make","rationale":"it builds"}`,
			"/api/ports/retrospection":       `{"outcome":"it went well","lessons":["measure twice"]}`,
			"/v1/chat/completions":           `{"model":"ken/none","messages":[{"role":"user","content":"which is the staging host?"}]}`,
			"/mcp":                           `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		}[r.path]
		if q.body == "" {
			q.body = "{}"
		}
	}
	return q
}

// files are the files of the person, but for what is derived.
func (b *bed) files() string {
	b.t.Helper()
	var all bytes.Buffer
	err := filepath.WalkDir(b.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(path, filepath.Join(b.dir, "cache")) {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s\n%s\n", path, text)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all.String()
}

// suggested is the review queue as it stands.
func (b *bed) suggested() string {
	text, err := os.ReadFile(filepath.Join(b.dir, "review.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	return string(text)
}

// TestEndsInOrder: what is being answered when the server ends is answered, and then nobody listens.
func TestEndsInOrder(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := b.ask(asked{method: "GET", path: "/health"}); got.status != http.StatusOK {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	all.Wait()
	b.stop()
	if c, err := net.DialTimeout("tcp", b.host, time.Second); err == nil {
		_ = c.Close()
		t.Error("somebody listens yet")
	}
}

// TestFewConnections: a thousand connections that say nothing hold up nobody, are ended in time, and one above the bound is closed.
func TestFewConnections(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(s *Server) { s.waits.header = 2 * time.Second })
	conns := make([]net.Conn, 0, 1000)
	defer func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	for range 1000 {
		c, err := net.Dial("tcp", b.host)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	if got := b.ask(asked{method: "GET", path: "/health"}); got.status != http.StatusOK {
		t.Errorf("among idle ones: %d", got.status)
	}
	if err := conns[0].SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if n, err := conns[0].Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("an idle connection: %d bytes, %v: want its end", n, err)
	}
}

// TestSlow: who sends a header or a body drop by drop is cut off.
func TestSlow(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(s *Server) { s.waits.header, s.waits.body = 300*time.Millisecond, 600*time.Millisecond })
	for name, head := range map[string]string{
		"header": "GET /health HTTP/1.1\r\nHost: " + b.host + "\r\nX-A: ",
		"body": "POST /api/memories HTTP/1.1\r\nHost: " + b.host + "\r\nAuthorization: Bearer " + b.token +
			"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	} {
		c, err := net.Dial("tcp", b.host)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := io.WriteString(c, head); err != nil {
			t.Fatal(err)
		}
		gone := make(chan string, 1)
		go func() {
			_ = c.SetReadDeadline(time.Now().Add(8 * time.Second))
			text, err := io.ReadAll(c)
			gone <- fmt.Sprintf("%s %v", text, err)
		}()
		for i, cut := 0, ""; cut == "" && i < 100; i++ {
			select {
			case cut = <-gone:
				if strings.Contains(cut, "200 OK") || strings.Contains(cut, "timeout") {
					t.Errorf("%s: %s", name, cut)
				}
			case <-time.After(50 * time.Millisecond):
				_, _ = io.WriteString(c, "x")
			}
		}
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("%s: cut off after %v", name, took)
		}
		_ = c.Close()
	}
	if strings.Contains(b.suggested(), "x") {
		t.Error("something was suggested")
	}
}

// TestFilesKnown: the file of clients is on the list of files.
func TestFilesKnown(t *testing.T) {
	t.Parallel()
	p, err := config.FindPaths(in(t.TempDir()), "", config.Default())
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := config.Find(p.Files(), config.ClientsIn(p)); !ok || !f.Grants || f.Text {
		t.Errorf("%+v", f)
	}
}

// TestMadeOnce: the server for an assistant is made once for each token, not for each request: that took longer than the answers.
func TestMadeOnce(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	list, err := b.s.o.Clients.List()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	of := func(who Client) *mcp.Server {
		r, err := http.NewRequestWithContext(context.WithValue(t.Context(), clientKey{}, who), http.MethodPost, "http://localhost", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		return b.s.assistants(r)
	}
	notes := of(list[0])
	if again := of(list[0]); notes == nil || again != notes {
		t.Error("a client has another server at its second request")
	}
	anew := list[0]
	anew.sum = []byte("another")
	only := list[0]
	only.ReadOnly = true
	for name, who := range map[string]Client{"another client": list[1], "a new token": anew, "one for reading": only} {
		if of(who) == notes {
			t.Errorf("%s has the same server", name)
		}
	}
	for i := range 3 * mostClients {
		anew.sum = fmt.Append(nil, i)
		of(anew)
	}
	if n := len(b.s.servers); n > mostClients {
		t.Errorf("%d servers are kept", n)
	}
}
