package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/proctest"

	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/llm/llmtest"
)

// never is the connection of a browser that reads nothing: a write lasts until its deadline is past.
type never struct {
	*httptest.ResponseRecorder
	once sync.Once
	past chan struct{}
}

func (n *never) Write([]byte) (int, error) {
	<-n.past
	return 0, context.DeadlineExceeded
}

func (n *never) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		n.once.Do(func() { close(n.past) })
	}
	return nil
}

// TestStreams: who reads nothing is cut off after a while; of more than are watched at once, one more is told to come again; the
// answer is whole all the same.
func TestStreams(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	model, dir := llmtest.New(t, llmtest.Text("one ", "two ", "three").Gate(1, more)), t.TempDir()
	env := map[string]string{"HOME": dir, "KEN_HOME": filepath.Join(dir, "ken"), "OPENAI_BASE_URL": model.URL, "KEN_MODEL": "test"}
	getenv := func(n string) string { return env[n] }
	memory := app.Open(app.Options{Getenv: getenv, Now: time.Now, Local: []string{}})
	if err := memory.Check(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = memory.Close() })
	warn := func(err error) { t.Errorf("warned: %v", err) }
	p, err := New(Options{
		Owner: OwnerOf(memory), Now: time.Now, Warn: warn, Talk: &talk.Options{Memory: memory, Warn: warn},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.End(context.WithoutCancel(t.Context())) })
	p.reads = 10 * time.Millisecond
	r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader(url.Values{"text": {"count"}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	id := strings.TrimPrefix(w.Header().Get("HX-Redirect"), "/talk/")
	open, ok := p.hall.Open(id)
	if !ok {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	at := "/talk/" + id + "/events?turn=" + open.Run.ID
	p.ServeHTTP(&never{ResponseRecorder: httptest.NewRecorder(), past: make(chan struct{})}, // returns
		httptest.NewRequest(http.MethodGet, at, http.NoBody))

	p.reads = time.Minute
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	for range mostStreams {
		watching.Go(func() {
			p.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, at, http.NoBody))
		})
	}
	if !proctest.Within(time.Minute, func() bool { return p.streams.Load() >= mostStreams }) {
		t.Fatal("they do not begin")
	}
	for range 500 {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at, http.NoBody))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Fatalf("one more: %d", w.Code)
		}
	}
	cancel()
	watching.Wait()
	close(more)
	w = httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at, http.NoBody))
	if body := w.Body.String(); !strings.Contains(body, "one two three") || !strings.Contains(body, "event: done") {
		t.Errorf("%s", body)
	}
}
