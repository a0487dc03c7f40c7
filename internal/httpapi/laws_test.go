package httpapi

import (
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNoToken: without a token that counts no route answers, whatever is tried instead of one.
func TestNoToken(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	basic := func(password string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+password))
	}
	none := []route{{method: "GET", path: "/"}, {method: "GET", path: "/favicon.ico"}, {method: "OPTIONS", path: "/mcp"}}
	for _, r := range append(routes(), none...) {
		q := example(r)
		for name, token := range map[string]string{
			"none": "-", "another": "Bearer " + b.token[:len(b.token)-1] + "A", "its hash": "Bearer " + fmt.Sprintf("%x", b.token),
			"no scheme": b.token, "empty": "Bearer ", "begun": "Bearer " + b.token[:20], "Basic, another": basic("x"),
			"Basic, as the user": "Basic " + base64.StdEncoding.EncodeToString([]byte(b.token+":")), "Basic, torn": "Basic !!!",
		} {
			if name == "another" && strings.HasSuffix(b.token, "A") {
				continue
			}
			q.token = token
			got := b.ask(q)
			b.refused(q.method+" "+q.path+" with "+name, got, http.StatusUnauthorized)
			if got.header.Get("Www-Authenticate") == "" {
				t.Errorf("%s: it is not said how to sign in", q.path)
			}
		}
		q.token, q.path = "-", q.path+"?token="+b.token+"&access_token="+b.token
		b.refused(q.method+" "+r.path+" with the token in the address", b.ask(q), http.StatusUnauthorized)
		q.token, q.header = "-", map[string]string{"Cookie": "token=" + b.token, "X-Token": b.token}
		q.path = example(r).path
		b.refused(q.method+" "+r.path+" with the token elsewhere", b.ask(q), http.StatusUnauthorized)
	}
	if got := b.ask(asked{method: "GET", path: "/health", token: basic(b.token)}); got.status != http.StatusOK {
		t.Errorf("Basic: %d %s", got.status, got.body)
	}
	b.refused("a token in the address as well", b.ask(asked{method: "GET", path: "/health?token=" + b.token}), http.StatusBadRequest)
	if b.suggested() != "" {
		t.Error("something was suggested")
	}
}

// TestHosts: only who asks for this machine is answered.
func TestHosts(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	_, port, err := net.SplitHostPort(b.host)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range routes() {
		for _, host := range []string{
			"evil.example", "evil.example:" + port, "localhost.evil:" + port, "localhost.:" + port, "127.0.0.1.evil:" + port,
			"127.0.0.1", "localhost",
			"127.0.0.1:1", "0.0.0.0:" + port, "[::1]:" + port, "127.0.0.2:" + port, "user@" + b.host, "LOCALHOST:" + port,
		} {
			q := example(r)
			q.host = host
			b.refused(r.method+" "+r.path+" for "+host, b.ask(q), http.StatusMisdirectedRequest)
		}
	}
	if got := b.ask(asked{method: "GET", path: "/health", host: "localhost:" + port}); got.status != http.StatusOK {
		t.Errorf("localhost: %d", got.status)
	}
	for name, lines := range map[string]string{"none": "", "two": "Host: " + b.host + "\r\nHost: evil.example\r\n"} {
		c, err := net.Dial("tcp", b.host)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, "GET /health HTTP/1.1\r\n"+lines+"Authorization: Bearer "+b.token+"\r\nConnection: close\r\n\r\n")
		text, _ := io.ReadAll(c)
		_ = c.Close()
		if !strings.HasPrefix(string(text), "HTTP/1.1 400 ") && !strings.HasPrefix(string(text), "HTTP/1.1 421 ") {
			t.Errorf("%s Host: %.60s", name, text)
		}
	}
	if b.suggested() != "" {
		t.Error("something was suggested")
	}
}

// TestOrigins: no page of another address is answered, and none is let in; a program without an origin is.
func TestOrigins(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, r := range routes() {
		for _, header := range []map[string]string{
			{"Origin": "http://evil.example"},
			{"Origin": "null"},
			{"Origin": "http://localhost.evil"},
			{"Origin": "file://"},
			{"Origin": ""},
			{"Origin": "chrome-extension://abcdefghijklmnop"},
			{"Origin": "http://127.0.0.1:1"},
			{"Origin": "https://" + b.host},
			{"Sec-Fetch-Site": "cross-site"},
			{"Sec-Fetch-Site": "same-site"},
			{"Origin": "http://" + b.host, "Sec-Fetch-Site": "cross-site"},
			{"Origin": "http://evil.example", "Upgrade": "websocket", "Connection": "Upgrade"},
		} {
			q := example(r)
			q.header = header
			b.refused(fmt.Sprintf("%s %s from %v", r.method, r.path, header), b.ask(q), http.StatusForbidden)
		}
	}
	for _, header := range []map[string]string{
		nil, {"Origin": "http://" + b.host}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"},
	} {
		if got := b.ask(asked{method: "GET", path: "/health", header: header}); got.status != http.StatusOK {
			t.Errorf("%v: %d", header, got.status)
		}
	}
	if b.suggested() != "" {
		t.Error("something was suggested")
	}
}

