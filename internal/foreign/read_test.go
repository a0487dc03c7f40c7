package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/session"
)

// here are the options of the tests: "cwd" is dir:~/here.
func here(file string) Options {
	return Options{
		Scope: "dir:~/here", File: file,
		Mask: func(s string) string { return strings.ReplaceAll(s, "SECRET", "[masked]") },
		Dir:  func(dir string) string { return "dir:" + dir },
	}
}

// show writes what a file holds, a line each: candidates as "kind origin scope
// key tags tier: text", turns as "session n scope speaker role: text", what is left
// out as "! line: cause".
func show(t testing.TB, r io.Reader, f Format, o Options) string {
	t.Helper()
	var b strings.Builder
	for e, err := range Read(r, f, o) {
		var bad *LineError
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(&b, "! %v\n", bad)
		case err != nil:
			t.Fatalf("read: %v", err)
		}
		for _, c := range e.Candidates {
			r := c.Record
			words := []string{string(r.Kind), string(r.Origin), string(r.Scope), r.Key, strings.Join(r.Tags, ","), string(r.Details().Tier)}
			words = strings.Fields(strings.Join(words, " "))
			fmt.Fprintf(&b, "%s: %s\n", strings.Join(words, " "), r.Content)
		}
		for _, turn := range e.Turns {
			fmt.Fprintf(&b, "%s %s %s %s%s: %s\n", turn.Session, turn.Name, turn.Scope, turn.Speaker, turn.Role, turn.Text)
		}
	}
	return b.String()
}

// A sample is a file of another program and what it holds.
type sample struct {
	name, file string
	format     Format
	text, want string
}

