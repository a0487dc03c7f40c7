package models

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A lister answers paths with what it has for them, and counts the questions.
type lister struct {
	*httptest.Server
	says  map[string]string
	asked atomic.Int32
	wait  chan struct{} // nil: it answers at once
}

func newLister(t *testing.T, says map[string]string) *lister {
	t.Helper()
	l := &lister{says: says}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.asked.Add(1)
		if l.wait != nil {
			select {
			case <-l.wait:
			case <-r.Context().Done():
				return
			}
		}
		text, ok := l.says[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(l.Close)
	return l
}

// list is /v1/models with one model, m, and what it says of it.
func list(fields string) map[string]string {
	if fields != "" {
		fields = "," + fields
	}
	return map[string]string{"/v1/models": `{"data":[{"id":"other"},{"id":"m"` + fields + `}]}`}
}

// deskAt has one preset, p, for the model m at a server, and keeps what it is told.
func deskAt(t *testing.T, base, more string) (*desk, Preset) {
	t.Helper()
	d := newDesk(t, fmt.Sprintf("[models.p]\nbase_url = %q\nmodel = \"m\"\n%s", base, more))
	dir := t.TempDir()
	d.Kept = func() string { return dir }
	p, err := d.Preset("p")
	if err != nil {
		t.Fatal(err)
	}
	return d, p
}

// study asks for a window and waits for it.
func (r *desk) study(t *testing.T, p Preset) Facts {
	t.Helper()
	l := r.Learn(t.Context(), p)
	l.Window(t.Context(), time.Minute)
	l.End()
	return r.Facts(p)
}

// TestFacts: what the person states goes before what the server says, that before what is
// publicly known, that before what such a server gives as a rule, and that before nothing.
func TestFacts(t *testing.T) {
	t.Parallel()
	public := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	now := time.Date(2026, 5, 12, 10, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name, settings, model string
		says                  map[string]string
		want                  Facts
		told                  bool
	}{
		{name: "nobody says it", says: list(""), want: Facts{Window: Assumed, WindowBy: ByNobody}, told: true},
		{
			name: "the person does", settings: "context_tokens = 1000\nprice_in = 1\ncurrency = \"EUR\"\n",
			says: list(`"max_model_len":16384,"pricing":{"input":2,"output":3}`),
			want: Facts{Window: 1000, WindowBy: BySettings, In: 1, Currency: "EUR", PriceBy: BySettings},
		},
		{name: "its server does", says: list(`"max_model_len":16384`), want: Facts{Window: 16384, WindowBy: ByServer, WindowAt: now}},
		{name: "more than the table", model: "gpt-4o", says: map[string]string{
			"/v1/models": `{"data":[{"id":"gpt-4o","context_length":64000,"pricing":{"prompt":"0.000001","completion":"0.000002"}}]}`,
		}, want: Facts{
			Window: 64000, WindowBy: ByServer, WindowAt: now, In: 1, Out: 2, Currency: "USD", PriceBy: ByServer, PriceAt: now,
		}},
		{name: "it is publicly known", model: "gpt-4o", says: map[string]string{"/v1/models": `{"data":[{"id":"gpt-4o"}]}`}, want: Facts{
			Window: 128000, WindowBy: ByTable, WindowAt: public, In: 2.5, Out: 10, Currency: "USD", PriceBy: ByTable, PriceAt: public,
		}},
		{
			name: "as a rule",
			says: map[string]string{"/v1/models": `{"data":[{"id":"m"}]}`, "/api/v0/models": `{"data":[{"id":"m","max_context_length":131072}]}`},
			want: Facts{Window: 4096, WindowBy: ByGuess, WindowAt: now},
		},
		{
			name: "with a tag for none", says: map[string]string{"/v1/models": `{"data":[{"id":"m:latest","max_model_len":512}]}`},
			want: Facts{Window: 512, WindowBy: ByServer, WindowAt: now},
		},
		{
			name: "not in the list",
			says: map[string]string{"/v1/models": `{"data":[{"id":"n"}]}`, "/props": `{"default_generation_settings":{"n_ctx":2048}}`},
			want: Facts{Window: 2048, WindowBy: ByServer, WindowAt: now},
		},
		{
			name: "a wrong answer", says: list(`"max_model_len":1000000000000,"context_length":"many"`),
			want: Facts{Window: Assumed, WindowBy: ByNobody}, told: true,
		},
		{name: "no list", says: map[string]string{"/v1/models": "<p>hello"}, want: Facts{Window: Assumed, WindowBy: ByNobody}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLister(t, tt.says)
			r, p := deskAt(t, l.URL, tt.settings)
			if tt.model != "" {
				p.Model.Model = tt.model
			}
			if diff := cmp.Diff(tt.want, r.study(t, p)); diff != "" {
				t.Error(diff)
			}
			want := ""
			if tt.told {
				want = "nobody says how much m reads: 8192 tokens are assumed" +
					" (state it: ken config set models.p.context_tokens=N)\n"
			}
			if got := r.told.String(); got != want {
				t.Errorf("told %q", got)
			}
		})
	}
}

