package index

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/session"
)

func fold1(t *testing.T, lines ...string) *memory.State {
	t.Helper()
	var entries []memory.Entry
	for _, l := range lines {
		entries = append(entries, memory.ParseLine([]byte(l)))
	}
	return memory.Fold(memory.Lines{Log: "a", Own: true, Entries: entries})
}

// TestItems (L5): what is active and holds now can be found, and nothing else.
func TestItems(t *testing.T) {
	t.Parallel()
	s := fold1(
		t,
		`{"id":1,"ts":"2026-05-13T19:01:01Z","kind":"pref","content":"tea","key":"drink","tags":["hot"],"source":{"session":"s","turn":4}}`,
		`{"id":2,"kind":"fact","content":"forgotten"}`,
		`{"id":3,"kind":"fact","content":"expired","expires":"2026-01-01T00:00:00Z"}`,
		`{"id":4,"kind":"fact","content":"waiting","origin":"model"}`,
		`{"id":5,"kind":"fact","content":"here","scope":"repo:example.org/x"}`,
		`{"id":6,"kind":"forget","target":2}`,
	)
	want := []Document{
		{Ref: "5", In: Memory, Kind: "fact", Scope: "repo:example.org/x", Content: "here", Importance: 5, Phase: "fluid"},
		{
			Ref: "1", In: Memory, Kind: "pref", Scope: "user", Time: time.Date(2026, 5, 13, 19, 1, 1, 0, time.UTC),
			Content: "tea", Tags: []string{"hot"}, Key: "drink", Importance: 5, Phase: "fluid", Session: "s", Turn: []byte("4"),
		},
	}
	got := Items(s, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
	for i := range want {
		for j := range got {
			if got[j].Ref == want[i].Ref && want[i].Time.IsZero() {
				want[i].Time = got[j].Time // whatever the state makes of no time
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTurns (L5): of a conversation can be found what was said in it, once, and
// not what taught something forgotten.
func TestTurns(t *testing.T) {
	t.Parallel()
	tr, err := session.Read(strings.NewReader(strings.Join([]string{
		`{"meta":{"format":1,"session":"s","scope":"dir:~/a","given":7}}`,
		`{"role":"user","content":"one","n":1}`,
		`{"role":"assistant","content":"from memory","n":2,"recalled":true}`,
		`{"role":"user","content":"secret plan","n":3}`,
		`{"ts":"2026-05-13T19:01:01Z","role":"user","content":"four","n":4,"scope":"b","speaker":"Ada","given":"D1:3"}`,
		`{"ts":"2026-05-13T19:01:01Z","event":"reset"}`,
		`{"role":"user","content":"five","n":5}`,
		`{"role":"user","content":"one, mended","n":1,"scope":"dir:~/a"}`,
	}, "\n")), "x")
	if err != nil {
		t.Fatal(err)
	}
	hidden := memory.Hidden{Turns: map[memory.Turn]bool{{Session: "s", N: 3}: true}}
	want := []Document{
		{Ref: "s:1", In: Sessions, Kind: "user", Scope: "dir:~/a", Content: "one, mended", Session: "s", GivenSession: []byte("7"), Turn: []byte("1")},
		{
			Ref: "s:4", In: Sessions, Kind: "user", Scope: "b", Time: time.Date(2026, 5, 13, 19, 1, 1, 0, time.UTC),
			Content: "four", Speaker: "Ada", Session: "s", GivenSession: []byte("7"), Turn: []byte(`"D1:3"`),
		},
		{Ref: "s:5", In: Sessions, Kind: "user", Scope: "b", Content: "five", Session: "s", GivenSession: []byte("7"), Turn: []byte("5")},
	}
	if diff := cmp.Diff(want, Turns(tr, hidden)); diff != "" {
		t.Error(diff)
	}
	if got := Turns(tr, memory.Hidden{Sessions: map[string]bool{"s": true}}); len(got) != 0 {
		t.Errorf("of a hidden session: %v", got)
	}
	tr.Header.CopiedFrom, tr.Header.CopiedTo = "t", 4
	if got := Turns(tr, memory.Hidden{}); len(got) != 1 || got[0].Ref != "s:5" {
		t.Errorf("of a copy: %v", got)
	}
}

// TestRanCommands (L5): a command that ran in a conversation can be found once,
// as it ran last; but not one of ken's own, of a copy, or of what is forgotten.
func TestRanCommands(t *testing.T) {
	t.Parallel()
	tr, err := session.Read(strings.NewReader(strings.Join([]string{
		`{"meta":{"format":1,"session":"s","started":"2026-05-10T12:00:00Z","scope":"dir:~/a"}}`,
		`{"ts":"2026-05-10T12:00:01Z","event":"exec","cmd":"go test ./kettle","lane":"user","exit":1,"bytes":9}`,
		`{"ts":"2026-05-10T12:00:02Z","event":"reset"}`,
		`{"ts":"2026-05-10T12:00:03Z","role":"user","content":"hi","n":1,"scope":"dir:~/b"}`,
		`{"ts":"2026-05-10T12:00:04Z","event":"exec","cmd":"git status"}`,
		`{"ts":"2026-05-10T12:00:05Z","event":"exec","cmd":"go test ./kettle","lane":"user","exit":0,"bytes":9}`,
		`{"event":"exec","cmd":" "}`,
		`{"event":"exec"}`,
		`{"event":"exec","cmd":"ken remember x"}`,
		`{"event":"exec","cmd":"date;~/bin/ken recall 'x'"}`,
	}, "\n")), "s")
	if err != nil {
		t.Fatal(err)
	}
	at := func(sec int) time.Time { return time.Date(2026, 5, 10, 12, 0, sec, 0, time.UTC) }
	want := []Document{
		{Ref: "s", In: Commands, Kind: "exec", Scope: "dir:~/b", Time: at(4), Content: "git status", Session: "s"},
		{Ref: "s", In: Commands, Kind: "exec", Scope: "dir:~/b", Time: at(5), Content: "go test ./kettle", Session: "s"},
	}
	if diff := cmp.Diff(want, RanCommands(tr, memory.Hidden{})); diff != "" {
		t.Error(diff)
	}
	if got := RanCommands(tr, memory.Hidden{Sessions: map[string]bool{"s": true}}); got != nil {
		t.Errorf("of a hidden session: %+v", got)
	}
	tr.Header.CopiedFrom, tr.Header.Started = "r", at(5)
	if diff := cmp.Diff(want[1:], RanCommands(tr, memory.Hidden{})); diff != "" {
		t.Errorf("of a copy: %s", diff)
	}
}