func samples() []sample {
	return []sample{
		{
			"list of keys", "cwd.json", KeyValue, `[{"key":"editor","value":"vim","ts":1715600000,"scope":"cwd","profile":"p1","kind":"preference"},
{"key":"answers","value":"short answers without a summary","scope":"user","kind":"interaction_goal"},
{"key":"x"},
{"key":"n","value":7,"kind":"banana","scope":"elsewhere","tags":["a"]},
{"key":"site","value":"y","source":"https://example.org"}]`,
			`preference import dir:~/here editor profile:p1: editor: vim
interaction_goal import answers: short answers without a summary
! line 3: no text
fact import dir:~/here n banana,a,scope:elsewhere: n: 7
fact external dir:~/here site: site: y
`,
		},
		{
			"a log of ken", "memory.sync-conflict-20261121-0900.jsonl", Ken, `{"meta":{"format":1,"log":"laptop-7f3a"}}
{"id":1,"ts":"2026-05-13T19:01:00Z","kind":"fact","content":"one"}
{"id":2,"ts":"2026-05-13T19:02:00Z","kind":"pref","content":"two","key":"k","tags":["t"],"scope":"dir:/srv/x"}
{"id":3,"ts":"2026-05-13T19:03:00Z","kind":"forget","target":1}
` + strings.Repeat("<", 7) + ` HEAD
{"id":4,"ts":"2026-05-13T19:04:00Z","kind":"edit","target":2,"content":"two, in other words"}
{"id":5,"ts":"2026-05-13T19:05:00Z","kind":"fact","content":"read there","origin":"external","by":"user"}
{"id":6,"kind":"fact","content":"cut o`,
			`! line 5: the mark of a merge conflict
! line 8: not JSON: byte 38: the line ends too early
pref import dir:/srv/x k t: two, in other words
fact external: read there
`,
		},
		{"keys by name", "user.json", KeyValue, `{"indent":"tabs","width":{"value":100,"kind":"convention"},"nothing":null}`, `fact import indent: indent: tabs
convention import width: width: 100
! line 1: no text
`},
		{"keys in a list of an object", "x.json", KeyValue, `{"version":1,"items":[{"key":"a","value":"b"}]}`, "fact import dir:~/here a: a: b\n"},
		{"keys by line", "x.jsonl", KeyValue, "{\"key\":\"a\",\"value\":\"b\"}\n{\"key\":\nplain\n{\"key\":\"c\",\"value\":[1, 2],\"scope\":\"/srv/x\"}\n", `fact import dir:~/here a: a: b
! line 2: not JSON: byte 7: the line ends too early
! line 3: not JSON here
fact import dir:/srv/x c: c: [1,2]
`},
		{
			"objects", "o.json", Objects, `[{"id":"b2","type":"decision","title":"Use SQLite","content":"one file","tags":["db"],"supersedes":"a1","tier":"hot"},
{"id":"a1","type":"decision","title":"Use Postgres","content":"for the index","tier":"archive","last_used_at":"2026-01-02T00:00:00Z"},
{"type":"source","content":"the page says so"},{"type":"gotcha","title":"CGO"},{"type":"workflow"},{"content":"c","supersedes":["gone"]}]`,
			`! line 3: no text
decision import dir:~/here was-f7c54250 archive: Use Postgres: for the index
source external dir:~/here: the page says so
gotcha import dir:~/here: CGO
fact import dir:~/here: c
decision import dir:~/here was-f7c54250 db: Use SQLite: one file
`,
		},
		{"objects by id", "o.json", Objects, `{"x1":{"type":"convention","title":"t","content":"tabs"},"x2":{"type":"context","content":"aish","supersedes":"x2"}}`, `convention import dir:~/here: t: tabs
context import dir:~/here: aish
`},
		{"a circle", "o.json", Objects, `[{"id":1,"content":"a","supersedes":"2"},{"id":2,"content":"b","supersedes":"1"}]`, `fact import dir:~/here: a
fact import dir:~/here: b
`},
		{"mem0", "memories.json", Objects, `{"results":[{"id":"892db2ae","memory":"Loves tea","hash":"5f82","metadata":{"a":1},"categories":["drinks"],"score":null,"created_at":"2026-02-27T16:33:20.557Z","user_id":"ada"},{"id":"x","memory":""}],"relations":[]}`, `! line 1, byte 177: no text
fact import dir:~/here drinks: Loves tea
`},
		{"engram", "export.json", Objects, `{"version":"0.1.0","exported_at":"2026-05-13 10:00:00","sessions":[{"id":"s-1","project":"shop","directory":"/srv/shop"}],"observations":[
{"id":1,"session_id":"s-1","type":"decision","title":"Use SQLite","content":"one file","project":"shop","scope":"project","topic_key":"db"},
{"id":2,"session_id":"s-1","type":"bugfix","title":"N+1","content":"the list","project":"shop","scope":"personal"},
{"id":3,"session_id":"s-1","type":"decision","title":"gone","content":"x","deleted_at":"2026-05-13 11:00:00"}],"prompts":[{"id":1,"session_id":"s-1","content":"choose a db"}]}`, `decision import dir:/srv/shop db project:shop: Use SQLite: one file
gotcha import project:shop: N+1: the list
`},
		{"entries of hermes", "MEMORY.md", MemoryMD, "Ada sells kettles\nin Lisbon\n§\nUser prefers short answers\n", `fact import dir:~/here: Ada sells kettles in Lisbon
pref import dir:~/here: User prefers short answers
`},
		{"what an assistant printed", "paste.txt", MemoryMD, "```\n[2025-03-01] - Ada lives in Lisbon\n[unknown] - Always answer in English\n```\n[see] - nothing\n", `fact import dir:~/here: Ada lives in Lisbon
convention import dir:~/here: Always answer in English
fact import dir:~/here: [see] - nothing
`},
		{"a graph by line", "memory.jsonl", ServerMemory, `{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea","Ada: in Lisbon"," ",{"content":"has a SECRET"}]}
{"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"}
{"type":"entity","na
{"type":"entity"}`, `fact import dir:~/here person: Ada: likes tea
fact import dir:~/here person: Ada: in Lisbon
fact import dir:~/here person: Ada: has a SECRET
fact import dir:~/here: Ada works_at Acme
! line 3: not JSON: byte 20: the line ends too early
! line 4: neither an entity with a name nor a relation from and to
`},
		{"a graph in one object", "memory.json", ServerMemory, `{"entities":[{"name":"Bob","entityType":"person","observations":["has a boat"]}, 7],"relations":[{"from":"Bob","to":"Ada","relationType":"knows"}]}`, `fact import dir:~/here person: Bob: has a boat
! line 1, byte 81: want an object, got 7
fact import dir:~/here: Bob knows Ada
`},
		{"a page", "CLAUDE.md", ClaudeMD, "# K\n\nAbout a kettle.\n\n## Build\n- Always run `make check`\n", `fact import dir:~/here: About a kettle.
convention import dir:~/here: Always run ` + "`make check`\n"},
		{"notes of an assistant", "feedback.md", MemoryMD, "---\nname: x\ntype: feedback\n---\nShort answers.\n\n- [Other](other.md) — hook\n", "pref import dir:~/here: Short answers.\n"},
		{
			"chatgpt", "conversations.json", ChatGPT, `[{"title":"Kettle","create_time":1715600000.5,"conversation_id":"c-1","current_node":"n5","mapping":{
"r":{"id":"r","message":null,"parent":null,"children":["n1"]},
"n1":{"message":{"id":"n1","author":{"role":"system"},"content":{"content_type":"text","parts":["sys"]}},"parent":"r","children":["n2"]},
"n2":{"message":{"id":"n2","author":{"role":"user"},"create_time":1715600001,"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer"},"descale? SECRET"]}},"parent":"n1","children":["n3","n4"]},
"n3":{"message":{"id":"n3","author":{"role":"assistant"},"content":{"content_type":"text","parts":["abandoned"]}},"parent":"n2","children":[]},
"n4":{"message":{"id":"n4","author":{"role":"assistant"},"recipient":"bio","content":{"content_type":"text","parts":["User prefers tea."]}},"parent":"n2","children":["n5"]},
"n5":{"message":{"id":"n5","author":{"role":"assistant"},"recipient":"all","content":{"content_type":"text","parts":["with vinegar"]}},"parent":"n4","children":[]}}},
{"oops":1}, {"content":"lives in Lisbon"}, {"title":"cut","mapping":{"a":`,
			`pref import dir:~/here: User prefers tea.
chatgpt-c-1 "n2" dir:~/here user: descale? [masked]
chatgpt-c-1 "n5" dir:~/here assistant: with vinegar
! line 8: no conversation
fact import dir:~/here: lives in Lisbon
! line 8: cut off: the file ends in the middle
`,
		},
		{
			"chatgpt without a current node, with a circle", "c.json", ChatGPT, `[{"id":"c2","mapping":{
"a":{"message":{"author":{"role":"user"},"create_time":1,"content":{"parts":["one"]}},"parent":"b","children":["b"]},
"b":{"message":{"author":{"role":"assistant"},"create_time":2,"content":{"parts":["two"]}},"parent":"a","children":["a"]},
"c":{"message":{"author":{"role":"assistant"},"create_time":3,"content":{"parts":["three"]}},"parent":"a","children":[]}}}]`,
			`chatgpt-c2 "b" dir:~/here assistant: two
chatgpt-c2 "a" dir:~/here user: one
chatgpt-c2 "c" dir:~/here assistant: three
`,
		},
		{
			"claude", "conversations.json", Claude, `[{"uuid":"u-1","name":"Boats","chat_messages":[
{"uuid":"m1","sender":"human","text":"which boat","content":[{"type":"text","text":"which boat"}],"attachments":[{"file_name":"a.txt","extracted_content":"a sloop"}]},
{"uuid":"m2","sender":"assistant","content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"a ketch"},{"type":"tool_use"}]},{"sender":"tool","text":"no"}]},
{"uuid":"p-1","name":"P","prompt_template":"be brief","docs":[{"uuid":"d1","filename":"n.md","content":"notes"}]},
{"conversations_memory":"**Work**\n\nAda builds kettles.","project_memories":{"p":"- uses Go"}},{"full_name":"Ada"}]`,
			`claude-u-1 "m1" dir:~/here user: which boat

a.txt
a sloop
claude-u-1 "m2" dir:~/here assistant: a ketch
claude-project-p-1 "instructions" dir:~/here user: be brief
claude-project-p-1 "d1" dir:~/here n.mduser: notes
fact import dir:~/here: Work
fact import dir:~/here: Ada builds kettles.
fact import dir:~/here: uses Go
! line 5: no conversation
`,
		},
		{"claude code", "x.jsonl", ClaudeCode, `{"type":"summary","summary":"s"}
{"type":"user","message":{"role":"user","content":"fix the kettle"},"uuid":"u1","timestamp":"2026-01-01T00:00:00Z","sessionId":"s1","cwd":"/k"}
{"type":"user","isMeta":true,"message":{"role":"user","content":"meta"},"sessionId":"s1"}
{"type":"user","message":{"role":"user","content":"<command-name>/x</command-name>"},"sessionId":"s1"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"done"},{"type":"tool_use","name":"Bash"}]},"sessionId":"s1","cwd":"/k"}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"out"}]},"sessionId":"s1"}
{"type":`, `claude-code-s1 "u1" dir:/k user: fix the kettle
claude-code-s1 5 dir:/k assistant: done
! line 7: not JSON: byte 8: the line ends too early
`},
		{"codex", "rollout-1.jsonl", Codex, `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"c9","timestamp":"2026-01-01T00:00:00Z","cwd":"/k"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}}
{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"boil it"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"boil it"}}
{"type":"response_item","payload":{"type":"reasoning"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"boiled"}]}}`, `codex-c9 3 dir:/k user: boil it
codex-c9 6 dir:/k assistant: boiled
`},
		{"codex, older", "rollout-2.jsonl", Codex, `{"id":"c8","timestamp":"2026-01-01T00:00:00Z"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"boil it"}]}`, "codex-c8 2 dir:~/here user: boil it\n"},
		{"gemini", "session-1.json", Gemini, `{"sessionId":"g1","projectHash":"h","messages":[{"id":"1a","type":"user","content":"hi"},{"id":"1b","type":"info","content":"x"},{"type":"gemini","content":[{"text":"ho"}]}]}`, `gemini-g1 "1a" dir:~/here user: hi
gemini-g1 3 dir:~/here assistant: ho
`},
		{"a log of gemini", "logs.json", Gemini, `[{"sessionId":"g2","messageId":0,"type":"user","message":"first"},{"sessionId":"g3","messageId":0,"type":"user","message":"other"}]`, `gemini-g2 "0" dir:~/here user: first
gemini-g3 "0" dir:~/here user: other
`},
		{"a checkpoint of gemini", "checkpoint-x.json", Gemini, `[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"ho"},{"functionCall":{}}]}]`, `gemini-checkpoint-x 1 dir:~/here user: hi
gemini-checkpoint-x 2 dir:~/here assistant: ho
`},
		{"turns", "t.jsonl", Turns, "{\"session\":\"s\",\"turn\":1,\"text\":\"x\"}\n\n{}\n", "s 1 dir:~/here user: x\n! line 3: no session\n"},
	}
}