// TestLearnKept: what a server said is kept for other runs and not asked again for some
// time; that nobody says it is told once; a guess is asked again.
func TestLearnKept(t *testing.T) {
	t.Parallel()
	l := newLister(t, list(`"max_model_len":16384`))
	r, p := deskAt(t, l.URL, "")
	if f := r.study(t, p); f.Window != 16384 || l.asked.Load() != 1 {
		t.Fatalf("%+v, asked %d times", f, l.asked.Load())
	}
	again := func() *desk {
		other, _ := deskAt(t, l.URL, "")
		other.Kept, other.now = r.Kept, r.now
		return other
	}
	for range 3 { // this run, and others
		if f := again().study(t, p); f.Window != 16384 || l.asked.Load() != 1 {
			t.Errorf("%+v, asked %d times", f, l.asked.Load())
		}
		r.study(t, p)
	}
	// A server on this machine is started anew with another size.
	l.says = list(`"max_model_len":32768`)
	r.now = r.now.Add(freshHere)
	if f := again().study(t, p); f.Window != 32768 || l.asked.Load() != 2 {
		t.Errorf("%+v, asked %d times", f, l.asked.Load())
	}
	// Nothing is said from now on: once.
	l.says = list("")
	told := ""
	for range 3 {
		r.now = r.now.Add(freshHere)
		other := again()
		other.study(t, p)
		told += other.told.String()
	}
	if strings.Count(told, "nobody says") > 1 {
		t.Errorf("told:\n%s", told)
	}
	files, err := filepath.Glob(filepath.Join(r.Kept(), "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, damage := range []string{
		"", "ken models 1\n", "another file\n",
		"ken models 1\t2026-05-12T10:00:00Z\thttp://else/v1\nm\t512\t-\t-\t-\t-\n", "\x00\x01\n\t\t\t\n",
	} {
		if err := os.WriteFile(files[0], []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := again().Facts(p); f.WindowBy != ByNobody {
			t.Errorf("%q: %+v", damage, f)
		}
	}
	// Lines that cannot be are passed over.
	good := "ken models 1\t2026-05-12T10:00:00Z\t" + l.URL + "\nm\t-5\t-\t-\t-\t-\n" +
		"m\t1000000000000\t-\t-\t-\t-\n\x1b[2J\t512\t-\t-\t-\t-\n" +
		"m\t512\t-\t-\tNaN\tyesterday\nm\t1024\t-\tx\t1\t-\nm\t512\n"
	if err := os.WriteFile(files[0], []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if f := again().Facts(p); f.Window != 1024 || f.Priced() {
		t.Errorf("%+v", f)
	}
}

// TestLearnGuess: what was a guess is asked again with the next question, since the model
// is loaded then.
func TestLearnGuess(t *testing.T) {
	t.Parallel()
	l := newLister(t, map[string]string{
		"/v1/models":     `{"data":[{"id":"m"}]}`,
		"/api/v0/models": `{"data":[{"id":"m","max_context_length":131072}]}`,
	})
	r, p := deskAt(t, l.URL, "")
	if f := r.study(t, p); f.WindowBy != ByGuess {
		t.Errorf("%+v", f)
	}
	l.says["/api/v0/models"] = `{"data":[{"id":"m","max_context_length":131072,"loaded_context_length":16384}]}`
	if f := r.study(t, p); f.Window != 16384 || f.WindowBy != ByServer {
		t.Errorf("%+v", f)
	}
}

// TestLearnEnds: the end of a question waits for nobody; a server that had no time to answer is asked
// again with the next one.
func TestLearnEnds(t *testing.T) {
	t.Parallel()
	l := newLister(t, list(`"max_model_len":16384`))
	l.wait = make(chan struct{})
	r, p := deskAt(t, l.URL, "")
	const most = patience / 2
	least := time.Hour
	for range 5 { // on a busy machine one of them is not held up
		lesson := r.Learn(t.Context(), p)
		began := time.Now()
		lesson.End()
		least = min(least, time.Since(began))
	}
	if least >= most {
		t.Errorf("the end took %v", least)
	}
	close(l.wait)
	if f := r.study(t, p); f.Window != 16384 {
		t.Errorf("%+v", f)
	}
}

// TestLearnSlowly: a server that does not answer costs the wait, and only who waits; a
// question that fits waits for nobody, and nothing is left running.
func TestLearnSlowly(t *testing.T) {
	t.Parallel()
	l := newLister(t, list(`"max_model_len":16384`))
	l.wait = make(chan struct{})
	r, p := deskAt(t, l.URL, "")
	lesson := r.Learn(t.Context(), p)
	if n := lesson.Window(t.Context(), time.Millisecond); n != Assumed {
		t.Errorf("%d", n)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if n := lesson.Window(gone, time.Hour); n != Assumed {
		t.Errorf("%d", n)
	}
	r.now = r.now.Add(patience) // the answer took its time
	lesson.End()
	lesson.End()
	if got := r.told.String(); got != "" {
		t.Errorf("told %q", got)
	}
	// It is left alone for a while, then asked again; what came in time is kept without waiting.
	before := l.asked.Load()
	r.Learn(t.Context(), p).End()
	if n := l.asked.Load(); n != before {
		t.Errorf("asked %d times, then %d", before, n)
	}
	r.now = r.now.Add(silentFor)
	lesson = r.Learn(t.Context(), p)
	close(l.wait)
	if n := lesson.Window(t.Context(), time.Minute); n != 16384 {
		t.Errorf("%d", n)
	}
	lesson.End()
}

// TestLearnNobody: nothing is sent where the person said it, where the key may not go, or
// where there is no address.
func TestLearnNobody(t *testing.T) {
	t.Parallel()
	l := newLister(t, list(""))
	r, p := deskAt(t, l.URL, "context_tokens = 1000\n")
	r.study(t, p)
	for _, other := range []Preset{{}, {Name: "x"}} {
		if f := r.study(t, other); f.WindowBy != ByNobody {
			t.Errorf("%+v", f)
		}
	}
	keyed, q := deskAt(t, "http://models.example.com/v1", "api_key_env = \"K\"\n")
	keyed.env["K"] = "made-up-key"
	keyed.study(t, q)
	if n := l.asked.Load(); n != 0 {
		t.Errorf("asked %d times", n)
	}
}
