package view

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/termsafe"
)

func noon() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) }

func TestAge(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{
		{-time.Hour, "now"},
		{0, "now"},
		{59 * time.Second, "now"},
		{time.Minute, "1m"},
		{time.Hour - 1, "59m"},
		{time.Hour, "1h"},
		{2*day - 1, "47h"},
		{2 * day, "2d"},
		{60*day - 1, "59d"},
		{60 * day, "8w"},
		{2*365*day - 1, "104w"},
		{2 * 365 * day, "2y"},
		{2000 * day, "5y"},
	} {
		if got := Age(noon(), noon().Add(-c.ago)); got != c.want {
			t.Errorf("%v ago is %q, want %q", c.ago, got, c.want)
		}
	}
	if got := Age(noon(), time.Time{}); got != "-" {
		t.Errorf("an unknown time is %q", got)
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 10, 14, 30, 5, 999, time.FixedZone("", 2*3600))
	if w, s := When(at), Stamp(at); w != "2026-05-10T12:30:05Z" || s != w {
		t.Errorf("When %q, Stamp %q", w, s)
	}
	if w, s := When(time.Time{}), Stamp(time.Time{}); w != "-" || s != "" {
		t.Errorf("no time: When %q, Stamp %q", w, s)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 turns", 1: "1 turn", 2: "2 turns"} {
		if got := Count(n, "turn"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("s", 40)
	for _, c := range []struct {
		name  string
		rows  [][]string
		width int
		want  string
	}{
		{"no rows", nil, 0, "id  text"},
		{"columns", [][]string{{"1", "a"}, {"1234", "b"}}, 0, "id    text\n1     a\n1234  b"},
		{"one line each", [][]string{{"1", "a\nb\tc"}}, 0, "id  text\n1   a b c"},
		{"no blanks at the end", [][]string{{"1", ""}}, 0, "id  text\n1"},
		{"no escapes", [][]string{{"\x1b[31m1", "a\x1b]0;b\x07c\u202e"}}, 0, "id  text\n1   ac"},
		{"wide letters", [][]string{{"日本", "a"}, {"1", "b"}}, 0, "id    text\n日本  a\n1     b"},
		{"a long column", [][]string{{long, "a"}}, 0, "id" + strings.Repeat(" ", 32) + "text\n" + strings.Repeat("s", 31) + "…  a"},
		{"cut to the width", [][]string{{"1", "0123456789abcdef"}}, 16, "id  text\n1   0123456789a…"},
		{"a narrow terminal", [][]string{{"1", "0123456789abcdef"}}, 5, "id  text\n1   012345678…"},
	} {
		if diff := cmp.Diff(c.want, Table([]string{"id", "text"}, c.rows, c.width)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	rows := [][]string{{"1", "a\nb"}}
	Table([]string{"id", "text"}, rows, 0)
	if rows[0][1] != "a\nb" {
		t.Error("the caller's rows were changed")
	}
}

// TestTableLaw: whatever the cells hold, a table has one line a row, none wider
// than the terminal, and nothing that a terminal acts on.
func TestTableLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\x1b[2J", "日本語", "a\r\nb", "\u200d", "\xff", "🇩🇪"}))
		rows := rapid.SliceOf(rapid.SliceOfN(cell, 3, 3)).Draw(t, "rows")
		width := rapid.SampledFrom([]int{0, 20, 80, 120}).Draw(t, "width")
		text := Table([]string{"a", "b", "c"}, rows, width)
		lines := strings.Split(text, "\n")
		if len(lines) != len(rows)+1 {
			t.Fatalf("%d lines for %d rows:\n%q", len(lines), len(rows), text)
		}
		for _, line := range lines {
			if line != termsafe.Line(line) {
				t.Fatalf("not safe: %q", line)
			}
			if w := termsafe.Width(line); width >= 80 && w > width {
				t.Fatalf("%d cells on a terminal of %d: %q", w, width, line)
			}
		}
	})
}

// fold makes the state of a memory of these lines.
func fold(t *testing.T, lines ...string) *memory.State {
	t.Helper()
	var entries []memory.Entry
	for i, line := range lines {
		e := memory.ParseLine([]byte(line))
		if e.Bad != nil {
			t.Fatalf("line %d: %v", i+1, e.Bad)
		}
		e.Line = i + 1
		entries = append(entries, e)
	}
	return memory.Fold(memory.Lines{Own: true, Entries: entries})
}

func get(t *testing.T, s *memory.State, n int64) (memory.Item, memory.Status) {
	t.Helper()
	it, status := s.Get(memory.Num(n))
	if status == memory.StatusUnknown {
		t.Fatalf("no item %d", n)
	}
	return it, status
}

// rich are lines with everything that is shown.
func rich(t *testing.T) *memory.State {
	t.Helper()
	return fold(t,
		`{"id":1,"ts":"2026-05-10T11:00:00Z","kind":"fact","content":"tea \u001b[31mat\u001b]0; noon"}`,
		`{"id":2,"ts":"2026-05-10T11:30:00Z","kind":"pref","content":"no tabs\nsecond line","scope":"repo:github.com/me/kettle","tags":["go","style"],"key":"tabs","importance":7,"pinned":true,"expires":"2027-01-01T00:00:00Z","valid_from":"2026-01-01T00:00:00Z","source":{"session":"20260510T110000Z-7f3a","turn":3},"supersedes":1,"x-team":{"a":1}}`,
		`{"id":3,"ts":"2026-05-10T11:40:00Z","kind":"edit","target":2,"content":"no tabs at all"}`,
		`{"id":4,"ts":"2026-05-10T11:50:00Z","kind":"forget","target":1,"reason":"wrong \u001b[1mcup"}`,
	)
}

// TestItemJSON: the shape is contract, field by field, defaults spelled out.
func TestItemJSON(t *testing.T) {
	t.Parallel()
	s := rich(t)
	for n, want := range map[int64]string{
		1: `{"ref":"1","id":1,"ts":"2026-05-10T11:00:00Z","kind":"fact","scope":"user","content":"tea \u001b[31mat\u001b]0; noon",` +
			`"origin":"user","phase":"fluid","tier":"hot","importance":5,"pinned":false,"line":1}`,
		2: `{"ref":"2","id":2,"ts":"2026-05-10T11:30:00Z","kind":"pref","scope":"repo:github.com/me/kettle","content":"no tabs at all",` +
			`"key":"tabs","tags":["go","style"],"source":{"session":"20260510T110000Z-7f3a","turn":3},"origin":"user","phase":"fluid",` +
			`"tier":"hot","importance":7,"pinned":true,"expires":"2027-01-01T00:00:00Z","valid_from":"2026-01-01T00:00:00Z",` +
			`"supersedes":[1],"edited":true,"changed":"2026-05-10T11:40:00Z","line":2,"extra":{"x-team":{"a":1}}}`,
	} {
		it, _ := get(t, s, n)
		got, err := json.Marshal(ItemOf(it))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("item %d (-want +got):\n%s", n, diff)
		}
	}
	if got, err := json.Marshal(itemsOf(nil)); err != nil || string(got) != "[]" {
		t.Errorf("no items: %s, %v", got, err)
	}
}

func TestItemText(t *testing.T) {
	t.Parallel()
	s := rich(t)
	it, status := get(t, s, 2)
	want := `no tabs at all
  id          2
  status      active
  kind        pref
  scope       repo:github.com/me/kettle
  stated      2026-05-10T11:30:00Z
  key         tabs
  tags        go, style
  origin      user: you said it
  phase       fluid: recent, and may still change
  tier        hot: may be sent at the start of a conversation
  importance  7 of 10
  expires     2027-01-01T00:00:00Z
  valid from  2026-01-01T00:00:00Z
  supersedes  #1
  pinned      yes
  source      20260510T110000Z-7f3a:3
  history     2 lines: :memory history 2
  x-team      {"a":1}`
	if diff := cmp.Diff(want, ItemText(it, status.String(), "2 lines: :memory history 2")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	it, status = get(t, s, 1)
	text := ItemText(it, status.String(), "")
	// A string of an escape sequence that never ends is gone with its line, and takes
	// nothing of what ken says behind it.
	if !strings.HasPrefix(text, "tea at\n  id          1\n  status      forgotten\n") || strings.Contains(text, "history") {
		t.Errorf("a forgotten item:\n%q", text)
	}
}

// itemTable is a table of items that all hold.
func itemTable(items []memory.Item) string {
	var b strings.Builder
	_ = StatusTable(&b, len(items), func(n int) (memory.Item, string) { return items[n], "" }, noon(), 0, nil, nil, strings.Clone)
	return b.String()
}

func TestItemTable(t *testing.T) {
	t.Parallel()
	want := "id  age  kind  scope                      content\n" +
		"2   30m  pref  repo:github.com/me/kettle  [pinned] no tabs at all"
	if diff := cmp.Diff(want, itemTable(rich(t).Items())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	archived := memory.Item{ID: memory.Num(7), Tier: memory.TierArchive, Record: &memory.Record{ID: memory.Num(7), Kind: memory.KindFact, Content: "old"}}
	if got := itemTable([]memory.Item{archived}); !strings.HasSuffix(got, "\n7   -    fact  user   [archive] old") {
		t.Errorf("an archived item:\n%s", got)
	}
}

func TestTurnText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		turn session.Turn
		want string
	}{
		{session.Turn{N: 1, Role: session.RoleUser, Content: "hi\n"}, "1 you: hi"},
		{session.Turn{N: 2, Role: session.RoleAssistant, Content: "a\n\nb"}, "2 ken: a\n\n       b"},
		{session.Turn{N: 3, Role: session.RoleAssistant, Finish: session.FinishStop}, "3 ken: "},
		{session.Turn{N: 4, Role: session.RoleAssistant, Content: "ha", Finish: session.FinishCancelled}, "4 ken (cancelled): ha"},
		{session.Turn{N: 5, Role: session.RoleAssistant, Content: "ha", Finish: session.FinishError}, "5 ken (error): ha"},
		{session.Turn{N: 6, Role: "tool\x1b[2J", Content: "\x1b[31mred\x1b]0;"}, "6 tool: red"},
		{session.Turn{N: 7, Role: "日本", Content: "a\nb"}, "7 日本: a\n        b"},
		{session.Turn{N: 8, Role: session.RoleUser, Speaker: "Ann", Content: "hi"}, "8 Ann: hi"},
		{session.Turn{N: 9, Role: session.RoleUser, Nudge: true, Content: "go on"}, "9 ken, by itself: go on"},
		{
			session.Turn{N: 10, Role: session.RoleAssistant, ToolCalls: calls(`shell`, `{"timeout":5,"command":"ls\n\u001b[2J-la"}`, `look`, `{}`)},
			"10 ken: calls shell ls -la\n        calls look",
		},
		{
			session.Turn{N: 11, Role: session.RoleAssistant, Content: "so:", ToolCalls: calls(`add`, `{"a":1}`, `broken`, `{"a`)},
			"11 ken: so:\n        calls add {\"a\":1}\n        calls broken {\"a",
		},
		{
			session.Turn{N: 12, Role: session.RoleAssistant, ToolCalls: calls(`shell`, `{"command":"`+strings.Repeat("a", 200)+`"}`)},
			"12 ken: calls shell " + strings.Repeat("a", 107) + "…",
		},
	} {
		if diff := cmp.Diff(c.want, TurnText(c.turn, 0)); diff != "" {
			t.Errorf("turn %d (-want +got):\n%s", c.turn.N, diff)
		}
	}
}

// calls are those of a turn, as a server sends them: name, arguments, name, ...
func calls(list ...string) json.RawMessage {
	var all []any
	for i := 0; i < len(list); i += 2 {
		all = append(all, map[string]any{"id": "c", "type": "function", "function": map[string]string{"name": list[i], "arguments": list[i+1]}})
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return b
}

// TestCommandText: a command that ran, as a hit and between the turns.
func TestCommandText(t *testing.T) {
	t.Parallel()
	exec := func(cmd string, exit int) session.Entry {
		return session.Entry{Event: &session.Event{Name: session.EventExec, Fields: []session.Field{
			session.StringField("cmd", cmd), session.IntField("exit", exit),
		}}}
	}
	for _, c := range []struct {
		entry session.Entry
		want  string
	}{
		{exec("ls", 0), "$ ls"},
		{exec("grep \x1b[2Jx y", 2), "$ grep x y (exit 2)"},
		{exec("for x in a\ndo :; done", 0), "$ for x in a\n  do :; done"},
		{session.Entry{Event: &session.Event{Name: session.EventReset}}, ""},
		{session.Entry{Turn: &session.Turn{N: 1, Role: session.RoleUser, Content: "hi"}}, "1 you: hi"},
	} {
		if got := EntryText(c.entry, 0); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	exit := 2
	h := Hit{Ref: "s", Content: "grep x\ny", In: "commands", Kind: "exec", Scope: "dir:~/a", Exit: &exit, Score: 1, Parts: Parts{{"words", 1}}}
	if got := h.Text(noon(), false); got != "- [s] $ grep x y (exit 2, 2026-05-10, dir:~/a)" {
		t.Errorf("a hit: %q", got)
	}
	if got, err := json.Marshal(h); err != nil || !strings.Contains(string(got), `"exit":2`) {
		t.Errorf("%s, %v", got, err)
	}
	silent := SessionTable([]Session{{Name: "x"}}, noon(), 0)
	if !strings.HasSuffix(silent, "x     -        0      (commands only)") {
		t.Errorf("a session of commands alone:\n%s", silent)
	}
}

func TestTurnTextOnTerminal(t *testing.T) {
	t.Parallel()
	turn := session.Turn{N: 12, Role: session.RoleUser, Content: "one two three four\nfive"}
	if diff := cmp.Diff("12 you: one two\n        three four\n        five", TurnText(turn, 20)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	l := session.Listing{
		Name: "trip", Path: "/s/trip.jsonl", Written: noon(), Turns: 2, First: "where\nto?", Title: "where\nto?",
		Header: session.Header{Session: "20260510T110000Z-7f3a", Started: noon().Add(-time.Hour), Channel: session.ChannelTerminal, Model: "fast"},
	}
	v := SessionOf(l, true)
	got, err := json.Marshal([]Session{v, SessionOf(session.Listing{Name: "x", Written: noon()}, false)})
	want := `[{"name":"trip","session":"20260510T110000Z-7f3a","path":"/s/trip.jsonl","mtime":"2026-05-10T12:00:00Z","started":"2026-05-10T11:00:00Z",` +
		`"turns":2,"channel":"terminal","model":"fast","first":"where\nto?","active":true},` +
		`{"name":"x","session":"","path":"","mtime":"2026-05-10T12:00:00Z","turns":0,"first":""}]`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v, JSON (-want +got):\n%s", err, diff)
	}
	for width, table := range map[int]string{
		0:  "name   written  turns  title\n*trip  12:00    2      where to?",
		80: "name   written  turns  title\n*trip  12:00    2      where to?",
		40: "written  turns  title\n*12:00   2      where to?",
		20: "written  title\n*12:00   where to?",
	} {
		if diff := cmp.Diff(table, SessionTable([]Session{v}, noon(), width)); diff != "" {
			t.Errorf("table in %d columns (-want +got):\n%s", width, diff)
		}
	}
	by := session.Header{Channel: session.ChannelTelegram}
	phone := SessionOf(session.Listing{Name: "p", Written: noon(), Turns: 4, First: "hi", Header: by}, false)
	both := "name   written  from      turns  title\n*trip  12:00    terminal  2      where to?\np      12:00    telegram  4      hi"
	if diff := cmp.Diff(both, SessionTable([]Session{v, phone}, noon(), 80)); diff != "" {
		t.Errorf("by two faces (-want +got):\n%s", diff)
	}
	l.Title = "the trip"
	v = SessionOf(l, false)
	v.Imported = true
	if got := SessionTable([]Session{v}, noon(), 0); !strings.HasSuffix(got, "the trip (imported)") {
		t.Error(got)
	}
	if v.Forget("[forgotten]"); !strings.HasSuffix(SessionTable([]Session{v}, noon(), 0), "[forgotten] (imported)") {
		t.Error(SessionTable([]Session{v}, noon(), 0))
	}
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	dir := session.Dir{Path: t.TempDir()}
	path := filepath.Join(dir.Path, "trip.jsonl")
	text := `{"meta":{"format":1,"session":"20260510T110000Z-7f3a","started":"2026-05-10T11:00:00Z","model":"fast","channel":"terminal"}}
{"ts":"2026-05-10T11:00:04Z","role":"user","content":"where to?","n":1}
{"ts":"2026-05-10T11:00:09Z","role":"assistant","content":"Home.","n":2,"model":"fast","finish":"stop","usage":{"total_tokens":9}}
{"ts":"2026-05-10T11:00:10Z","event":"exec","cmd":"ls","lane":"user","exit":1,"bytes":7}
{"ts":"2026-05-10T11:00:11Z","event":"reset"}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := dir.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := TranscriptHead(tr); got != "session 20260510T110000Z-7f3a, begun 2026-05-10T11:00:00Z, 2 turns, 1 command" {
		t.Errorf("head %q", got)
	}
	got, err := json.Marshal(TranscriptOf(tr))
	want := `{"session":"20260510T110000Z-7f3a","name":"trip","started":"2026-05-10T11:00:00Z","model":"fast","channel":"terminal","turns":[` +
		`{"n":1,"ts":"2026-05-10T11:00:04Z","role":"user","content":"where to?"},` +
		`{"n":2,"ts":"2026-05-10T11:00:09Z","role":"assistant","content":"Home.","model":"fast","finish":"stop","usage":{"total_tokens":9}}],` +
		`"commands":[{"ts":"2026-05-10T11:00:10Z","command":"ls","exit":1,"bytes":7,"after":2}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v, JSON (-want +got):\n%s", err, diff)
	}
	if got, err := json.Marshal(TranscriptOf(&session.Transcript{})); err != nil || !strings.Contains(string(got), `"turns":[]`) {
		t.Errorf("an empty one: %s, %v", got, err)
	}
}
