package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// floors is the plan of the house: a package imports only packages of floors
// below its own. This table is policy. It is not edited to make a build pass: if
// a change wants data to run back up the floors, the change is wrong.
func floors() [][]string {
	return [][]string{
		0: {
			"ask",
			"assistant",
			"color",
			"config",
			"config/edit",
			"dates",
			"dates/said",
			"escape",
			"fault",
			"frame",
			"ignore",
			"inhand",
			"jsonc",
			"jsonl",
			"jsonl/jsonltest",
			"llm",
			"llm/catalog",
			"llm/delta",
			"llm/discover",
			"llm/wire",
			"place",
			"pty",
			"pty/filter",
			"pty/inherit",
			"pty/keep",
			"pty/pair",
			"redact",
			"redact/command",
			"redact/expect",
			"redact/literals",
			"redact/chars",
			"redact/naming",
			"redact/packed",
			"regular",
			"risk",
			"risk/programs",
			"conflict",
			"stdin",
			"termsafe",
			"tokens",
			"text",
			"verbs",
		},
		1: {
			"connect",
			"attach",
			"audit",
			"draft",
			"embed",
			"llm/llmtest",
			"markdown",
			"memory",
			"proctest",
			"prompts",
			"secret",
			"session",
			"session/outputs",
			"tool/edit",
			"tool/environ",
			"tool/mcp/oauth",  // who signs in, and what that gave: it knows of no servers
			"tool/mcp/schema", // names and schemas: pure text, which a set of tools may need without any server
			"tool/swap",
			"ttytest",
			"typed",
			"wrap",
		},
		2: {
			"embed/vectors",
			"foreign",
			"app/keys",
			"index",
			"session/acts",
			"session/feedback",
			"memory/asof",
			"memory/tombstone",
			"memory/filelog",
			"memory/logtest",
			"memory/natslog",
			"rules",
			"teach",
			"trust",
			"undo",
			"usage",
			"view",
			"view/toolserver",
			"view/viewtest",
			"working",
			"working/digest",
		},
		3: {
			"distill",
			"index/indextest",
			"index/segment",
			"lifecycle",
			"recall",
			"review",
			"scan",
			"tool/sandbox", // what holds a command: it knows nothing of lines, lanes or settings
			"view/account",
			"view/erase",
			"view/history",
			"view/model",
			"view/rules",
		},
		4: {
			"engine",
			"gate",
			"models",
			"skill",
			"synth",
			"tool/mcp", // servers of tools: it judges and asks nothing, so it stands below the set of tools that calls it
			"tool/mcp/mcptest",
			"tool/files",
			"tool/lane",
			"tool/rehearsal",
			"trace",
			"view/ageing",
			"view/expected",
		},
		5: {
			"app",
			"friction",
			"app/embeddings",
			"app/logs",
			"app/policies",
			"retrospect",
			"index/live",
			"runner",
			"scrub",
			"tool",
			"view/port",
			"view/prompts",
			"view/queue",
			"view/safety",
			"view/skills",
			"view/why",
		},
		6: {
			"agent",
			"app/owner",
			"agent/auto",
			"agent/host",
			"agent/loop",
			"agent/talk",
			"agent/turn",
			"doctor",
			"expected",
			"importing",
			"pick",
			"replay",
			"settings",
			"upkeep",
			"upkeep/evolve",
			"view/retrospect",
			"upkeep/extract",
			"upkeep/judge",
			"upkeep/synthesis",
			"upkeep/page",
			"upkeep/ruling",
		},
		7: {
			"endpoint",
			"acp",
			"hook",
			"httpapi",
			"mcpserver",
			"repl",
			"repl/choose",
			"repl/clipboard",
			"repl/edit",
			"telegram",
			"telegram/telegramtest",
			"web",
			"web/hall",
		},
		8: {
			"cli/term",
		},
		9: {
			"cli/auto",
			"cli/help",
			"cli/question",
			"cli/retrospect",
			"cli/retrospect/guide",
			"cli/review",
			"cli/run",
			"cli/rules",
			"cli/skills",
			"cli/which",
		},
		10: {
			"cli/chat",
			"cli/memory",
			"cli/pipe",
			"cli/search",
			"cli/serve",
			"cli/shellinit",
		},
		11: {
			"cli",
			"cli/setup",
		},
		12: {
			"cli/clitest",
			"cli/scripttest",
			"cli/shelltest",
			"cmd/ken",
		},
	}
}

