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
	// Program is the word that starts it.
	Program string

	dir   func(p Place) string // of its settings
	files func(dir string, want Want) []File
}

// A Place is where an assistant looks for its settings.
type Place struct {
	Home   string              // the person's home directory
	Getenv func(string) string // the environment
}

// A Want is what an assistant is to start.
type Want struct {
	Command string // the absolute path of ken
	Hooks   bool   // with a hook at the start of a conversation
}

// Agents are the assistants that can be set up, by name.
func Agents() []Agent {
	under := func(parts ...string) func(Place) string {
		return func(p Place) string { return filepath.Join(p.Home, filepath.Join(parts...)) }
	}
	return []Agent{
		{Name: "claude", Title: "Claude Code", Hooks: true, Program: "claude", files: claude, dir: func(p Place) string {
			if dir := p.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
				return dir
			}
			return filepath.Join(p.Home, ".claude")
		}},
		{Name: "copilot", Title: "Copilot CLI", Hooks: true, Program: "copilot", files: copilot, dir: under(".copilot")},
		{Name: "gemini", Title: "Gemini CLI", Hooks: true, Program: "gemini", files: gemini, dir: under(".gemini")},
		{Name: "opencode", Title: "OpenCode", Program: "opencode", files: opencode, dir: func(p Place) string {
			if dir := p.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
				return filepath.Join(dir, "opencode")
			}
			return filepath.Join(p.Home, ".config", "opencode")
		}},
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
	want.Hooks = want.Hooks && a.Hooks
	files := a.files(a.dir(p), want)
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
	a := []string{"mcp", "--as", agent}
	if want.Hooks {
		a = append(a, "--no-block") // the hook gives it
	}
	return a
}

// hookLine is the line for a shell that runs the hook.
func hookLine(agent string, want Want) string {
	return "'" + strings.ReplaceAll(want.Command, "'", `'\''`) + "' hook " + agent
}

// sessionStart are the hooks of those that have them in the form of Claude Code.
func sessionStart(agent, matcher string, timeout int, want Want) string {
	if !want.Hooks {
		return ""
	}
	when := object{}
	if matcher != "" {
		when = append(when, member{"matcher", matcher})
	}
	when = append(when, member{"hooks", []any{object{{"type", "command"}, {"command", hookLine(agent, want)}, {"timeout", timeout}}}})
	return document(object{{"hooks", object{{"SessionStart", []any{when}}}}})
}

const version = "1.0.0" // of what is written here, not of the program

const about = "Your memory, kept by ken"

// claude has a directory of its own for what others add.
func claude(dir string, want Want) []File {
	own := filepath.Join(dir, "skills", "ken")
	server := object{{"type", "stdio"}, {"command", want.Command}, {"args", args("claude", want)}, {"alwaysLoad", true}}
	plugin := object{{"name", "ken"}, {"version", version}, {"description", about}}
	hooks := sessionStart("claude", "startup|clear|compact", 5, want)
	return []File{
		{Path: filepath.Join(own, ".claude-plugin", "plugin.json"), within: own, own: document(plugin)},
		{Path: filepath.Join(own, "hooks", "hooks.json"), within: own, own: hooks},
		{Path: filepath.Join(own, ".mcp.json"), within: own, own: document(object{{"mcpServers", object{{"ken", server}}}})},
	}
}

// gemini has a directory of its own for what others add.
func gemini(dir string, want Want) []File {
	own := filepath.Join(dir, "extensions", "ken")
	servers := object{{"ken", object{{"command", want.Command}, {"args", args("gemini", want)}}}}
	extension := object{{"name", "ken"}, {"version", version}, {"mcpServers", servers}}
	return []File{
		{Path: filepath.Join(own, "hooks", "hooks.json"), within: own, own: sessionStart("gemini", "", 5000, want)},
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
	hook := ""
	if want.Hooks {
		hook = document(object{{"version", 1}, {"hooks", object{{"sessionStart", []any{
			object{{"type", "command"}, {"bash", hookLine("copilot", want)}, {"timeoutSec", 5}},
		}}}}})
	}
	server := object{{"type", "local"}, {"command", want.Command}, {"args", args("copilot", want)}, {"tools", []string{"*"}}}
	return []File{
		{Path: filepath.Join(dir, "hooks", "ken.json"), own: hook},
		{
			Path: filepath.Join(dir, "mcp-config.json"), Keys: []string{"mcpServers", "ken"}, Value: text(server),
			reader: jsonc.Reader{Comments: true},
		},
	}
}
