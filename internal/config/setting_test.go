package config

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/config/edit"
)

// TestSettingsMakeTheConfig writes all settings as TOML and reads them back:
// no key is missing, and no value is written in another form than it is read.
func TestSettingsMakeTheConfig(t *testing.T) {
	t.Parallel()
	all, err := os.ReadFile("testdata/all.toml")
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]string{"defaults": "", "all": string(all)} {
		want, err := Parse([]byte(src), name)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, s := range want.Settings() {
			b.WriteString(edit.Key(s.Key...) + " = " + edit.Literal(s.Value) + "\n")
			if s.Want == "" {
				t.Errorf("%s does not say what it may be", s.Key)
			}
		}
		got, err := Parse([]byte(b.String()), name)
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if diff := cmp.Diff(want, got, equal()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestSettingsSayWhere(t *testing.T) {
	t.Parallel()
	c, err := Parse([]byte("model = \"1.5b\"\n\nui.quiet = true\n[models.\"1.5b\"]\nimages = true\ntimeout_ms = 5\nidle_timeout = 0\n[keys]\n'\\C-n' = \"auto\"\n[memory]\nuser_namespace = \"me\"\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, s := range c.Settings() {
		if s.Row > 0 {
			got[edit.Key(s.Key...)] = s.Row
		}
	}
	want := map[string]int{
		"model": 1, "ui.quiet": 3, `models."1.5b".images`: 5, `models."1.5b".first_token_timeout`: 6, `models."1.5b".idle_timeout`: 7,
		`keys."\\C-n"`: 9, "memory.user_namespace": 11,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ key, text, want string }{
		{"model", "fast", `"fast"`},
		{"model", `"fast"`, `"fast"`},
		{"model", "'fast'", "'fast'"},
		{"model", "", `""`},
		{"model", "8", `"8"`},
		{"model", "true", `"true"`},
		{"model", `a "b"`, `"a \"b\""`},
		{"model", "a\nb", `"a\nb"`},
		{"fallback", "a, b", `["a", "b"]`},
		{"fallback", "a", `["a"]`},
		{"fallback", "", "[]"},
		{"fallback", "[]", "[]"},
		{"fallback", `["a","b\/c"]`, `["a", "b/c"]`},
		{"fallback", "['a']", "['a']"},
		{"fallback", "[a", `["[a"]`},
		{"memory.enabled", "false", "false"},
		{"memory.enabled", "no", `"no"`},
		{"memory.inject_max_tokens", " 500 ", "500"},
		{"memory.inject_max_tokens", "8_192", "8_192"},
		{"memory.inject_max_tokens", "many", `"many"`},
		{"memory.inject_max_tokens", "1 # x", `"1 # x"`},
		{"context.compact_at", "0.5", "0.5"},
		{"shell.model_timeout", "10s", `"10s"`},
		{"shell.model_timeout", "0", `"0"`},
		{"models.x.base_url", "http://h/#a", `"http://h/#a"`},
		{"models.x.images", "true", "true"},
		{"mcp.servers.x.command", "npx, -y, server", `["npx", "-y", "server"]`},
		{"no.such", "1", "1"},
		{"no.such", "x", `"x"`},
		{"memory", "x", `"x"`},
	} {
		key, err := edit.ParseKey(tt.key)
		if err != nil {
			t.Fatal(err)
		}
		if got := Literal(key, tt.text); got != tt.want {
			t.Errorf("Literal(%s, %q) = %s, want %s", tt.key, tt.text, got, tt.want)
		}
	}
	if got := Literal([]string{"keys", `\C-n`}, "auto"); got != `"auto"` {
		t.Errorf("a key of keys: %s", got)
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"model":                  {"model"},
		"models.fast.model":      {"models", "fast", "model"},
		"models.qwen2.5.model":   {"models", "qwen2.5", "model"},
		`models."qwen2.5".model`: {"models", "qwen2.5", "model"},
		"models.fast":            {"models", "fast"},
		"mcp.servers.a.url":      {"mcp", "servers", "a", "url"},
		"mcp.servers.a.env.B":    {"mcp", "servers", "a", "env", "B"},
		"mcp.auto_approve":       {"mcp", "auto_approve"},
		`keys."\\C-n"`:           {"keys", `\C-n`},
		`keys.\C-n`:              {"keys", `\C-n`},
		`keys."\C-n"`:            {"keys", `\C-n`},
		"keys.\\M-.":             {"keys", `\M-.`},
		"keys":                   {"keys"},
		"memory.hygiene.batch":   {"memory", "hygiene", "batch"},
		"":                       nil,
		"a b":                    nil,
		"models..model":          nil,
	} {
		got, err := ParseKey(s)
		if (err != nil) != (want == nil) || !slices.Equal(got, want) {
			t.Errorf("ParseKey(%s) = %q, %v; want %q", s, got, err, want)
		}
	}
}
