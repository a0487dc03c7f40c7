package httpapi

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestEveryAnswer: whatever is answered, it is kept by nobody, shown in no frame, taken for no other type, runs no script that
// stands in it, leads nowhere else, and lets no other page read it; so is each refusal.
func TestEveryAnswer(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	check := func(what string, got answer) {
		t.Helper()
		for name, want := range map[string]string{
			"Cache-Control": "^no-(store|cache)", "X-Content-Type-Options": "^nosniff$", "Referrer-Policy": "^no-referrer$",
			"X-Frame-Options": "^DENY$", "Content-Security-Policy": "^default-src 'none';.*frame-ancestors 'none'.*base-uri 'none'",
			"Cross-Origin-Opener-Policy": "^same-origin$", "Cross-Origin-Resource-Policy": "^same-origin$",
		} {
			if !regexp.MustCompile(want).MatchString(got.header.Get(name)) {
				t.Errorf("%s: %s is %q", what, name, got.header.Get(name))
			}
		}
		if csp := got.header.Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
			t.Errorf("%s: %s", what, csp)
		}
		if got.status/100 == 3 || got.header.Get("Location") != "" {
			t.Errorf("%s: it leads to %q", what, got.header.Get("Location"))
		}
		for name := range got.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: %s", what, name)
			}
		}
	}
	for _, r := range routes() {
		what := r.method + " " + r.path
		q := example(r)
		for name, change := range map[string]func(*asked){
			"answered": func(*asked) {}, "without a token": func(q *asked) { q.token = "-" },
			"for another": func(q *asked) { q.host = "evil.example" }, "nowhere": func(q *asked) { q.path = "/nowhere" },
			"from elsewhere": func(q *asked) { q.header = map[string]string{"Origin": "http://evil.example"} },
			"another method": func(q *asked) { q.method = "PUT" },
		} {
			now := q
			change(&now)
			check(what+", "+name, b.ask(now))
		}
		// What a page of another address asks first, with a token and without: it is let in neither way.
		for _, token := range []string{"", "-"} {
			got := b.ask(asked{method: "OPTIONS", path: q.path, token: token, header: map[string]string{
				"Origin": "http://evil.example", "Access-Control-Request-Method": r.method, "Access-Control-Request-Headers": "authorization",
			}})
			check(what+", asked first", got)
			b.refused(what+", asked first", got, http.StatusForbidden)
		}
	}
}

// TestTokenNowhere: after every route was asked, with the token of who may and in all wrong places, it stands in no file.
func TestTokenNowhere(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, r := range routes() {
		q := example(r)
		b.ask(q) // which looks for the token in what is answered
		q.path, _, _ = strings.Cut(q.path, "?")
		q.path += "?token=" + b.token
		b.ask(q)
	}
	err := filepath.WalkDir(b.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		b.clean(path, string(text))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFetchesNothing: an address that a client gives, wherever it stands, is asked by nobody.
func TestFetchesNothing(t *testing.T) {
	t.Parallel()
	var fetched atomic.Int32
	canary := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetched.Add(1)
		http.Redirect(w, nil, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	}))
	defer canary.Close()
	b := newBed(t)
	word := regexp.MustCompile(`"(text|why|key|value|scope|profile|outcome)":"[^"]*"`)
	for _, r := range routes() {
		q := example(r)
		q.body = word.ReplaceAllString(q.body, `"$1":"`+canary.URL+`/x"`)
		q.path = strings.ReplaceAll(strings.ReplaceAll(q.path, "staging+host", url.QueryEscape(canary.URL)), "/1", "/"+url.PathEscape("1"))
		q.header = map[string]string{
			"Referer": canary.URL, "X-Forwarded-Host": canary.URL, "Forwarded": "for=" + canary.URL, "X-Original-URL": canary.URL,
		}
		b.ask(q)
		if r.path == "/api/events" { // without its parameter it lasts
			continue
		}
		q.path = strings.ReplaceAll(r.path, "{ref}", url.PathEscape(canary.URL))
		b.ask(q)
	}
	for _, tool := range []string{"recall", "remember", "why", "edit"} {
		b.tool("", tool, fmt.Sprintf(`{"query":%q,"text":%q,"ref":%[1]q,"url":%[1]q}`, canary.URL, canary.URL+"/x"))
	}
	b.rpc("", "resources/read", fmt.Sprintf(`{"uri":%q}`, canary.URL))
	if n := fetched.Load(); n != 0 {
		t.Errorf("%d requests went out", n)
	}
}

