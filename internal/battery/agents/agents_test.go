package agents

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
)

const (
	installedIn = "KEN_AGENTS"     // the directory that has the programs, each in one of its name
	chosen      = "KEN_AGENTS_ARE" // their names, with spaces between; "": all
)

const (
	kept     = "the staging host is kettle" // a memory
	question = "where is staging?"
	proposed = "the door is red" // what the model would have remembered
)

// turnTakes is how long a turn of a real program may take on a machine that has other things to do.
const turnTakes = 2 * time.Minute

// A program is another assistant, and how one turn of it is run.
type program struct {
	name  string
	mine  map[string]string // what the person has in its settings, by path from their home
	turn  func(url, question string) (args, env []string)
	write []string // has it call remember without a question; nil: it is not offered then
	keeps bool     // its settings are as before once it has run and ken is taken out; others write them anew
	bare  bool     // it has no hooks
}

func programs() []program {
	const opencode = `{"provider":{"scripted":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"AT/v1","apiKey":"test"},` +
		`"models":{"scripted":{"tool_call":true,"limit":{"context":100000,"output":4000}}}}}}`
	const codex = `model_providers.scripted={name="scripted",base_url="AT/v1",env_key="MODEL_KEY",wire_api="responses"}`
	with := func(text, url string) string { return strings.ReplaceAll(text, "AT/v1", url+"/v1") }
	return []program{
		{
			name: "claude", mine: map[string]string{".claude/settings.json": "{\"theme\": \"dark\"}\n"}, keeps: true,
			turn: func(url, question string) (args, env []string) {
				return []string{"-p", question}, []string{
					"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=test", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				}
			},
			write: []string{"--allowedTools", "mcp__plugin_ken_ken__remember"},
		},
		{
			name: "codex", mine: map[string]string{".codex/config.toml": "# mine\n[tui]\nnotifications = false # quiet\n"}, keeps: true,
			turn: func(url, question string) (args, env []string) {
				return []string{
					"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", // which stands for the person's yes in its terminal
					"-c", "model=scripted", "-c", "model_provider=scripted", "-c", with(codex, url), question,
				}, []string{"MODEL_KEY=test"}
			},
			write: []string{},
		},
		{
			name: "copilot", mine: map[string]string{".copilot/mcp-config.json": "{\n  \"mcpServers\": {}\n}\n"}, keeps: true,
			turn: func(url, question string) (args, env []string) {
				return []string{"-s", "-p", question}, []string{
					"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_MODEL=scripted", "COPILOT_PROVIDER_BASE_URL=" + url + "/v1",
				}
			},
			write: []string{"--allow-tool", "ken(remember)"},
		},
		{
			name: "gemini", keeps: true, mine: map[string]string{
				".gemini/settings.json": "{\n  // mine\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}},\n" +
					"  \"privacy\": {\"usageStatisticsEnabled\": false}\n}\n",
			},
			turn: func(url, question string) (args, env []string) {
				return []string{"-m", "gemini-2.5-flash", "-p", question}, []string{
					"GEMINI_API_KEY=test", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_CLI_NO_RELAUNCH=true",
					"GEMINI_TELEMETRY_ENABLED=false",
				}
			},
		},
		{
			name: "opencode", keeps: true, bare: true, mine: map[string]string{
				".config/opencode/opencode.jsonc": "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  // mine\n  \"share\": \"disabled\",\n}\n",
			},
			turn: func(url, question string) (args, env []string) {
				return []string{"run", "-m", "scripted/scripted", question}, []string{
					"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_CONFIG_CONTENT=" + with(opencode, url),
				}
			},
			write: []string{},
		},
		{
			name: "qwen", mine: map[string]string{".qwen/settings.json": "{\n  // mine\n  \"ui\": {\"theme\": \"x\"}\n}\n"},
			turn: func(url, question string) (args, env []string) {
				return []string{"--auth-type", "openai", question}, []string{
					"OPENAI_API_KEY=test", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=scripted", "QWEN_CODE_NO_RELAUNCH=1",
				}
			},
		},
	}
}

