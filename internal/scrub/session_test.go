package scrub_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/text"
)

// plum has every line go that says "plum cake", and turn 7.
func plum() scrub.Rule {
	return scrub.Rule{
		Holds: text.NewMatcher("plum cake").InBytes,
		Turn:  func(_ session.Header, t session.Turn, _ string) bool { return t.N == 7 },
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, line, want string }{
		{"another turn", `{"ts":"2026-05-10T19:00:04Z","role":"user","content":"tea","n":1}`, ""},
		{"odd spelling", `{ "role" : "user", "content" : "tea" }`, ""},
		{"a turn", `{"ts":"2026-05-10T19:00:04Z","role":"user","content":"the Plum\ncake!","n":1}`, `{"ts":"2026-05-10T19:00:04Z","role":"user","content":"[erased]","n":1}`},
		{"erased before", `{"role":"user","content":"[erased]","n":7}`, ""},
		{"the turn that is named", `{"role":"user","content":"tea","n":7,"scope":"repo:x","model":"fast","usage":{"a":1},"new":[1]}`, `{"role":"user","content":"[erased]","n":7,"scope":"repo:x","model":"fast","usage":{"a":1},"new":[1]}`},
		{"no number", `{"role":"user","content":"plum cake"}`, `{"role":"user","content":"[erased]"}`},
		{"raw and calls", `{"role":"assistant","content":"","n":2,"tool_calls":[{"id":"c1","type":"function","function":{"name":"eat","arguments":"{\"what\":\"pl\\u0075m cake\"}"}}],"raw":{"reasoning_content":"hm"}}`, `{"role":"assistant","content":"[erased]","n":2,"tool_calls":[{"id":"c1","type":"function","function":{"name":"eat","arguments":"{}"}}]}`},
		{"calls of another form", `{"role":"assistant","content":"plum cake","tool_calls":[1,"plum cake",{"arguments":"x","y":"plum cake"}]}`, `{"role":"assistant","content":"[erased]","tool_calls":[1,"[erased]",{"arguments":"{}","y":"[erased]"}]}`},
		{"a tool", `{"role":"tool","content":"plum cake","n":3,"tool_call_id":"c1","from":"tool"}`, `{"role":"tool","content":"[erased]","n":3,"tool_call_id":"c1","from":"tool"}`},
		{"further fields", `{"role":"user","content":"x","given_title":["Plum Cake",{"plum cake":"plum cake","b":2}]}`, `{"role":"user","content":"[erased]","given_title":["[erased]",{"[erased]":"[erased]","b":2}]}`},
		{"a place that nobody expects", `{"ts":"2026-05-10T19:00:04Z","role":"plum cake","content":"x","n":4}`, `{"ts":"2026-05-10T19:00:04Z","role":"[erased]","content":"[erased]","n":4}`},
		{"an event", `{"ts":"2026-05-10T19:00:04Z","event":"compact","summary":"They had plum cake.","keep_from":9}`, `{"ts":"2026-05-10T19:00:04Z","event":"compact","summary":"[erased]","keep_from":9}`},
		{"a command", `{"event":"exec","cmd":"echo plum cake","lane":"user","exit":0,"bytes":12}`, `{"event":"exec","cmd":"[erased]","lane":"user","exit":0,"bytes":12}`},
		{"another event", `{"event":"reset"}`, ""},
		{"a name", `{"event":"plum cake","a":1}`, `{"event":"[erased]","a":1}`},
		{"a line that is damaged", `{"role":"user","content":"plum cake`, `[erased]`},
		{"another damaged line", `{"role":"user","content":"plum`, ""},
		{"plain text", `notes on plum  cake`, `[erased]`},
		{"carriage return", "{\"role\":\"user\",\"content\":\"plum cake\"}\r", "{\"role\":\"user\",\"content\":\"[erased]\"}\r"},
		{"a header", `{"meta":{"format":1,"session":"s","title":"plum cake"}}`, `{"meta":{"format":1,"session":"s","title":"[erased]"}}`},
	} {
		data := c.line + "\n" + `{"role":"user","content":"after"}` + "\n"
		want := data
		if c.want != "" {
			want = c.want + "\n" + `{"role":"user","content":"after"}` + "\n"
		}
		got := string(scrub.Lines([]byte(data), plum()))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if again := string(scrub.Lines([]byte(got), plum())); again != got {
			t.Errorf("%s: again %s", c.name, again)
		}
		if plum().Holds([]byte(got)) {
			t.Errorf("%s: the text is there still: %s", c.name, got)
		}
	}
}

const talk = "\ufeff" + `{"meta":{"format":1,"session":"s1","scope":"repo:a"}}` + "\n" +
	`{"role":"user","content":"plum cake","n":1}` + "\n" +
	"\n" +
	`{"role":"assistant","content":"With tea?","n":2,"scope":"repo:b"}` + "\n" +
	`{"role":"user","content":"no","n":3}`

