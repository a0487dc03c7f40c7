package catalog

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	t.Parallel()
	const openai = "https://api.openai.com/v1"
	for _, tt := range []struct {
		at, model, name string
		window          int
		priced          bool
	}{
		{openai, "gpt-4o", "gpt-4o", 128000, true},
		{openai, "gpt-4o-2024-08-06", "gpt-4o", 128000, true},
		{openai, "gpt-4o-mini", "gpt-4o-mini", 128000, true},
		{openai, "gpt-4o-audio-preview", "gpt-4o", 128000, false},
		{openai, "gpt-4", "gpt-4", 8192, true},
		{openai, "gpt-4-0613", "gpt-4", 8192, true},
		{openai, "gpt-4-vision-preview", "gpt-4", 8192, false},
		{openai, "gpt-5.6-sol", "gpt-5.6-sol", 1050000, false}, // its price was one for some months
		{openai, "gpt-5.4-pro", "gpt-5.4", 1050000, false},
		{openai, "gpt-5.99", "", 0, false},
		{openai, "gpt-50", "", 0, false},
		{"https://openrouter.ai/api/v1", "openai/gpt-4o-mini", "gpt-4o-mini", 128000, true},
		{"http://127.0.0.1:4000", "GPT-4.1-nano", "gpt-4.1-nano", 1047576, true},
		{"https://api.anthropic.com/v1", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5", 200000, true},
		{"https://api.anthropic.com/v1", "claude-opus-5", "claude-opus-5", 1000000, true},
		{"https://api.anthropic.com/v1", "claude-opus-5-7", "", 0, false},
		{"https://api.anthropic.com/v1", "claude-haiku-5-5", "claude-haiku-5-5", 1000000, false},
		{"https://generativelanguage.googleapis.com/v1beta/openai", "models/gemini-2.5-flash", "gemini-2.5-flash", 1048576, true},
		{"https://generativelanguage.googleapis.com/v1beta/openai", "gemini-3.1-pro-preview", "gemini-3.1-pro", 1048576, true},
		{"https://api.deepseek.com", "deepseek-v4-pro", "deepseek-v4-pro", 1000000, false},
		{"http://127.0.0.1:11434/v1", "deepseek-v4-pro", "", 0, false}, // there it has what that server gives
		{"http://127.0.0.1:11434/v1", "llama3.2:3b", "", 0, false},
		{"http://127.0.0.1:11434/v1", "gpt-oss:20b", "", 0, false},
		{"", "", "", 0, false},
		{"::", "/", "", 0, false},
	} {
		got, ok := Find(tt.at, tt.model)
		if got.Name != tt.name || ok != (tt.name != "") || got.Window != tt.window || got.Priced != tt.priced {
			t.Errorf("%s at %s: %+v, %v", tt.model, tt.at, got, ok)
		}
		if blind := tt.name == "deepseek-v4-pro" || tt.name == "gpt-4" && tt.priced; got.Blind != blind {
			t.Errorf("%s at %s: %+v", tt.model, tt.at, got)
		}
	}
}

// TestTables: every row can be read, stands once, can be true, and says when and where it
// was looked up; what a vendor is proposed with has a row or is no single model.
func TestTables(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	dated := func(f []string, date, source int) {
		if _, err := time.Parse(time.DateOnly, f[date]); err != nil {
			t.Errorf("%q: %v", f[0], err)
		}
		if u, err := url.Parse(f[source]); err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%q: source %q", f[0], f[source])
		}
	}
	for f := range rows(modelTable) {
		if len(f) != 8 || f[4] != "yes" && f[4] != "no" {
			t.Fatalf("%q has %d fields", f, len(f))
		}
		dated(f, 6, 7)
		m := rowModel(f)
		if seen[m.Name] || m.Window < 4096 || m.Window > 4_000_000 || m.Priced == (f[2] == "-") || m.Priced != (f[3] != "-") || m.Out < m.In {
			t.Errorf("%+v", m)
		}
		seen[m.Name] = true
	}
	if len(seen) < 40 {
		t.Errorf("%d rows", len(seen))
	}
	n := 0
	for f := range rows(vendorTable) {
		if len(f) != 6 {
			t.Fatalf("%q has %d fields", f, len(f))
		}
		dated(f, 4, 5)
	}
	for v := range Vendors() {
		n++
		if !strings.HasSuffix(v.Key, "_API_KEY") || !strings.HasPrefix(v.BaseURL, "https://") || v.Model == "" || !IsVendor(v.BaseURL+"/") {
			t.Errorf("%+v", v)
		}
	}
	if n != 8 || IsVendor("http://127.0.0.1:11434") || IsVendor("://") {
		t.Errorf("%d vendors", n)
	}
}
