package httpapi

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
)

// stream opens one for a client; next gives its next line that says something, "" once it ended.
func (b *bed) stream(token, last string) (status int, next func() string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, "http://"+b.host+"/api/events", http.NoBody)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	res, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	return res.StatusCode, func() string {
		for lines.Scan() {
			if lines.Text() != "" {
				return lines.Text()
			}
		}
		return ""
	}
}

// TestEvents: who listens is told of every write, by whatever program, and learns when they come back what they missed; a stream
// outlasts what other answers may, and ends within a second when the token is taken away.
func TestEvents(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(s *Server) {
		s.waits.body, s.waits.answer = 200*time.Millisecond, 200*time.Millisecond
		s.beats.look, s.beats.alive = 10*time.Millisecond, 300*time.Millisecond
	})
	_, next := b.stream(b.token, "")
	id, said := next(), next()
	if !strings.HasPrefix(id, "id: ") || said != `data: {"changed":false}` {
		t.Fatalf("at first %q %q", id, said)
	}
	for range 2 {
		if got := next(); got != ": alive" {
			t.Errorf("meanwhile: %q", got)
		}
	}
	other := app.Open(app.Options{Getenv: in(b.dir), Now: time.Now}) // another program's
	if _, err := other.View(app.Standing{Actor: personally()}).Remember(t.Context(), app.Statement{Text: "the tea is " + elsewhere}); err != nil {
		t.Fatal(err)
	}
	written := func(what string) (id string) {
		t.Helper()
		for id = next(); id == ": alive"; id = next() {
		}
		if said := next(); said != `data: {"changed":true}` {
			t.Errorf("%s: %q %q", what, id, said)
		}
		return id
	}
	now := written("a memory")
	if now == id {
		t.Error("the id is the same")
	}
	if got := b.ask(asked{method: "POST", path: "/api/memories", body: `{"text":"the printer is called drum"}`}); got.status != 200 {
		t.Fatal(got.body)
	}
	now = written("a suggestion")
	for last, want := range map[string]string{id: "true", now: "false", "id: x": "true"} {
		_, next := b.stream(b.reader, strings.TrimPrefix(last, "id: "))
		if next(); next() != `data: {"changed":`+want+`}` {
			t.Errorf("who comes back with %q: want %s", last, want)
		}
	}
	if err := b.s.o.Clients.Revoke(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for next() != "" {
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it ended after %v", took)
	}
}

// TestEventStreams: a client that opens five hundred streams has a few, and holds up nobody; those of a server that ends, end.
func TestEventStreams(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	refused := 0
	for range 500 {
		status, _ := b.stream(b.token, "")
		if status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != 500-streamsOfOne {
		t.Errorf("%d were refused", refused)
	}
	if status, next := b.stream(b.reader, ""); status != http.StatusOK || !strings.HasPrefix(next(), "id: ") {
		t.Errorf("another client: %d", status)
	}
	if got := b.ask(asked{method: "GET", path: "/health"}); got.status != http.StatusOK {
		t.Errorf("another route: %d", got.status)
	}
	began := time.Now()
	b.stop()
	if took := time.Since(began); took > time.Second {
		t.Errorf("the server ended after %v", took)
	}
}

// stuck is an answer's writer whose client reads nothing.
type stuck struct {
	http.ResponseWriter
	past chan struct{}
}

func (s *stuck) Write([]byte) (int, error) {
	<-s.past
	return 0, io.ErrClosedPipe
}

func (s *stuck) Header() http.Header             { return http.Header{} }
func (s *stuck) WriteHeader(int)                 {}
func (s *stuck) SetReadDeadline(time.Time) error { return nil }
func (s *stuck) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		close(s.past)
	}
	return nil
}

// TestNeverReads: a client that never reads is hung up on, and has its place no more.
func TestNeverReads(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(s *Server) { s.beats.reads = 50 * time.Millisecond })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/api/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	b.s.serveEvents(&stuck{past: make(chan struct{})}, r, Client{Name: "notes"})
	if len(b.s.streams) != 0 {
		t.Errorf("open are %v", b.s.streams)
	}
}
