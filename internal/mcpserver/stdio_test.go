package mcpserver

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/app"
)

// A kept is a stream whose text is kept.
type kept struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (k *kept) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.Write(p)
}

func (k *kept) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.String()
}

func (*kept) Close() error { return nil }

// TestPipedIn: all that is piped in is answered, also what takes long and what no line end follows.
func TestPipedIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out kept
	err := Serve(t.Context(), Options{
		Open: func() (*app.App, error) {
			time.Sleep(100 * time.Millisecond)
			return app.Open(app.Options{Getenv: in(dir), Now: time.Now})
		},
		At: app.Place(dir), Version: "test", NoBlock: true,
	}, io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"staging"}}}
{"jsonrpc":"2.0","id":"three","method":"tools/call","params":{"name":"remember","arguments":{"text":"the fax is called flute"}}}`)), &out)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`"id":1,`, `"id":2,`, `"id":"three",`} {
		if !strings.Contains(out.String(), id) {
			t.Errorf("%s has no answer in\n%s", id, out.String())
		}
	}
}
