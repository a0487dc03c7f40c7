package endpoint

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/llm/llmtest"
)

// A bed is an endpoint over a memory of its own, in front of a scripted model.
type bed struct {
	t     testing.TB
	dir   string // of all files
	model *llmtest.Server
	app   *app.App
	end   *Endpoint
	http  *httptest.Server

	mu     sync.Mutex
	gave   []string
	warned []string
	now    time.Time
}

const secret = "upstream" + "-key-17"

// newBed starts one. settings are more lines of the file; %s is the address of the model.
func newBed(t testing.TB, settings string, scripts ...llmtest.Script) *bed {
	t.Helper()
	b := &bed{t: t, model: llmtest.New(t, scripts...), now: time.Now()}
	dir := t.TempDir()
	b.dir = dir
	text := fmt.Sprintf("[models.fast]\nidle_timeout = \"300ms\"\nbase_url = %q\nmodel = \"tiny\"\napi_key_env = \"MODEL_KEY\"\n%s",
		b.model.URL, settings)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"KEN_HOME": dir, "HOME": dir, "MODEL_KEY": secret}
	b.app = app.Open(app.Options{Getenv: func(name string) string { return env[name] }, Now: time.Now})
	if err := b.app.Check(); err != nil {
		t.Fatal(err)
	}
	b.end = New(Options{
		App: b.app,
		Now: func() time.Time {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.now
		},
		Warn: func(err error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.warned = append(b.warned, err.Error())
		},
		Gave: func(client string, refs []string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.gave = append(b.gave, client+":"+strings.Join(refs, " "))
		},
	})
	b.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes", Face: "http"}, Kept: true})
		b.end.Chat(w, r, Client{Name: "notes", Memory: caller})
	}))
	t.Cleanup(b.http.Close)
	return b
}

func (b *bed) state(text, scope string) {
	b.t.Helper()
	person := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Person}})
	if _, err := person.Remember(b.t.Context(), app.Statement{Text: text, Scope: scope}); err != nil {
		b.t.Fatal(err)
	}
}

// ask sends a body, with headers by name and value.
func (b *bed) ask(body string, header ...string) (status int, h http.Header, text string) {
	b.t.Helper()
	res := b.send(b.t.Context(), body, header...)
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		text = "broken: "
	}
	return res.StatusCode, res.Header, text + string(got)
}

func (b *bed) send(ctx context.Context, body string, header ...string) *http.Response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.http.URL, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer ken_of-the-client")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := b.http.Client().Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	return res
}

// last is what the model was sent last.
func (b *bed) last() llmtest.Request {
	b.t.Helper()
	list := b.model.Requests()
	if len(list) == 0 {
		b.t.Fatal("the model was asked nothing")
	}
	return list[len(list)-1]
}

// shapes are requests as programs send them, by what is particular: @ is the name of the model, and ^ stands where a block does in a
// text, and ^^ where it does as a part.
func shapes(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "requests.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(string(text), "== "), "\n== ") {
		name, body, _ := strings.Cut(part, "\n")
		list[name] = body
	}
	list["large"] = strings.Replace(list["a text"], `[{`, `[{"role":"system","content":"`+strings.Repeat("word ", 400_000)+`"},{`, 1)
	return list
}

func as(shape, model, text, part string) string {
	shape = strings.ReplaceAll(shape, "^^", part)
	return strings.NewReplacer("@", model, "^", text).Replace(shape)
}

