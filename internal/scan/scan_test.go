package scan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/scan"
	"ken/internal/session"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func fold(t *testing.T, lines ...string) *memory.State {
	t.Helper()
	var entries []memory.Entry
	for i, line := range lines {
		e := memory.ParseLine([]byte(line))
		e.Line = i + 1
		entries = append(entries, e)
	}
	return memory.Fold(memory.Lines{Log: "desk-19c4", Own: true, Entries: entries})
}

// brief is a finding in a line.
func brief(list []scan.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s | %s | %s", f.Kind, f.Ref, f.Other, f.Why, f.Fix)))
	}
	return out
}

func TestMemory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"nothing": {nil, nil},
		"clean": {[]string{
			`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"my editor is vim"}`,
			`{"id":2,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"my shell is fish"}`,
		}, nil},
		"replaced, forgotten and waiting items are in conflict with nothing": {[]string{
			`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"my editor is vim"}`,
			`{"id":2,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"my editor is helix","supersedes":1}`,
			`{"id":3,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"my editor is ed"}`,
			`{"id":4,"ts":"2026-01-02T00:00:00Z","kind":"forget","target":3}`,
			`{"id":5,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"my editor is nano","origin":"model"}`,
		}, nil},
		"conflicts": {[]string{
			`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"my editor is vim"}`,
			`{"id":2,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"my editor is helix"}`,
			`{"id":3,"ts":"2026-01-03T00:00:00Z","kind":"fact","content":"My editor is now Helix."}`,
			`{"id":4,"ts":"2026-01-03T00:00:00Z","kind":"fact","content":"my editor is ed","scope":"dir:~/tea"}`,
		}, []string{
			`contradiction 2 1 | helix or vim | memory edit --supersedes 1 2`,
			`duplicate 3 2 | the same in other words | forget 2`,
		}},
		"stale": {[]string{
			`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"a","expires":"2026-02-01T00:00:00Z"}`,
			`{"id":2,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"b","valid_to":"2026-02-01T00:00:00Z"}`,
			`{"id":3,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"Travelling until Friday, by train"}`,
			`{"id":4,"ts":"2026-11-18T00:00:00Z","kind":"fact","content":"travelling this week"}`,
			`{"id":5,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"busy this week","valid_to":"2027-01-01T00:00:00Z"}`,
			`{"id":6,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"concurrently running jobs"}`,
			`{"id":7,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"currently on leave"}`,
			`{"id":8,"ts":"2026-11-01T00:00:00Z","kind":"edit","target":7,"content":"currently on sick leave"}`,
		}, []string{
			`stale 1  | expired 2026-02-01 | forget 1`,
			`stale 2  | not valid since 2026-02-01 | forget 2`,
			`stale 3  | it says "until friday", and was last touched 2026-01-01 | memory edit --valid-to 2026-01-09 3`,
		}},
		"rests": {[]string{
			`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"a"}`,
			`{"id":2,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"b"}`,
			`{"id":3,"ts":"2026-01-01T00:00:00Z","kind":"lesson","content":"c","cites":[1,2,99]}`,
			`{"id":4,"ts":"2026-01-01T00:00:00Z","kind":"forget","target":1}`,
		}, []string{
			`rests 3 1 | it rests on #1, which is forgotten | forget 3`,
			`rests 3 99 | it rests on #99, which was never there | forget 3`,
		}},
		"kinds, circles and damage": {[]string{
			`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"idea","content":"a"}`,
			`{"id":2,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"b","supersedes":3}`,
			`{"id":3,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"c","supersedes":2}`,
			`nonsense`,
		}, []string{
			`kind 1  | the kind "idea" is not known; it is shown as it is | remember --supersedes 1 --kind fact ...`,
			`loop 2  | in a circle of 2 that supersede each other, and hide none of them | memory history 2`,
			`damage   | invalid character 'o' in literal null (expecting 'u') |`,
		}},
	} {
		got := brief(scan.Memory(scan.Input{State: fold(t, c.lines...), Now: noon()}))
		for i, g := range got { // what a reader says of damage is its own
			if strings.HasPrefix(g, "damage") && i < len(c.want) && strings.HasPrefix(c.want[i], "damage") {
				got[i] = c.want[i]
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestLoops: what was recalled and learned again, and what a summary said.
func TestLoops(t *testing.T) {
	t.Parallel()
	s := fold(t,
		`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"the staging host is kettle"}`,
		`{"id":2,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"The  staging host is KETTLE","origin":"model","by":"user","source":{"session":"x","turn":5}}`,
		`{"id":3,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"hosts are named after tea things","origin":"model","by":"user","source":{"session":"x","turn":2}}`,
		`{"id":4,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"the team drinks tea at noon","origin":"model","by":"user","source":{"session":"x","turn":7}}`,
		`{"id":5,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"the team drinks tea at noon, often","origin":"model","by":"user","source":{"session":"x","turn":7}}`,
		`{"id":6,"ts":"2025-12-01T00:00:00Z","kind":"fact","content":"said before it was recalled there","origin":"model","by":"user","source":{"session":"x","turn":1}}`,
		`{"id":7,"ts":"2026-01-02T00:00:00Z","kind":"pref","content":"the staging host is kettle","source":{"session":"x","turn":9}}`,
		`{"id":8,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"The staging host is ｋet\u00adtle",`+
			`"origin":"model","by":"user","source":{"session":"x","turn":9}}`,
	)
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	tr := &session.Transcript{Header: session.Header{Session: "x"}, Entries: []session.Entry{
		{Turn: &session.Turn{N: 1, Time: at, Content: "said before it was recalled there"}},
		{Turn: &session.Turn{N: 2, Time: at, Recalled: true, Content: "- the staging host is kettle\n- said before it was recalled there"}},
		{Event: &session.Event{Time: at, Name: session.EventCompact, Fields: []session.Field{session.StringField("summary", "They said that the team drinks tea at noon.")}}},
	}}
	var got []string
	for _, f := range scan.Memory(scan.Input{State: s, Transcripts: []*session.Transcript{tr}, Now: noon()}) {
		if f.Kind == scan.Loop {
			got = append(got, f.Ref+" "+f.Why)
		}
	}
	want := []string{
		"2 it comes from what was recalled in x:2, and so from the memory itself",
		"3 it comes from what was recalled in x:2, and so from the memory itself",
		"4 it comes from a summary, and so from the memory itself",
		"8 it comes from what was recalled in x:2, and so from the memory itself",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLinear: a great many conflicts are reported one by one, each against one other.
func TestLinear(t *testing.T) {
	t.Parallel()
	var lines []string
	const n = 20000
	for i := range n {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"ts":"2026-01-01T00:00:00Z","kind":"fact","content":"my editor is number%d"}`, i+1, i))
	}
	if got := len(scan.Memory(scan.Input{State: fold(t, lines...), Now: noon()})); got != n-1 {
		t.Errorf("%d findings, want %d", got, n-1)
	}
}
