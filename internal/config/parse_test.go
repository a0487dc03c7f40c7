package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// equal compares settings without the record of what the file gave.
func equal() cmp.Option { return cmpopts.IgnoreUnexported(Config{}) }

func TestDefaults(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "\n", "# nothing\n", "\ufeff", "[memory]\n[models]\n[mcp.servers]\n[keys]\n"} {
		c, err := Parse([]byte(src), "config.toml")
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		if diff := cmp.Diff(Default(), c, equal()); diff != "" {
			t.Errorf("%q (-default +got)\n%s", src, diff)
		}
		if len(c.Unused()) > 0 {
			t.Errorf("%q: Unused() = %v", src, c.Unused())
		}
	}
}

// TestB11Table reads a file that sets every key to something else than its
// default, and checks that every key is in it.
func TestB11Table(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/all.toml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(src, "all.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Model:    "fast",
		Fallback: []string{"deep", "my.own"},
		Models: map[string]Model{
			"fast": {
				BaseURL: "http://127.0.0.1:11434/v1", Model: "qwen3:8b", APIKeyEnv: "MY_KEY", APIKeyFile: "~/.keys/fast",
				Temperature: 1, MaxTokens: 512, ContextTokens: 32768, Images: true, PlainHTTP: true,
				ConnectTimeout: 1500 * time.Millisecond, FirstTokenTimeout: 0, IdleTimeout: 3 * time.Minute,
				PriceIn: 0.15, PriceOut: 2, Currency: "EUR",
			},
			"deep":   {BaseURL: "https://api.example.com", Temperature: 0.2, ConnectTimeout: 10 * time.Second, FirstTokenTimeout: 90 * time.Second, IdleTimeout: 90 * time.Second, Currency: "USD"},
			"my.own": {Temperature: 0.2, ConnectTimeout: 10 * time.Second, FirstTokenTimeout: 5 * time.Second, IdleTimeout: 0, Currency: "USD"},
			"1.5b":   DefaultModel(),
		},
		Strong:     "deep",
		Embeddings: Embeddings{BaseURL: "http://[::1]:8080", Model: "nomic", Timeout: 0},
		History:    History{Dir: "/srv/ken"},
		Session:    Session{Autosave: false, ResumeOnStart: true, Fsync: "line"},
		Context:    Context{MaxTurns: 1, CompactAt: 1, KeepTurns: 0, SummaryMaxTokens: 1, OutputMaxTokens: 99},
		Memory: Memory{
			Enabled: false, ReadOnly: true, Path: "~/memory.jsonl", InjectMaxTokens: 0, InjectMaxChars: 2000, InjectStrategy: "recency",
			ActivateMaxTokens: 1, ActivateMaxItems: 2, DisabledScopes: []string{"user", "repo:github.com/me/x", "dir:~/tmp"}, Policy: "strict",
			UserNamespace: "me-2", WorkingMemoryTTLDays: 365, WorkingMemoryMaxTokens: 4000, ProactiveSessionGreeting: true, Account: "end",
			AutoExtract: "queue", SummarizerModel: "deep", PruneOlderThanDays: 30,
			Hygiene: Hygiene{Auto: false, HotDays: 1, ArchiveDays: 2, HotMax: 3, Batch: 4, Forget: true}, DailyLog: DailyLog{true, 40, 80},
		},
		Redact: Redact{Mode: "off"},
		Shell: Shell{
			KnownCommands: []string{"git", "ls"}, Program: "/bin/zsh", ConfirmCmd: false, GoOn: true, ModelTimeout: time.Hour, CaptureBytes: 1024,
			ModelEnvPass: []string{"GITHUB_TOKEN"},
		},
		Safety: Safety{
			Allow: []string{"ls *"}, Ask: []string{"git push *"}, Deny: []string{"rm *", "dd *"},
			Sandbox: "write", SandboxWrite: []string{"~/.cache"},
		},
		Auto:  Auto{MaxSteps: 1, MaxTime: time.Minute, MaxTokens: 0, MaxCost: 0.5, Skips: 1},
		Rules: Rules{Aggressiveness: "bold"},
		MCP: MCP{
			AutoApprove: []string{"files.*"}, MaxToolDepth: 1, ConnectTimeout: time.Second,
			Servers: map[string]Server{
				"files": {
					Command: []string{"mcp-files", "--read-only"}, Args: []string{"/srv"}, Env: map[string]string{"LOG": "debug"},
					EnvPass: []string{"FILES_ROOT"}, Cwd: "~/work", ConnectTimeout: 90 * time.Second, Local: []string{"read"},
				},
				"web":     {URL: "https://mcp.example.com/x", AuthEnv: "WEB_TOKEN"},
				"tickets": {URL: "https://tickets.example.com/mcp", ClientID: "ken-12", ClientSecretEnv: "TICKETS_SECRET"},
			},
		},
		Telegram: Telegram{TokenEnv: "BOT_TOKEN", TokenFile: "~/.keys/bot", APIURL: "http://127.0.0.1:8081"},
		Serve: Serve{
			Owner: []string{"me-17"}, Alias: map[string]string{"gpt-4o-mini": "ken/fast"},
			UserSecretEnv: "WEBUI_SECRET", UserSecretFile: "~/.keys/webui", Record: true,
		},
		Skills:    Skills{MaxChars: 0},
		Tools:     Tools{Off: []string{"shell"}},
		Keys:      map[string]string{`\C-n`: "auto", "\\e.": "last-word"},
		Questions: Questions{Off: []string{"lessons"}},
		UI:        UI{Color: "never", Theme: "light", Markdown: false, Quiet: true, Clipboard: "terminal"},
	}
	if diff := cmp.Diff(want, got, equal()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	r := newReader(nil, "")
	for _, f := range r.cfg.fields() {
		if !got.Given(f.path) {
			t.Errorf("testdata/all.toml does not set %s", f.path)
		}
	}
	for _, f := range append((&Model{}).fields(), (&Server{}).fields()...) {
		if !slices.ContainsFunc(got.given, func(key string) bool { return strings.HasSuffix(key, "."+f.path) }) {
			t.Errorf("testdata/all.toml sets %s nowhere", f.path)
		}
	}
}

// TestKeysHaveOnePlace checks that no two keys of a table write to one field:
// each is set alone, and what it changes must be new.
func TestKeysHaveOnePlace(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/all.toml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Parse(src, "all.toml")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	table := ""
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[]") + "."
		}
		if key, _, ok := strings.Cut(line, " = "); ok {
			lines[table+key] = table + line
		}
	}
	seen := map[string]string{}
	for _, f := range new(Config).fields() {
		if f.path == "model" || f.path == "fallback" || f.path == "memory.summarizer_model" || f.path == strongKey {
			continue // they need presets
		}
		one, err := Parse([]byte(lines[f.path]), f.path)
		if err != nil {
			t.Errorf("%s alone: %v", f.path, err)
			continue
		}
		diff := cmp.Diff(Default(), one, equal())
		if other, dup := seen[diff]; dup || diff == "" {
			t.Errorf("%s changes nothing, or the same as %q", f.path, other)
		}
		seen[diff] = f.path
	}
	if all.Model == "" {
		t.Error("model")
	}
}

