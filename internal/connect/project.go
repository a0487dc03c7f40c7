package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/jsonc"
	"ken/internal/regular"
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
	if a.tells != "" {
		files = append(files, File{Path: at(tells), lines: true, told: want.Lines})
	}
	for i := range files {
		files[i].top = want.Project
	}
	return files
}

// errOut says that a file of a project is none: others write there, and a link of theirs is no word of the person.
var errOut = errors.New("a link that leads out of the project") //nolint:gochecknoglobals // a value to compare with

// inside returns errOut if a path that has no link at its end leads out of a directory over links on the way.
func inside(top, path string) error {
	top, err := filepath.EvalSymlinks(top)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // and so there is no link in it
	case err != nil:
		return regular.Cause(err)
	}
	dir := filepath.Dir(path)
	real, err := filepath.EvalSymlinks(dir)
	for errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) { // what is to be made is made below what is there
		if _, err := os.Lstat(dir); err == nil {
			return errOut // a link to what is not there
		}
		dir = filepath.Dir(dir)
		real, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return regular.Cause(err)
	}
	if rel, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(rel) {
		return errOut
	}
	return nil
}
