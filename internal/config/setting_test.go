package config

import (
	"errors"
	"os"
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

// TestS63R223Ranges checks the ranges of working memory at both ends.
func TestS63R223Ranges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"working_memory_ttl_days = 0", "memory.working_memory_ttl_days: 0 is out of range: want 1 to 365"},
		{"working_memory_ttl_days = 366", "memory.working_memory_ttl_days: 366 is out of range: want 1 to 365"},
		{"working_memory_max_tokens = 99", "memory.working_memory_max_tokens: 99 is out of range: want 100 to 4000"},
		{"working_memory_max_tokens = 4001", "memory.working_memory_max_tokens: 4001 is out of range: want 100 to 4000"},
		{"working_memory_ttl_days = 1.5", "memory.working_memory_ttl_days: want a whole number, 1 to 365, got the number 1.5"},
		{"user_namespace = \"Me\"", `memory.user_namespace: "Me": want 1 to 32 of a-z, 0-9 and -`},
		{"proactive_session_greeting = 1", "memory.proactive_session_greeting: want true or false, got the number 1"},
		{"working_memory_ttl_days = 1\nworking_memory_max_tokens = 100", ""},
		{"working_memory_ttl_days = 365\nworking_memory_max_tokens = 4000", ""},
	} {
		_, err := Parse([]byte("[memory]\n"+tt.src+"\n"), "config.toml")
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.src, err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || len(e.Problems) != 1 {
			t.Fatalf("%s: %v", tt.src, err)
		}
		if p := e.Problems[0]; p.Row != 2 || p.Key+": "+p.What != tt.want {
			t.Errorf("%s: row %d, %s: %s; want %s", tt.src, p.Row, p.Key, p.What, tt.want)
		}
	}
}
