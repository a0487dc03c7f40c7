package app

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

// knocks is an address of this machine that hangs up on everybody, and counts
// them.
func knocks(t *testing.T) (address string, count *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	count = &atomic.Int32{}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			count.Add(1)
			_ = c.Close()
		}
	}()
	return l.Addr().String(), count
}

// ask sends one question to the model in force.
func (r *run) ask(t *testing.T) (llm.Answer, error) {
	t.Helper()
	chain, _, err := r.Model(t.Context(), "")
	if err != nil {
		return llm.Answer{}, err
	}
	return chain.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "hi"}}}, nil)
}

func hostOf(s *llmtest.Server) string { return strings.TrimPrefix(s.URL, "http://") }

// TestLookFinds: with nothing configured a model on this machine is found at the
// first question, told once, and gets no key.
func TestLookFinds(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	model.Models("nomic-embed-text", "qwen3:8b")
	r := newRun(t, "", "OPENAI_API_KEY", "made-up-key")
	r.Env.Local = []string{"127.0.0.1:1", hostOf(model)}
	if _, err := r.Preset(""); !errors.Is(err, ErrNoModel) || !r.MayLook() {
		t.Errorf("before the first question: %v", err)
	}
	for range 2 {
		if ans, err := r.ask(t); err != nil || ans.Preset != "qwen3:8b" {
			t.Errorf("%+v, %v", ans, err)
		}
	}
	at := hostOf(model)
	want := "[ken] using qwen3:8b at " + at + " (found; keep it: ken config set models.local.base_url=http://" + at + "/v1 models.local.model=qwen3:8b)\n"
	if r.err.String() != want {
		t.Errorf("told %q, want %q", r.err.String(), want)
	}
	for _, req := range model.Requests() {
		if key := req.Header.Get("Authorization"); key != "" || !strings.Contains(string(req.Body), `"model":"qwen3:8b"`) {
			t.Errorf("sent with %q: %s", key, req.Body)
		}
	}
	if p, err := r.Preset("qwen3:8b"); err != nil || p.From != FromThisMachine || p.Host() != at || p.Sized {
		t.Errorf("%+v, %v", p, err)
	}
	// What is named later goes before what was found.
	env := r.Env.Getenv
	r.Env.Getenv = func(name string) string {
		if name == "KEN_MODEL" {
			return "mine"
		}
		return env(name)
	}
	if p, err := r.Preset(""); err != nil || p.Name != "mine" || p.From != FromEnvironment {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestLookNames: a name that a shell would read otherwise is quoted in the command
// that is shown.
func TestLookNames(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	model.Models("my model; $(id)")
	r := newRun(t, "")
	r.Env.Local = []string{hostOf(model)}
	if _, err := r.ask(t); err != nil {
		t.Error(err)
	}
	if want := "models.local.model='my model; $(id)')"; !strings.Contains(r.err.String(), want) {
		t.Errorf("told %q", r.err.String())
	}
}

// TestLookAgain: nothing found is remembered for some seconds, and then looked
// for again.
func TestLookAgain(t *testing.T) {
	t.Parallel()
	r := newRun(t, "")
	at, count := knocks(t)
	r.Env.Local = []string{at}
	now := r.Env.Now()
	r.Env.Now = func() time.Time { return now }
	for range 5 {
		if _, err := r.ask(t); !errors.Is(err, ErrNoModel) {
			t.Error(err)
		}
	}
	if n := count.Load(); n != 1 {
		t.Errorf("looked %d times for five questions in a moment", n)
	}
	now = now.Add(lookAgain)
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	r.Env.Local = []string{at, hostOf(model)}
	if ans, err := r.ask(t); err != nil || ans.Preset != "test" || count.Load() != 2 {
		t.Errorf("some seconds later: %+v, %v, %d looks", ans, err, count.Load())
	}
	// Gone: the question fails, and the next one looks at once.
	if err := model.Stop(); err != nil {
		t.Fatal(err)
	}
	_, err := r.ask(t)
	if next := NextStep(err); err == nil || !strings.Contains(next, hostOf(model)) || strings.Contains(next, "models.") {
		t.Errorf("gone: %v (%s)", err, next)
	}
	other := llmtest.New(t)
	other.Always(llmtest.Text("ok"))
	other.Models("other")
	r.Env.Local = []string{hostOf(other)}
	if ans, err := r.ask(t); err != nil || ans.Preset != "other" {
		t.Errorf("with another one: %+v, %v", ans, err)
	}
	if n := strings.Count(r.err.String(), "[ken] using "); n != 2 {
		t.Errorf("told:\n%s", r.err.String())
	}
}

// TestLookNowhere: where something is configured, or an address elsewhere is
// named, nobody is looked for, and nothing is sent anywhere.
func TestLookNowhere(t *testing.T) {
	t.Parallel()
	const two = "[models.a]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"a\"\n[models.b]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"b\"\n"
	for _, c := range []struct {
		name, settings string
		env            []string
		want           string // in the error
	}{
		{"one preset", "[models.a]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"a\"\n", nil, "refused"},
		{"two presets, none chosen", two, nil, "no model is chosen: there are a, b"},
		{"a chosen one", "model = \"b\"\n" + two, nil, "refused"},
		{"the environment", "", []string{"KEN_MODEL", "m", "OPENAI_BASE_URL", "http://127.0.0.1:1"}, "refused"},
		{"an address elsewhere", "", []string{"OPENAI_BASE_URL", "http://models.example.com/v1", "OPENAI_API_KEY", "made-up"}, "no model is configured"},
		{"an address that looks like this machine", "", []string{"OPENAI_BASE_URL", "http://127.0.0.1.example.com/v1"}, "no model is configured"},
	} {
		at, count := knocks(t)
		r := newRun(t, c.settings, c.env...)
		r.Env.Local = []string{at}
		if _, err := r.ask(t); err == nil || !strings.Contains(err.Error(), c.want) || NextStep(err) == "" {
			t.Errorf("%s: %v", c.name, err)
		}
		if n := count.Load(); n != 0 {
			t.Errorf("%s: looked %d times", c.name, n)
		}
	}
}

// TestLookAtAddress: an address of this machine without the name of a model is
// asked for one; no other port is.
func TestLookAtAddress(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	elsewhere, count := knocks(t)
	r := newRun(t, "", "OPENAI_BASE_URL", model.URL+"/v1", "OPENAI_API_KEY", "made-up-key")
	r.Env.Local = []string{elsewhere}
	if ans, err := r.ask(t); err != nil || ans.Preset != "test" || count.Load() != 0 {
		t.Errorf("%+v, %v, %d looks elsewhere", ans, err, count.Load())
	}
	if want := "[ken] using test at " + hostOf(model) + " (found; keep it: export KEN_MODEL=test)\n"; r.err.String() != want {
		t.Errorf("told %q", r.err.String())
	}
	// The key was meant for that address.
	if got := model.Requests()[0].Header.Get("Authorization"); got != "Bearer made-up-key" {
		t.Errorf("sent with %q", got)
	}
	down := newRun(t, "", "OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
	if _, err := down.ask(t); !errors.Is(err, ErrNoModel) || !strings.Contains(NextStep(err), "is the server at OPENAI_BASE_URL running?") {
		t.Errorf("%v (%s)", err, NextStep(err))
	}
}

// TestLookEmpty: a server without a model is worth a hint of its own.
func TestLookEmpty(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Models()
	r := newRun(t, "")
	r.Env.Local = []string{hostOf(model)}
	if _, err := r.ask(t); !errors.Is(err, ErrNoModel) || !strings.Contains(NextStep(err), "the server at "+hostOf(model)+" has no model") {
		t.Errorf("%v (%s)", err, NextStep(err))
	}
	here := newRun(t, "", "OPENAI_BASE_URL", model.URL)
	if _, err := here.ask(t); !strings.Contains(NextStep(err), "the server at OPENAI_BASE_URL has no model") {
		t.Errorf("%v (%s)", err, NextStep(err))
	}
}

// TestLookStopped: who stops while a model is looked for hears of that alone.
func TestLookStopped(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := newRun(t, "")
	r.Env.Local = []string{l.Addr().String()}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		c, err := l.Accept()
		cancel(cause)
		if err == nil {
			_, _ = io.Copy(io.Discard, c)
			_ = c.Close()
		}
	}()
	if _, _, err := r.Model(ctx, ""); !errors.Is(err, cause) {
		t.Error(err)
	}
	if !r.looked.IsZero() {
		t.Error("a look that was stopped counts as one")
	}
}

// TestFallback: the presets behind the one in force, in order, without it; a
// named one stands alone.
func TestFallback(t *testing.T) {
	t.Parallel()
	const settings = "model = \"fast\"\nfallback = [\"deep\", \"fast\", \"cloud\", \"deep\"]\n" +
		"[models.fast]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"f\"\n[models.deep]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"d\"\n" +
		"[models.cloud]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"c\"\napi_key_env = \"NO_KEY\"\n"
	for _, c := range []struct{ chosen, ask, want string }{
		{"", "", "fast deep cloud"},
		{"", "fast", "fast"},
		{"deep", "", "deep fast cloud"},
		{"cloud", "", "cloud deep fast"},
	} {
		r := newRun(t, settings)
		if c.chosen != "" {
			if _, err := r.Choose(c.chosen); err != nil {
				t.Error(err)
			}
		}
		chain, name, err := r.Model(t.Context(), c.ask)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		var names []string
		for _, l := range chain.Links {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != c.want || name != names[0] {
			t.Errorf("%+v: %s (%s)", c, got, name)
		}
	}
	r := newRun(t, settings)
	_, err := r.ask(t)
	if code := r.Report(err); code != ExitModel {
		t.Errorf("exit code %d", code)
	}
	want := "[ken] fast did not answer (connection refused); asking deep\n" +
		"[ken] deep did not answer (connection refused); asking cloud\n" +
		"ken: error: model fast: connect http://127.0.0.1:1/v1/chat/completions: dial tcp 127.0.0.1:1: connect: connection refused\n" +
		"ken: error: model deep: connect http://127.0.0.1:1/v1/chat/completions: dial tcp 127.0.0.1:1: connect: connection refused\n" +
		"ken: error: preset cloud: no key: $NO_KEY is not set\n" +
		"ken: hint: is the server running? check models.fast.base_url\n"
	if got := r.err.String(); got != want {
		t.Errorf("told:\n%s", got)
	}
	if _, err := r.Choose("fats"); err == nil || err.Error() != `no preset "fats": cloud, deep, fast` || NextStep(err) != "did you mean fast?" {
		t.Errorf("%v (%s)", err, NextStep(err))
	}
}

// TestClientFollows: a client is made anew when what it was made of has changed.
func TestClientFollows(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	env := map[string]string{"KEN_MODEL": "m", "OPENAI_BASE_URL": "http://127.0.0.1:1"}
	r := newRun(t, "")
	home := r.Env.Getenv
	r.Env.Getenv = func(name string) string {
		if v, ok := env[name]; ok {
			return v
		}
		return home(name)
	}
	if _, err := r.ask(t); err == nil {
		t.Error("nobody listens there")
	}
	env["OPENAI_BASE_URL"] = model.URL
	if _, err := r.ask(t); err != nil {
		t.Errorf("after the address was set right: %v", err)
	}
	env["OPENAI_API_KEY"] = "made-up-key"
	if _, err := r.ask(t); err != nil {
		t.Errorf("after the key was set: %v", err)
	}
	if got := model.Requests()[1].Header.Get("Authorization"); got != "Bearer made-up-key" {
		t.Errorf("sent with %q", got)
	}
}