// isOutside reports whether a package looks at the whole house and is in no
// program: it may import and do anything, and no program may import it.
func isOutside(pkg string) bool {
	return pkg == "archtest" || pkg == "battery" || strings.HasPrefix(pkg, "battery/") || pkg == "bench" || strings.HasPrefix(pkg, "bench/")
}

// sameFloor lists the imports inside one floor that are right: a package may
// import the rooms below its own directory that it was split into, a fault layer
// what it breaks, the assembler of a stream what reads its bytes, the rooms of
// one noun the one room that has their words, what opens a memory what it opens, what
// asks a memory or runs a line the memory and the lane, what carries over from one
// conversation to the next the conversation, a turn the conversation and what is due
// behind it, what answers in shapes the shapes, and whatever opens a file on the ground
// the one way to open it.
func sameFloor(from, to string) bool {
	return to == "regular" || to == "escape" || strings.HasPrefix(to, from+"/") && !isSuite(to) ||
		from == "agent/turn" && (to == "agent" || to == "agent/auto" || to == "agent/loop" || to == "upkeep") ||
		from == "agent/talk" && (strings.HasPrefix(to, "agent") || to == "upkeep") || // it is what holds a dialog
		from == "undo" && to == "session/acts" || // the lines of a session about acts have one home
		from == "session/feedback" && to == "session/acts" || // what became of an act is in its own lines
		from == "cli/auto" && to == "cli/run" || // it shows what it halts at as the other cards
		from == "httpapi" && (to == "mcpserver" || to == "endpoint" || to == "web") || // it carries the other faces: /mcp, /v1, the page
		from == "app" && (to == "scrub" || to == "index/live" || strings.HasPrefix(to, "view/")) ||
		from == "view/port" && to == "view/why" ||
		from == "runner" && to == "app" ||
		from == "jsonl/jsonltest" && to == "jsonl" ||
		from == "llm/delta" && to == "llm/wire" ||
		strings.HasPrefix(from, "redact/") && (to == "redact/chars" || to == "redact/packed") ||
		strings.HasPrefix(from, "risk/programs/") && to == "risk/programs/call"
}

// floorOf returns the floor of a package by its short name.
func floorOf(pkg string) (int, bool) {
	for n, names := range floors() {
		if slices.Contains(names, pkg) {
			return n, true
		}
	}
	return 0, false
}