// TestRead: what each format becomes; and the file is known for what it is.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, s := range samples() {
		if diff := cmp.Diff(s.want, show(t, strings.NewReader(s.text), s.format, here(s.file))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.name, diff)
		}
		if one := show(t, iotest.OneByteReader(strings.NewReader(s.text)), s.format, here(s.file)); one != s.want {
			t.Errorf("%s: read byte by byte it is\n%s", s.name, one)
		}
		if f, err := Guess(s.file, []byte(s.text)); err != nil || f != s.format && s.file != "feedback.md" {
			t.Errorf("%s: guessed %q, %v", s.name, f, err)
		}
	}
	broken := errors.New("broken")
	for _, f := range Formats() {
		var last error
		for _, err := range Read(iotest.ErrReader(broken), f, Options{}) {
			last = err
		}
		if !errors.Is(last, broken) {
			t.Errorf("%s of a reader that fails: %v", f, last)
		}
	}
}

// TestReadStops: a loop that is left is not gone on with.
func TestReadStops(t *testing.T) {
	t.Parallel()
	for _, s := range samples() {
		n := 0
		Read(strings.NewReader(s.text), s.format, here(s.file))(func(Entry, error) bool { n++; return false })
		if n != 1 {
			t.Errorf("%s: %d entries", s.name, n)
		}
	}
}

