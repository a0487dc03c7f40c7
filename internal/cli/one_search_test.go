//go:build unix

package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/agent/loop"
	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/cli/clitest"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/index"
	"ken/internal/llm"
	"ken/internal/runner"
	"ken/internal/session"
)

// An embedder is a server of embeddings that knows that a beverage is tea. What it does can be changed while it serves.
type embedder struct {
	*httptest.Server
	down  atomic.Bool
	asked chan struct{} // takes a value for each request that waits
	wait  atomic.Pointer[chan struct{}]
}

// embeds starts an embedder, which ends with the test.
func embeds(t *testing.T) *embedder {
	t.Helper()
	e := &embedder{asked: make(chan struct{}, 16)}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

// hold has every request from now on wait, until release is called.
func (e *embedder) hold() (release func()) {
	c := make(chan struct{})
	e.wait.Store(&c)
	return sync.OnceFunc(func() { close(c) })
}

// ServeHTTP implements http.Handler.
func (e *embedder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || e.down.Load() {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if c := e.wait.Load(); c != nil {
		e.asked <- struct{}{}
		select {
		case <-*c:
		case <-r.Context().Done():
		}
	}
	type made struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	list := make([]made, len(q.Input))
	for i, text := range q.Input {
		v := make([]float64, 1024)
		for _, word := range strings.Fields(strings.ReplaceAll(strings.ToLower(text), "beverage", "tea")) {
			h := fnv.New64a()
			_, _ = io.WriteString(h, strings.Trim(word, ".?!,"))
			r := rand.New(rand.NewPCG(h.Sum64(), 1))
			for n := range v {
				v[n] += r.NormFloat64()
			}
		}
		list[i] = made{i, v}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": list})
}

// A way is one by which a memory is searched; find returns the references of what is found.
type way struct {
	name string
	find func(t *testing.T, question string) (refs []string)
	here bool // warnings come to this process, or from one of the way's own
}

// A searched is a memory with vectors, and what serves it.
type searched struct {
	dir   string
	e     *embedder
	page  *webPage
	key   string
	memos *app.App
	said  atomic.Int32 // how often there was a warning of what is not served
}

// searchedOf makes a memory of ten things and has ken serve it.
func searchedOf(t *testing.T) *searched {
	t.Helper()
	f := &searched{dir: t.TempDir(), e: embeds(t)}
	for name, value := range map[string]string{"base_url": f.e.URL, "model": "m", "timeout": "1m"} {
		if _, errs, code := clitest.Run(t, f.dir, "", "config", "set", "embeddings."+name+"="+value); code != 0 {
			t.Fatal(errs)
		}
	}
	var lines strings.Builder
	for i, text := range []string{
		"green tea with lemon, always", "my car is blue", "the office opens at nine", "deploy with make ship", "Ada is my sister",
		"the lemon tree stands in the yard", "invoices go out on friday", "backups run at midnight", "the cat eats twice a day",
		"rent is due on the first",
	} {
		fmt.Fprintf(&lines, `{"id":%d,"ts":"2026-03-01T00:00:0%dZ","kind":"fact","content":%q}`+"\n", i+1, i, text)
	}
	appendTo(t, filepath.Join(f.dir, "ken", "memory.jsonl"), lines.String())
	vars := map[string]string{"HOME": f.dir, "KEN_HOME": filepath.Join(f.dir, "ken")}
	f.memos = app.Open(app.Options{
		Getenv: func(name string) string { return vars[name] }, Now: time.Now, Clock: time.Now, Local: []string{},
		Voice: fault.Voice{OnWarn: func(err error) { f.said.Add(int32(warnings(err.Error()))) }},
	})
	fill, err := app.NewFiller(f.view())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fill.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.page = &webPage{t: t, dir: f.dir}
	f.page.start()
	f.page.link()
	f.key = token(t, f.dir, "client")
	return f
}

// view is the memory as the person has it, in this process.
func (f *searched) view() *app.View {
	return f.memos.View(app.Standing{Actor: app.Actor{Kind: app.Person}, Dir: f.dir})
}

// ways are all by which the memory is searched.
func (f *searched) ways() []way {
	return []way{
		{"ken recall --json", f.commandLine, true},
		{"MCP", f.overMCP, false},
		{"HTTP", f.overHTTP, false},
		{"the page", f.onPage, false},
		{"/memory", f.talking, true},
		{"the model's recall", f.asModel, true},
	}
}

// warnings counts what is said of the server of embeddings.
func warnings(text string) int { return strings.Count(text, "embeddings: ask") }

func refsOf(pattern, text string) (refs []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		refs = append(refs, m[1])
	}
	return refs
}

// hitsOf are the references of {"hits": [...]}.
func hitsOf(t *testing.T, text string) (refs []string) {
	t.Helper()
	var found struct{ Hits []struct{ Ref string } }
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(text, err)
	}
	for _, h := range found.Hits {
		refs = append(refs, h.Ref)
	}
	return refs
}

func (f *searched) commandLine(t *testing.T, question string) (refs []string) {
	t.Helper()
	out, errs, code := clitest.Run(t, f.dir, "", "recall", "--json", "--in", "memory", question)
	var hits []struct{ Ref string }
	if err := json.Unmarshal([]byte(out), &hits); err != nil || code != 0 {
		t.Fatal(err, errs)
	}
	for _, h := range hits {
		refs = append(refs, h.Ref)
	}
	f.said.Add(int32(warnings(errs)))
	return refs
}

func (f *searched) join(t *testing.T) *mcp.ClientSession {
	t.Helper()
	d := door{"MCP", func(*testing.T, string) mcp.Transport {
		return &mcp.StreamableClientTransport{
			Endpoint: f.page.at + "/mcp", DisableStandaloneSSE: true,
			HTTPClient: &http.Client{Transport: bearer{f.key, http.DefaultTransport}, Timeout: time.Minute},
		}
	}, ""}
	return d.joins(t, f.key, "")
}

func (f *searched) overMCP(t *testing.T, question string) []string {
	t.Helper()
	s := f.join(t)
	text, bad := calls(t, s, "recall", map[string]any{"query": question})
	if bad {
		t.Fatal(text)
	}
	_ = s.Close()
	return refsOf(`(?m)^\[(\d+)\] `, text)
}

// ask asks the server for an address as a program does.
func (f *searched) ask(ctx context.Context, at string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.page.at+at, http.NoBody)
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+f.key)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", got.Status, text)
	}
	return string(text), err
}

