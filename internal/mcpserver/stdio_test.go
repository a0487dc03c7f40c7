package mcpserver

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/proctest"

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
	busy := sync.OnceFunc(func() { time.Sleep(100 * time.Millisecond) })
	err := Serve(t.Context(), Options{
		App: app.Open(app.Options{Now: time.Now, Getenv: func(name string) string {
			busy()
			return in(dir)(name)
		}}),
		At: dir, Version: "test", NoBlock: true,
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

// A noting is a stream that keeps what was noted when something was written to it.
type noting struct {
	kept
	noted func() int
	then  []int
}

func (n *noting) Write(p []byte) (int, error) {
	proctest.Within(100*time.Millisecond, func() bool { return n.noted() > 0 }) // as a client that reads slowly
	n.then = append(n.then, n.noted())
	return n.kept.Write(p)
}

// TestAnswersFirst: that the start-up block was given is noted once it was, and who waits for it does not wait for that.
func TestAnswersFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const line = `{"id":1,"kind":"fact","content":"the kettle is red"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	out := noting{noted: func() int {
		files, err := filepath.Glob(filepath.Join(dir, "sessions", "*.jsonl"))
		if err != nil {
			t.Error(err)
		}
		return len(files)
	}}
	err := Serve(t.Context(), Options{
		App: app.Open(app.Options{Getenv: in(dir), Now: time.Now}),
		At:  dir, Version: "test", Wait: time.Minute,
	}, io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`+"\n")), &out)
	if err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "the kettle is red") || len(out.then) == 0 || out.then[0] != 0 || out.noted() != 1 {
		t.Errorf("%v notes when this was written, %d in the end:\n%s", out.then, out.noted(), text)
	}
}