// TestGuess: what is nothing known is not guessed.
func TestGuess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, head string
		want       Format
		packed     bool
	}{
		{"x.zip", "7z\xbc\xaf", "", true},
		{"x.json.gz", "\x1f\x8b", "", true},
		{"x.txt", "hello", "", false},
		{"x.json", `{"a":1}`, "", false},
		{"-", "\xef\xbb\xbf\n [{\"key\":\"a\",\"value\":1}]", KeyValue, false},
		{"/p/.cursorrules", "use tabs", ClaudeMD, false},
		{"/p/.cursor/rules/x.mdc", "use tabs", ClaudeMD, false},
		{"/h/.claude/projects/-p/memory/MEMORY.md", "- x", MemoryMD, false},
		{"/h/.claude/projects/-p/memory/topic.md", "- x", MemoryMD, false},
		{"AGENTS.md", "[x](y)", ClaudeMD, false},
	} {
		if _, err := Guess(c.name, []byte("PK\x03\x04rest")); !errors.Is(err, ErrZip) {
			t.Errorf("%s: %v, want a zip file", c.name, err)
		}
		f, err := Guess(c.name, []byte(c.head))
		if f != c.want || errors.Is(err, ErrPacked) != c.packed {
			t.Errorf("%s %q: %q, %v", c.name, c.head, f, err)
		}
	}
}

