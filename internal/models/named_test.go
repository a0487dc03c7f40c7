package models

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ken/internal/llm"
)

// names is /v1/models with these.
func names(list ...string) map[string]string {
	var entries []string
	for _, n := range list {
		entries = append(entries, fmt.Sprintf(`{"id":%q}`, n))
	}
	return map[string]string{"/v1/models": `{"data":[` + strings.Join(entries, ",") + `]}`}
}

// TestNamed: a model is named by its preset, by the name that a server lists, by a part of
// it that is nobody else's, or by the preset of its server; what nobody knows is refused, with what
// may have been meant.
func TestNamed(t *testing.T) {
	t.Parallel()
	near := newLister(t, names("llama3.2:3b", "qwen3:8b", "qwen3:14b", "gemma3:latest", "m"))
	far := newLister(t, names("openai/gpt-4o-mini", "meta/llama3.1", "qwen3:8b"))
	settings := fmt.Sprintf("[models.local]\nbase_url = \"%s/v1\"\nmodel = \"m\"\ncontext_tokens = 1000\nprice_in = 1\ntemperature = 1\n"+
		"[models.router]\nbase_url = \"%s/v1\"\nmodel = \"big\"\napi_key_env = \"K\"\n", near.URL, far.URL)
	for _, tt := range []struct{ name, want, model, err, hint string }{
		{name: "local", want: "local", model: "m"},
		{name: " router ", want: "router", model: "big"},
		{name: "llama3.2:3b", want: "local/llama3.2:3b", model: "llama3.2:3b"},
		{name: "LLAMA3.2:3B", want: "local/llama3.2:3b", model: "llama3.2:3b"},
		{name: "gemma3", want: "local/gemma3:latest", model: "gemma3:latest"},
		{name: "gpt-4o-mini", want: "router/openai/gpt-4o-mini", model: "openai/gpt-4o-mini"},
		{name: "openai/gpt-4o-mini", want: "router/openai/gpt-4o-mini", model: "openai/gpt-4o-mini"},
		{name: "qwen3:8b", want: "local/qwen3:8b", model: "qwen3:8b"}, // both have it: the first preset's
		{name: "router/qwen3:8b", want: "router/qwen3:8b", model: "qwen3:8b"},
		{name: "local/not-listed", want: "local/not-listed", model: "not-listed"},
		{name: "local/a/b", want: "local/a/b", model: "a/b"},
		{name: "local/m", want: "local", model: "m"},
		{name: "gem", want: "local/gemma3:latest", model: "gemma3:latest"},
		{name: "rout", want: "router", model: "big"},
		{name: "qwen3", err: `model "qwen3" is one of several: qwen3:8b, qwen3:14b, qwen3:8b`, hint: "write more of its name"},
		{name: "lama3.2:3b", err: `no model "lama3.2:3b": presets local, router; listed llama3.2:3b, qwen3:8b, qwen3:14b, gemma3:latest, ` +
			`openai/gpt-4o-mini, meta/llama3.1, qwen3:8b`, hint: "did you mean llama3.2:3b?"},
		{name: "claude-x", err: `no model "claude-x": `, hint: "a model that no server lists: local/claude-x"},
		{name: "a\x1bb", err: `no model "a\x1bb": `},
		{name: "local/", err: `no model "local/": `},
		{name: "local/ x", err: `no model "local/ x": `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newDesk(t, settings, "K", "made-up")
			got, err := r.Named(t.Context(), tt.name)
			if tt.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tt.err) || tt.hint != "" && hint(err) != tt.hint {
					t.Fatalf("%+v, %v (%s)", got, err, hint(err))
				}
				return
			}
			if err != nil || got.Name != tt.want || got.Model.Model != tt.model {
				t.Fatalf("%q for %q, %v", got.Name, got.Model.Model, err)
			}
			// It is found again by its name, and what was stated of another model is not taken over.
			if again, err := r.Preset(got.Name); err != nil || again != got {
				t.Errorf("%+v, %v", again, err)
			}
			own := got.Of() == ""
			if own != (got.ContextTokens > 0 || got.Name == "router") || got.Name == "local/qwen3:8b" && got.Temperature != 1 {
				t.Errorf("%+v", got)
			}
			if tt.name == "gem" != strings.Contains(r.told.String(), "gem stands for local/gemma3:latest") {
				t.Errorf("told %q", r.told.String())
			}
		})
	}
}

