package view

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
)

// eventful are lines that made three memories what they are.
func eventful(t *testing.T) *memory.State {
	return foldLine(t,
		`{"id":1,"ts":"2026-05-10T11:00:00Z","kind":"fact","content":"tea \u001b[31mat\u001b]0; noon","key":"tea","tags":["a","b"]}`,
		`{"id":2,"ts":"2026-05-10T11:10:00Z","kind":"edit","target":1,"content":"tea at one","tags":null,"valid_to":"2026-06-01T00:00:00Z","x-team":{"a":1}}`,
		`{"id":3,"ts":"2026-05-10T11:20:00Z","kind":"edit","target":1,"content":"tea at two"}`,
		`{"id":4,"ts":"2026-05-10T11:30:00Z","kind":"undo","target":3}`,
		`{"id":5,"ts":"2026-05-10T11:40:00Z","kind":"edit","target":1,"content":"tea at three","origin":"agent:x"}`,
		`{"id":6,"ts":"2026-05-10T11:50:00Z","kind":"pin","target":1}`,
		`{"id":7,"ts":"2026-05-10T11:55:00Z","kind":"edit","target":1,"content":"tea at four","source":{"session":"20260510T110000Z-7f3a","turn":3}}`,
		`{"id":8,"ts":"2026-05-10T12:00:00Z","kind":"forget","target":1,"reason":"wrong \u001b[1mcup"}`,
		`{"id":9,"kind":"pref","content":"no tabs","origin":"model","by":"user","review":7}`,
		`{"id":10,"ts":"2026-05-10T12:00:00Z","kind":"tier","targets":[9,1],"tier":"archive","by":"policy:lean","origin":"tool"}`,
	)
}

func TestHistoryText(t *testing.T) {
	t.Parallel()
	s := eventful(t)
	for id, want := range map[int64]string{
		1: `#1  2026-05-10T11:00:00Z  you stated (fact): tea at
      with key tea; tags a, b
#2  2026-05-10T11:10:00Z  you edited it
      text: tea at -> tea at one
      tags: a, b -> none
      valid to: none -> 2026-06-01T00:00:00Z
      x-team: none -> {"a":1}
#3  2026-05-10T11:20:00Z  you edited it  [undone by #4]
      text: tea at one -> tea at two
#4  2026-05-10T11:30:00Z  you took back #3
#5  2026-05-10T11:40:00Z  agent:x edited it  [waits for review]
      text: tea at one -> tea at three
#6  2026-05-10T11:50:00Z  you pinned it
#7  2026-05-10T11:55:00Z  you edited it
      text: tea at one -> tea at four
      said in 20260510T110000Z-7f3a:3
#8  2026-05-10T12:00:00Z  you forgot it (wrong cup)
#10  2026-05-10T12:00:00Z  tool moved it to archive, let in by policy:lean`,
		9: `#9  -  model stated (pref), let in by you (review 7): no tabs
#10  2026-05-10T12:00:00Z  tool moved it to archive, let in by policy:lean`,
	} {
		if diff := cmp.Diff(want, HistoryText(s.History(memory.Num(id)))); diff != "" {
			t.Errorf("%d (-want +got):\n%s", id, diff)
		}
	}
	if got := HistoryText(nil); got != "" {
		t.Errorf("no history: %q", got)
	}
}

func TestChangesJSON(t *testing.T) {
	t.Parallel()
	s := eventful(t)
	got, err := json.Marshal(HistoryOf(s.History(memory.Num(1))[:3]))
	want := `[{"ref":"1","line":1,"record":{"id":1,"ts":"2026-05-10T11:00:00Z","kind":"fact","content":"tea \u001b[31mat\u001b]0; noon","key":"tea","tags":["a","b"]}},` +
		`{"ref":"2","line":2,"changed":[{"field":"content","from":"tea \u001b[31mat\u001b]0; noon","to":"tea at one"},{"field":"tags","from":["a","b"],"to":null},` +
		`{"field":"valid_to","from":null,"to":"2026-06-01T00:00:00Z"},{"field":"x-team","from":null,"to":{"a":1}}],` +
		`"record":{"id":2,"ts":"2026-05-10T11:10:00Z","kind":"edit","target":1,"content":"tea at one","valid_to":"2026-06-01T00:00:00Z","tags":null,"x-team":{"a":1}}},` +
		`{"ref":"3","line":3,"undone":true,"changed":[{"field":"content","from":"tea at one","to":"tea at two"}],` +
		`"record":{"id":3,"ts":"2026-05-10T11:20:00Z","kind":"edit","target":1,"content":"tea at two"}}]`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	all, err := json.Marshal(HistoryOf(s.History(memory.Num(1))))
	for _, part := range []string{`"undone_by":["4"]`, `"waits":true`} {
		if err != nil || !strings.Contains(string(all), part) {
			t.Errorf("no %s in %s, %v", part, all, err)
		}
	}
	if got, err := json.Marshal(HistoryOf(nil)); err != nil || string(got) != "[]" {
		t.Errorf("no lines: %s, %v", got, err)
	}
}

func TestPastChangeText(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, ch := range eventful(t).History(memory.Num(9)) {
		texts = append(texts, ChangeText(ch))
	}
	if diff := cmp.Diff([]string{"pref: no tabs", "tier #9 #1"}, texts); diff != "" {
		t.Error(diff)
	}
}

// foldLine makes the state of a memory of these lines.
func foldLine(t *testing.T, lines ...string) *memory.State {
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