// TestMade: labels of others are cut to size, and what no memory can hold is told.
func TestMade(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", memory.MaxContent+1)
	near := strings.Repeat("SECRET ", memory.MaxContent/7)
	tags := `"` + strings.Repeat(`t","`, 40) + `"`
	text := `[{"content":"` + long + `"},{"content":"` + near + `"},{"content":"\u001b[31mred\u0007","tags":[` + tags + `,"` + long + `"]},{"content":"\u0000"}]`
	got := show(t, strings.NewReader(text), Objects, here("x.json"))
	want := fmt.Sprintf(`! line 1, byte 1: the text has %d bytes: a memory holds %d at most
! line 1, byte %d: the text has %d bytes: a memory holds %d at most
! line 1, byte %d: no text
fact import dir:~/here %s: red
`, len(long), memory.MaxContent, len(long)+16, len("[masked] ")*len(near)/7-1, memory.MaxContent, strings.Index(text, `{"content":"\u0000"`), strings.TrimSuffix(strings.Repeat("t,", maxTags), ","))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%.2000s", diff)
	}
}

// TestLongTurn: a turn that no line of a session can hold costs itself.
func TestLongTurn(t *testing.T) {
	t.Parallel()
	text := `[{"uuid":"u","chat_messages":[{"sender":"human","text":"` + strings.Repeat("x", maxText+1) + `"},{"sender":"human","text":"y"}]}]`
	if got := show(t, strings.NewReader(text), Claude, here("x.json")); got != "! line 1, byte 1: a turn longer than 4 MiB\nclaude-u 2 dir:~/here user: y\n" {
		t.Errorf("%.300s", got)
	}
}

// TestStated: the value comes back from the text that states it.
func TestStated(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"editor", "vim", "editor: vim"},
		{"", "vim", "vim"},
		{"answers", "keep the answers short", "keep the answers short"},
		{"k", "k: a b c d", "k: k: a b c d"},
	} {
		if got := Stated(c[0], c[1]); got != c[2] {
			t.Errorf("%q %q: %q", c[0], c[1], got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{"", "k", "a b", "k: k"}).Draw(t, "key")
		value := rapid.StringMatching(`(k: )?(k: k: )?[a-z: ]{0,12}`).Draw(t, "value")
		got := Stated(key, value)
		if key != "" {
			got = strings.TrimPrefix(got, key+": ")
		}
		if got != value {
			t.Fatalf("%q of %q comes back as %q", value, key, got)
		}
	})
}

// TestSyncAll: a file that is not there is reported.
func TestSyncAll(t *testing.T) {
	t.Parallel()
	if err := syncAll(t.Context(), session.Dir{Lock: t.TempDir()}, []Addition{{path: t.TempDir() + "/none"}}); err == nil {
		t.Error("no error")
	}
}

// fuzzFormat reads any bytes as a format: what comes of them can be proposed or
// written, and is the same the next time and in other pieces.
func fuzzFormat(f *testing.F, formats ...Format) {
	for _, s := range samples() {
		f.Add([]byte(s.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			o := here("x.json")
			got := show(t, bytes.NewReader(data), format, o)
			if other := show(t, iotest.HalfReader(bytes.NewReader(data)), format, o); got != other {
				t.Fatalf("%s read twice:\n%s\n%s", format, got, other)
			}
			for e, err := range Read(bytes.NewReader(data), format, o) {
				if bad := (*LineError)(nil); err != nil && !errors.As(err, &bad) {
					t.Fatal(err)
				}
				for _, c := range e.Candidates {
					checkCandidate(t, c)
				}
				for _, turn := range e.Turns {
					checkTurn(t, turn)
				}
			}
		}
	})
}