// TestBytes: with memory one block stands at the head of the last question, and without it nothing but the name is another byte.
func TestBytes(t *testing.T) {
	t.Parallel()
	b := newBed(t, "")
	b.model.Always(llmtest.Text("yes"))
	for name, shape := range shapes(t) {
		_, h, _ := b.ask(as(shape, "fast", "", ""))
		if got, want := string(b.last().Body), as(shape, "tiny", "", ""); got != want || h.Get("Ken-Memory") != "off" {
			t.Errorf("%s, without memory (%s): %.300s", name, h.Get("Ken-Memory"), got)
		}
		_, h, _ = b.ask(as(shape, "ken/fast", "", ""))
		if got, want := string(b.last().Body), as(shape, "tiny", "", ""); got != want || h.Get("Ken-Memory") != "none" || h.Get("Ken-Why") != "" {
			t.Errorf("%s, nothing relevant (%s): %.300s", name, h.Get("Ken-Memory"), got)
		}
	}
	b.state("the staging host is \"kettle\"", "")
	for name, shape := range shapes(t) {
		if name == "a tool loop" { // it goes on with what was asked before
			b.end.blocks = map[[32]byte]given{}
		}
		_, h, _ := b.ask(as(shape, "ken/fast", "", ""))
		if h.Get("Ken-Memory") != "1" || h.Get("Ken-Why") == "" {
			t.Errorf("%s: Ken-Memory %q, Ken-Why %q", name, h.Get("Ken-Memory"), h.Get("Ken-Why"))
			continue
		}
		got := string(b.last().Body)
		block := blockIn(t, b, "the staging host?")
		quoted, err := json.Marshal(block)
		if err != nil {
			t.Fatal(err)
		}
		text := string(quoted[1:len(quoted)-1]) + `\n\n`
		want := as(shape, "tiny", text, `{"type":"text","text":`+string(quoted)+`},`)
		if got != want {
			t.Errorf("%s: got\n%.600s\nwant\n%.600s", name, got, want)
		}
	}
	for _, r := range b.model.Requests() {
		if r.Header.Get("Authorization") != "Bearer "+secret || strings.Contains(fmt.Sprint(r.Header), "ken_of") {
			t.Fatalf("headers %v", r.Header)
		}
	}
	if len(b.gave) != len(shapes(t)) || b.gave[0] != "notes:1" {
		t.Errorf("noted as given: %v", b.gave)
	}
	if b.warned != nil {
		t.Errorf("warned: %v", b.warned)
	}
}

// blockIn is the block that a question calls for.
func blockIn(t *testing.T, b *bed, asked string) string {
	t.Helper()
	got, err := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}, Kept: true}).CallUp(t.Context(), asked)
	if err != nil || !strings.HasPrefix(got.Text, "[memories] ") || !strings.HasSuffix(got.Text, "\n[end of memories]") {
		t.Fatalf("%+v, %v", got, err)
	}
	return got.Text
}

// TestNotBody: what is no request is answered here, in the shape of the protocol.
func TestNotBody(t *testing.T) {
	t.Parallel()
	b := newBed(t, "")
	for body, want := range map[string]int{
		"": 400, "{": 400, "[]": 400, "null": 400, `{"model":"fast"}`: 400, `{"model":7,"messages":[{"role":"user"}]}`: 400,
		`{"model":"fast","messages":{}}`: 400, `{"model":"fast","messages":[7]}`: 400, `{"model":"fast","messages":[]}`: 400,
		`{"model":"fast","messages":[{"role":"user"}]} x`:                                             400,
		`{"model":"fastt","messages":[{"role":"user"}]}`:                                              404,
		`{"model":"fas","messages":[{"role":"user"}]}`:                                                404,
		`{"model":"ken/ken/fast","messages":[{"role":"u"}]}`:                                          404,
		`{"model":"fast/other","messages":[{"role":"u"}]}`:                                            404,
		`{"model":"fast","messages":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`: 400,
	} {
		status, h, text := b.ask(body)
		if status != want || h.Get("Content-Type") != "application/json" || !strings.Contains(text, `"type":"invalid_request_error"`) {
			t.Errorf("%.60s: %d %s", body, status, text)
		}
		if want == 404 && !strings.Contains(text, `"code":"model_not_found"`) {
			t.Errorf("%s: %s", body, text)
		}
	}
	for body, want := range map[string][2]string{
		"": {"null", noJSON}, `{"model":`: {"null", noJSON}, "[]": {"null", noObject}, "null": {"null", noObject},
		`{"messages":[{"role":"user"}]}`: {`"model"`, noModel}, `{"model":"","messages":[{"role":"user"}]}`: {`"model"`, noModel},
		`{"model":null,"messages":[{"role":"user"}]}`: {`"model"`, noModel}, `{"model":"fast"}`: {`"messages"`, noMessages},
		`{"model":"fast","messages":[]}`: {`"messages"`, noMessages}, `{"model":"fast","messages":null}`: {`"messages"`, noMessages},
		`{"model":"fast","messages":"hello"}`: {`"messages"`, noMessages}, `{"model":"fast","messages":["hello"]}`: {`"messages"`, noMessage},
		`{"model":"fast","messages":[{"role":1}]}`:    {`"messages"`, noMessage},
		`{"model":"fastt","messages":[{"role":"u"}]}`: {`"model"`, "no model"},
	} {
		if status, _, text := b.ask(body); status < 400 || !strings.Contains(text, want[1]) || !strings.Contains(text, `"param":`+want[0]) {
			t.Errorf("%s: %d %s, want %q", body, status, text, want)
		}
	}
	if n := len(b.model.Requests()); n != 0 {
		t.Errorf("%d requests went on", n)
	}
}

