package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/app"
	"ken/internal/view"
	"ken/internal/view/learned"
	"ken/internal/view/port"
	"ken/internal/view/viewtest"
)

// described is the file that describes the routes to other programs.
var described = filepath.Join("..", "..", "docs", "openapi.json") //nolint:gochecknoglobals // a constant that is put together

// TestDescription: the file says what the table says, every route is in it, and each answer has the shape that it says.
func TestDescription(t *testing.T) {
	t.Parallel()
	doc, err := description()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if os.Getenv(viewtest.Update) != "" {
		if err := os.WriteFile(described, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(described)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, text) {
		t.Errorf("%s is not what the table of routes says (%s=1 writes it anew)", described, viewtest.Update)
	}
	type operation struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema *jsonschema.Schema }
		}
		RequestBody *struct {
			Content map[string]struct{ Schema *jsonschema.Schema }
		}
	}
	var read struct {
		Paths      map[string]map[string]operation
		Components struct {
			Schemas map[string]*jsonschema.Schema
		}
	}
	if err := json.Unmarshal(file, &read); err != nil {
		t.Fatal(err)
	}
	b := newBed(t)
	routed := 0
	for _, r := range routes() {
		op, ok := read.Paths[r.path][strings.ToLower(r.method)]
		if !ok {
			t.Errorf("%s %s is not described", r.method, r.path)
			continue
		}
		routed++
		if r.raw != nil {
			continue
		}
		if (r.takes != nil) != (op.RequestBody != nil) || r.takes != nil && r.method != http.MethodPost {
			t.Errorf("%s %s: the body is not described", r.method, r.path)
		}
		got := b.ask(example(r))
		if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d %s", r.method, r.path, got.status, got.body)
			continue
		}
		b.agrees(r.method+" "+r.path, op.Responses["200"].Content["application/json"].Schema, got.body)
		if strings.Contains(got.body, ":null") && !strings.Contains(got.body, `"session":null`) && !strings.Contains(got.body, `"source":null`) {
			t.Errorf("%s %s: something is null: %s", r.method, r.path, got.body)
		}
		bad := b.ask(asked{method: r.method, path: example(r).path, token: "-"})
		b.agrees("the refusal of "+r.path, read.Components.Schemas["Problem"], bad.body)
	}
	for path, of := range read.Paths {
		routed -= len(of)
		if strings.Contains(path, "token") {
			t.Errorf("%s is a route", path)
		}
	}
	if routed != 0 {
		t.Errorf("%d routes are described that are none", -routed)
	}
}

// agrees wants a JSON text of a shape.
func (b *bed) agrees(what string, s *jsonschema.Schema, text string) {
	b.t.Helper()
	if s == nil {
		b.t.Errorf("%s: no schema", what)
		return
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		b.t.Fatal(err)
	}
	if err := resolved.Validate(v); err != nil {
		b.t.Errorf("%s: %v: %s", what, err, text)
	}
}

// get decodes an answer.
func get[T any](t *testing.T, got answer) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.body), &v); got.status != http.StatusOK || err != nil {
		t.Errorf("%d %s: %v", got.status, got.body, err)
	}
	return v
}

