package mcpserver

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ken/internal/app"
)

// TestInHand: the end of the requests is seen once all of them are answered or taken back, however they are written and
// however they come, or after mostWait.
func TestInHand(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	const batch = `[` + call + `,{"id":2,"method":"ping"}]` + "\n"
	for name, c := range map[string]struct {
		in   string
		out  []string
		left bool
	}{
		"nothing":            {in: ""},
		"a notification":     {in: `{"method":"notifications/initialized"}` + "\n"},
		"answered":           {in: call + "\n", out: []string{`{"jsonrpc":"2.0","id":1,"result":{}}`}},
		"an error":           {in: call + "\n", out: []string{`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}`}},
		"not answered":       {in: call + "\n", left: true},
		"another one":        {in: call + "\n", out: []string{`{"id":2,"result":{}}`}, left: true},
		"a text":             {in: call + "\n", out: []string{`{"id":"1","result":{}}`}, left: true},
		"asked back":         {in: call + "\n", out: []string{`{"id":1,"method":"roots/list"}`}, left: true},
		"written otherwise":  {in: `{"id":"\u003ca\u003e","method":"ping"}` + "\n", out: []string{`{"id":"<a>","result":{}}`}},
		"no line end":        {in: call, out: []string{`{"id":1,"result":{}}`}},
		"a batch":            {in: batch, out: []string{`[{"id":2,"result":{}},{"id":1,"result":{}}]`}},
		"half a batch":       {in: batch, out: []string{`{"id":2,"result":{}}`}, left: true},
		"taken back":         {in: call + "\n" + `{"method":"notifications/cancelled","params":{"requestId":1}}` + "\n"},
		"another taken back": {in: call + "\n" + `{"method":"notifications/cancelled","params":{"requestId":7}}` + "\n", left: true},
		"two": {
			in:  call + "\n" + `{"id":2,"method":"ping"}` + "\n",
			out: []string{`{"id":1,"result":{}}`, `{"id":2,"result":{}}`},
		},
		"junk": {in: "{\n\n[1\nnull\n7\n" + `{"id":null,"method":"x"}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, began := newInHand(), time.Now()
				go func() {
					time.Sleep(time.Second)
					for _, line := range c.out {
						if _, err := (answers{new(kept), h}).Write([]byte(line + "\n")); err != nil {
							t.Error(err)
						}
					}
				}()
				// Byte by byte: a line that comes in pieces is one.
				got, err := io.ReadAll(untilAnswered{io.NopCloser(oneByte{strings.NewReader(c.in)}), h})
				if err != nil || strings.TrimSuffix(string(got), "\n") != strings.TrimSuffix(c.in, "\n") {
					t.Errorf("%q, %v", got, err)
				}
				want := time.Duration(0)
				switch {
				case c.left:
					want = mostWait
				case len(c.out) > 0:
					want = time.Second
				}
				if took := time.Since(began); took != want {
					t.Errorf("the end is seen after %s, want %s", took, want)
				}
				time.Sleep(2 * mostWait)
			})
		})
	}
}

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

// A oneByte is read a byte at a time.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1)]) }

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
