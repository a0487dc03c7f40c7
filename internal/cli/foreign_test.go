//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// A legacy is what another program leaves behind, file by file; @@ stands for a secret.
type legacy struct {
	name  string
	files map[string]string
	// remembers are the texts that are suggested, by their kinds; said is what is found
	// in sessions afterwards; never is in neither.
	remembers map[string]string
	said      []string
	never     []string
}

// legacies are those of docs/import.md, as their programs write them.
func legacies() []legacy {
	return []legacy{
		{
			name: "keys and values by scope",
			files: map[string]string{
				"cwd.json":  `[{"key":"editor","value":"vim","ts":1715600000.25,"scope":"cwd","profile":"work","kind":"preference"},{"key":"api","value":"the token is @@","ts":1715600001,"scope":"cwd","profile":null,"kind":"fact"}]`,
				"user.json": `{"indent":{"value":"tabs","ts":1715600000,"kind":"preference"}}`,
			},
			remembers: map[string]string{"editor: vim": "pref", "indent: tabs": "pref"},
		},
		{
			name: "typed objects",
			files: map[string]string{"memory.json": `[{"id":"a1","type":"decision","title":"Use Postgres","content":"for the index","tags":["db"],"tier":"archive","last_used_at":"2026-01-02T00:00:00Z"},
{"id":"b2","type":"decision","title":"Use SQLite","content":"one file","supersedes":"a1","tier":"hot"},
{"id":"c3","type":"gotcha","title":"Login","content":"password: @@","tier":"hot"}]`},
			remembers: map[string]string{"Use SQLite: one file": "decision", "Use Postgres: for the index": "decision"},
		},
		{
			name: "the reference MCP server",
			files: map[string]string{"memory.jsonl": `{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea","her key is @@"]}
{"type":"entity","name":"Acme","entityType":"company","observations":["sells kettles"]}
{"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"}
`},
			remembers: map[string]string{"Ada: likes tea": "fact", "Ada works_at Acme": "fact"},
		},
		{
			name: "CLAUDE.md and AGENTS.md",
			files: map[string]string{
				"CLAUDE.md":     "# Shop\n\n@docs/style.md\n@~/.claude/mine.md\n\n- Always run `make check` before you commit\n- The staging token is @@\n\n<private>\n- nothing of this\n</private>\n",
				"AGENTS.md":     "# Agents\n\n## Testing\n\n1. Run the tests with `go test ./...`\n2. Never push to main\n",
				"docs/style.md": "- Indent with tabs\n",
			},
			remembers: map[string]string{"Always run `make check` before you commit": "convention", "Never push to main": "convention"},
			never:     []string{"nothing of this", "mine.md"},
		},
		{
			name: "notes of Claude Code",
			files: map[string]string{
				".claude/projects/-srv-kettle/memory/MEMORY.md":  "- [Boiling](boiling.md) — at what height\n- The staging host is kettle-2, token @@\n",
				".claude/projects/-srv-kettle/memory/boiling.md": "---\nname: boiling\ndescription: at what height\ntype: project\n---\nThe kettle boils at sea level.\n",
			},
			remembers: map[string]string{"The kettle boils at sea level.": "context"},
			never:     []string{"at what height"},
		},
		{
			name: "GEMINI.md and rules of Cursor",
			files: map[string]string{
				"GEMINI.md":               "## Gemini Added Memories\n- My favourite tea is sencha.\n- The deploy key is @@\n",
				".cursor/rules/style.mdc": "---\ndescription: style\nglobs: **/*.ts\nalwaysApply: true\n---\n- Prefer const over let\n",
				".cursorrules":            "Use strict types everywhere.\n",
			},
			remembers: map[string]string{"My favourite tea is sencha.": "fact", "Prefer const over let": "convention", "Use strict types everywhere.": "convention"},
			never:     []string{"alwaysApply"},
		},
		{
			name: "ChatGPT",
			files: map[string]string{"conversations.json": `[{"title":"Kettle","create_time":1715600000.5,"update_time":1715600009.5,"conversation_id":"c-1","id":"c-1","current_node":"n6","moderation_results":[],"mapping":{
"root":{"id":"root","message":null,"parent":null,"children":["s1"]},
"s1":{"id":"s1","message":{"id":"s1","author":{"role":"system","name":null,"metadata":{}},"create_time":null,"content":{"content_type":"text","parts":["a hidden order"]},"status":"finished_successfully","weight":0,"metadata":{"is_visually_hidden_from_conversation":true},"recipient":"all"},"parent":"root","children":["s2"]},
"s2":{"id":"s2","message":{"id":"s2","author":{"role":"user"},"content":{"content_type":"user_editable_context","user_profile":"a profile","user_instructions":"instructions"},"metadata":{"is_visually_hidden_from_conversation":true},"recipient":"all"},"parent":"s1","children":["n1","n1b"]},
"n1":{"id":"n1","message":{"id":"n1","author":{"role":"user"},"create_time":1715600001,"content":{"content_type":"text","parts":["how do I mend it"]},"recipient":"all"},"parent":"s2","children":["n2"]},
"n2":{"id":"n2","message":{"id":"n2","author":{"role":"assistant"},"create_time":1715600002,"content":{"content_type":"text","parts":["an answer to what was edited away"]},"recipient":"all"},"parent":"n1","children":[]},
"n1b":{"id":"n1b","message":{"id":"n1b","author":{"role":"user"},"create_time":1715600003,"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://x"},"how do I descale it, my key is @@"]},"recipient":"all"},"parent":"s2","children":["n3","n4"]},
"n3":{"id":"n3","message":{"id":"n3","author":{"role":"assistant"},"create_time":1715600004,"content":{"content_type":"text","parts":["a regenerated answer"]},"recipient":"all"},"parent":"n1b","children":[]},
"n4":{"id":"n4","message":{"id":"n4","author":{"role":"assistant"},"create_time":1715600005,"content":{"content_type":"code","language":"unknown","text":"search(vinegar)"},"recipient":"web"},"parent":"n1b","children":["n4t"]},
"n4t":{"id":"n4t","message":{"id":"n4t","author":{"role":"tool","name":"web"},"content":{"content_type":"tether_quote","text":"what a page said"},"recipient":"all"},"parent":"n4","children":["n5"]},
"n5":{"id":"n5","message":{"id":"n5","author":{"role":"assistant"},"create_time":1715600006,"content":{"content_type":"text","parts":["User prefers tea."]},"recipient":"bio"},"parent":"n4t","children":["n6"]},
"n6":{"id":"n6","message":{"id":"n6","author":{"role":"assistant"},"create_time":1715600007,"content":{"content_type":"text","parts":["with vinegar"]},"recipient":"all"},"parent":"n5","children":[]}}}]`},
			remembers: map[string]string{"User prefers tea.": "pref"},
			said:      []string{"descale", "vinegar"},
			never:     []string{"hidden order", "a profile", "edited away", "regenerated", "what a page said"},
		},
		{
			name: "Claude",
			files: map[string]string{
				"conversations.json": `[{"uuid":"u-1","name":"Boats","summary":"","created_at":"2026-01-01T00:00:00.000000Z","updated_at":"2026-01-01T00:00:00Z","account":{"uuid":"x"},"chat_messages":[
{"uuid":"m1","text":"which boat","content":[{"start_timestamp":null,"type":"text","text":"which boat for @@","citations":[]}],"sender":"human","created_at":"2026-01-01T00:00:00Z","attachments":[{"file_name":"a.txt","file_size":7,"file_type":"txt","extracted_content":"a sloop"}],"files":[]},
{"uuid":"m2","text":"","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a ketch"},{"type":"tool_use","name":"x","input":{}},{"type":"tool_result","content":[{"type":"text","text":"what a tool said"}]}],"sender":"assistant","created_at":"2026-01-01T00:00:01Z","attachments":[],"files":[]}]}]`,
				"projects.json": `[{"uuid":"p-1","name":"Shop","description":"sells kettles","prompt_template":"be brief","created_at":"2026-01-01T00:00:00Z","docs":[{"uuid":"d1","filename":"n.md","content":"the kettles are red","created_at":"2026-01-01T00:00:00Z"}]}]`,
				"memories.json": `[{"conversations_memory":"**Work context**\n\nAda builds kettles in Lisbon.","project_memories":{"p-1":"- Prefers Go"},"account_uuid":"x"}]`,
			},
			remembers: map[string]string{"Ada builds kettles in Lisbon.": "fact", "Prefers Go": "pref"},
			said:      []string{"sloop", "ketch", "kettles are red"},
			never:     []string{"what a tool said"},
		},
		{
			name: "transcripts",
			files: map[string]string{"standup.jsonl": `{"session":"standup","turn":1,"ts":"2026-05-10T19:00:00Z","speaker":"Ada","text":"the kettle is red, the key @@"}
{"session":"standup","turn":2,"ts":"2026-05-10T19:00:04Z","speaker":"Bob","text":"then paint it"}
`},
			said: []string{"kettle is red", "paint it"},
		},
		{
			name: "logs of agents",
			files: map[string]string{
				"projects/x/code.jsonl":             `{"type":"user","message":{"role":"user","content":"descale it, key @@"},"uuid":"u1","parentUuid":null,"isSidechain":false,"timestamp":"2026-01-01T00:00:00Z","sessionId":"s1","cwd":"/srv/kettle"}` + "\n",
				"sessions/rollout-2026-01-01.jsonl": `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"c9","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv/kettle"}}` + "\n" + `{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"boil it"}]}}` + "\n",
				"memories/codex.md":                 "- The tests need Docker\n",
				"chats/session-1.json":              `{"sessionId":"g1","projectHash":"h","messages":[{"id":"a","type":"user","content":"hello kettle"},{"id":"b","type":"gemini","content":"hi"}]}`,
			},
			remembers: map[string]string{"The tests need Docker": "fact"},
			said:      []string{"descale", "boil", "hello kettle"},
		},
		{
			name:      "mem0",
			files:     map[string]string{"memories.json": `{"results":[{"id":"892db2ae","memory":"Loves sci-fi films","hash":"5f82","metadata":{"category":"films"},"categories":["films"],"score":null,"created_at":"2026-02-27T16:33:20.557Z","updated_at":null,"user_id":"ada"},{"id":"7c","memory":"Her key is @@","hash":"x","created_at":"2026-02-27T16:33:21Z","user_id":"ada"}]}`},
			remembers: map[string]string{"Loves sci-fi films": "fact"},
		},
		{
			name: "Engram",
			files: map[string]string{"export.json": `{"version":"0.1.0","exported_at":"2026-05-13 10:00:00","sessions":[{"id":"s-1","project":"shop","directory":"/srv/shop","started_at":"2026-05-13 09:00:00"}],"observations":[
{"id":1,"session_id":"s-1","type":"decision","title":"Use SQLite","content":"one file","project":"shop","scope":"project","topic_key":"db/choice"},
{"id":2,"session_id":"s-1","type":"bugfix","title":"Token","content":"it was @@","project":"shop","scope":"project"}],"prompts":[{"id":1,"session_id":"s-1","content":"choose a db","project":"shop"}]}`},
			remembers: map[string]string{"Use SQLite: one file": "decision"},
			never:     []string{"choose a db"},
		},
		{
			name: "OpenClaw",
			files: map[string]string{
				"MEMORY.md":            "# Long-term memory\n\n## Preferences\n- Prefers tea over coffee\n\n## Hosts\n- The token of kettle-2 is @@\n",
				"USER.md":              "# About your human\n\n- **Name:** Ada\n- **Timezone:** Europe/Lisbon\n",
				"memory/2026-05-13.md": "# 2026-05-13\n\n## 09:30 Deploy\n- The staging host moved to kettle-2\n",
			},
			remembers: map[string]string{"Prefers tea over coffee": "pref", "Name: Ada": "fact", "The staging host moved to kettle-2": "fact"},
		},
		{
			name: "Hermes",
			files: map[string]string{
				"MEMORY.md": "This machine runs Ubuntu, its token is @@\n§\nUser prefers concise responses\n",
				"USER.md":   "Ada, Lisbon, works on kettles\n§\nDislikes emojis\n",
			},
			remembers: map[string]string{"User prefers concise responses": "pref", "Ada, Lisbon, works on kettles": "fact", "Dislikes emojis": "fact"},
		},
		{
			name:      "what an assistant printed",
			files:     map[string]string{"memories.txt": "```\n[2025-03-01] - Ada lives in Lisbon\n[unknown] - Prefers short answers\n[2025-04-01] - Her key is @@\n```\n"},
			remembers: map[string]string{"Ada lives in Lisbon": "fact", "Prefers short answers": "pref"},
		},
	}
}

