package web_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/app/owner"
	"ken/internal/view"
	"ken/internal/web"
)

// A bed is a page over a memory of its own.
type bed struct {
	t    *testing.T
	dir  string
	app  *app.App
	page *web.Page
	own  *owner.Owner
}

// A doctor has always the same to say.
type doctor struct{}

func (doctor) Look(_ context.Context, offline bool) []view.Sign {
	asked := view.Sign{Level: "ok", What: "server", Says: "it answers"}
	if offline {
		asked.Says = "it was not asked"
	}
	return []view.Sign{asked, {Level: "gap", What: "model", Says: "none", Next: "ken init"}}
}

func (doctor) Files(context.Context) (r view.Report, err error) {
	r.Add(view.Finding{Level: view.LevelError, File: "/m.jsonl", Line: 2, What: "not JSON: <b>", Hint: "mend the line"})
	return r, nil
}

func newBed(t *testing.T) *bed {
	t.Helper()
	b := &bed{t: t, dir: t.TempDir()}
	env := map[string]string{"KEN_HOME": b.dir, "HOME": b.dir}
	b.app = app.Open(app.Options{Getenv: func(n string) string { return env[n] }, Now: time.Now})
	err := b.app.Check()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.app.Close() })
	b.own = web.OwnerOf(b.app)
	b.page, err = web.New(web.Options{
		Owner: b.own, Now: time.Now, Warn: func(err error) { t.Errorf("a warning: %v", err) },
		Clients: func() ([]web.Client, error) {
			return []web.Client{{Name: "notes", Since: "2026-01-02", May: "suggest"}}, nil
		},
		Doctor: doctor{}, Imports: web.ImportsOf(b.app),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// state has the person state something, by another face.
func (b *bed) state(text, kind string) string {
	b.t.Helper()
	done, err := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Person}}).Remember(b.t.Context(), app.Statement{Text: text, Kind: kind})
	if err != nil || done.Did != "remembered" {
		b.t.Fatalf("%q: %+v, %v", text, done, err)
	}
	return done.Ref
}

func (b *bed) do(r *http.Request) (int, string, http.Header) {
	b.t.Helper()
	w := httptest.NewRecorder()
	b.page.ServeHTTP(w, r)
	return w.Code, w.Body.String(), w.Header()
}

func (b *bed) get(path string) (int, string) {
	b.t.Helper()
	code, body, _ := b.do(httptest.NewRequest(http.MethodGet, path, nil))
	return code, body
}

func (b *bed) post(path string, form url.Values) (int, string) {
	b.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	code, body, _ := b.do(r)
	return code, body
}

func wants(t *testing.T, what, body string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(body, p) {
			t.Errorf("%s: want %q in\n%.1500s", what, p, body)
		}
	}
}