// TestBadFiles is the golden table of what is told about bad files. Rows and
// columns are part of the promise: they come from an interface of the parser
// that may change. KEN_UPDATE=1 writes the table anew.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse(src, "config.toml")
		var e *Error
		if !errors.As(err, &e) || len(e.Problems) == 0 {
			t.Errorf("%s: error %v, want an *Error", file, err)
			continue
		}
		if diff := cmp.Diff(Config{}, c, equal()); diff != "" {
			t.Errorf("%s: a Config beside the error\n%s", file, diff)
		}
		golden := strings.TrimSuffix(file, ".toml") + ".txt"
		if os.Getenv("KEN_UPDATE") != "" {
			if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, rerr := os.ReadFile(golden)
		if rerr != nil {
			t.Fatal(rerr)
		}
		if diff := cmp.Diff(string(want), err.Error()+"\n"); diff != "" {
			t.Errorf("%s (-want +got)\n%s", file, diff)
		}
	}
}

// TestS63Ranges pins the ends of the ranges: the last value that is taken and
// the first that is not.
func TestS63Ranges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key       string
		good, bad []string
		allowed   string
	}{
		{"memory.working_memory_ttl_days", []string{"1", "365", "0x10", "3_6"}, []string{"0", "366", "-1", "9223372036854775807", "1.0", `"1"`}, "1 to 365"},
		{"memory.working_memory_max_tokens", []string{"100", "4000", "+200"}, []string{"99", "4001"}, "100 to 4000"},
		{"memory.user_namespace", []string{`""`, `"a"`, `"me-2"`, `"` + strings.Repeat("a", 32) + `"`}, []string{`"Me"`, `"a b"`, `"ä"`, `"` + strings.Repeat("a", 33) + `"`, `"a/b"`}, "1 to 32 of a-z, 0-9 and -"},
		{"memory.prune_older_than_days", []string{"0", "1"}, []string{"-1"}, "0 or more"},
		{"memory.inject_max_chars", []string{"0", "300"}, []string{"-300", "3e2"}, "0 or more"},
		{"memory.inject_strategy", []string{`"rank"`, `"recency"`}, []string{`"Rank"`, `""`, "1"}, ""},
		{"memory.auto_extract", []string{`"off"`, `"queue"`, `"accept"`}, []string{"false", `"on"`}, ""},
		{"memory.disabled_scopes", []string{"[]", `["user"]`}, []string{`["everything"]`, `"user"`, "[1]", `["repo:"]`}, ""},
		{"session.fsync", []string{`"close"`, `"line"`}, []string{`"never"`}, "close, line"},
		{"redact.mode", []string{`"mask"`, `"off"`}, []string{`"none"`}, "mask, off"},
		{"rules.aggressiveness", []string{`"conservative"`, `"balanced"`, `"bold"`}, []string{`"bolt"`}, "conservative, balanced, bold"},
		{"ui.color", []string{`"auto"`, `"always"`, `"never"`}, []string{"true", `"yes"`}, ""},
		{"context.compact_at", []string{"0", "1", "0.75", "1e-3"}, []string{"-0.1", "1.01", "nan", "inf", "-inf"}, "0 to 1"},
		{"context.max_turns", []string{"0", "1", "40"}, []string{"-1"}, "0 or more"},
		{"models.x.temperature", []string{"0", "2", "0.7"}, []string{"-0.1", "2.1", `"0.7"`}, "0 to 2"},
		{"models.x.price_in", []string{"0", "1e3"}, []string{"-1", "inf", "nan"}, "0 or more"},
		{"models.x.context_tokens", []string{"0", "256", "1000000"}, []string{"255", "-1"}, "256 or more"},
		{"models.x.idle_timeout", []string{"0", `"0"`, `"2m"`, `"1h30m"`, `"250ms"`}, []string{"10", `"10"`, `"-1s"`, "1.5", `""`, "true", `"ten"`}, `"10s"`},
		{"models.x.timeout_ms", []string{"0", "30000"}, []string{"-1", `"30s"`}, "0 or more"},
		{"models.x.base_url", []string{`""`, `"http://h"`, `"https://h:1/v1/"`}, []string{`"h:1"`, `"ftp://h"`, `"http://"`, `"http://a b"`, `"http://[::1"`}, "http://127.0.0.1:11434/v1"},
		{"models.x.api_key_env", []string{`""`, `"A_1"`}, []string{`"1A"`, `"A-B"`, `"$A"`}, "OPENAI_API_KEY"},
		{"models.x.api_key_file", []string{`""`, `"~/k"`, `"/k"`}, []string{`"k"`, `"./k"`, `"~you/k"`, `"/a\u0000b"`}, ""},
		{
			"telegram.api_url",
			[]string{`""`, `"https://bots.example.com"`, `"http://127.0.0.1:8081"`, `"http://[::1]:1"`},
			[]string{`"http://bots.example.com"`, `"http://192.0.2.1"`, `"http://127.0.0.1.example.com"`},
			"https://",
		},
		{"telegram.token_file", []string{`"~/k"`}, []string{`"k"`}, `"~/"`},
		{"history.dir", []string{`"~"`, `"/x"`}, []string{`"x"`}, `"~/"`},
		{"shell.capture_bytes", []string{"1024"}, []string{"1023"}, "1024 or more"},
	} {
		for _, v := range c.good {
			if _, err := Parse([]byte(c.key+" = "+v+"\n"), "f"); err != nil {
				t.Errorf("%s = %s: %v", c.key, v, err)
			}
		}
		for _, v := range c.bad {
			_, err := Parse([]byte(c.key+" = "+v+"\n"), "f")
			var e *Error
			if !errors.As(err, &e) || len(e.Problems) != 1 {
				t.Errorf("%s = %s: %v, want one problem", c.key, v, err)
				continue
			}
			p := e.Problems[0]
			if p.File != "f" || p.Row != 1 || p.Col < len(c.key)+4 || p.Key != c.key || !strings.Contains(p.What, c.allowed) {
				t.Errorf("%s = %s: %s, want key and %q", c.key, v, p, c.allowed)
			}
		}
	}
}