// R123, R124, R127: what other programs keep comes in as suggestions of the origin import
// and as sessions, never as memory; a second time adds nothing; no secret is in any byte;
// a file that is cut off costs what is cut.
//
//ken:indexed
func TestR127Legacies(t *testing.T) {
	t.Parallel()
	all := legacies()
	if len(all) != 15 {
		t.Errorf("docs/import.md speaks of 15 programs, here are %d", len(all))
	}
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			secret := "ghp" + "_" + "q7Zk2mN4xV8bR1tY6wL3pD9sF5hJ0cG2aE7" + string(rune('a'+i))
			for name, text := range s.files {
				path := filepath.Join(dir, "old", name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				clitest.Write(t, path, strings.ReplaceAll(text, "@@", secret))
			}
			ken := kenIn(t, dir)
			var did struct{ Added, Changed, Proposed, Known, LeftOut int }
			if out, errs, code := ken("import", "--json", "old"); code != 0 || json.Unmarshal(out, &did) != nil || did.Proposed+did.Added == 0 {
				t.Fatalf("import: exit %d, %s%s", code, out, errs)
			}
			s.suggested(t, ken)
			s.searched(t, ken)
			if out, _, _ := ken("memory", "list", "--json"); strings.TrimSpace(string(out)) != "[]" {
				t.Errorf("something is memory already: %s", out)
			}
			kept := everyByte(t, filepath.Join(dir, "ken"))
			for _, text := range append(s.never, secret) {
				if strings.Contains(kept, text) {
					t.Errorf("%q was kept", text)
				}
			}
			if !strings.Contains(kept, "[masked:") {
				t.Error("nothing was masked")
			}
			if out, errs, code := ken("import", "--json", "old"); code != 0 || json.Unmarshal(out, &did) != nil || did.Proposed+did.Added+did.Changed != 0 {
				t.Errorf("again: exit %d, %s%s", code, out, errs)
			}
			s.cutOff(t, secret)
		})
	}
}

