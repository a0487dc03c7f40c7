package connect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/jsonc"
)

// An Agent is another assistant.
type Agent struct {
	Name  string // one word
	Title string // as its makers write it
	Hooks bool   // it can be given what the memory has by a hook; others have it from the server's greeting
	Usual When   // when a hook runs unless the person says otherwise
	// Trust is set where a hook does not run before the person said so in the assistant itself.
	Trust bool
	// Untried is set where what is written is what its documentation says: nobody has seen it read that.
	Untried  bool
	IsEditor bool // it is an editor that has ken as an agent, and only that: no server
	Asks     bool // it does not call recall before its person, or its settings, say yes
	// Program is the word that starts it.
	Program string

	dir   func(p Place) string // of its settings
	files func(dir string, want Want) []File
	// tells is its file of instructions in that directory; "": it has none.
	tells string
}

// HasLines reports whether an assistant has a file of instructions that is known.
func (a Agent) HasLines() bool { return a.tells != "" }

// A Place is where an assistant looks for its settings.
type Place struct {
	Home   string              // the person's home directory
	Getenv func(string) string // the environment
}

// When says when a hook runs.
type When int

// The times of hooks; each has those before it.
const (
	Never    When = iota
	AtStart       // of a conversation
	AtPrompt      // at each question as well
)

// A Want is what an assistant is to start.
type Want struct {
	Command string // the absolute path of ken
	Hooks   When   // with hooks
	Recall  bool   // with leave to call recall, and nothing else, without asking
	Lines   bool   // with lines about ken in the file of instructions
	Scope   string // "user": it is given what holds everywhere and nothing of projects; "": also what holds where it works
	Project string // for the project in this directory, and not for its person; ""
}

// Agents are the assistants that can be set up, by name.
func Agents() []Agent {
	under := func(parts ...string) func(Place) string {
		return func(p Place) string { return filepath.Join(p.Home, filepath.Join(parts...)) }
	}
	named := func(variable, usual string) func(Place) string {
		return func(p Place) string {
			if dir := p.Getenv(variable); filepath.IsAbs(dir) {
				return dir
			}
			return filepath.Join(p.Home, usual)
		}
	}
	configured := func(name string) func(Place) string {
		return func(p Place) string { return filepath.Join(config(p), name) }
	}
	return []Agent{
		{
			Name: "claude", Title: "Claude Code", Hooks: true, Usual: AtStart, Asks: true, Program: "claude", files: claude, tells: "CLAUDE.md",
			dir: named("CLAUDE_CONFIG_DIR", ".claude"),
		},
		{
			Name: "codex", Title: "Codex", Hooks: true, Trust: true, Program: "codex", files: codex, tells: "AGENTS.md",
			dir: named("CODEX_HOME", ".codex"),
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", Untried: true, files: mcpServers("claude-desktop", "claude_desktop_config.json"),
			dir: func(p Place) string { return filepath.Join(apps(p), "Claude") },
		},
		{Name: "crush", Title: "Crush", Untried: true, Program: "crush", files: crush, dir: configured("crush")},
		{
			Name: "cursor", Title: "Cursor", Untried: true, Program: "cursor", files: mcpServers("cursor", "mcp.json"), dir: under(".cursor"),
		},
		{
			Name: "copilot", Title: "Copilot CLI", Hooks: true, Usual: AtStart, Program: "copilot", files: copilot,
			tells: "copilot-instructions.md", dir: under(".copilot"),
		},
		{
			Name: "gemini", Title: "Gemini CLI", Hooks: true, Usual: AtStart, Asks: true, Program: "gemini", files: gemini, tells: "GEMINI.md",
			dir: under(".gemini"),
		},
		{Name: "jetbrains", Title: "JetBrains", Untried: true, IsEditor: true, files: jetbrains, dir: under(".jetbrains")},
		{Name: "opencode", Title: "OpenCode", Program: "opencode", files: opencode, tells: "AGENTS.md", dir: configured("opencode")},
		{
			Name: "qwen", Title: "Qwen Code", Hooks: true, Usual: AtStart, Asks: true, Program: "qwen", files: qwen,
			tells: "QWEN.md", dir: under(".qwen"),
		},
		{
			Name: "vscode", Title: "VS Code", Untried: true, Program: "code", files: vscode,
			dir: func(p Place) string { return filepath.Join(apps(p), "Code", "User") },
		},
		{Name: "zed", Title: "Zed", Untried: true, Program: "zed", files: zed, dir: configured("zed")},
	}
}