// TestFile: the file keeps its time, its mode and all other lines, and scopes go on
// from turn to turn.
func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(talk), 0o600); err != nil {
		t.Fatal(err)
	}
	then := time.Date(2026, 5, 10, 19, 0, 4, 0, time.UTC)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	rule := plum()
	rule.Turn = func(h session.Header, _ session.Turn, scope string) bool {
		return h.Session == "s1" && scope == "repo:b"
	}
	found, err := scrub.File(t.Context(), jsonl.OS{}, path, "s1", rule)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(scrub.Finding{Session: "s1", Turns: []int{1, 2, 3}, Lines: 3}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	want := strings.NewReplacer("plum cake", "[erased]", "With tea?", "[erased]", `"no"`, `"[erased]"`).Replace(talk)
	got, err := os.ReadFile(path)
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	fi, err := os.Stat(path)
	if err != nil || !fi.ModTime().Equal(then) || fi.Mode().Perm() != 0o600 {
		t.Errorf("the file is of %v, mode %v (%v)", fi.ModTime(), fi.Mode(), err)
	}
	if found, err = scrub.File(t.Context(), jsonl.OS{}, path, "s1", rule); err != nil || found.Lines != 0 {
		t.Errorf("again it finds %+v, %v", found, err)
	}
	if found, err = scrub.File(t.Context(), jsonl.OS{}, path+"x", "s1", rule); err != nil || found.Lines != 0 {
		t.Errorf("a missing file has %+v, %v", found, err)
	}
	if err := os.Link(path, path+".link"); err == nil {
		rule.Holds = text.NewMatcher("[erased]").InBytes
		if _, err = scrub.File(t.Context(), jsonl.OS{}, path, "s1", scrub.Rule{Holds: text.NewMatcher("meta").InBytes}); err == nil || !strings.Contains(err.Error(), "hard links") {
			t.Errorf("a file with two names: %v", err)
		}
	}
}

// TestFileFaults: whatever call fails, the file is the old one or the new one, and
// trying again makes it the new one.
func TestFileFaults(t *testing.T) {
	t.Parallel()
	full := func(disk *jsonltest.Disk, dir string) (string, error) {
		_, err := scrub.File(t.Context(), disk, filepath.Join(dir, "s1.jsonl"), "s1", plum())
		b, rerr := os.ReadFile(filepath.Join(dir, "s1.jsonl"))
		return string(b), errors.Join(err, rerr)
	}
	begin := func(t *testing.T) (*jsonltest.Disk, string) {
		dir := jsonltest.Dir(t)
		if err := os.WriteFile(filepath.Join(dir, "s1.jsonl"), []byte(talk), 0o600); err != nil {
			t.Fatal(err)
		}
		disk, err := jsonltest.New(dir)
		if err != nil {
			t.Fatal(err)
		}
		return disk, dir
	}
	disk, dir := begin(t)
	want, err := full(disk, dir)
	if err != nil || want == talk {
		t.Fatal(err, want)
	}
	calls := len(disk.Trace())
	for k := 1; k <= calls; k++ {
		for _, f := range []jsonltest.Fault{{}, {Err: os.ErrPermission}} {
			disk, dir := begin(t)
			disk.FailAt(k, f)
			got, _ := full(disk, dir)
			if got != talk && got != want {
				t.Errorf("call %d: the file is\n%s", k, got)
			}
			disk.Calm()
			if got, err := full(disk, dir); err != nil || got != want {
				t.Errorf("call %d: after another try %v\n%s", k, err, got)
			}
		}
	}
}

// FuzzLines: whatever a file holds, no line comes or goes, what is to go is gone,
// and every turn has its number, its role and its time.
func FuzzLines(f *testing.F) {
	f.Add([]byte(talk))
	f.Add([]byte(`{"role":"user","content":"plum cake","raw":{"plum cake":[1,{"a":"plum cake"}]},"tool_calls":"plum cake"}`))
	f.Add([]byte("{\"meta\":{\"session\":\"plum cake\"}}\n{\"event\":\"x\",\"plum cake\":1}\n\x00\nplum cake\r"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rule := plum()
		out := scrub.Lines(bytes.Clone(data), rule)
		before, err := session.Read(bytes.NewReader(data), "s")
		if err != nil {
			t.Fatal(err)
		}
		after, err := session.Read(bytes.NewReader(out), "s")
		if err != nil {
			t.Fatal(err)
		}
		was, is := before.Turns(), after.Turns()
		if len(was) != len(is) || before.Last() != after.Last() || bytes.Count(data, []byte("\n")) != bytes.Count(out, []byte("\n")) {
			t.Fatalf("%d turns became %d:\n%s", len(was), len(is), out)
		}
		for i := range was {
			if was[i].N != is[i].N || !was[i].Time.Equal(is[i].Time) || was[i].Role != is[i].Role && !rule.Holds([]byte(was[i].Role)) {
				t.Errorf("turn %+v became %+v", was[i], is[i])
			}
		}
		for line, err := range jsonl.Lines(bytes.NewReader(out), session.MaxLine) {
			if err == nil && rule.Holds(line.Bytes) && !rule.Holds([]byte(after.Header.Session)) {
				t.Errorf("line %d holds the text: %s", line.Number, line.Bytes)
			}
		}
		if again := scrub.Lines(bytes.Clone(out), rule); !bytes.Equal(again, out) {
			t.Errorf("again:\n%s", again)
		}
	})
}