// TestAgents has each program, set up by ken setup, ask a scripted model, as its documents say that a script does: what the
// memory has is in the first question; the model calls recall, and what ken answers comes back to it; a call of remember
// waits for the person; a hook gives what a question calls up; without ken the program goes on. Taken out again, nothing of
// ken is in its settings, and all else is as before.
func TestAgents(t *testing.T) {
	t.Parallel()
	installed := os.Getenv(installedIn)
	if installed == "" {
		t.Skip("the programs of others are installed by make agents")
	}
	bin := filepath.Join(t.TempDir(), "ken")
	if out, err := proctest.Go(t, "build", "-o", bin, "ken/cmd/ken").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	of := strings.Fields(os.Getenv(chosen))
	ran := 0
	for _, p := range programs() {
		if len(of) > 0 && !slices.Contains(of, p.name) {
			continue
		}
		ran++
		t.Run(p.name, func(t *testing.T) {
			program := filepath.Join(installed, p.name, "node_modules", ".bin", p.name)
			if _, err := os.Stat(program); err != nil {
				t.Fatalf("it is not installed: %v", err)
			}
			p.drive(t, bin, program)
		})
	}
	if ran == 0 || ran < len(of) {
		t.Errorf("%d programs of %q are known", ran, of)
	}
}

// A desk is where one program is driven: a home, a project in it, and a copy of ken that can be taken away.
type desk struct {
	program

	t                  *testing.T
	path, ken          string // of the program and of ken
	home, memory, work string
	aside              string // what was printed last on the standard error
}

func (p program) drive(t *testing.T, ken, path string) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{program: p, t: t, path: path, ken: filepath.Join(home, "bin", "ken"), home: home, memory: filepath.Join(home, "kept")}
	d.work = filepath.Join(home, "project")
	for _, dir := range []string{d.work, filepath.Dir(d.ken), d.memory} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(ken, d.ken); err != nil {
		t.Fatal(err)
	}
	for name, text := range p.mine {
		d.write(name, text)
	}
	before := d.files()
	d.runKen("remember", kept)
	d.nothing()
	d.runKen("setup", p.name, "--allow-recall", "--yes")
	d.runKen("setup", p.name, "--allow-recall", "--check")
	d.runKen("setup", p.name, "--remove", "--yes")
	if diff := cmp.Diff(before, d.files()); diff != "" {
		t.Fatalf("set up and taken out again (-before +after):\n%s", diff)
	}
	d.runKen("setup", p.name, "--allow-recall", "--yes")
	d.recalls()
	d.remembers()
	d.asks()
	d.missing() // last: Claude Code does not start a server the next time that it could not start
	d.runKen("setup", p.name, "--remove", "--yes")
	after := d.files()
	for name, text := range before {
		if p.keeps && after[name] != text {
			t.Errorf("%s:\n%s", name, cmp.Diff(text, after[name]))
		}
		if strings.Contains(after[name], d.ken) {
			t.Errorf("left in %s:\n%s", name, after[name])
		}
	}
}

// nothing sets the program up where it has no settings yet, and takes it out again: no file is left.
func (d *desk) nothing() {
	d.t.Helper()
	home := d.home
	defer func() { d.home = home }()
	d.home = d.t.TempDir()
	before := d.files()
	d.runKen("setup", d.name, "--allow-recall", "--hooks", "prompt", "--yes")
	if len(d.files()) == len(before) {
		d.t.Error("nothing was set up")
	}
	d.runKen("setup", d.name, "--remove", "--yes")
	if diff := cmp.Diff(before, d.files()); diff != "" {
		d.t.Errorf("set up where nothing is, and taken out again:\n%s", diff)
	}
}

// recalls is a turn in which the model calls recall.
func (d *desk) recalls() {
	d.t.Helper()
	began := time.Now()
	model, said := d.ask(scripted{tool: "recall", args: object{"query": "staging"}}, nil)
	d.t.Logf("a turn with a call: %.1f s", time.Since(began).Seconds())
	offered, back := false, false
	for _, r := range model.Requests() {
		h := scripted{tool: "recall"}.hear(r.Body)
		if h.tool != "" && !offered {
			offered = true
			if !strings.Contains(string(r.Body), kept) {
				d.t.Error("no memory is in the first question")
			}
		}
		back = back || strings.Contains(h.result, kept)
	}
	if !offered || !back || !strings.Contains(said, "DONE") {
		d.t.Errorf("recall was offered: %v, its result came back: %v; it said:\n%s", offered, back, said)
	}
	if given := d.runKen("memory", "show", "1"); !strings.Contains(given, "given to "+d.name) {
		d.t.Errorf("ken does not know that it gave anything:\n%s", given)
	}
}