// TestErrorsHoldNoSecret puts a secret wherever a person may put it by
// mistake.
func TestErrorsHoldNoSecret(t *testing.T) {
	t.Parallel()
	secret := "sk-" + strings.Repeat("a1B2", 10)
	for _, src := range []string{
		"[models.x]\napi_key = \"%\"\n",
		"[models.x]\napi_key_env = \"%\"\n",
		"[models.x]\napi_key_file = \"%\"\n",
		"[models.x]\nbase_url = \"me:%@h\"\n",
		"[models.x]\nbase_url = \"ftp://me:%@h\"\n",
		"[models.x]\nbase_url = \"http://me:%@h h\"\n",
		"[models.x]\ntemperature = \"%\"\n",
		"[mcp.servers.x]\nauth_env = \"%\"\n",
		"[mcp.servers.x]\nurl = \"%\"\n",
		"[mcp.servers.x]\ncommand = \"%\"\n",
		"[models]\nx = \"%\"\n",
		"[telegram]\ntoken_env = \"%\"\n",
		"[telegram]\ntoken_file = \"%\"\n",
		"[telegram]\ntoken = \"%\"\n",
		"[serve]\nuser_secret_env = \"%\"\n",
		"[serve]\nuser_secret_file = \"%\"\n",
		"token = \"%\"\n",
	} {
		_, err := Parse([]byte(strings.ReplaceAll(src, "%", secret)), "f")
		if err == nil {
			t.Errorf("%q is taken", src)
			continue
		}
		if strings.Contains(err.Error(), secret[3:20]) {
			t.Errorf("%q: the error holds the secret: %v", src, err)
		}
	}
}