// Find is the assistant of a name.
func Find(name string) (Agent, bool) {
	for _, a := range Agents() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Dir is the directory of its settings.
func (a Agent) Dir(p Place) string { return a.dir(p) }

// Files are the files that hold what it is to start, those that are ken's alone first.
func (a Agent) Files(p Place, want Want) []File {
	if want.Recall = want.Recall && a.Asks; !a.Hooks {
		want.Hooks = Never
	}
	files := a.inProject(want)
	if want.Project == "" {
		files = append(a.files(a.dir(p), want), a.instructions(a.dir(p), want.Lines)...)
	}
	for i := range files {
		files[i].agent = a.Name
	}
	return files
}

// A member is a member of an object that is written.
type member struct {
	key   string
	value any // as encoding/json takes it, or an object
}

// An object is written with its members in order.
type object []member

func (o object) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text(m.key) + ":" + text(m.value))
	}
	return []byte("{" + b.String() + "}"), nil
}

// text is a value as JSON, with no character written otherwise than it must be.
func text(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // strings, numbers, lists and objects of those have no other outcome
	return strings.TrimSuffix(b.String(), "\n")
}

// document is an object as a file of its own has it.
func document(o object) string {
	b := []byte("{}\n")
	for _, m := range o {
		b, _ = jsonc.Set(b, text(m.value), m.key) // as in text
	}
	return string(b)
}

// args is what the server is started with.
func args(agent string, want Want) []string {
	a := []string{mcpWord, "--as", agent}
	if want.Scope != "" {
		a = append(a, "--scope", want.Scope)
	}
	if want.Hooks != Never {
		a = append(a, "--no-block") // the hook gives it
	}
	return a
}

// unharmed stands behind the command of a hook: where ken is not there, or dies, some assistants drop the question.
const unharmed = " || exit 0"

// hookLine is the line for a shell that runs the hook, with words behind it.
func hookLine(agent string, want Want, words ...string) string {
	if want.Scope != "" {
		words = append(words, want.Scope)
	}
	words = append([]string{"'" + strings.ReplaceAll(want.Command, "'", `'\''`) + "' hook", agent}, words...)
	return strings.Join(words, " ") + unharmed
}

// A hooking is how an assistant that has hooks in the form of Claude Code is told of them.
type hooking struct {
	agent   string
	matcher string // of the starts that are hooked; "": all
	timeout int    // of a run, in the unit of the assistant
	prompt  string // what it calls the event of a question
}

// groups are the hooks, by the event that has them run; a value is one element of the list that an event has.
func (k hooking) groups(want Want) (all object) {
	run := []any{object{{"type", "command"}, {"command", hookLine(k.agent, want)}, {"timeout", k.timeout}}}
	if want.Hooks >= AtStart {
		start := object{}
		if k.matcher != "" {
			start = append(start, member{"matcher", k.matcher})
		}
		all = append(all, member{"SessionStart", append(start, member{"hooks", run})})
	}
	if want.Hooks >= AtPrompt {
		all = append(all, member{k.prompt, object{{"hooks", run}}})
	}
	return all
}

// lists is groups, each as the only element of the list of its event.
func (k hooking) lists(want Want) (all object) {
	for _, m := range k.groups(want) {
		all = append(all, member{m.key, []any{m.value}})
	}
	return all
}

// elements are the hooks in a file that others have theirs in as well.
func (k hooking) elements(want Want) (all []element) {
	groups := k.groups(want)
	for _, event := range []string{"SessionStart", k.prompt} {
		e := element{keys: []string{"hooks", event}, ours: func(v any) bool { return runsOnly(v, k.agent) }}
		for _, m := range groups {
			if m.key == event {
				e.value, e.there = text(m.value), true
			}
		}
		all = append(all, e)
	}
	return all
}

// hooks is the text of a file of hooks; "": there are none.
func hooks(all object) string {
	if len(all) == 0 {
		return ""
	}
	return document(object{{"hooks", all}})
}

const version = "1.0.0" // of what is written here, not of the program

const about = "Your memory, kept by ken"

// claudeRecall is what Claude Code calls recall of the server in ken's directory.
const claudeRecall = "mcp__plugin_ken_ken__recall"

// starts are the starts of conversations that are hooked: one that goes on has the block already.
const starts = "startup|clear|compact"

// claude has a directory of its own for what others add.
func claude(dir string, want Want) []File {
	own := filepath.Join(dir, "skills", "ken")
	server := object{{"type", "stdio"}, {"command", want.Command}, {"args", args("claude", want)}, {"alwaysLoad", true}}
	plugin := object{{"name", "ken"}, {"version", version}, {"description", about}}
	all := hooking{"claude", starts, 5, "UserPromptSubmit"}.lists(want)
	if want.Recall {
		run := object{{"type", "command"}, {"command", hookLine("claude", want)}, {"timeout", 5}}
		all = append(all, member{"PreToolUse", []any{object{{"matcher", claudeRecall}, {"hooks", []any{run}}}}})
	}
	return []File{
		{Path: filepath.Join(own, ".claude-plugin", "plugin.json"), within: own, own: document(plugin)},
		{Path: filepath.Join(own, "hooks", "hooks.json"), within: own, own: hooks(all)},
		{Path: filepath.Join(own, ".mcp.json"), within: own, own: document(object{{"mcpServers", object{{"ken", server}}}})},
	}
}