// remembers is a turn in which the model calls remember: a suggestion under the name of the program, and no memory.
func (d *desk) remembers() {
	d.t.Helper()
	model, said := d.ask(scripted{tool: "remember", args: object{"text": proposed}}, d.program.write)
	waits := d.runKen("review", "list", "--json")
	if there := strings.Contains(waits, proposed) && strings.Contains(waits, "agent:"+d.name); there != (d.program.write != nil) {
		d.t.Errorf("it waits: %v, after %d requests; it said:\n%s\nwhat waits:\n%s", there, len(model.Requests()), said, waits)
	}
	if list := d.runKen("memory", "list"); strings.Contains(list, proposed) || !strings.Contains(list, kept) {
		d.t.Errorf("memories:\n%s", list)
	}
}

// missing is a turn while ken is not there: the program goes on without.
func (d *desk) missing() {
	d.t.Helper()
	away := d.ken + ".away"
	if err := os.Rename(d.ken, away); err != nil {
		d.t.Fatal(err)
	}
	model, said := d.ask(scripted{tool: "recall", args: object{"query": "staging"}}, nil)
	if !strings.Contains(said, "DONE") {
		d.t.Errorf("without ken, after %d requests, it said:\n%s\n%s", len(model.Requests()), said, d.aside)
	}
	if err := os.Rename(away, d.ken); err != nil {
		d.t.Fatal(err)
	}
}

// asks is a turn with a hook at each question, where the program has hooks: what the question calls up goes with it, once.
func (d *desk) asks() {
	d.t.Helper()
	d.runKen("setup", d.name, "--allow-recall", "--hooks", "prompt", "--yes")
	d.runKen("setup", d.name, "--allow-recall", "--hooks", "prompt", "--check")
	d.runKen("memory", "add", "rule", "always answer in whole sentences")
	d.runKen("config", "set", "memory.inject_max_tokens", "33") // room for the rule alone in front
	model, said := d.ask(scripted{tool: "recall", args: object{"query": "staging"}}, nil)
	want := 1
	if d.bare {
		want = 0
	}
	offered := false
	for _, r := range model.Requests() {
		if h := (scripted{tool: "recall"}).hear(r.Body); h.tool != "" {
			offered = true
			starts, questions := strings.Count(string(r.Body), "has ken remember (data"), strings.Count(string(r.Body), "[end of memories]")
			if starts != want || questions != want {
				d.t.Errorf("%d blocks of the start and %d of the question, want %d of each:\n%s", starts, questions, want, r.Body)
			}
		}
	}
	if !offered || !strings.Contains(said, "DONE") {
		d.t.Errorf("recall was offered: %v; it said:\n%s", offered, said)
	}
}

// ask runs one turn of the program against a model of its own, and returns what it printed.
func (d *desk) ask(s scripted, more []string) (model *llmtest.Server, said string) {
	d.t.Helper()
	model = llmtest.New(d.t)
	model.Reply(s.answer)
	model.Models("scripted")
	args, env := d.turn(model.URL, question)
	return model, d.run(d.path, append(args, more...), env)
}

func (d *desk) runKen(args ...string) string {
	d.t.Helper()
	return d.run(d.ken, args, nil)
}

// run runs a program in the project, and returns what it printed. Its end is 0, or the test fails.
func (d *desk) run(path string, args, env []string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), turnTakes)
	defer cancel()
	cmd := proctest.CommandContext(d.t, ctx, path, args...)
	cmd.Dir = d.work
	cmd.Env = append(append(cmd.Env, "HOME="+d.home, "KEN_HOME="+d.memory), env...)
	var said, aside strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &aside
	if err := cmd.Run(); err != nil {
		d.t.Fatalf("%s %v: %v\n%s\n%s", path, args, err, said.String(), aside.String())
	}
	d.aside = aside.String()
	return said.String()
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		d.t.Fatal(err)
	}
}

// files are the texts of all files of the home but ken's own, by path.
func (d *desk) files() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(d.home, func(path string, e fs.DirEntry, err error) error {
		if path == d.memory || path == filepath.Dir(d.ken) {
			return fs.SkipDir
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(d.home, path) // it is below
		all[name] = string(b)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

// TestNames: the programs are those that the Makefile installs, and no other.
func TestNames(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, p := range programs() {
		known = append(known, p.name)
	}
	installed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^AGENT_([a-z]+) := \S+@[0-9.]+$`).FindAllStringSubmatch(string(b), -1) {
		installed[m[1]] = true
	}
	if diff := cmp.Diff(known, slices.Sorted(maps.Keys(installed))); diff != "" {
		t.Errorf("known and installed:\n%s", diff)
	}
}