func checkCandidate(t *testing.T, c Candidate) {
	t.Helper()
	r := c.Record
	kind, _ := memory.ParseKind(string(r.Kind))
	switch scope := string(r.Scope); {
	case strings.TrimSpace(r.Content) == "", len(r.Content) > memory.MaxContent:
		t.Fatalf("a text of %d bytes: %.80q", len(r.Content), r.Content)
	case !kind.Known() || kind.Changes():
		t.Fatalf("kind %q", r.Kind)
	case r.Origin != memory.OriginImport && r.Origin != memory.OriginExternal:
		t.Fatalf("origin %q", r.Origin)
	case scope != "" && (!strings.HasPrefix(scope, "dir:") && !strings.HasPrefix(scope, "repo:") || strings.ContainsAny(scope, "\x1b\n")):
		t.Fatalf("scope %q", scope)
	}
}

func checkTurn(t *testing.T, turn Turn) {
	t.Helper()
	if turn.Session == "" || strings.TrimSpace(turn.Text) == "" || strings.Contains(turn.Text, "SECRET") {
		t.Fatalf("turn %+v", turn)
	}
	line, err := turn.turn(1).Line()
	if err != nil {
		t.Fatalf("turn %+v cannot be written: %v", turn, err)
	}
	if tr, err := session.Read(bytes.NewReader(line), "s"); err != nil || len(tr.Problems) > 0 || len(tr.Turns()) != 1 {
		t.Fatalf("%s is read back as %+v, %v", line, tr, err)
	}
}

func FuzzKeyValue(f *testing.F)     { fuzzFormat(f, KeyValue) }
func FuzzObjects(f *testing.F)      { fuzzFormat(f, Objects) }
func FuzzServerMemory(f *testing.F) { fuzzFormat(f, ServerMemory) }
func FuzzClaudeMD(f *testing.F)     { fuzzFormat(f, ClaudeMD, MemoryMD) }
func FuzzChatGPT(f *testing.F)      { fuzzFormat(f, ChatGPT) }
func FuzzClaude(f *testing.F)       { fuzzFormat(f, Claude) }
func FuzzAgents(f *testing.F)       { fuzzFormat(f, ClaudeCode, Codex, Gemini) }

// BenchmarkRead reads candidates and turns; the rate is of them, cleaned and
// checked.
func BenchmarkRead(b *testing.B) {
	var graph, chat strings.Builder
	const n = 1000
	for i := range n {
		fmt.Fprintf(&graph, `{"type":"entity","name":"E%d","entityType":"x","observations":["the kettle %d boils in the kitchen of the staging host"]}`+"\n", i, i)
		fmt.Fprintf(&chat, `{"type":"user","message":{"role":"user","content":"the kettle %d boils in the kitchen of the staging host"},"uuid":"u%d","sessionId":"s%d"}`+"\n", i, i, i/20)
	}
	for _, c := range []struct {
		format Format
		text   string
	}{{ServerMemory, graph.String()}, {ClaudeCode, chat.String()}} {
		b.Run(string(c.format), func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				for _, err := range Read(strings.NewReader(c.text), c.format, Options{}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// BenchmarkImport writes turns that are not there yet, 20 to a session.
func BenchmarkImport(b *testing.B) {
	const n = 2000
	for b.Loop() {
		dir := session.Dir{Path: b.TempDir() + "/sessions", Lock: b.TempDir(), Run: b.TempDir(), Now: time.Now}
		var turns []Turn
		for i := range n {
			turns = append(turns, Turn{Session: fmt.Sprint("s", i/20), Name: []byte(fmt.Sprint(i%20 + 1)), Role: "user", Text: "the kettle boils in the kitchen", Scope: "user"})
		}
		if c, _, err := Import(b.Context(), dir, turns); err != nil || c.Added != n {
			b.Fatal(c, err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}
