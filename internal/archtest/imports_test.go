package archtest

import (
	"slices"
	"strings"
)

// A home says which packages may import something that reaches outside the
// process or that makes programs hard to test. Tests may import what they like.
type home struct {
	paths  []string // import paths; "x/..." stands for all below x as well
	homes  []string // short package names; none: nobody
	suites bool     // packages made for tests may too
	why    string
}

func homes() []home {
	return []home{
		{[]string{"os/exec"}, []string{
			"place", "pty", "pty/keep", "pty/pair", "tool", "tool/mcp", "tool/sandbox", "cli/term",
		}, true, "few packages start programs"},
		{[]string{"net/http/..."}, []string{
			"llm", "llm/llmtest", "llm/discover", "endpoint", "httpapi", "web", "mcpserver", "telegram", "telegram/telegramtest", "tool", "tool/mcp",
			"tool/mcp/mcptest",
			"tool/mcp/oauth", "memory/natslog",
		}, false, "the network is spoken by the model client and the faces"},
		{[]string{"testing/..."}, nil, true, "programs do not contain tests"},
		{[]string{"log"}, nil, false, "errors are returned, not logged"},
		{[]string{"log/slog"}, []string{"acp", "cli", "httpapi", "llm/llmtest", "tool/mcp/oauth"}, false, "errors are returned, not logged"},
		{[]string{"github.com/spf13/cobra/...", "github.com/spf13/pflag"}, []string{
			"cli", "cli/chat", "cli/help", "cli/memory", "cli/pipe",
			"cli/learn", "cli/review", "cli/run",
			"cli/search", "cli/serve", "cli/setup", "cli/shellinit", "cli/skills",
		}, false, "the command line is known to the packages of commands only"},
		{[]string{"github.com/pelletier/go-toml/v2/..."}, []string{"config", "config/edit", "expected", "lifecycle"}, false, "one parser a format"},
		{[]string{"github.com/creack/pty"}, []string{"pty/pair"}, false, "one package opens terminals"},
		{[]string{"unsafe"}, []string{"tool/sandbox"}, false, "not used in this tree, but for a filter of system calls"},
		{[]string{"C", "plugin", "expvar", "math/rand", "io/ioutil"}, nil, false, "not used in this tree"},
	}
}

func (h home) covers(imported string) bool {
	for _, p := range h.paths {
		below, all := strings.CutSuffix(p, "/...")
		if imported == below || all && strings.HasPrefix(imported, below+"/") {
			return true
		}
	}
	return false
}

func (h home) admits(pkg string) bool {
	return slices.Contains(h.homes, pkg) || h.suites && isSuite(pkg) || isOutside(pkg)
}

func importGates() []gate {
	return []gate{{
		name:  "homes of imports",
		check: checkHomes,
		bad: []badTree{
			{map[string]string{"internal/memory/a.go": "package memory\nimport _ \"os/exec\"\n"}, "memory imports os/exec"},
			{map[string]string{"internal/agent/a.go": "package agent\nimport _ \"net/http/httptest\"\n"}, "agent imports net/http/httptest"},
			{map[string]string{"internal/cli/a.go": "package cli\nimport _ \"testing\"\n"}, "cli imports testing"},
			{map[string]string{"internal/cli/a.go": "package cli\nimport _ \"log\"\n"}, "returned, not logged"},
			{map[string]string{"internal/agent/a.go": "package agent\nimport _ \"log/slog\"\n"}, "returned, not logged"},
			{map[string]string{"internal/repl/a.go": "package repl\nimport _ \"github.com/spf13/cobra\"\n"}, "packages of commands only"},
			{map[string]string{"internal/cli/term/a.go": "package app\nimport _ \"github.com/spf13/cobra\"\n"}, "packages of commands only"},
			{map[string]string{"internal/cli/chat/a.go": "package chat\nimport _ \"os/exec\"\n"}, "cli/chat imports os/exec"},
			{map[string]string{"internal/session/a.go": "package session\nimport _ \"github.com/pelletier/go-toml/v2\"\n"}, "one parser a format"},
			{map[string]string{"internal/pty/a.go": "package pty\nimport _ \"github.com/creack/pty\"\n"}, "one package opens"},
			{map[string]string{"internal/index/a.go": "package index\nimport _ \"unsafe\"\n"}, "not used in this tree"},
		},
		good: map[string]string{
			"internal/place/a.go":           "package place\nimport _ \"os/exec\"\n",
			"internal/cli/term/a.go":        "package app\nimport _ \"os/exec\"\n",
			"internal/cli/memory/a.go":      "package memory\nimport _ \"github.com/spf13/cobra\"\n",
			"internal/llm/a.go":             "package llm\nimport _ \"net/http/httptrace\"\n",
			"internal/memory/a_test.go":     "package memory\nimport _ \"os/exec\"\nimport _ \"testing\"\n",
			"internal/memory/logtest/a.go":  "package logtest\nimport _ \"testing\"\n",
			"internal/jsonl/jsonltest/a.go": "package jsonltest\nimport _ \"os/exec\"\n",
			"bench/a.go":                    "package main\nimport _ \"os/exec\"\n",
		},
	}}
}

func checkHomes(tr *tree) []string {
	var out []string
	for f := range tr.code {
		for spec, imported := range f.imports {
			for _, h := range homes() {
				if h.covers(imported) && !h.admits(short(f.dir)) {
					out = append(out, tr.at(spec.Pos(), "%s imports %s: %s", short(f.dir), imported, h.why))
				}
			}
		}
	}
	return out
}
