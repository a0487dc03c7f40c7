package connect

import (
	"path/filepath"
	"runtime"

	"ken/internal/jsonc"
)

// What is here is written as the documentation of its program says. Nobody has seen the program read it.

// config is where programs keep their settings.
func config(p Place) string {
	if dir := p.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(p.Home, ".config")
}

// apps is where programs with windows keep theirs.
func apps(p Place) string {
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		if dir := p.Getenv("APPDATA"); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(p.Home, "AppData", "Roaming")
	}
	return config(p)
}

// mcpServers is a file of servers in the form that most have.
func mcpServers(agent, name string) func(dir string, want Want) []File {
	return func(dir string, want Want) []File {
		server := object{{"command", want.Command}, {"args", args(agent, want)}}
		return []File{{Path: filepath.Join(dir, name), Keys: []string{"mcpServers", "ken"}, Value: text(server)}}
	}
}

func crush(dir string, want Want) []File {
	server := object{{"type", "stdio"}, {"command", want.Command}, {"args", args("crush", want)}}
	return []File{{Path: filepath.Join(dir, "crush.json"), Keys: []string{"mcp", "ken"}, Value: text(server)}}
}

func vscode(dir string, want Want) []File {
	server := object{{"type", "stdio"}, {"command", want.Command}, {"args", args("vscode", want)}}
	return []File{{
		Path: filepath.Join(dir, "mcp.json"), Keys: []string{"servers", "ken"}, Value: text(server),
		reader: jsonc.Reader{Comments: true, TrailingCommas: true},
	}}
}

// zed has ken twice: its own agent the memory, and the person ken as an agent.
func zed(dir string, want Want) []File {
	server := object{{"command", want.Command}, {"args", args("zed", want)}, {"env", object{}}}
	agent := object{{"type", "custom"}, {"command", want.Command}, {"args", []string{acpWord}}, {"env", object{}}}
	return []File{{
		Path: filepath.Join(dir, "settings.json"), Keys: []string{"context_servers", "ken"}, Value: text(server),
		also:   []entry{{[]string{"agent_servers", "ken"}, text(agent), acpWord}},
		reader: jsonc.Reader{Comments: true, TrailingCommas: true},
	}}
}

func jetbrains(dir string, want Want) []File {
	agent := object{{"command", want.Command}, {"args", []string{acpWord}}, {"env", object{}}}
	return []File{{Path: filepath.Join(dir, "acp.json"), Keys: []string{"agent_servers", "ken"}, Value: text(agent), word: acpWord}}
}

// A Guide is what a person puts into settings that are a program, where nothing can be put for them.
type Guide struct{ Name, Title, Text string }

// Guides are those for editors that have ken as an agent, with the program that they are to start.
func Guides(command string) []Guide {
	quoted := text(command)
	return []Guide{
		{"emacs", "Emacs", `;; with agent-shell
(with-eval-after-load 'agent-shell
  (add-to-list 'agent-shell-agent-configs
    (agent-shell-make-agent-config
      :identifier 'ken :mode-line-name "ken" :buffer-name "ken" :shell-prompt "ken> " :shell-prompt-regexp "ken> "
      :client-maker (lambda (buffer)
        (acp-make-client :command ` + quoted + ` :command-params '("acp") :context-buffer buffer)))))
`},
		{"neovim", "Neovim", `-- with codecompanion.nvim
require("codecompanion").setup({
  adapters = { acp = { ken = function()
    return { name = "ken", type = "acp", commands = { default = { ` + quoted + `, "acp" } } }
  end } },
})
`},
	}
}