// TestViews: each view shows what there is, whole, without the page's script.
func TestViews(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	ref := b.state("the staging host is called kettle", "fact")
	b.state("I like **short** answers", "pref")
	old := b.state("the harbour is closed", "fact")
	if _, err := b.own.Forget(t.Context(), old, ""); err != nil {
		t.Fatal(err)
	}
	agent := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}})
	if _, err := agent.Remember(t.Context(), app.Statement{Text: "the drum prints"}); err != nil {
		t.Fatal(err)
	}
	for path, parts := range map[string][]string{
		"/memory":                  {"kettle", "<strong>short</strong>", "2 memories", "1 to 2 of 2, newest first", `aria-current="page"`},
		"/memory?q=staging":        {"kettle", "best first"},
		"/memory?q=nowhere+at+all": {"Nothing is known about that."},
		"/memory?kind=pref":        {"short", "1 to 1 of 1"},
		"/memory/" + ref:           {"kettle", "History", "stated", `name="was"`},
		"/memory/" + old:           {"forgotten: what it said is not shown"},
		"/review":                  {"One waits for you", "the drum prints", "agent:notes", "ken review"},
		"/sessions":                {"0 conversations"},
		"/timeline":                {"<svg", "circle", `class="past"`, "kettle", "[forgotten]"},
		"/health":                  {"2 remembered", "One waits for you", "gap", "notes", "ken serve token"},
	} {
		code, body := b.get(path)
		if code != http.StatusOK {
			t.Errorf("%s: %d", path, code)
		}
		wants(t, path, body, append(parts, "<!DOCTYPE html>", `<main id="main" tabindex="-1">`, "<title>")...)
		if strings.Contains(body, "harbour") {
			t.Errorf("%s shows what is forgotten", path)
		}
	}
	// What is opened from a search says whether a question like that would have it.
	_, body := b.get("/memory?q=staging+host")
	wants(t, "a search", body, `href="/memory/`+ref+`?q=staging%20host"`, `hx-get="/memory/`+ref+`?q=staging&#43;host"`)
	_, body = b.get("/memory/" + ref + "?q=staging+host")
	wants(t, "opened from it", body, "A question like this would have it.")
	_, body = b.get("/memory/" + ref + "?q=zebra")
	wants(t, "opened from another", body, "A question like this would not have it: it has too little to do with the question.")
	_, body = b.get("/memory/" + old + "?q=harbour")
	if !strings.Contains(body, "would not have it: forgotten") || strings.Contains(body, "closed") {
		t.Errorf("forgotten: %.1500s", body)
	}
	if _, body := b.get("/memory?asof=2001-01-01"); !strings.Contains(body, "Nothing is known") {
		t.Errorf("as of a time before all: %.800s", body)
	}
	if code, body := b.get("/memory?asof=someday"); code != http.StatusBadRequest {
		t.Errorf("no date: %d %.300s", code, body)
	}
	for _, path := range []string{
		"/nothing", "/memory/", "/memory/999", "/memory/x/y", "/sessions/none", "/static/../page.go", "/static/htmx.LICENSE", "/review/1",
		"/memory/%2e%2e",
	} {
		if code, _ := b.get(path); code != http.StatusNotFound && !(path == "/memory/" && code == http.StatusOK) {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// TestActs: what the person does on the page is done at once, noted as of the page, and can be taken back there.
func TestActs(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	code, body := b.post("/memory", url.Values{"text": {"the kettle is blue"}})
	wants(t, "remember", body, "Remembered: #1", `hx-post="/undo/1"`)
	log, _ := os.ReadFile(filepath.Join(b.dir, "memory.jsonl"))
	if code != http.StatusOK || !strings.Contains(string(log), `"channel":"web"`) {
		t.Errorf("%d, the log: %s", code, log)
	}
	was := owner.Mark("the kettle is blue")
	_, body = b.post("/memory/1/edit", url.Values{"was": {was}, "text": {"the kettle is red"}})
	wants(t, "edit", body, "Saved: #1", "the kettle is red", `hx-post="/undo/2"`)
	// A second tab, which shows the text from before, is told, and changes nothing.
	for _, path := range []string{"/memory/1/edit", "/memory/1/forget"} {
		code, body = b.post(path, url.Values{"was": {was}, "text": {"the kettle is green"}})
		if code != http.StatusConflict {
			t.Errorf("%s: %d", path, code)
		}
		wants(t, path, body, "changed meanwhile", "the kettle is red")
	}
	_, body = b.post("/undo/2", url.Values{"ref": {"1"}})
	wants(t, "undo", body, "Took back #2", "the kettle is blue")
	_, body = b.post("/memory/1/pin", nil)
	wants(t, "pin", body, "Pinned: #1", "Unpin")
	_, body = b.post("/memory/1/forget", url.Values{"was": {was}})
	wants(t, "forget", body, "Forgotten: #1", "what it said is not shown", "Undo")
	line := regexp.MustCompile(`hx-post="(/undo/[^"]+)"`).FindStringSubmatch(body)
	if line == nil {
		t.Fatal("no undo")
	}
	_, body = b.post(line[1], url.Values{"ref": {"1"}})
	wants(t, "undo of forgetting", body, "the kettle is blue")
}

// TestTerminalAlone: what binds commands is neither made, changed, forgotten, decided nor taken back on the page, and nothing is
// erased there.
func TestTerminalAlone(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	rule, pref := b.state("never run rm -rf", "rule"), b.state("always confirm git push", "pref")
	plain := b.state("the kettle is blue", "fact")
	before := b.files()
	for path, form := range map[string]url.Values{
		"/memory":                     {"text": {"never run git push"}, "kind": {"rule"}},
		"/memory/" + rule + "/edit":   {"text": {"run anything"}},
		"/memory/" + rule + "/forget": nil,
		"/memory/" + rule + "/pin":    nil,
		"/memory/" + pref + "/forget": nil,
		"/undo/" + rule:               nil,
		"/undo/" + pref:               nil,
		"/review/back":                {"ref": {rule}},
	} {
		code, body := b.post(path, form)
		if code != http.StatusUnprocessableEntity || !strings.Contains(body, "needs the terminal") {
			t.Errorf("%s: %d %.300s", path, code, body)
		}
	}
	for _, path := range []string{
		"/memory/" + plain + "/erase", "/review/p1/accept", "/review", "/health", "/timeline", "/sessions/x/delete",
	} {
		if code, _ := b.post(path, nil); code != http.StatusNotFound {
			t.Errorf("POST %s: %d", path, code)
		}
	}
	if b.files() != before {
		t.Error("the files are not as they were")
	}
	if _, body := b.get("/memory/" + rule); strings.Contains(body, "hx-post") {
		t.Error("a rule has buttons")
	}
}

// files is all that is kept, as one text.
func (b *bed) files() string {
	b.t.Helper()
	var all strings.Builder
	_ = filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") {
			text, _ := os.ReadFile(path)
			all.WriteString(path + "\n" + string(text))
		}
		return nil
	})
	return all.String()
}

