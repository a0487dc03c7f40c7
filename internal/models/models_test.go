package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/config"
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

// A desk is the models of a person, with what it was notified of.
type desk struct {
	*Set
	env  map[string]string
	now  time.Time
	told strings.Builder
}

// newDesk has settings and an environment, and looks nowhere.
func newDesk(t *testing.T, settings string, env ...string) *desk {
	t.Helper()
	cfg, err := config.Parse([]byte(settings), "config.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := &desk{env: map[string]string{}, now: time.Date(2026, 5, 12, 10, 0, 0, 0, time.UTC)}
	for i := 0; i < len(env); i += 2 {
		r.env[env[i]] = env[i+1]
	}
	r.Set = &Set{
		Settings: func() (config.Config, error) { return cfg, nil },
		Getenv:   func(name string) string { return r.env[name] },
		Now:      func() time.Time { return r.now }, Local: []string{},
		Notify: func(format string, args ...any) { fmt.Fprintf(&r.told, format+"\n", args...) },
	}
	return r
}

// hint is the next step of an error.
func hint(err error) string {
	var hinted interface{ Hint() string }
	if !errors.As(err, &hinted) {
		return ""
	}
	return hinted.Hint()
}

// put asks one question of the model in force.
func (r *desk) put(t *testing.T) (llm.Answer, error) {
	t.Helper()
	chain, _, err := r.Ask(t.Context(), "", QuestionAlone)
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
	r := newDesk(t, "", "OPENAI_API_KEY", "made-up-key")
	r.Local = []string{"127.0.0.1:1", hostOf(model)}
	if _, err := r.Preset(""); !errors.Is(err, ErrNone) || !r.MayLook() {
		t.Errorf("before the first question: %v", err)
	}
	for range 2 {
		if ans, err := r.put(t); err != nil || ans.Preset != "qwen3:8b" {
			t.Errorf("%+v, %v", ans, err)
		}
	}
	at := hostOf(model)
	want := "using qwen3:8b at " + at + " (found; without your memory, earlier conversations or a key; keep it, with all: " +
		"ken config set models.local.base_url=http://" + at + "/v1 models.local.model=qwen3:8b)\n"
	if r.told.String() != want {
		t.Errorf("told %q, want %q", r.told.String(), want)
	}
	for _, req := range model.Requests() {
		if key := req.Header.Get("Authorization"); key != "" || !strings.Contains(string(req.Body), `"model":"qwen3:8b"`) {
			t.Errorf("sent with %q: %s", key, req.Body)
		}
	}
	if p, err := r.Preset("qwen3:8b"); err != nil || p.From != FromThisMachine || p.Host() != at || p.ContextTokens != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	// What is named later goes before what was found.
	r.env["KEN_MODEL"] = "mine"
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
	r := newDesk(t, "")
	r.Local = []string{hostOf(model)}
	if _, err := r.put(t); err != nil {
		t.Error(err)
	}
	if want := "models.local.model='my model; $(id)')"; !strings.Contains(r.told.String(), want) {
		t.Errorf("told %q", r.told.String())
	}
}

// TestLookAgain: nothing found is remembered for some seconds, and then looked
// for again.
func TestLookAgain(t *testing.T) {
	t.Parallel()
	r := newDesk(t, "")
	at, count := knocks(t)
	r.Local = []string{at}
	for range 5 {
		if _, err := r.put(t); !errors.Is(err, ErrNone) {
			t.Error(err)
		}
	}
	if n := count.Load(); n != 1 {
		t.Errorf("looked %d times for five questions in a moment", n)
	}
	r.now = r.now.Add(lookAgain)
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	r.Local = []string{at, hostOf(model)}
	if ans, err := r.put(t); err != nil || ans.Preset != "test" || count.Load() != 2 {
		t.Errorf("some seconds later: %+v, %v, %d looks", ans, err, count.Load())
	}
	// Gone: the question fails, and the next one looks at once.
	if err := model.Stop(); err != nil {
		t.Fatal(err)
	}
	_, err := r.put(t)
	if next := hint(err); err == nil || !strings.Contains(next, hostOf(model)) || strings.Contains(next, "models.") {
		t.Errorf("gone: %v (%s)", err, next)
	}
	other := llmtest.New(t)
	other.Always(llmtest.Text("ok"))
	other.Models("other")
	r.Local = []string{hostOf(other)}
	if ans, err := r.put(t); err != nil || ans.Preset != "other" {
		t.Errorf("with another one: %+v, %v", ans, err)
	}
	if n := strings.Count(r.told.String(), "using "); n != 2 {
		t.Errorf("told:\n%s", r.told.String())
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
		{"two presets, none chosen", two, nil, "model a: connect"},
		{"a chosen one", "model = \"b\"\n" + two, nil, "refused"},
		{"the environment", "", []string{"KEN_MODEL", "m", "OPENAI_BASE_URL", "http://127.0.0.1:1"}, "refused"},
		{"an address elsewhere", "", []string{"OPENAI_BASE_URL", "http://models.example.com/v1", "OPENAI_API_KEY", "made-up"}, "no model is configured"},
		{"an address that looks like this machine", "", []string{"OPENAI_BASE_URL", "http://127.0.0.1.example.com/v1"}, "no model is configured"},
	} {
		at, count := knocks(t)
		r := newDesk(t, c.settings, c.env...)
		r.Local = []string{at}
		if _, err := r.put(t); err == nil || !strings.Contains(err.Error(), c.want) || hint(err) == "" {
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
	r := newDesk(t, "", "OPENAI_BASE_URL", model.URL+"/v1", "OPENAI_API_KEY", "made-up-key")
	r.Local = []string{elsewhere}
	if ans, err := r.put(t); err != nil || ans.Preset != "test" || count.Load() != 0 {
		t.Errorf("%+v, %v, %d looks elsewhere", ans, err, count.Load())
	}
	if want := "using test at " + hostOf(model) + " (found; without your memory, earlier conversations or a key; keep it, with all: export KEN_MODEL=test)\n"; r.told.String() != want {
		t.Errorf("told %q", r.told.String())
	}
	if p, unknown := r.Unconfirmed(); !unknown || p.Host() != hostOf(model) {
		t.Errorf("%+v, %v", p, unknown)
	}
	if up, known, err := UpstreamOf(r.Set, "test"); err != nil || !known || !up.Stranger || !up.Key.IsZero() {
		t.Errorf("where it is asked: %+v, %v, %v", up, known, err)
	}
	// The key is not meant for whoever listens there, until the person agrees.
	agreed := false
	r.Agreed = func(server, name string) bool { return agreed && server == hostOf(model) && name == "test" }
	for i, want := range []string{"", "Bearer made-up-key"} {
		if agreed = i > 0; agreed {
			if _, err := r.put(t); err != nil {
				t.Fatal(err)
			}
		}
		if got := model.Requests()[i].Header.Get("Authorization"); got != want {
			t.Errorf("sent with %q, want %q", got, want)
		}
	}
	if _, unknown := r.Unconfirmed(); unknown {
		t.Error("the person agreed")
	}
	named := newDesk(t, "", "OPENAI_BASE_URL", model.URL+"/v1", "KEN_MODEL", "test")
	if _, unknown := named.Unconfirmed(); unknown {
		t.Error("the person named it")
	}
	down := newDesk(t, "", "OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
	if _, err := down.put(t); !errors.Is(err, ErrNone) || !strings.Contains(hint(err), "is the server at OPENAI_BASE_URL running?") {
		t.Errorf("%v (%s)", err, hint(err))
	}
}

// TestLookBefore: where a model was found once and is not there any more, or listens and does not answer, the server is named:
// it is not said that nothing is configured.
func TestLookBefore(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	dir, at := t.TempDir(), hostOf(model)
	for range 2 {
		r := newDesk(t, "")
		r.Local, r.Kept = []string{at}, func() string { return dir }
		if _, err := r.put(t); err != nil || r.before() != at {
			t.Fatalf("%v, before at %q", err, r.before())
		}
	}
	if err := model.Stop(); err != nil {
		t.Fatal(err)
	}
	gone := newDesk(t, "")
	gone.Local, gone.Kept = []string{"127.0.0.1:1", at}, func() string { return dir }
	want := "the model server at " + at + ", which was found before, is not there"
	if _, err := gone.put(t); !errors.Is(err, ErrNone) || err.Error() != want || hint(err) == "" {
		t.Errorf("%v (%s)", err, hint(err))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	hangs := newDesk(t, "")
	hangs.Local = []string{"127.0.0.1:1", l.Addr().String()}
	want = "the model server at " + l.Addr().String() + " does not answer"
	if _, err := hangs.put(t); !errors.Is(err, ErrNone) || err.Error() != want || hint(err) == "" {
		t.Errorf("%v (%s)", err, hint(err))
	}
}

// TestLookEmpty: a server without a model is worth a hint of its own.
func TestLookEmpty(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Models()
	r := newDesk(t, "")
	r.Local = []string{hostOf(model)}
	if _, err := r.put(t); !errors.Is(err, ErrNone) || !strings.Contains(hint(err), "the server at "+hostOf(model)+" has no model") {
		t.Errorf("%v (%s)", err, hint(err))
	}
	here := newDesk(t, "", "OPENAI_BASE_URL", model.URL)
	if _, err := here.put(t); !strings.Contains(hint(err), "the server at OPENAI_BASE_URL has no model") {
		t.Errorf("%v (%s)", err, hint(err))
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
	r := newDesk(t, "")
	r.Local = []string{l.Addr().String()}
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
	if _, _, err := r.Ask(ctx, "", QuestionAlone); !errors.Is(err, cause) {
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
		r := newDesk(t, settings)
		if c.chosen != "" {
			r.env["NO_KEY"] = "made-up-key"
			if _, err := r.Choose(t.Context(), c.chosen); err != nil {
				t.Error(err)
			}
		}
		chain, name, err := r.Ask(t.Context(), c.ask, QuestionAlone)
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
	r := newDesk(t, settings)
	_, err := r.put(t)
	want := "fast did not answer (connection refused); asking deep\n" +
		"deep did not answer (connection refused); asking cloud\n"
	errs := "model fast: connect http://127.0.0.1:1/v1/chat/completions: dial tcp 127.0.0.1:1: connect: connection refused\n" +
		"model deep: connect http://127.0.0.1:1/v1/chat/completions: dial tcp 127.0.0.1:1: connect: connection refused\n" +
		"preset cloud: no key: $NO_KEY is not set"
	if err == nil || err.Error() != errs || hint(err) != "is the server running? check models.fast.base_url" {
		t.Errorf("%v (%s)", err, hint(err))
	}
	if got := r.told.String(); got != want {
		t.Errorf("told:\n%s", got)
	}
	if _, err := r.Choose(t.Context(), "cloud"); err == nil || r.chosen != "" {
		t.Errorf("one without its key was chosen: %v", err)
	}
	_, err = r.Choose(t.Context(), "fats")
	if err == nil || err.Error() != `no preset "fats": cloud, deep, fast` || hint(err) != "did you mean fast?" {
		t.Errorf("%v (%s)", err, hint(err))
	}
}

// TestClientFollows: a client is made anew when what it was made of has changed.
func TestClientFollows(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	r := newDesk(t, "", "KEN_MODEL", "m", "OPENAI_BASE_URL", "http://127.0.0.1:1")
	if _, err := r.put(t); err == nil {
		t.Error("nobody listens there")
	}
	r.env["OPENAI_BASE_URL"] = model.URL
	if _, err := r.put(t); err != nil {
		t.Errorf("after the address was set right: %v", err)
	}
	r.env["OPENAI_API_KEY"] = "made-up-key"
	if _, err := r.put(t); err != nil {
		t.Errorf("after the key was set: %v", err)
	}
	if got := model.Requests()[1].Header.Get("Authorization"); got != "Bearer made-up-key" {
		t.Errorf("sent with %q", got)
	}
}

// TestPreset: which model is in force.
func TestPreset(t *testing.T) {
	t.Parallel()
	const (
		fast = "[models.fast]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"f\"\n"
		deep = "[models.deep]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"d\"\n"
		kept = "[models.kept]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"k\"\napi_key_env = \"MY_KEY\"\n"
	)
	for _, c := range []struct {
		name, settings, ask string
		env                 []string
		want, err           string
	}{
		{name: "nothing", err: "no model is configured"},
		{name: "a key alone", env: []string{"OPENAI_API_KEY", "k"}, err: "no model is configured"},
		{
			name: "an address alone", env: []string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"},
			err: "the model server at 127.0.0.1:1 does not answer",
		},
		{name: "an address elsewhere alone", env: []string{"OPENAI_BASE_URL", "https://api.example.com/v1"}, err: "no model is configured: OPENAI_BASE_URL says where"},
		{name: "from the environment", env: []string{"KEN_MODEL", "m"}, want: "m"},
		{name: "with a key", env: []string{"KEN_MODEL", "m", "OPENAI_API_KEY", "k"}, want: "m"},
		{name: "with a blank key", env: []string{"KEN_MODEL", "m", "OPENAI_API_KEY", " "}, want: "m"},
		{name: "a key that is none", env: []string{"KEN_MODEL", "m", "OPENAI_API_KEY", "a\nb"}, err: "preset m: "},
		{name: "the only one", settings: fast, want: "fast"},
		{name: "two", settings: fast + deep, want: "fast"},
		{name: "two, the other way round", settings: deep + fast, want: "deep"},
		{name: "one and the environment", settings: fast, env: []string{"KEN_MODEL", "m"}, want: "fast"},
		{name: "two and the environment", settings: fast + deep, env: []string{"KEN_MODEL", "m"}, want: "fast"},
		{name: "a choice that is not there", settings: "model = \"slow\"\n" + fast + deep, want: "fast"},
		{name: "a choice and nothing there", settings: "model = \"slow\"\n", env: []string{"KEN_MODEL", "m"}, want: "m"},
		{name: "the configured one", settings: "model = \"deep\"\n" + fast + deep, env: []string{"KEN_MODEL", "m"}, want: "deep"},
		{name: "the one named", settings: "model = \"deep\"\n" + fast + deep, ask: "fast", want: "fast"},
		{name: "one that is not there", settings: fast + deep, ask: "slow", err: `no preset "slow": deep, fast`},
		{name: "none is there", ask: "slow", err: `no preset "slow": none is configured`},
		{name: "without its key", settings: kept, err: "preset kept: no key: $MY_KEY is not set"},
		{name: "with its key", settings: kept, env: []string{"MY_KEY", "k"}, want: "kept"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newDesk(t, c.settings, c.env...)
			chain, name, err := r.Ask(t.Context(), c.ask, QuestionAlone)
			if c.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.err) {
					t.Errorf("%q, %v", name, err)
				}
				return
			}
			if err != nil || name != c.want || len(chain.Links) != 1 || chain.Links[0].Name != c.want {
				t.Fatalf("%q, %v, want %q", name, err, c.want)
			}
			client, err := chain.Links[0].Open()
			if again, _, _ := r.Ask(t.Context(), c.ask, QuestionAlone); err != nil || again == nil {
				t.Error(err)
			} else if same, err := again.Links[0].Open(); err != nil || same != client {
				t.Errorf("the second call made another client, %v", err)
			}
		})
	}
}

// TestSecondPreset: a preset that was used without being chosen stays the one, also in
// a shell that is running, and that it is one of several is said once.
func TestSecondPreset(t *testing.T) {
	t.Parallel()
	const one = "[models.local]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"a\"\n"
	const two = "[models.big]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"b\"\n"
	settings := one
	r := newDesk(t, "")
	r.Settings = func() (config.Config, error) { return config.Parse([]byte(settings), "config.toml") }
	name := func() string {
		t.Helper()
		_, name, err := r.Ask(t.Context(), "", QuestionAlone)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	if got := name(); got != "local" || r.told.Len() > 0 {
		t.Errorf("one: %s, told %q", got, r.told.String())
	}
	for _, settings = range []string{one + two, two + one} {
		if got := name(); got != "local" {
			t.Errorf("with a second one: %s", got)
		}
	}
	other := newDesk(t, two+one)
	for range 2 {
		if _, got, err := other.Ask(t.Context(), "", QuestionAlone); err != nil || got != "big" {
			t.Errorf("at a start: %s, %v", got, err)
		}
	}
	want := "no model is chosen: using big, the first of big, local" +
		" (choose: ken config set model NAME, or for this run ken ask -m NAME)\n"
	if other.told.String() != want {
		t.Errorf("told %q, want %q", other.told.String(), want)
	}
}