// codex has its servers in one file, and hooks in another.
func codex(dir string, want Want) []File {
	return []File{{
		Path: filepath.Join(dir, "hooks.json"), elements: hooking{"codex", starts, 5, "UserPromptSubmit"}.elements(want),
	}, {
		Path: filepath.Join(dir, "config.toml"), Keys: []string{"mcp_servers", "ken"},
		table: object{{"command", want.Command}, {"args", args("codex", want)}, {"env_vars", codexHandsOn()}},
	}}
}

// codexHandsOn are the names of the environment that say where the memory is: codex gives a server what it is told to.
func codexHandsOn() []string {
	return []string{"KEN_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}
}

// codexGives are those that it gives to every server.
func codexGives() []string {
	return []string{"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"}
}

// qwen has one file for all.
func qwen(dir string, want Want) []File {
	server := object{{"command", want.Command}, {"args", args("qwen", want)}}
	const recall = `"mcp__ken__recall"`
	return []File{{
		Path: filepath.Join(dir, "settings.json"), Keys: []string{"mcpServers", "ken"}, Value: text(server),
		reader: jsonc.Reader{Comments: true},
		elements: append([]element{ // the second shows it to the model at once; others it has to look for
			{keys: []string{"permissions", "allow"}, value: recall, there: want.Recall},
			{keys: []string{"tools", "visible"}, value: recall, there: want.Recall},
		}, hooking{"qwen", "", 5000, "UserPromptSubmit"}.elements(want)...),
	}}
}

// geminiRule lets Gemini CLI call recall. It takes such a rule from no directory of what others add.
const geminiRule = `[[rule]]
mcpName = "ken"
toolName = "recall"
decision = "allow"
priority = 100
`

// gemini has a directory of its own for what others add.
func gemini(dir string, want Want) []File {
	own := filepath.Join(dir, "extensions", "ken")
	servers := object{{"ken", object{{"command", want.Command}, {"args", args("gemini", want)}}}}
	extension := object{{"name", "ken"}, {"version", version}, {"mcpServers", servers}}
	rule := ""
	if want.Recall {
		rule = geminiRule
	}
	return []File{
		{Path: filepath.Join(dir, "policies", "ken.toml"), own: rule, only: geminiRule},
		{Path: filepath.Join(own, "hooks", "hooks.json"), within: own, own: hooks(hooking{"gemini", "", 5000, "BeforeAgent"}.lists(want))},
		{Path: filepath.Join(own, "gemini-extension.json"), within: own, own: document(extension)},
	}
}

// opencode has one file, under one of two names.
func opencode(dir string, want Want) []File {
	path := filepath.Join(dir, "opencode.jsonc")
	if _, err := os.Lstat(path); err != nil {
		path = filepath.Join(dir, "opencode.json")
	}
	server := object{{"type", "local"}, {"command", append([]string{want.Command}, args("opencode", want)...)}, {"enabled", true}}
	return []File{{Path: path, Keys: []string{"mcp", "ken"}, Value: text(server), reader: jsonc.Reader{Comments: true, TrailingCommas: true}}}
}

// copilot has its servers in one file, and hooks in a file each.
func copilot(dir string, want Want) []File {
	hook := func(words ...string) any {
		return []any{object{{"type", "command"}, {"bash", hookLine("copilot", want, words...)}, {"timeoutSec", 5}}}
	}
	var all object
	if want.Hooks >= AtStart {
		all = append(all, member{"sessionStart", hook()})
	}
	if want.Hooks >= AtPrompt {
		all = append(all, member{"userPromptSubmitted", hook(promptWord)})
	}
	own := ""
	if len(all) > 0 {
		own = document(object{{"version", 1}, {"hooks", all}})
	}
	server := object{{"type", "local"}, {"command", want.Command}, {"args", args("copilot", want)}, {"tools", []string{"*"}}}
	return []File{
		{Path: filepath.Join(dir, "hooks", "ken.json"), own: own},
		{
			Path: filepath.Join(dir, "mcp-config.json"), Keys: []string{"mcpServers", "ken"}, Value: text(server),
			reader: jsonc.Reader{Comments: true},
		},
	}
}
