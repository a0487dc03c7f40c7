package httpapi

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/endpoint"
	"ken/internal/llm/llmtest"
	"ken/internal/session"
	"ken/internal/trace"
)

// inFront puts a scripted model behind a bed, called fast.
func (b *bed) inFront(scripts ...llmtest.Script) *llmtest.Server {
	b.t.Helper()
	model := llmtest.New(b.t, scripts...)
	text := fmt.Sprintf("[models.fast]\nbase_url = %q\nmodel = \"tiny\"\n", model.URL)
	if err := os.WriteFile(filepath.Join(b.dir, "config.toml"), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	a := app.Open(app.Options{Getenv: in(b.dir), Now: time.Now})
	if err := a.Check(); err != nil {
		b.t.Fatal(err)
	}
	b.s.o.App = a
	b.s.front = newFront(b.s)
	return model
}

// TestInFront: a client with a token gets the memory in front of a model, learns why, and nobody else does; what it was given is
// noted, what it typed is nowhere, its token goes nowhere, and what is forgotten is in no explanation.
func TestInFront(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	model := b.inFront()
	model.Always(llmtest.Text("kettle"))
	const typed = "remember that zanzibar is the staging host"
	body := `{"model":"ken/fast","stream":true,"messages":[{"role":"user","content":"` + typed + `"}]}`
	for _, token := range []string{b.token, b.reader} {
		got := b.ask(asked{method: "POST", path: "/v1/chat/completions", body: body, token: "Bearer " + token})
		if got.status != 200 || got.header.Get("Ken-Memory") != "1" || !strings.HasSuffix(got.body, llmtest.Done) {
			t.Fatalf("%d %v %s", got.status, got.header, got.body)
		}
		q := model.Requests()[len(model.Requests())-1]
		if q.Path != "/v1/chat/completions" || q.Header.Get("Authorization") != "" || !strings.Contains(string(q.Body), "called kettle") {
			t.Errorf("the model got %v %s", q.Header, q.Body)
		}
		b.clean("what the model got", fmt.Sprint(q.Header)+string(q.Body))
		if strings.Contains(string(q.Body), elsewhere) {
			t.Errorf("of a project: %s", q.Body)
		}
		ref := got.header.Get("Ken-Why")
		why := b.ask(asked{method: "GET", path: "/v1/ken/why/" + ref, token: "Bearer " + token})
		if why.status != 200 || !strings.Contains(why.body, `"content":"the staging host is called kettle"`) ||
			!strings.Contains(why.body, `"parts":{"`) || !strings.Contains(why.body, `"model":"ken/fast"`) {
			t.Errorf("why: %d %s", why.status, why.body)
		}
		other := b.token
		if token == b.token {
			other = b.reader
		}
		if got := b.ask(asked{method: "GET", path: "/v1/ken/why/" + ref, token: "Bearer " + other}); got.status != 404 {
			t.Errorf("another client: %d %s", got.status, got.body)
		}
		b.s.note()
		if strings.Contains(b.files(), "zanzibar") || b.suggested() != "" {
			t.Error("what was typed is kept")
		}
		if token == b.reader {
			if _, err := b.s.o.App.View(app.Standing{Actor: app.Actor{Kind: app.Person}}).Forget(t.Context(), "", "1"); err != nil {
				t.Fatal(err)
			}
			why := b.ask(asked{method: "GET", path: "/v1/ken/why/" + ref, token: "Bearer " + token})
			if why.status != 200 || strings.Contains(why.body, "kettle") {
				t.Errorf("why, forgotten: %d %s", why.status, why.body)
			}
		}
	}
	list, err := trace.Receivers(session.Dir{Path: filepath.Join(b.dir, "sessions"), Run: filepath.Join(b.dir, "run"), Now: time.Now},
		func(ref string) bool { return ref == "1" })
	if err != nil || len(list) != 2 || list[0].Agent != "looker" || list[1].Agent != "notes" {
		t.Errorf("given to %+v, %v", list, err)
	}
}

// TestFrontRoutes: the models are listed twice, and whatever else is asked below /v1 is not there, in the words of the protocol.
func TestFrontRoutes(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.inFront()
	got := b.ask(asked{method: "GET", path: "/v1/models"})
	if got.status != 200 || !strings.Contains(got.body, `"id":"fast"`) || !strings.Contains(got.body, `"id":"ken/fast"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, name := range []string{"fast", "ken/fast", "ken%2Ffast"} {
		got := b.ask(asked{method: "GET", path: "/v1/models/" + name})
		if want := `{"id":"` + strings.Replace(name, "%2F", "/", 1) + `","object":"model","created":0,"owned_by":"ken"}`; got.status != 200 ||
			strings.TrimSpace(got.body) != want {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	for _, name := range []string{"fastt", "ken/", "ken/ken/fast", "fast/", "%00"} {
		got := b.ask(asked{method: "GET", path: "/v1/models/" + name})
		if got.status != 404 || !strings.Contains(got.body, `"code":"model_not_found"`) || !strings.Contains(got.body, `"param":"model"`) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	chat := "/v1/chat/completions"
	for want, q := range map[int]asked{
		401: {method: "GET", path: "/v1/models", token: "Bearer x"},
		400: {method: "GET", path: "/v1/models?token=x"},
		405: {method: "GET", path: chat},
		415: {method: "POST", path: chat, body: "{}", header: map[string]string{"Content-Type": "text/plain"}},
		403: {method: "POST", path: chat, body: "{}", header: map[string]string{"Origin": "http://evil.example"}},
		421: {method: "GET", path: "/v1/models", host: "evil.example"},
		413: {method: "POST", path: chat, body: strings.Repeat(" ", endpoint.MostBody+1)}, 404: {method: "GET", path: "/v1/models/none"},
	} {
		got := b.ask(q)
		var said struct {
			Error struct{ Message, Type, Code string }
		}
		if err := json.Unmarshal([]byte(got.body), &said); err != nil || got.status != want || said.Error.Type != "invalid_request_error" ||
			len(said.Error.Message) < 20 || said.Error.Code == "" {
			t.Errorf("%d: %d %s", want, got.status, got.body)
		}
	}
	for _, q := range []asked{
		{method: "POST", path: "/v1/responses", body: "{}"},
		{method: "POST", path: "/v1/messages", body: "{}"},
		{method: "GET", path: "/v1/"},
		{method: "POST", path: "/v1/embeddings", body: "{}"},
		{method: "GET", path: "/v1/ken/why/none"},
		{method: "GET", path: "/v1/ken"},
	} {
		got := b.ask(q)
		if got.status != http.StatusNotFound || !strings.Contains(got.body, `"type":"invalid_request_error"`) ||
			!strings.Contains(got.body, `"param":null`) {
			t.Errorf("%s: %d %s", q.path, got.status, got.body)
		}
	}
}

// TestFrontLasts: an answer may take longer than a request of others, and ends within a second when the token is taken away.
func TestFrontLasts(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(s *Server) {
		s.waits.body, s.waits.answer = 300*time.Millisecond, 300*time.Millisecond
	})
	model := b.inFront()
	slow := llmtest.Text("a", "b")
	slow.Steps[2].Pause = 900 * time.Millisecond
	model.Add(slow, slow, llmtest.Hang("a"))
	q := asked{method: "POST", path: "/v1/chat/completions", body: `{"model":"ken/fast","messages":[{"role":"user","content":"x"}]}`}
	if got := b.ask(q); !strings.HasSuffix(got.body, llmtest.Done) {
		t.Errorf("%d %s", got.status, got.body)
	}
	pieces, err := http.NewRequestWithContext(t.Context(), q.method, "http://"+b.host+q.path, struct{ io.Reader }{strings.NewReader(q.body)})
	if err != nil {
		t.Fatal(err)
	}
	pieces.Header.Set("Authorization", "Bearer "+b.token)
	pieces.Header.Set("Content-Type", "application/json")
	whole, err := b.client.Do(pieces)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = whole.Body.Close() }()
	if got, err := io.ReadAll(whole.Body); err != nil || !strings.HasSuffix(string(got), llmtest.Done) {
		t.Errorf("a body of no given length: %s, %v", got, err)
	}
	r, err := http.NewRequestWithContext(t.Context(), q.method, "http://"+b.host+q.path, strings.NewReader(q.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.token)
	r.Header.Set("Content-Type", "application/json")
	res, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := b.s.o.Clients.Revoke(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	buffer := make([]byte, 1<<10)
	for err == nil {
		_, err = res.Body.Read(buffer)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it ended after %v", took)
	}
}

// TestFrontCrowd: a client that opens five hundred streams to a model that does not end holds up no other, and all of them end when its
// token is taken away.
func TestFrontCrowd(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	model := b.inFront()
	model.Reply(func(r llmtest.Request) llmtest.Script {
		if strings.Contains(string(r.Body), "for ever") {
			return llmtest.Hang("a")
		}
		return llmtest.Text("yes")
	})
	const path, streams = "/v1/chat/completions", 500
	body := func(text string) string {
		return `{"model":"ken/fast","messages":[{"role":"user","content":"` + text + `"}]}`
	}
	var open, busy atomic.Int64
	var answered, all sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	for range streams {
		answered.Add(1)
		all.Go(func() {
			said := sync.OnceFunc(answered.Done)
			defer said()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+b.host+path, strings.NewReader(body("for ever")))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer "+b.token)
			r.Header.Set("Content-Type", "application/json")
			res, err := client.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = res.Body.Close() }()
			switch res.StatusCode {
			case http.StatusOK:
				open.Add(1)
			case http.StatusServiceUnavailable:
				busy.Add(1)
			default:
				t.Errorf("%s", res.Status)
			}
			said()
			_, _ = io.Copy(io.Discard, res.Body) // until it is cut
		})
	}
	answered.Wait()
	if open.Load() != mostOfOne || open.Load()+busy.Load() != streams {
		t.Errorf("%d are answered, and %d told to come again", open.Load(), busy.Load())
	}
	got := b.ask(asked{method: http.MethodPost, path: path, body: body("the staging host?"), token: "Bearer " + b.reader})
	if got.status != http.StatusOK || !strings.HasSuffix(got.body, llmtest.Done) {
		t.Errorf("another client: %d %s", got.status, got.body)
	}
	if err := b.s.o.Clients.Revoke(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	all.Wait()
}
