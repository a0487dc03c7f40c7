package inhand

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestEnd: the end of the requests is seen once all of them are answered or taken back, however they are written and
// however they come, or after Wait.
func TestEnd(t *testing.T) {
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
		"not waited for": {in: `{"id":1,"method":"long"}` + "\n"},
		"too long":       {in: `{"id":1,"method":"ping","params":"` + strings.Repeat("x", 1<<20) + `"}` + "\n"},
		"behind too long": {
			in: strings.Repeat("x", 1<<20+1) + "\n" + call + "\n", out: []string{`{"id":1,"result":{}}`},
		},
		"junk": {in: "{\n\n[1\nnull\n7\n" + `{"id":null,"method":"x"}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls, began := New(1<<20, func(method string) bool { return method != "long" }), time.Now()
				go func() {
					time.Sleep(time.Second)
					for _, line := range c.out {
						if _, err := calls.Answers(io.Discard).Write([]byte(line + "\n")); err != nil {
							t.Error(err)
						}
					}
				}()
				// Byte by byte: a line that comes in pieces is one.
				got, err := io.ReadAll(calls.Requests(oneByte{strings.NewReader(c.in)}))
				if err != nil || strings.TrimSuffix(string(got), "\n") != strings.TrimSuffix(c.in, "\n") {
					t.Errorf("%q, %v", got, err)
				}
				want := time.Duration(0)
				switch {
				case c.left:
					want = Wait
				case len(c.out) > 0:
					want = time.Second
				}
				if took := time.Since(began); took != want {
					t.Errorf("the end is seen after %s, want %s", took, want)
				}
				time.Sleep(2 * Wait)
			})
		})
	}
}

// A oneByte is read a byte at a time.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1)]) }
