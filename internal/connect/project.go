package connect

import (
	"os"
	"path/filepath"

	"ken/internal/jsonc"
)

// InProject reports whether an assistant has settings in projects, which all who work on one share.
func (a Agent) InProject() bool { return a.inProject(Want{Project: string(filepath.Separator)}) != nil }

// inProject are the files of a project that hold what an assistant is to start. They have no hook and no leave: those are each person's.
// Nor do they say the name of the assistant, which says it itself, for some read the files of others.
func (a Agent) inProject(want Want) (files []File) {
	if want.Project == "" {
		return nil
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{want.Project}, parts...)...) }
	args := []string{mcpWord}
	server := object{{"command", want.Command}, {"args", args}}
	stdio := append(object{{"type", "stdio"}}, server...)
	full := jsonc.Reader{Comments: true, TrailingCommas: true}
	of := func(path string, o object, r jsonc.Reader, keys ...string) []File {
		return []File{{Path: path, Keys: append(keys, "ken"), Value: text(o), reader: r}}
	}
	tells := "AGENTS.md"
	switch a.Name {
	case "claude":
		if _, err := os.Lstat(at(a.tells)); err == nil {
			tells = a.tells // where there is this one it does not read the other
		}
		files = of(at(".mcp.json"), stdio, jsonc.Reader{}, "mcpServers")
	case "codex":
		table := append(server, member{"env_vars", codexHandsOn()})
		files = []File{{Path: at(".codex", "config.toml"), Keys: []string{"mcp_servers", "ken"}, table: table}}
	case "copilot":
		local := append(append(object{{"type", "local"}}, server...), member{"tools", []string{"*"}})
		files = of(at(".github", "mcp.json"), local, jsonc.Reader{Comments: true}, "mcpServers")
	case "crush":
		files = of(at("crush.json"), stdio, jsonc.Reader{}, "mcp")
	case "cursor":
		files = of(at(".cursor", "mcp.json"), server, jsonc.Reader{}, "mcpServers")
	case "gemini":
		tells = a.tells
		files = of(at(".gemini", "settings.json"), server, jsonc.Reader{Comments: true}, "mcpServers")
	case "opencode":
		path := at("opencode.jsonc")
		if _, err := os.Lstat(path); err != nil {
			path = at("opencode.json")
		}
		local := object{{"type", "local"}, {"command", append([]string{want.Command}, args...)}, {"enabled", true}}
		files = of(path, local, full, "mcp")
	case "qwen":
		files = of(at(".qwen", "settings.json"), server, jsonc.Reader{Comments: true}, "mcpServers")
	case "vscode":
		files = of(at(".vscode", "mcp.json"), stdio, full, "servers")
	case "zed":
		files = of(at(".zed", "settings.json"), append(server, member{"env", object{}}), full, "context_servers")
	default:
		return nil
	}
	if a.tells == "" {
		return files
	}
	return append(files, File{Path: at(tells), lines: true, told: want.Lines})
}