// TestForged: nothing that another page can send unasked is taken, and reading changes nothing.
func TestForged(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.state("the kettle is blue", "fact")
	before := b.files()
	for _, path := range []string{"/memory", "/memory/1/forget", "/memory/1/edit", "/memory/1/pin", "/undo/1"} {
		for _, kind := range []string{"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""} {
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader("text=x"))
			r.Header.Set("Content-Type", kind)
			if code, _, _ := b.do(r); code != http.StatusUnsupportedMediaType {
				t.Errorf("POST %s as %q: %d", path, kind, code)
			}
		}
		for _, method := range []string{"PUT", "DELETE", "PATCH", "OPTIONS"} {
			if code, _, _ := b.do(httptest.NewRequest(method, path, nil)); code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, code)
			}
		}
		b.get(path + "?text=y&was=&_method=POST")
	}
	r := httptest.NewRequest(http.MethodPost, "/memory", strings.NewReader("text="+strings.Repeat("x", 1<<20)))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	if code, _, _ := b.do(r); code != http.StatusRequestEntityTooLarge {
		t.Errorf("too long: %d", code)
	}
	if b.files() != before {
		t.Error("the files are not as they were")
	}
}

// attacks are texts that would run something if they were not escaped.
func attacks() []string {
	return []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`,
		`"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`,
		`</textarea><script>alert(1)</script>`, `</title><script>alert(1)</script>`, `<iframe src="javascript:alert(1)">`,
		`<a href="javascript:alert(1)">x</a>`,
		`[x](javascript:alert(1))`, `[x](JaVaScRiPt:alert(1))`, `[x](data:text/html,<script>alert(1)</script>)`, `[x](vbscript:alert(1))`,
		`![x](javascript:alert(1))`, `![x](https://evil.example/p.png)`, `<javascript:alert(1)>`,
		"[x](java\nscript:alert(1))", `[x](https://a" onmouseover="alert(1))`,
		"`<script>alert(1)</script>`", "```\n<script>alert(1)</script>\n```",
		`| <script>a</script> | b |` + "\n|---|---|\n| <img src=x onerror=alert(1)> | c |",
		`<div hx-get="/x" hx-trigger="load">x</div>`, `<div hx-on:click="alert(1)">x</div>`, `<hx-partial hx-target="body">x</hx-partial>`,
		`<form action="https://evil.example"><button>x</button></form>`, `<style>body{display:none}</style>`,
		`<base href="https://evil.example/">`,
		`<meta http-equiv="refresh" content="0;url=https://evil.example">`, `{{.Fault}} {{template "page"}}`,
		`&lt;script&gt;alert(1)&lt;/script&gt;`,
		"<de\x00tails ontoggle=alert(1) open>", `<math><mtext></p><script>alert(1)</script>`,
	}
}

// bad is what is in no page: a tag or attribute that no template of ours has, or an address that runs.
func bad(body string) string {
	for _, tag := range regexp.MustCompile(`(?s)<[a-zA-Z/][^>]*>`).FindAllString(body, -1) {
		if regexp.MustCompile(`(?i)^</?(iframe|style|base|math|mtext|hx-partial|img|object|embed|template)\b`).MatchString(tag) {
			return tag
		}
		elsewhere := regexp.MustCompile(`(href|hx-get)="/memory/[^"]*"`).ReplaceAllString(tag, "") // what was asked for is asked for once more
		attrs := regexp.MustCompile(`"[^"]*"|'[^']*'`).ReplaceAllString(tag, "")
		if regexp.MustCompile(`(?i)\s(on[a-z]+|style|hx-on[^=]*|srcdoc)\s*=`).MatchString(attrs) ||
			regexp.MustCompile(`(?i)(href|src|action)="\s*(javascript|data|vbscript)`).MatchString(tag) ||
			strings.Contains(elsewhere, "evil.example") && !strings.Contains(tag, `rel="noreferrer`) && !strings.Contains(tag, "<input") ||
			strings.HasPrefix(strings.ToLower(tag), "<script") && !strings.Contains(tag, `src="/static/`) ||
			strings.HasPrefix(tag, "<svg") && !strings.Contains(tag, `class="time"`) && !strings.Contains(tag, `class="bar"`) {
			return tag
		}
	}
	return ""
}