// TestSuggestions: what a client states or changes waits under the name of its token, whatever it says of itself, and it
// sees its own suggestions alone; what is recalled is masked.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for path, body := range map[string]string{
		"/api/memories": `{"text":"the printer is called drum","origin":"user","source":{"agent":"user"},` +
			`"scope":"repo:a.example/b","trust":"user","by":"user","phase":"rigid"}`,
		"/api/memories/1/edit":           `{"text":"the staging host is called pot","origin":"user"}`,
		"/api/memories/1/forget":         `{"why":"it moved","by":"user"}`,
		"/api/ports/remember-preference": `{"key":"editor","value":"vim","agent":"user","session":"s-1","turn":9}`,
		"/api/ports/procedural-rule":     `{"rule":"ask before make","rationale":"it builds"}`,
		"/api/ports/retrospection":       `{"lessons":["measure twice"],"safety_rules":["never push on a friday"],"agent":"person"}`,
	} {
		if got := b.ask(asked{method: "POST", path: path, body: body}); got.status != http.StatusOK || !strings.Contains(got.body, "proposed") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	for line := range strings.Lines(b.suggested()) {
		mine := strings.Contains(line, `"origin":"agent:notes"`) || strings.Contains(line, `"kind":"rule"`)
		if !mine || strings.Contains(line, `"user"`) || strings.Contains(line, "a.example") {
			t.Errorf("suggested: %s", line)
		}
	}
	st := get[port.Health](t, b.ask(asked{method: "GET", path: "/health"}))
	if st.Client != "notes" || st.Memory.Active != 3 || st.Memory.Here != 1 || st.Memory.Waiting != 7 {
		t.Errorf("%+v", st)
	}
	mine := get[learned.WaitingList](t, b.ask(asked{method: "GET", path: "/api/review"}))
	if len(mine.Waiting) < 5 {
		t.Errorf("of what waits it sees %+v", mine)
	}
	theirs := get[learned.WaitingList](t, b.ask(asked{method: "GET", path: "/api/review", token: "Bearer " + b.reader}))
	if len(theirs.Waiting) != 0 {
		t.Errorf("another sees %+v", theirs)
	}
	if n := strings.Count(b.files(), "drum"); n != 1 {
		t.Errorf("what waits stands %d times", n)
	}
	// A line of the person's own hand may hold a secret: no client gets it.
	secret := "hunter2" + "-Zq81x"
	f, err := os.OpenFile(filepath.Join(b.dir, "memory.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"id":7,"content":"the staging password is ` + secret + "\"}\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/recall?q=staging", "/api/memories", "/api/memories/7"} {
		got := b.ask(asked{method: "GET", path: path})
		if got.status != http.StatusOK || strings.Contains(got.body, secret) || !strings.Contains(got.body, "masked") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	got := b.ask(asked{method: "POST", path: "/api/memories", body: `{"text":"the staging password is ` + secret + `"}`})
	if strings.Contains(got.body, secret) || strings.Contains(b.suggested(), secret) {
		t.Errorf("a secret: %d %s", got.status, got.body)
	}
	page := get[port.Page](t, b.ask(asked{method: "GET", path: "/api/memories?limit=1"}))
	rest := get[port.Page](t, b.ask(asked{method: "GET", path: "/api/memories?from=1&limit=1"}))
	if len(page.Items) != 1 || page.Next != 1 || len(rest.Items) != 1 || rest.Next != 0 || page.Items[0].Ref == rest.Items[0].Ref {
		t.Errorf("%+v, %+v", page, rest)
	}
	done := get[view.Outcome](t, b.ask(asked{method: "POST", path: "/api/memories", body: `{"text":"the printer is called drum"}`}))
	if done.Did != "proposed" {
		t.Errorf("said again: %+v", done)
	}
}

// TestBrokenMemory: a fault of the memory is told to the person, and to clients no more than that there is one.
func TestBrokenMemory(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	if err := os.Remove(filepath.Join(b.dir, "memory.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(b.dir, "memory.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.refused("recall", b.ask(asked{method: "GET", path: "/api/recall?q=staging"}), http.StatusInternalServerError)
	if len(b.warned) == 0 {
		t.Error("the person is told nothing")
	}
	got := b.ask(asked{method: "POST", path: "/api/ports/recall-preferences", body: "{}"})
	if got.status != http.StatusOK || !strings.Contains(got.body, "could not be read") {
		t.Errorf("a port: %d %s", got.status, got.body)
	}
	if got := b.ask(asked{method: "GET", path: "/api/openapi.json"}); got.status != http.StatusOK {
		t.Errorf("the description: %d", got.status)
	}
}

// A signed transport sends a token along.
type signed struct{ token string }

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return http.DefaultTransport.RoundTrip(r)
}

// TestAssistants: an assistant of either version of the protocol recalls, and suggests under the name of its token; what it is
// greeted with is what is known then.
func TestAssistants(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		c := mcp.NewClient(&mcp.Implementation{Name: "claims-to-be-another", Version: "1"}, nil)
		s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: "http://" + b.host + "/mcp", HTTPClient: &http.Client{Transport: signed{b.token}}, DisableStandaloneSSE: true,
		}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(version, err)
		}
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"query": "staging host"}})
		if err != nil || r.IsError {
			t.Fatal(version, err, r)
		}
		if text, ok := r.Content[0].(*mcp.TextContent); !ok || !strings.Contains(text.Text, "kettle") {
			t.Errorf("%s: %+v", version, r.Content[0])
		}
		blue := map[string]any{"text": "the lamp of " + version + " is blue"}
		r, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "remember", Arguments: blue})
		if err != nil || r.IsError {
			t.Fatal(version, err, r)
		}
		if !strings.Contains(b.suggested(), "the lamp of "+version) || strings.Contains(b.suggested(), "claims") {
			t.Errorf("%s: %s", version, b.suggested())
		}
		if err := s.Close(); err != nil {
			t.Error(version, err)
		}
	}
	if got := b.rpc("", "initialize", hello); !strings.Contains(got.body, "kettle") || got.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("greeted with %s", got.body)
	}
	forget := b.app.View(app.Standing{Actor: personally()})
	if _, err := forget.Forget(t.Context(), "", "1"); err != nil {
		t.Fatal(err)
	}
	if got := b.rpc("", "initialize", hello); strings.Contains(got.body, "kettle") {
		t.Errorf("greeted with what was forgotten: %s", got.body)
	}
}

// TestAssistantsAlone: a server of assistants alone has no other route, and asks as much of whoever comes.
func TestAssistantsAlone(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(s *Server) {
		o := s.o
		o.Assistants, o.NoBlock = true, true
		alone := New(o)
		s.o, s.table, s.mcp = alone.o, alone.table, alone.mcp
	})
	for _, r := range routes() {
		q := example(r)
		if r.path == mcpPath {
			q.token = "-"
			b.refused(r.method+" without a token", b.ask(q), http.StatusUnauthorized)
			continue
		}
		got := b.ask(q)
		b.refused(q.path, got, http.StatusNotFound)
		if !strings.Contains(got.body, mcpPath) {
			t.Errorf("%s: it is not said what there is: %s", q.path, got.body)
		}
	}
	if got := b.rpc("", "initialize", hello); got.status != http.StatusOK || strings.Contains(got.body, "kettle") {
		t.Errorf("greeted with %s", got.body)
	}
	if got := b.tool("", "recall", `{"query":"staging host"}`); !strings.Contains(got.body, "kettle") {
		t.Errorf("recall: %s", got.body)
	}
	if b.suggested() != "" {
		t.Error("something was suggested")
	}
}

// TestDocsNameRoutes: a route that the page or a hint names is one of the table.
func TestDocsNameRoutes(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("guard.go")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile("(?:(?:GET|POST) |see )(/[a-z][a-zA-Z0-9/._-]*)").FindAllStringSubmatch(string(page)+string(source), -1)
	for _, s := range said {
		path := strings.ReplaceAll(s[1], "REF", "12")
		if !slices.ContainsFunc(routes(), func(r route) bool { _, ok := r.match(path); return ok }) {
			t.Errorf("%s is no route", s[1])
		}
	}
	if len(said) < 10 {
		t.Errorf("%d routes are named: %q", len(said), said)
	}
	// And what the table has is on the page; of those alike the last part is.
	for _, r := range routes() {
		path := strings.NewReplacer("{ref}", "REF", "{model}", "NAME").Replace(r.path)
		if !strings.Contains(string(page), path) && !strings.Contains(string(page), "`"+path[strings.LastIndexByte(path, '/')+1:]+"`") &&
			!strings.Contains(string(page), "`..."+path[strings.LastIndexByte(path, '/'):]+"`") {
			t.Errorf("%s is not on the page", r.path)
		}
	}
	for _, bound := range []string{
		fmt.Sprintf("a client has %d streams of events at most", streamsOfOne), fmt.Sprintf("%d of a client are under way at once", mostOfOne),
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), bound) {
			t.Errorf("the page does not say: %s", bound)
		}
	}
}

// TestDocsNamePorts: whatever paper or hint names an address of this server names the same.
func TestDocsNamePorts(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"../../docs/programs.md", "../../docs/web.md", "../../docs/assistants.md", "listen.go", "../cli/serve/http.go",
		"../cli/serve/page.go", "../cli/serve/mcp.go",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			want := "8765"
			if strings.Contains(line, "mcp --http") || strings.Contains(line, "/mcp") {
				want = "8766"
			}
			for _, at := range regexp.MustCompile(`127\.0\.0\.1:(\d+)`).FindAllStringSubmatch(line, -1) {
				if at[1] != want {
					t.Errorf("%s names port %s, want %s: %s", file, at[1], want, line)
				}
			}
		}
	}
}