func (f *searched) overHTTP(t *testing.T, question string) []string {
	t.Helper()
	text, err := f.ask(t.Context(), "/api/recall?q="+url.QueryEscape(question))
	if err != nil {
		t.Fatal(text, err)
	}
	return hitsOf(t, text)
}

func (f *searched) onPage(t *testing.T, question string) []string {
	t.Helper()
	return refsOf(`<p class="about"><a href="/memory/(\d+)`, f.page.get("/memory?q="+url.QueryEscape(question)))
}

// talking is what is typed in Telegram and in an editor.
func (f *searched) talking(t *testing.T, question string) []string {
	t.Helper()
	d, err := talk.Open(t.Context(), talk.Options{
		Memory: f.memos, Channel: session.ChannelTelegram, Who: app.Actor{Kind: app.Person}, Dir: f.dir,
		Warn: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	text, err := d.Do(t.Context(), "memory", question)
	if err != nil {
		t.Fatal(err)
	}
	return refsOf(`(?m)^- #(\d+)`, text)
}

func (f *searched) asModel(t *testing.T, question string) []string {
	t.Helper()
	v := f.view()
	ports := runner.Ports{Approved: new(gate.Session), Dir: func() string { return f.dir }}
	l := loop.New(v, runner.New(v, ports), loop.Options{MemoryAlone: true})
	l.Begin(loop.Asked{Model: "m"})
	var got []loop.Reply
	call := llm.ToolCall{ID: "1", Name: "recall", Arguments: fmt.Sprintf(`{"query":%q}`, question)}
	if l.Answer(t.Context(), []llm.ToolCall{call}, loop.Watch{}, func(r loop.Reply) { got = append(got, r) }); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	return refsOf(`(?m)^- \[(\d+)\] `, got[0].Text)
}

// TestFacesFindTheSame: whoever asks finds the same memories in the same order, also what shares no word with the question; without
// the server of embeddings each finds what words find.
func TestFacesFindTheSame(t *testing.T) {
	t.Parallel()
	f := searchedOf(t)
	for down, questions := range map[bool]map[string][]string{
		false: {"beverage": {"1"}, "lemon": {"1", "6"}, "beverage in the yard": {"6"}, "zebra": nil},
		true:  {"beverage": nil, "lemon": {"1", "6"}, "beverage in the yard": {"6"}, "zebra": nil},
	} {
		f.e.down.Store(down)
		for question, least := range questions {
			found, err := f.view().Recall(t.Context(), app.Question{Text: question, In: []index.Source{index.Memory}})
			if err != nil {
				t.Fatal(err)
			}
			want := make([]string, len(found))
			for i, h := range found {
				want[i] = h.Ref
			}
			if slices.ContainsFunc(least, func(ref string) bool { return !slices.Contains(want, ref) }) || len(least) == 0 && len(want) > 0 {
				t.Errorf("down %v: %q finds %v, want %v", down, question, want, least)
			}
			for _, w := range f.ways() {
				f.said.Store(0)
				if got := w.find(t, question); !slices.Equal(got, want) {
					t.Errorf("down %v: %s finds %v for %q, want %v", down, w.name, got, question, want)
				}
				if n := f.said.Load(); (n == 1) != (down && w.here) {
					t.Errorf("down %v: %s warned %d times", down, w.name, n)
				}
			}
		}
	}
	f.page.end(syscall.SIGTERM)
	if said := strings.Join(f.page.said, "\n"); warnings(said) != 1 {
		t.Errorf("ken serve says\n%s", said)
	}
}

// TestNobodyWaitsForEmbeddings: while a search waits for the server of embeddings, the same server answers what needs none.
func TestNobodyWaitsForEmbeddings(t *testing.T) {
	t.Parallel()
	f := searchedOf(t)
	s := f.join(t)
	release := f.e.hold()
	defer release()
	done := make(chan error, 1)
	go func() {
		_, err := f.ask(t.Context(), "/api/recall?q=beverage")
		done <- err
	}()
	<-f.e.asked
	if text, err := f.ask(t.Context(), "/health"); err != nil {
		t.Error(text, err)
	}
	if text, bad := calls(t, s, "status", nil); bad {
		t.Error(text)
	}
	select {
	case err := <-done:
		t.Errorf("the search did not wait: %v", err)
	default:
	}
	release()
	if err := <-done; err != nil {
		t.Error(err)
	}
	_ = s.Close()
}