// kenIn returns what runs ken with its home below dir.
func kenIn(t *testing.T, dir string) func(args ...string) (out, errs []byte, code int) {
	return func(args ...string) ([]byte, []byte, int) {
		t.Helper()
		cmd := clitest.Command(t, dir, nil, args...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			if exit := new(exec.ExitError); !errors.As(err, &exit) {
				t.Fatal(err)
			}
		}
		return out.Bytes(), errs.Bytes(), cmd.ProcessState.ExitCode()
	}
}

// suggested looks for what the program remembers in the review.
func (s legacy) suggested(t *testing.T, ken func(...string) ([]byte, []byte, int)) {
	t.Helper()
	out, _, _ := ken("review", "--json")
	var waits []struct{ Kind, Content, Origin string }
	if err := json.Unmarshal(out, &waits); err != nil {
		t.Fatalf("review: %v: %s", err, out)
	}
	kinds := map[string]string{}
	for _, w := range waits {
		kinds[w.Content] = w.Kind
		if w.Origin != "import" {
			t.Errorf("%q is of the origin %s", w.Content, w.Origin)
		}
	}
	for text, kind := range s.remembers {
		if got := kinds[text]; got != kind {
			t.Errorf("%q is suggested as %q, want %s; there are %v", text, got, kind, kinds)
		}
	}
}