func TestTimeoutMS(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"[models.x]\ntimeout_ms = 1500\nidle_timeout = \"7s\"\n",
		"[models.x]\nidle_timeout = \"7s\"\ntimeout_ms = 1500\n",
		"models.x = { idle_timeout = \"7s\", timeout_ms = 1500 }\n",
	} {
		c, err := Parse([]byte(src), "f")
		if err != nil {
			t.Fatal(err)
		}
		m := c.Models["x"]
		if m.FirstTokenTimeout != 1500*time.Millisecond || m.IdleTimeout != 7*time.Second || m.ConnectTimeout != 10*time.Second {
			t.Errorf("%q: %+v", src, m)
		}
	}
}

func TestR161InjectBudget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		src  string
		want int
	}{
		{"", 500},
		{"inject_max_tokens = 0", 0},
		{"inject_max_tokens = 80", 80},
		{"inject_max_chars = 2000", 500},
		{"inject_max_chars = 300", 75},
		{"inject_max_chars = 8000", 2000},
		{"inject_max_chars = 3", 0},
		{"inject_max_chars = 0", 500},
		{"inject_max_chars = 8000\ninject_max_tokens = 100", 100},
		{"inject_max_tokens = 1000\ninject_max_chars = 2000", 500},
	} {
		cfg, err := Parse([]byte("[memory]\n"+c.src), "f")
		if err != nil {
			t.Fatal(err)
		}
		if got := cfg.InjectBudget(); got != c.want {
			t.Errorf("%q: InjectBudget() = %d, want %d", c.src, got, c.want)
		}
	}
}