// TestForeignText: texts that would run something are text, in memories, in what waits, in searches and in errors.
func TestForeignText(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	if n := len(attacks()); n < 30 {
		t.Fatalf("%d attacks", n)
	}
	agent := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}})
	for i, x := range attacks() {
		b.state(x, "fact")
		if i < 20 {
			if _, err := agent.Remember(t.Context(), app.Statement{Text: "suggested: " + x, Why: x}); err != nil {
				t.Fatal(err)
			}
		}
	}
	paths := []string{"/memory", "/memory?past=1", "/review", "/timeline", "/sessions", "/health"}
	for i, x := range attacks() {
		q := url.QueryEscape(x)
		paths = append(paths, "/memory/"+string(rune('1'+i%9)), "/memory?q="+q, "/sessions?q="+q, "/memory?kind="+q+"&scope="+q,
			"/memory?asof="+q, "/memory/"+url.PathEscape(x), "/sessions/"+url.PathEscape(x))
	}
	for _, path := range paths {
		_, body := b.get(path)
		if tag := bad(body); tag != "" {
			t.Errorf("%s has %s", path, tag)
		}
	}
	_, body := b.get("/memory")
	wants(t, "the list", body, "&lt;script&gt;alert(1)&lt;/script&gt;")
}

// TestTemplates: no template runs anything by itself, and each foreign text stands where htmx looks at nothing.
func TestTemplates(t *testing.T) {
	t.Parallel()
	text := append(read(t, "pages/page.html"), read(t, "pages/talk.html")...)
	for _, never := range []string{
		`(?i)\son[a-z]+=`, `style=`, `<style`, `hx-on`, `js:`, `javascript:`, `hx-trigger="[^"]*\[`, `hx-vals`, `https?://`, `<script>`,
	} {
		if got := regexp.MustCompile(never).Find(text); got != nil {
			t.Errorf("a template has %q", got)
		}
	}
	for _, r := range regexp.MustCompile(`(?m)^.*\{\{\.(Says|Called|Line|Why|Text)\}\}.*$`).FindAllString(string(text), -1) {
		if !strings.Contains(r, "hx-ignore") && !strings.Contains(r, "value=") {
			t.Errorf("foreign text without hx-ignore: %s", strings.TrimSpace(r))
		}
	}
	sum := sha256.Sum256(read(t, "static/htmx.js"))
	const is = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130" // 4.0.1, dist/htmx.min.js
	if got := hex.EncodeToString(sum[:]); got != is {
		t.Errorf("htmx is another one: %s", got)
	}
	sum = sha256.Sum256(read(t, "static/hx-sse.js"))
	const sse = "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103" // 4.0.1, dist/ext/hx-sse.min.js
	if got := hex.EncodeToString(sum[:]); got != sse {
		t.Errorf("hx-sse is another one: %s", got)
	}
	if n := len(read(t, "static/page.js")) + len(read(t, "static/talk.js")); n > 4<<10 {
		t.Errorf("the script has %d bytes", n)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEnter: behind the link stands an address that is whole and has no token, and each answer says what the browser may load.
func TestEnter(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8765/enter", nil)
	r.SetBasicAuth("ken", "ken_token")
	code, _, h := b.do(r)
	if code != http.StatusSeeOther || h.Get("Location") != "http://127.0.0.1:8765/" {
		t.Errorf("%d to %s", code, h.Get("Location"))
	}
	for _, path := range []string{"/memory", "/static/page.css", "/static/htmx.js", "/nothing", "/favicon.ico"} {
		_, _, h := b.do(httptest.NewRequest(http.MethodGet, path, nil))
		csp := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'; style-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: %q", path, csp)
		}
	}
	code, body, _ := b.do(httptest.NewRequest(http.MethodGet, "/static/page.css", nil))
	if code != http.StatusOK || !strings.Contains(body, "light-dark") {
		t.Errorf("the style: %d", code)
	}
}
