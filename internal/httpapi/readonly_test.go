package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/app"
)

// TestOnlyRead: over a memory that is only read every client reads, nobody suggests, and not a byte of it is another.
func TestOnlyRead(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(s *Server) {
		dir := s.o.Clients.Lock
		only := app.Open(app.Options{Getenv: in(dir), Now: time.Now, Flags: &app.Flags{ReadOnly: true}})
		if err := only.Check(); err != nil {
			t.Fatal(err)
		}
		s.o.App = only
	})
	before := b.files()
	for _, path := range []string{"/health", "/api/recall?q=kettle", "/api/memories", "/api/memories/1", "/api/status", "/api/review"} {
		if got := b.ask(asked{method: http.MethodGet, path: path}); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	for path, body := range map[string]string{
		"/api/memories": `{"text":"the fax is called flute"}`, "/api/memories/1/forget": `{}`,
		"/api/memories/1/edit":           `{"text":"the host is teapot"}`,
		"/api/ports/remember-preference": `{"key":"shell","value":"zsh","scope":"user"}`,
	} {
		got := b.ask(asked{method: http.MethodPost, path: path, body: body})
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "the memory is only read here") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if diff := cmp.Diff(before, b.files()); diff != "" {
		t.Error(diff)
	}
}