// TestSessionless: no answer has a session, and naming one neither lets anybody in nor changes what is answered.
func TestSessionless(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	got := b.rpc("", "initialize", hello)
	if id := got.header.Get("Mcp-Session-Id"); id != "" || got.status != http.StatusOK {
		t.Errorf("%d, session %q", got.status, id)
	}
	for _, id := range []string{"1", "notes", strings.Repeat("a", 32), b.host} {
		q := asked{method: "POST", path: mcpPath, token: "-", header: map[string]string{"Mcp-Session-Id": id}}
		q.body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"staging host"}}}`
		b.refused("a session and no token", b.ask(q), http.StatusUnauthorized)
		q.token = ""
		if got := b.ask(q); got.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("a session is taken up: %d %s", got.status, got.body)
		}
	}
}

// TestManyStreams: a client that opens five hundred streams, and reads none, holds up no other.
func TestManyStreams(t *testing.T) {
	t.Parallel()
	held := make(chan struct{}, 500)
	waits := func(_ *Server, w http.ResponseWriter, r *http.Request, _ Client) {
		_ = http.NewResponseController(w).Flush()
		held <- struct{}{}
		<-r.Context().Done()
	}
	b := newBed(t, func(s *Server) {
		s.table = append(s.table, route{method: "GET", path: "/waits", reads: true, raw: waits})
	})
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,` +
		`"resourceSubscriptions":["ken://block"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	head := " HTTP/1.1\r\nHost: " + b.host + "\r\nAuthorization: Bearer " + b.token + "\r\n"
	open := func(say string) {
		t.Helper()
		for range 250 {
			c, err := net.Dial("tcp", b.host)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			if _, err := io.WriteString(c, say); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Those that last come first: beside them, what is answered at once would take places that nobody has when all is answered.
	open("GET /waits" + head + "\r\n")
	late := time.After(5 * time.Second)
	for n := range mostOfOne {
		select {
		case <-held:
		case <-late:
			t.Fatalf("%d streams of one client are held, want %d", n, mostOfOne)
		}
	}
	open("POST /mcp" + head + "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n" +
		fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(listen), listen))
	full := asked{method: "GET", path: "/health"}
	got := b.ask(full)
	b.refused("too many of one client", got, http.StatusServiceUnavailable)
	if got.header.Get("Retry-After") == "" {
		t.Error("it is not said when to ask again")
	}
	for range 20 {
		if got := b.ask(asked{method: "GET", path: "/api/recall?q=staging+host", token: "Bearer " + b.reader}); got.status != http.StatusOK {
			t.Fatalf("another client: %d %s", got.status, got.body)
		}
	}
}

// TestBadAssistant: an assistant that lies, floods and breaks the protocol gets a clear answer, and nothing of it is in force or
// under another name.
func TestBadAssistant(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	before, err := os.ReadFile(filepath.Join(b.dir, "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	post := func(body string) answer { t.Helper(); return b.ask(asked{method: "POST", path: mcpPath, body: body}) }
	clear := func(what string, got answer) {
		t.Helper()
		if got.status >= 500 || strings.TrimSpace(got.body) == "" || strings.Contains(got.body, "panic") {
			t.Errorf("%s: %d %q", what, got.status, got.body)
		}
	}
	lies := `{"text":"the printer is called %s","source":"user","origin":"user","trust":"user","scope":"user","by":"user","name":"person",` +
		`"phase":"rigid","kind":"fact","accepted":true}`
	for _, name := range []string{"person", "user", "ken", "", "looker", "agent:person", "../../x", "a\u202eb", strings.Repeat("n", 5000)} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":%s,"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
			`"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"},"origin":"user"}}}`, fmt.Sprintf(lies, "drum"), name)
		got := b.ask(asked{method: "POST", path: mcpPath, body: body, header: map[string]string{
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "remember",
		}})
		clear("named "+name[:min(len(name), 20)], got)
	}
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	one := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"recall","arguments":{"query":"staging host"}}}`
	for name, body := range map[string]string{
		"deep":          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":` + deep + `}}}`,
		"deeper":        deep,
		"a batch":       "[" + strings.Repeat(one+",", 50) + one + "]",
		"an empty one":  "[]",
		"no JSON":       "{",
		"two":           one + one,
		"an odd id":     strings.Replace(one, `"id":7`, `"id":{"a":1}`, 1),
		"no id":         strings.Replace(one, `"id":7`, `"id":null`, 1),
		"no version":    strings.Replace(one, "2.0", "1.0", 1),
		"no tool":       strings.Replace(one, `"recall"`, `"erase"`, 1),
		"a long tool":   strings.Replace(one, `"recall"`, `"`+strings.Repeat("r", 100000)+`"`, 1),
		"a number":      strings.Replace(one, `"recall"`, `7`, 1),
		"no method":     strings.Replace(one, "tools/call", "../call", 1),
		"an answer":     `{"jsonrpc":"2.0","id":1,"result":{}}`,
		"not Unicode":   strings.Replace(one, "staging", "sta\xff\xfeing", 1),
		"NUL":           strings.Replace(one, "staging", `sta\u0000ing`, 1),
		"a surrogate":   strings.Replace(one, "staging", `sta\ud800ing`, 1),
		"keys twice":    strings.Replace(one, `"query"`, `"query":"x","query"`, 1),
		"another case":  strings.Replace(strings.Replace(one, `"arguments"`, `"Arguments"`, 1), `"name"`, `"NAME"`, 1),
		"a large limit": strings.Replace(one, `"staging host"`, `"staging host","limit":9e99`, 1),
	} {
		got := post(body)
		if name == "an answer" { // which is taken, and answered by nothing
			continue
		}
		clear(name, got)
		if name == "a batch" && strings.Count(got.body, "kettle") > 51 {
			t.Errorf("a batch: %s", got.body)
		}
	}
	// Ids that are used twice, and calls that are cancelled at once, each get what is theirs, or nothing.
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if i%2 == 0 {
				post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"x"}}`)
				return
			}
			if got := post(one); got.status != http.StatusOK || strings.Count(got.body, `"id":7`) != 1 || !strings.Contains(got.body, "kettle") {
				t.Errorf("of many: %d %s", got.status, got.body)
			}
		})
	}
	all.Wait()
	if after, err := os.ReadFile(filepath.Join(b.dir, "memory.jsonl")); err != nil || string(after) != string(before) {
		t.Errorf("the memory was\n%s\nand is\n%s, %v", before, after, err)
	}
	for line := range strings.Lines(b.suggested()) {
		if !strings.Contains(line, `"origin":"agent:notes"`) || strings.Contains(line, "rigid") {
			t.Errorf("suggested: %s", line)
		}
	}
	if !strings.Contains(b.suggested(), "drum") {
		t.Error("what a client suggests does not wait")
	}
}

// TestHundredMegabytes: a body of a hundred megabytes is refused before it is read, whether its length is said or not.
func TestHundredMegabytes(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	const length = 100 << 20
	for _, r := range routes() {
		if r.method != http.MethodPost {
			continue
		}
		for _, said := range []int64{length, -1} {
			sent := &counting{left: length}
			q, err := http.NewRequestWithContext(t.Context(), r.method, "http://"+b.host+strings.ReplaceAll(r.path, "{ref}", "1"), sent)
			if err != nil {
				t.Fatal(err)
			}
			q.ContentLength = said
			q.Header.Set("Authorization", "Bearer "+b.token)
			q.Header.Set("Content-Type", "application/json")
			q.Header.Set("Accept", "application/json, text/event-stream")
			resp, err := b.client.Do(q)
			if err == nil { // otherwise it was hung up on while it sent
				_ = resp.Body.Close()
				if resp.StatusCode != http.StatusRequestEntityTooLarge {
					t.Errorf("%s, %d: %d", r.path, said, resp.StatusCode)
				}
			}
			if n := sent.n.Load(); n > 16<<20 {
				t.Errorf("%s, %d: %d bytes were taken", r.path, said, n)
			}
		}
	}
}

// counting is so many bytes of a JSON text that never ends.
type counting struct {
	left int
	n    atomic.Int64
}

// Read implements io.Reader.
func (c *counting) Read(p []byte) (int, error) {
	n := min(len(p), c.left)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = 'x'
	}
	if c.n.Load() == 0 {
		p[0] = '"'
	}
	c.left -= n
	c.n.Add(int64(n))
	return n, nil
}