// TestBodies: what a page could send without asking is refused, and what is too long, too deep or no object.
func TestBodies(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	long := `{"text":"` + strings.Repeat("x", mostBody) + `"}`
	deep := `{"text":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}"
	for _, r := range routes() {
		if r.method != http.MethodPost {
			continue
		}
		for _, kind := range []string{
			"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/json-not",
		} {
			q := example(r)
			q.header = map[string]string{"Content-Type": kind}
			b.refused(r.path+" as "+kind, b.ask(q), http.StatusUnsupportedMediaType)
		}
		q := example(r)
		q.body = `{"text":"` + strings.Repeat("x", int(r.mostBody())) + `"}`
		q.header = map[string]string{"Expect": "100-continue"} // it is refused before it is sent
		b.refused(r.path+" too long", b.ask(q), http.StatusRequestEntityTooLarge)
		if q.header = nil; r.raw != nil {
			continue
		}
		for _, body := range []string{deep, "[]", "1", "null", `"text"`, "{", "{}{}", "\x00", `{"text":7,"key":7,"why":7,"profile":7}`} {
			q.body = body
			b.refused(r.path+" with "+body[:min(len(body), 20)], b.ask(q), http.StatusBadRequest)
		}
	}
	// A body of no stated length is read to the bound and not further.
	body := io.MultiReader(strings.NewReader(long))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+b.host+"/api/memories", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+b.token)
	resp, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("of no stated length: %d", resp.StatusCode)
	}
	if b.suggested() != "" {
		t.Errorf("something was suggested: %s", b.suggested())
	}
}

// TestGetChangesNothing: after all that is read the files are as they were, whatever a header calls the method.
func TestGetChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	before := b.files()
	for _, r := range routes() {
		if !r.reads {
			continue
		}
		q := example(r)
		q.header = map[string]string{"X-HTTP-Method-Override": "DELETE", "X-Method-Override": "POST", "X-HTTP-Method": "PUT"}
		if got := b.ask(q); got.status != http.StatusOK && r.raw == nil {
			t.Errorf("%s %s: %d %s", r.method, r.path, got.status, got.body)
		}
	}
	for _, r := range routes() { // no GET is a suggestion, and none gets there by a header
		if r.reads {
			continue
		}
		q := example(r)
		q.method, q.body = "GET", ""
		q.header = map[string]string{"X-HTTP-Method-Override": "POST"}
		if got := b.ask(q); got.status != http.StatusOK && got.status != http.StatusMethodNotAllowed && got.status != http.StatusNotFound {
			t.Errorf("GET %s: %d", q.path, got.status)
		}
	}
	if after := b.files(); after != before {
		t.Errorf("the files were\n%s\nand are\n%s", before, after)
	}
}

// TestPaths: a path that is not in the table is none, however it is written.
func TestPaths(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, path := range []string{
		"/", "/api", "/api/", "/api/memories/", "/api/memories/1/", "//api/memories", "/api/../api/status", "/api/memories/../status",
		"/api/memories/1%2fforget", "/api/memories/%2e%2e/status", "/api/memories/..%2f..%2fetc%2fpasswd", "/api/memories/1/2", "/API/status",
		"/api/memories/a/b/c", "/mcp/", "/health/x", "/.well-known/oauth-protected-resource", "/debug/pprof/", "/api/status;x=1",
	} {
		b.refused(path, b.ask(asked{method: "GET", path: path}), http.StatusNotFound)
	}
	for _, ref := range []string{
		"%00", "..", "-1", "1e9", "99", "desk-0000%2F1", "p1", "%25", "a%20b", "1..3", strings.Repeat("9", 4000), url.PathEscape("1\n2"),
	} {
		got := b.ask(asked{method: "GET", path: "/api/memories/" + ref})
		if got.status != http.StatusNotFound && got.status != http.StatusBadRequest {
			t.Errorf("%.40s: %d %.200s", ref, got.status, got.body)
		} else {
			b.refused(ref, got, got.status)
		}
	}
	for _, r := range routes() {
		got := b.ask(asked{method: "PATCH", path: strings.ReplaceAll(r.path, "{ref}", "1")})
		b.refused("PATCH "+r.path, got, http.StatusMethodNotAllowed)
		if !strings.Contains(got.header.Get("Allow"), r.method) {
			t.Errorf("%s: allowed are %q", r.path, got.header.Get("Allow"))
		}
	}
}

// TestReadOnly: a client that may only read suggests nothing, by no route.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	before := b.files()
	for _, r := range routes() {
		q := example(r)
		q.token = "Bearer " + b.reader
		switch got := b.ask(q); {
		case !r.reads:
			b.refused(r.method+" "+r.path, got, http.StatusForbidden)
		case got.status != http.StatusOK && r.raw == nil:
			t.Errorf("%s %s: %d %s", r.method, r.path, got.status, got.body)
		}
	}
	for _, tool := range []string{"remember", "forget", "edit", "pin"} {
		got := b.tool("Bearer "+b.reader, tool, `{"ref":"1","text":"x y"}`)
		if got.status != http.StatusOK || !strings.Contains(got.body, `"isError":true`) || !strings.Contains(got.body, "for reading") {
			t.Errorf("%s: %d %s", tool, got.status, got.body)
		}
	}
	if b.files() != before {
		t.Error("the files are not as they were")
	}
}

// TestMostSuggestions: a client suggests sixty times in a minute and no more, by whatever route; another is not held up by it.
func TestMostSuggestions(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := newBed(t, func(s *Server) { s.o.Now = func() time.Time { return now } })
	for i := range mostWrites {
		got := b.ask(asked{method: "POST", path: "/api/memories", body: fmt.Sprintf(`{"text":"drawer %d holds string"}`, i)})
		if got.status != http.StatusOK {
			t.Fatalf("%d: %d %s", i, got.status, got.body)
		}
	}
	one := asked{method: "POST", path: "/api/memories", body: `{"text":"one more"}`}
	got := b.ask(one)
	b.refused("one more", got, http.StatusTooManyRequests)
	if got.header.Get("Retry-After") == "" {
		t.Error("it is not said when to ask again")
	}
	got = b.tool("", "remember", `{"text":"one more"}`)
	if !strings.Contains(got.body, `"isError":true`) {
		t.Errorf("by /mcp: %s", got.body)
	}
	if strings.Contains(b.suggested(), "one more") {
		t.Error("it was suggested all the same")
	}
	now = now.Add(writeWindow)
	if got := b.ask(one); got.status != http.StatusOK {
		t.Errorf("a minute later: %d %s", got.status, got.body)
	}
}

// TestWithin: what holds in a project only is given to nobody, by no route, scope, reference or directory.
func TestWithin(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	project := filepath.Join(b.dir, "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	scopes := []string{"", "user", "cwd", "here", "repo", "dir", "dir:" + project, "dir:/", "repo:example.org/me/tea", "repo:tea", "global"}
	words := strings.Fields("the password hint of this project harbour repository is " + elsewhere + " tea example.org kettle host")
	random := rand.New(rand.NewPCG(1, 2))
	look := func(what string, got answer) {
		t.Helper()
		if strings.Contains(got.body, elsewhere) && !strings.Contains(what, "echo") {
			t.Errorf("%s: %s", what, got.body)
		}
		if got.status >= 500 {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
	}
	pick := func() string { return words[random.IntN(len(words))] }
	for range 1000 {
		q := pick() + " " + pick()
		got := b.ask(asked{method: "GET", path: "/api/recall?limit=50&q=" + url.QueryEscape(q)})
		look(q, got)
	}
	look("list", b.ask(asked{method: "GET", path: "/api/memories?limit=200"}))
	look("openapi", b.ask(asked{method: "GET", path: "/api/openapi.json"}))
	for _, scope := range scopes {
		for _, at := range []string{"", project, b.dir} {
			body := fmt.Sprintf(`{"scope":%q,"activation_context":{"cwd":%q,"git_root":%q,"about":"harbour"}}`, scope, at, at)
			for _, port := range []string{"recall-preferences", "export", "forget"} {
				look(port+" "+body, b.ask(asked{method: "POST", path: "/api/ports/" + port, body: body}))
			}
		}
		call := func(tool, args string) {
			t.Helper()
			got := b.tool("", tool, args)
			look(tool+args, got)
		}
		call("recall", fmt.Sprintf(`{"query":"harbour password","scope":%q}`, scope))
		call("recall", fmt.Sprintf(`{"query":"harbour password","scope":%q,"format":"json"}`, scope))
	}
	for _, ref := range []string{"2", "3", "#2", "2,3"} {
		got := b.ask(asked{method: "GET", path: "/api/memories/" + url.PathEscape(ref)})
		look(ref, got)
		if got.status == http.StatusOK {
			t.Errorf("%s: %s", ref, got.body)
		}
		for _, do := range []string{"edit", "forget"} {
			got := b.ask(asked{method: "POST", path: "/api/memories/" + url.PathEscape(ref) + "/" + do, body: `{"text":"x y z"}`})
			look(do, got)
			if got.status == http.StatusOK {
				t.Errorf("%s %s: %s", do, ref, got.body)
			}
		}
		for _, tool := range []string{"why", "forget", "pin", "edit"} {
			got := b.tool("", tool, `{"ref":"`+ref+`","text":"q"}`)
			look(tool, got)
			if !strings.Contains(got.body, `"isError":true`) {
				t.Errorf("%s %s: %s", tool, ref, got.body)
			}
		}
	}
	for _, uri := range []string{"ken://block", "ken://page/1", "ken://memory/2", "ken://memory/3"} {
		look(uri, b.rpc("", "resources/read", `{"uri":"`+uri+`"}`))
	}
	got := b.rpc("", "initialize", hello)
	look("initialize", got)
	if strings.Contains(b.suggested(), `"target":"2"`) || strings.Contains(b.suggested(), `"target":"3"`) {
		t.Errorf("a change was suggested: %s", b.suggested())
	}
	if got := b.ask(asked{method: "GET", path: "/api/recall?q=staging+host"}); !strings.Contains(got.body, "kettle") {
		t.Errorf("what holds everywhere: %s", got.body)
	}
}