// TestNamedInSettings: what the settings name for a model is PRESET/NAME as well, for the one in force, those
// behind it and the one that sums up; nobody is asked for a list, and what goes wrong there names the
// settings that there are.
func TestNamedInSettings(t *testing.T) {
	t.Parallel()
	l := newLister(t, names("other"))
	const settings = `model = "p/big:70b"
fallback = ["p/small"]
[models.a]
base_url = "http://127.0.0.1:1/v1"
model = "a"
[models.p]
base_url = "%s/v1"
model = "m"
context_tokens = 1000
[memory]
summarizer_model = "p/sums"
`
	r := newDesk(t, fmt.Sprintf(settings, l.URL))
	p, err := r.Preset("")
	if err != nil || p.Name != "p/big:70b" || p.Model.Model != "big:70b" || p.Of() != "p" || p.ContextTokens != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	chain, name, err := r.Ask(t.Context(), "", Everything)
	if err != nil || name != "p/big:70b" || len(chain.Links) != 2 || chain.Links[1].Name != "p/small" {
		t.Fatalf("%v %q, %v", chain, name, err)
	}
	cfg, err := r.Settings()
	if err != nil {
		t.Fatal(err)
	}
	if _, name, err = r.Ask(t.Context(), cfg.Summarizer(), Everything); err != nil || name != "p/sums" {
		t.Errorf("%q, %v", name, err)
	}
	if n := l.asked.Load(); n != 0 || r.told.String() != "" {
		t.Errorf("asked %d times, told %q", n, r.told.String())
	}
	_, err = chain.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}}, nil)
	if want := "check the name big:70b and models.p.base_url"; hint(err) != want {
		t.Errorf("%v (%q), want %q", err, hint(err), want)
	}
	// A name that cannot be sent as it stands is no silent choice of another model.
	r = newDesk(t, "model = \"p/a\\u2028b\"\n[models.p]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n")
	if p, err := r.Preset(""); err == nil {
		t.Errorf("%+v", p)
	}
}

// TestNamedOnce: the lists are asked for once, and a name that is known asks nobody.
func TestNamedOnce(t *testing.T) {
	t.Parallel()
	l := newLister(t, names("a", "b"))
	r, _ := deskAt(t, l.URL, "")
	for range 3 {
		if _, err := r.Named(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		if p, err := r.Choose(t.Context(), "p/other"); err != nil || p.Short() != "other" {
			t.Fatalf("%+v, %v", p, err)
		}
		if now, err := r.Preset(""); err != nil || now.Name != "p/other" {
			t.Errorf("%+v, %v", now, err)
		}
	}
	if n := l.asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// TestNamedNobody: a server that is gone, silent, or has nothing is told as no list.
func TestNamedNobody(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]map[string]string{"none": names(), "a page": {"/v1/models": "<p>"}, "nothing": {}} {
		l := newLister(t, says)
		r, _ := deskAt(t, l.URL, "")
		_, err := r.Named(t.Context(), "mistral")
		if err == nil || err.Error() != `no preset "mistral": p` || hint(err) != "a model that no server lists: p/mistral" {
			t.Errorf("%s: %v (%s)", name, err, hint(err))
		}
	}
	r := newDesk(t, "")
	if _, err := r.Named(t.Context(), "x"); err == nil || err.Error() != `no preset "x": none is configured` {
		t.Error(err)
	}
	if _, err := r.Named(t.Context(), ""); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	// Who names an address and a model has named both.
	r.env["OPENAI_BASE_URL"] = "https://api.example.com/v1"
	if p, err := r.Named(t.Context(), "x"); err != nil || p.From != FromEnvironment || p.BaseURL != "https://api.example.com/v1" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := r.Preset(""); !errors.Is(err, ErrNone) {
		t.Errorf("in force: %v", err)
	}
}

// TestOffers: five hundred names are offered behind the presets, the one in force first,
// each once; without a wait nobody is asked.
func TestOffers(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprintf("vendor/model-%d", i))
	}
	l := newLister(t, names(append(many, "m", "m")...))
	r, _ := deskAt(t, l.URL, fmt.Sprintf("[models.z]\nbase_url = %q\nmodel = \"vendor/model-7\"\n", l.URL))
	if offers, err := r.Offers(t.Context(), 0); err != nil || len(offers) != 2 || l.asked.Load() != 0 {
		t.Errorf("%d, %v, asked %d times", len(offers), err, l.asked.Load())
	}
	if _, err := r.Choose(t.Context(), "z"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		offers, err := r.Offers(t.Context(), time.Minute)
		if err != nil || len(offers) != 501 || offers[0].Name != "z" || offers[0].Listed || !offers[2].Listed ||
			l.asked.Load() != 1 {
			t.Fatalf("%d, %v, asked %d times", len(offers), err, l.asked.Load())
		}
	}
	views, err := r.List(t.Context(), 0)
	if few, more := views.Few(20); err != nil || len(few) != 22 || more != 479 || !views[0].Current {
		t.Errorf("%d, %d more, %v", len(few), more, err)
	}
}

// TestShort: a preset that ken has named is called by its model.
func TestShort(t *testing.T) {
	t.Parallel()
	p := func(name, model, from string) Preset {
		p := Preset{Name: name, From: from}
		p.Model.Model = model
		return p
	}
	for want, give := range map[string]Preset{
		"qwen3:8b": p("local", "qwen3:8b", FromConfig), "gpt-4o": p("openrouter", "openai/gpt-4o", FromConfig),
		"fast": p("fast", "qwen3:8b", FromConfig), "x": p("fast", "m", FromConfig).at("v/x"), "y": p("v/y", "v/y", FromEnvironment),
	} {
		if got := give.Short(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