func floorGates() []gate {
	return []gate{
		{
			name:  "floors",
			check: checkFloors,
			bad: []badTree{
				{map[string]string{"internal/memory/a.go": "package memory\nimport _ \"ken/internal/engine\"\n"}, "memory (floor 1) imports engine (floor 4)"},
				{map[string]string{"internal/memory/a.go": "package memory\nimport _ \"ken/internal/session\"\n"}, "memory (floor 1) imports session (floor 1)"},
				{map[string]string{"internal/memory/a_test.go": "package memory_test\nimport _ \"ken/internal/engine\"\n"}, "memory (floor 1) imports engine (floor 4)"},
				{map[string]string{"internal/agent/a.go": "package agent\nimport _ \"ken/internal/llm/llmtest\"\n"}, "made for tests"},
				{map[string]string{"internal/cli/chat/a.go": "package chat\nimport _ \"ken/internal/cli/memory\"\n"}, "cli/chat (floor 10) imports cli/memory (floor 10)"},
				{map[string]string{
					"internal/cli/term/a.go": "package term\nimport _ \"ken/internal/cli/chat\"\n",
				}, "cli/term (floor 8) imports cli/chat (floor 10)"},
				{map[string]string{"cmd/ken/main.go": "package main\nimport _ \"ken/internal/agent\"\n"}, "cmd/ken calls cli and nothing else"},
				{map[string]string{"internal/agent/a.go": "package agent\nimport _ \"ken/bench\"\n"}, "made for tests"},
				{map[string]string{"internal/agent/a.go": "package agent\nimport _ \"ken/internal/nowhere\"\n"}, "not in the table"},
			},
			good: map[string]string{
				"cmd/ken/main.go":                    "package main\nimport _ \"ken/internal/cli\"\n",
				"internal/engine/a.go":               "package engine\nimport _ \"ken/internal/memory/filelog\"\n",
				"internal/jsonl/jsonltest/a.go":      "package jsonltest\nimport _ \"ken/internal/jsonl\"\n",
				"internal/memory/filelog/a_test.go":  "package filelog\nimport _ \"ken/internal/memory/logtest\"\n",
				"internal/llm/a_test.go":             "package llm_test\nimport _ \"ken/internal/llm/llmtest\"\n",
				"bench/a.go":                         "package bench\nimport _ \"ken/internal/cli\"\n",
				"internal/memory/logtest/logtest.go": "package logtest\nimport _ \"ken/internal/memory\"\n",
			},
		},
		{
			name:  "packages known",
			check: checkPackagesKnown,
			bad: []badTree{
				{map[string]string{"internal/newthing/a.go": "package newthing\n"}, "internal/newthing: package is on no floor"},
				{map[string]string{"lib/a.go": "package lib\n"}, "lib: package is on no floor"},
			},
			good: map[string]string{"internal/jsonl/a.go": "package jsonl\n", "cmd/ken/main.go": "package main\n", "internal/archtest/doc.go": "package archtest\n", "bench/main.go": "package main\n"},
		},
	}
}

func checkFloors(tr *tree) []string {
	var out []string
	for _, f := range tr.files {
		for spec, imported := range f.imports {
			to, ours := strings.CutPrefix(imported, modulePath+"/")
			if !ours {
				continue
			}
			if why := floorBreach(short(f.dir), short(to), f.test); why != "" {
				out = append(out, tr.at(spec.Pos(), "%s", why))
			}
		}
	}
	return out
}

// floorBreach says why from may not import to, or "". A test may besides import
// the suites, whatever their floor, and what reads the papers.
func floorBreach(from, to string, test bool) string {
	if isOutside(from) || from == to {
		return ""
	}
	suite := isSuite(to) || isOutside(to)
	switch {
	case suite && test:
		return ""
	case suite && !isSuite(from):
		return fmt.Sprintf("%s imports %s, which is made for tests", from, to)
	case sameFloor(from, to):
		return ""
	}
	a, ok := floorOf(from)
	if !ok {
		return "" // told by "packages known"
	}
	b, ok := floorOf(to)
	switch {
	case !ok:
		return fmt.Sprintf("%s imports %s, which is not in the table of floors", from, to)
	case b >= a:
		return fmt.Sprintf("%s (floor %d) imports %s (floor %d): only floors below", from, a, to, b)
	case from == "cmd/ken" && to != "cli":
		return "cmd/ken calls cli and nothing else"
	}
	return ""
}

func checkPackagesKnown(tr *tree) []string {
	var out []string
	for _, files := range tr.packages() {
		dir := files[0].dir
		placed := strings.HasPrefix(dir, "internal/") || dir == "cmd/ken" || dir == "bench" || strings.HasPrefix(dir, "bench/")
		_, onFloor := floorOf(short(dir))
		if !placed || !onFloor && !isOutside(short(dir)) {
			out = append(out, dir+": package is on no floor; the table in floors_test.go is the plan of the house")
		}
	}
	return out
}