const about = `{"model":"ken/fast","messages":[{"role":"user","content":"the staging host?"}]}`

// msgs is a request of messages, each a role and its content as JSON.
func msgs(list ...string) string {
	var each []string
	for i := 0; i < len(list); i += 2 {
		each = append(each, `{"role":"`+list[i]+`","content":`+list[i+1]+`}`)
	}
	return `{"model":"ken/fast","messages":[` + strings.Join(each, ",") + `]}`
}

// TestPassed: what is a program's own, somebody else's, or asked without words gets nothing.
func TestPassed(t *testing.T) {
	t.Parallel()
	b := newBed(t, "[serve]\nowner = [\"me-17\"]\n[serve.alias]\n\"gpt-4o-mini\" = \"ken/fast\"\nplain = \"fast\"\nnone = \"gone\"\n")
	b.model.Always(llmtest.Text("yes"))
	b.state("the staging host is kettle, and the host of the title", "")
	for name, c := range map[string]struct {
		body, state string
		header      []string
	}{
		"titles of Open WebUI": {
			msgs("user", `"### Task:\nGenerate a title.\n<chat_history>\nUSER: the staging host?\n</chat_history>"`), "none", nil,
		},
		"a task of a person": {msgs("user", `"### Task: the staging host?"`), "1", nil},
		"titles of opencode": {
			msgs("system", `"You are a title generator. You output only a title."`,
				"user", `"the staging host?"`), "none", nil,
		},
		"titles of others": {
			msgs("system", `[{"type":"text","text":"Generate a concise title for it"}]`,
				"user", `"the staging host?"`), "none", nil,
		},
		"with tools": {
			strings.Replace(msgs("system", `"Generate a concise title for it"`,
				"user", `"the staging host?"`), "{",
				`{"tools":[{}],`, 1), "1", nil,
		},
		"titles of Zed": {
			msgs("user", `"the staging host?"`,
				"user", `"Generate a concise 3-7 word title for this conversation, of the host"`), "none", nil,
		},
		"titles of LibreChat": {
			msgs("user", `"Provide a concise, 5-word-or-less title for the conversation on the staging host"`), "none", nil,
		},
		"no user":   {`{"model":"ken/fast","messages":[{"role":"system","content":"the staging host?"}]}`, "none", nil},
		"null":      {`{"model":"ken/fast","messages":[{"role":"user","content":null}]}`, "none", nil},
		"a number":  {`{"model":"ken/fast","messages":[{"role":"user","content":7}]}`, "none", nil},
		"no parts":  {`{"model":"ken/fast","messages":[{"role":"user","content":[ ]}]}`, "none", nil},
		"a picture": {`{"model":"ken/fast","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, "none", nil},
		"wrapped alone": {
			msgs("user", `"<hook_context>the staging host</hook_context> [memories] staging host [end of memories]"`), "none", nil,
		},
		"the owner":          {about, "1", []string{"X-OpenWebUI-User-Id", "me-17"}},
		"somebody else":      {about, "off", []string{"X-OpenWebUI-User-Id", "you-18"}},
		"nobody by name":     {about, "off", []string{"X-OpenWebUI-User-Id", ""}},
		"another user":       {strings.Replace(about, "{", `{"user":"you-18",`, 1), "off", nil},
		"the owner, by two":  {strings.Replace(about, "{", `{"user":"me-17",`, 1), "off", []string{"X-OpenWebUI-User-Id", "you-18"}},
		"the user":           {strings.Replace(about, "{", `{"user":"me-17",`, 1), "1", nil},
		"user as a number":   {strings.Replace(about, "{", `{"user":17,`, 1), "off", nil},
		"user null":          {strings.Replace(about, "{", `{"user":null,`, 1), "1", nil},
		"another name":       {strings.Replace(about, "ken/fast", "gpt-4o-mini", 1), "1", nil},
		"another plain name": {strings.Replace(about, "ken/fast", "plain", 1), "off", nil},
	} {
		before := len(b.gave)
		status, h, text := b.ask(c.body, c.header...)
		if status != 200 || h.Get("Ken-Memory") != c.state {
			t.Errorf("%s: %d, Ken-Memory %q: %s", name, status, h.Get("Ken-Memory"), text)
			continue
		}
		want := strings.NewReplacer(`"ken/fast"`, `"tiny"`, `"gpt-4o-mini"`, `"tiny"`, `"plain"`, `"tiny"`).Replace(c.body)
		if got := string(b.last().Body); (c.state != "1") != (got == want) || (c.state == "1") != (len(b.gave) == before+1) {
			t.Errorf("%s: %s, noted %v", name, got, b.gave[before:])
		}
	}
	if status, _, _ := b.ask(strings.Replace(about, "ken/fast", "none", 1)); status != 404 {
		t.Errorf("a name for nothing: %d", status)
	}
	if names, err := b.end.Models(); err != nil || strings.Join(names, " ") != "fast ken/fast gpt-4o-mini plain" {
		t.Errorf("%v, %v", names, err)
	}
}

// TestLoop: who goes on with a question has the same block whatever is stated meanwhile, for an hour, unless what it says is no more.
func TestLoop(t *testing.T) {
	t.Parallel()
	b := newBed(t, "")
	b.model.Always(llmtest.Text("yes"))
	b.state("the staging host is kettle", "")
	more := strings.Replace(about, "}]}", `},{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","content":"x"}]}`, 1)
	block := func(body string) string {
		t.Helper()
		b.ask(body)
		sent := string(b.last().Body)
		return sent[:strings.Index(sent, "the staging host?")]
	}
	first := block(about)
	b.state("the staging host listens at port 8443", "")
	if got := block(more); got != first || !strings.Contains(first, "kettle") {
		t.Errorf("in the loop\n%s\nbefore\n%s", got, first)
	}
	if got := block(about); !strings.Contains(got, "8443") {
		t.Errorf("asked anew: %s", got)
	}
	both := block(more)
	if !strings.Contains(both, "8443") || !strings.Contains(both, "kettle") {
		t.Errorf("in its loop: %s", both)
	}
	if _, err := b.app.View(app.Standing{Actor: app.Actor{Kind: app.Person}}).Forget(t.Context(), "", "1"); err != nil {
		t.Fatal(err)
	}
	if got := block(more); strings.Contains(got, "kettle") || !strings.Contains(got, "8443") {
		t.Errorf("forgotten: %s", got)
	}
	_, h, _ := b.ask(about)
	ref := h.Get("Ken-Why")
	notes := Client{Name: "notes", Memory: b.app.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: "notes"}, Kept: true})}
	g, ok := b.end.Grounds(t.Context(), notes, ref)
	if !ok || g.Model != "ken/fast" || len(g.Memories) != 1 || g.Memories[0].Ref != "2" {
		t.Errorf("why: %+v %v", g, ok)
	}
	sum := 0.0
	for _, p := range g.Memories[0].Parts {
		sum += p.Score
	}
	if d := sum - g.Memories[0].Score; d > 1e-9 || d < -1e-9 {
		t.Errorf("the parts come to %v, not %v", sum, g.Memories[0].Score)
	}
	if _, ok := b.end.Grounds(t.Context(), Client{Name: "others", Memory: notes.Memory}, ref); ok {
		t.Error("another client is told why")
	}
	b.mu.Lock()
	b.now = b.now.Add(keepFor)
	b.mu.Unlock()
	if _, ok := b.end.Grounds(t.Context(), notes, ref); ok {
		t.Error("why is told an hour later")
	}
}

// TestWithin: secrets are masked, and what holds in a project stays there; memory that is off or broken is said, and costs nothing else.
func TestWithin(t *testing.T) {
	t.Parallel()
	b := newBed(t, "")
	b.model.Always(llmtest.Text("yes"))
	b.state("the staging host is quince", "dir:/srv/project")
	if _, h, _ := b.ask(about); h.Get("Ken-Memory") != "none" {
		t.Errorf("of a project: %v, %s", h, b.last().Body)
	}
	off := newBed(t, "[memory]\nenabled = false\n")
	off.model.Always(llmtest.Text("yes"))
	if _, h, _ := off.ask(about); h.Get("Ken-Memory") != "off" || string(off.last().Body) != strings.Replace(about, "ken/fast", "tiny", 1) {
		t.Errorf("off: %v, %s", h, off.last().Body)
	}
	broken := newBed(t, "[memory]\npath = \"/dev/null/memory.jsonl\"\n")
	broken.model.Always(llmtest.Text("yes"))
	if _, h, _ := broken.ask(about); h.Get("Ken-Memory") != "failed" ||
		string(broken.last().Body) != strings.Replace(about, "ken/fast", "tiny", 1) || len(broken.warned) != 1 {
		t.Errorf("broken: %v, %v, %s", h, broken.warned, broken.last().Body)
	}
}

// TestRelayed: whatever comes from the model is passed on as it is, a cut as a cut, and nothing is asked twice.
func TestRelayed(t *testing.T) {
	t.Parallel()
	odd := "data: {\"a\":1}\r\n\r\n: ping\n\nevent: x\ndata: \xff\n\n" + llmtest.Done
	for name, c := range map[string]struct {
		script llmtest.Script
		status int
		text   string
		kind   string
	}{
		"a stream": {llmtest.Raw(odd[:9], odd[9:]), 200, odd, "text/event-stream"},
		"429": {
			llmtest.Error(429, "slow").With("Retry-After", "7"), 429, `{"error":{"message":"slow","type":"test_error"}}`, "application/json",
		},
		"500": {llmtest.Error(500, "boom"), 500, `{"error":{"message":"boom","type":"test_error"}}`, "application/json"},
		"a page": {
			llmtest.Script{Status: 502, ContentType: "text/html", Steps: []llmtest.Step{{Write: "<h1>bad</h1>"}}},
			502,
			"<h1>bad</h1>", "text/html",
		},
		"cut":    {llmtest.Cut("a", "b"), 200, "broken: " + llmtest.Token("a") + llmtest.Token("b"), "text/event-stream"},
		"silent": {llmtest.Hang("a"), 200, "broken: " + llmtest.Token("a"), "text/event-stream"},
		"elsewhere": {
			llmtest.Script{Status: 307, Steps: []llmtest.Step{{Write: "x"}}}.With("Location", "http://127.0.0.1:1/"), 502,
			`{"error":{"code":"model_moved","message":"the model's server sends elsewhere, which is not followed",` +
				`"param":null,"type":"server_error"}}` + "\n",
			"application/json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, "", c.script.With("Set-Cookie", "a=b"))
			status, h, text := b.ask(about)
			if status != c.status || text != c.text || h.Get("Content-Type") != c.kind || h.Get("Set-Cookie") != "" {
				t.Errorf("%d %q %v", status, text, h)
			}
			if h.Get("Retry-After") != c.script.Header.Get("Retry-After") || len(b.model.Requests()) != 1 {
				t.Errorf("%v, %d requests", h, len(b.model.Requests()))
			}
		})
	}
	b := newBed(t, "")
	if err := b.model.Stop(); err != nil {
		t.Fatal(err)
	}
	if status, _, text := b.ask(about); status != 502 || !strings.Contains(text, "model_unreachable") || strings.Contains(text, "127.0.0.1") {
		t.Errorf("down: %d %s", status, text)
	}
}

// TestAtOnce: the first token is there while the model still speaks, and a client that hangs up ends the model's answer.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	gone := make(chan struct{})
	b := newBed(t, "")
	b.model.Reply(func(llmtest.Request) llmtest.Script { return llmtest.Text("one", "two").Gate(2, never) })
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		b.http.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.http.URL = front.URL
	res := b.send(ctx, about)
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "one") {
			break
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	cancel()
	select {
	case <-gone:
	case <-time.After(5 * time.Second):
		t.Error("the model is listened to, and nobody is there")
	}
}