func TestUnused(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/all.toml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Parse(src, "f")
	if err != nil {
		t.Fatal(err)
	}
	unused := all.Unused()
	for _, key := range all.given {
		if slices.Contains(unused, key) == slices.ContainsFunc([]string{
			"model", "fallback", "models.*", "history.dir", "session.*", "context.*", "memory.user_namespace", "memory.working_memory_*", "memory.proactive_session_greeting", "memory.summarizer_model", "memory.enabled", "memory.path",
			"memory.read_only",
			"memory.inject_*", "memory.activate_*", "embeddings.*", "memory.disabled_scopes", "memory.account", "memory.auto_extract", "ui.quiet", "ui.color", "ui.theme", "ui.markdown", "ui.clipboard", "ui.suggest",
			"shell.*", "safety.*", "keys.*", "tools.*", "mcp.*", "auto.*", "telegram.*", "serve.*",
			"skills.*", "rules.*", "questions.*",
			"memory.policy", "memory.prune_older_than_days", "memory.hygiene.*", "memory.daily_log.*",
		}, func(used string) bool {
			prefix, all := strings.CutSuffix(used, "*")
			return key == used || all && strings.HasPrefix(key, prefix)
		}) {
			t.Errorf("%s is wrongly on or off the list", key)
		}
	}
	few, err := Parse([]byte("rules.aggressiveness = \"bold\"\nredact.mode = \"mask\"\nmemory.enabled = true\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"redact.mode"}, few.Unused()); diff != "" {
		t.Errorf("in the order of the file (-want +got)\n%s", diff)
	}
}

// TestUnusedNamesKeys checks that the list has nothing in it that is no key.
func TestUnusedNamesKeys(t *testing.T) {
	t.Parallel()
	c := Default()
	for _, f := range c.fields() {
		c.given = append(c.given, f.path)
	}
	r := newReader(nil, "")
	for _, key := range c.Unused() {
		if _, ok := r.fields[key]; !ok {
			t.Errorf("%s is no key", key)
		}
	}
	if len(c.Unused()) == 0 || len(c.Unused()) == len(c.given) {
		t.Errorf("%d of %d keys are unused", len(c.Unused()), len(c.given))
	}
}

// TestR371Strong: models.strong is a setting where it is a text and a preset where it is a table; what judges is the preset that it
// names, else the one called strong, else the one called deep, else the one in force.
func TestR371Strong(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"":                                                     "",
		"[models.fast]\n":                                      "",
		"[models.fast]\n[models.deep]\n":                       "deep",
		"[models.deep]\n[models.strong]\n":                     "strong",
		"models.strong.model = 'x'\n":                          "strong",
		"models = {strong = {model = 'x'}}\n":                  "strong",
		"[models]\nstrong = {model = 'x'}\n":                   "strong",
		"[models.a]\n[models]\nstrong = 'a'\n":                 "a",
		"models.strong = 'a'\n[models.deep]\n[models.a]\n":     "a",
		"models.strong = 'a/big'\n[models.deep]\n[models.a]\n": "a/big",
		"models.strong = 'gone'\n[models.deep]\n":              "deep",
	} {
		c, err := Parse([]byte(src), "f")
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if got := c.Judge(); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
	for _, src := range []string{"models.strong = 3\n[models.a]\n", "models.strong = 'a'\n[models.strong]\n[models.a]\n"} {
		if _, err := Parse([]byte(src), "f"); err == nil || !strings.Contains(err.Error(), "models.strong") {
			t.Errorf("%q: %v", src, err)
		}
	}
	c, err := Parse([]byte("models.strong = 'gone'\n[models.deep]\n"), "f")
	if missing := c.Missing(); err != nil || len(missing) != 1 {
		t.Errorf("%v %v", missing, err)
	}
}

// TestSpellings checks that the three spellings of a table are one.
func TestSpellings(t *testing.T) {
	t.Parallel()
	want, err := Parse([]byte("[models.a]\nmodel = \"x\"\n[memory.hygiene]\nbatch = 9\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{
		"models.a.model = 'x'\nmemory.hygiene.batch = 9\n",
		"models = {a = {model = \"x\"}}\nmemory.hygiene = {batch = 9}\n",
		"[memory]\nhygiene.batch = 9\n[models]\na.model = '''x'''\n",
		"[models]\r\na = {model = \"x\"}\r\n[memory]\r\nhygiene = {batch = 0x9}\r\n",
		"[\"models\".'a'] # c\n\"model\" = \"\\u0078\"\n[ memory . hygiene ]\nbatch=9",
	} {
		got, err := Parse([]byte(src), "f")
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if diff := cmp.Diff(want, got, equal()); diff != "" {
			t.Errorf("%q (-want +got)\n%s", src, diff)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"a", "", 1},
		{"path", "path", 0},
		{"Path", "pATH", 0},
		{"paht", "path", 1},
		{"pat", "path", 1},
		{"paths", "path", 1},
		{"bath", "path", 1},
		{"memroy", "memory", 1},
		{"ca", "abc", 3},
		{"a", "abcdef", 4},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

// TestEveryProblemIsTold breaks some lines of a good file at random: each must
// be told, at its row, and nothing else.
func TestEveryProblemIsTold(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/all.toml")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	var breakable []int
	for i, line := range lines {
		key, _, ok := strings.Cut(line, " = ")
		// Presets that are missing are reported where they are named.
		if ok && !strings.HasPrefix(key, "#") && !strings.ContainsAny(key, `"'`) {
			breakable = append(breakable, i)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		which := rapid.SliceOfNDistinct(rapid.SampledFrom(breakable), 1, 8, rapid.ID[int]).Draw(t, "lines")
		broken := slices.Clone(lines)
		for n, i := range which {
			key, _, _ := strings.Cut(lines[i], " = ")
			if n%2 == 0 {
				broken[i] = key + " = 1979-05-27" // no key takes a date
			} else {
				broken[i] = "unknown-" + key + " = 1"
			}
		}
		_, err := Parse([]byte(strings.Join(broken, "\n")), "f")
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("error %v", err)
		}
		rows := map[int]bool{}
		for _, p := range e.Problems {
			rows[p.Row-1] = true
		}
		if got, want := slices.Sorted(maps.Keys(rows)), slices.Sorted(slices.Values(which)); !slices.Equal(got, want) {
			t.Fatalf("told rows %v, broken are %v:\n%v", got, want, err)
		}
		if len(e.Problems) != len(which) {
			t.Fatalf("%d problems for %d broken lines:\n%v", len(e.Problems), len(which), err)
		}
	})
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, "testdata/all.toml") {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := Parse(src, "f")
		if err == nil {
			c.Unused()
			if b := c.InjectBudget(); b < 0 || !c.Names(c.Model) && c.Model != "" && len(c.Missing()) == 0 {
				t.Errorf("%q: budget %d, model %q", src, b, c.Model)
			}
			return
		}
		var e *Error
		if !errors.As(err, &e) || len(e.Problems) == 0 {
			t.Fatalf("%q: %v is no *Error", src, err)
		}
		rows := strings.Count(string(src), "\n") + 1
		for i, p := range e.Problems {
			if p.Row < 1 || p.Row > rows || p.Col < 1 || p.Col > len(src)+1 || p.What == "" {
				t.Errorf("%q: %+v", src, p)
			}
			if i > 0 && p.Row < e.Problems[i-1].Row {
				t.Errorf("%q: not in order:\n%v", src, err)
			}
		}
		if n := strings.Count(err.Error(), "\n") + 1; n != len(e.Problems) {
			t.Errorf("%q: %d lines for %d problems:\n%v", src, n, len(e.Problems), err)
		}
	})
}

// TestManyProblems pins that a file that is no file of settings is told in
// bounded time.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	const many = 4000
	var src strings.Builder
	for i := range many {
		fmt.Fprintf(&src, "key%d = 1\n", i)
	}
	start := time.Now()
	_, err := Parse([]byte(src.String()), "f")
	var e *Error
	if !errors.As(err, &e) || len(e.Problems) != many {
		t.Fatalf("%d lines: %.200v", many, err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("%v for %d problems", d, many)
	}
}

func BenchmarkParse(b *testing.B) {
	src, err := os.ReadFile("testdata/all.toml")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if _, err := Parse(src, "f"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("usual", func(b *testing.B) {
		small := []byte("model = \"fast\"\n[models.fast]\nbase_url = \"http://127.0.0.1:11434\"\nmodel = \"qwen3:8b\"\n")
		for b.Loop() {
			if _, err := Parse(small, "f"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestMissing: a preset that is named and not there costs its setting alone, and is
// told with its place.
func TestMissing(t *testing.T) {
	t.Parallel()
	for file, want := range map[string][]string{
		"nopreset.toml": {`config.toml:1:9: model: no preset "fast": there is no table [models.fast]`},
		"presets.toml": {
			`config.toml:1:9: model: no preset "fsat": there is deep, fast (did you mean fast?)`,
			`config.toml:6:20: memory.summarizer_model: no preset "Fast": there is deep, fast (did you mean fast?)`,
			`config.toml:2:21: fallback: no preset "cloud": there is deep, fast`,
		},
		"atserver.toml": { // PRESET/NAME names the preset; who lists NAME is not asked
			`config.toml:2:40: fallback: no preset "lokal/x": there is a/b, local`,
			`config.toml:2:51: fallback: no preset "local/": there is a/b, local (did you mean local?)`,
			`config.toml:2:61: fallback: no preset "local/ x": there is a/b, local`,
		},
	} {
		src, err := os.ReadFile(filepath.Join("testdata/missing", file))
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse(src, "config.toml")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range c.Missing() {
			got = append(got, p.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if file == "presets.toml" && (c.Summarizer() != "fast" || c.FirstModel() != "deep" || c.Has("cloud") || !c.Has("deep")) {
			t.Errorf("summarizer %q, first %q", c.Summarizer(), c.FirstModel())
		}
		at, ok := c.AtServerOf("a/b/c")
		if file == "atserver.toml" && (c.Summarizer() != "local/small" || at != "a/b" || !ok || !c.Names(c.Model)) {
			t.Errorf("summarizer %q, a/b/c at %q", c.Summarizer(), at)
		}
	}
}