// searched looks for what was said in the sessions.
func (s legacy) searched(t *testing.T, ken func(...string) ([]byte, []byte, int)) {
	t.Helper()
	for _, text := range s.said {
		if out, _, _ := ken("sessions", "search", "--json", text); !strings.Contains(string(out), text) {
			t.Errorf("%q is not found: %s", text, out)
		}
	}
}

// cutOff imports it all again elsewhere, each of its files cut in the middle of what it
// says: what was whole before the cut comes in, the rest is told, nothing is invented.
func (s legacy) cutOff(t *testing.T, secret string) {
	t.Helper()
	dir := t.TempDir()
	ken := kenIn(t, dir)
	for name, text := range s.files {
		text = strings.ReplaceAll(text, "@@", secret)
		path := filepath.Join(dir, filepath.Base(name))
		clitest.Write(t, path, text[:len(text)*2/3])
		_, errs, code := ken("import", path)
		if code > 2 || strings.Contains(string(errs), "panic") {
			t.Errorf("%s, cut off: exit %d: %s", name, code, errs)
		}
		if json := strings.HasSuffix(name, ".json"); json && (code == 0 || !strings.Contains(string(errs), "line ") && !strings.Contains(string(errs), "not clear")) {
			t.Errorf("%s is cut off, and nothing tells it: %s", name, errs)
		}
	}
	if out, _, _ := ken("memory", "list", "--json"); strings.TrimSpace(string(out)) != "[]" {
		t.Errorf("cut off, something is memory already: %s", out)
	}
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil { // where nothing could be read
		t.Fatal(err)
	}
	if strings.Contains(everyByte(t, filepath.Join(dir, "ken")), secret[:len(secret)-2]) {
		t.Error("the secret was kept from a file that is cut off")
	}
}
