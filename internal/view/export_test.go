package view

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
)

func TestExportText(t *testing.T) {
	t.Parallel()
	s := fold(t,
		`{"id":1,"ts":"2026-05-10T11:00:00Z","kind":"fact","content":"tea \u001b[31mat noon\nor later","tier":"archive"}`,
		`{"id":2,"ts":"2026-05-10T11:01:00Z","kind":"pref","content":"no tabs","scope":"repo:github.com/me/kettle","pinned":true}`,
		`{"id":3,"ts":"2026-05-10T11:02:00Z","kind":"procedural_rule","content":"never force-push","pinned":true}`,
		`{"id":4,"ts":"2026-05-10T11:03:00Z","kind":"recipe","content":"soup","expires":"2027-01-01T00:00:00Z"}`,
		`{"kind":"pref","content":"short answers","origin":"tool","by":"user"}`,
		`{"id":6,"ts":"2026-05-10T11:04:00Z","kind":"fact","content":"never shown"}`,
		`{"id":7,"ts":"2026-05-10T11:05:00Z","kind":"forget","target":6}`,
	)
	const pref = "[h" // the name of the line without a number begins so
	want := `# Memory

5 items, 2026-05-10T12:00:00Z

## Rules

- [3] never force-push (2026-05-10, user, pinned)

## Pinned

- [2] no tabs (pref, 2026-05-10, repo:github.com/me/kettle)

## Preferences

- ` + pref + `] short answers (no date, user, origin tool)

## Facts

- [1] tea at noon
  or later (2026-05-10, user, archived)

## recipe

- [4] soup (2026-05-10, user, expires 2027-01-01)`
	var b strings.Builder
	if err := ExportText(&b, s.Len(), s.Item, func(it memory.Item) memory.Item { return it }, noon()); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if i := strings.Index(got, pref); i >= 0 {
		got = got[:i+len(pref)] + got[i+len(pref)+8:] // its eight digits
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExportJSON(t *testing.T) {
	t.Parallel()
	s := fold(t,
		`{"id":1,"kind":"fact","content":"tea"}`,
		`{"id":2,"kind":"rule","content":"rinse","source":{"session":"20260510T110000Z-7f3a","turn":1,"agent":"codex"},"origin":"agent:codex","by":"user"}`,
		`{"id":3,"kind":"fact","content":"milk","source":{"session":"20260510T110000Z-7f3a","turn":3}}`,
	)
	e := ExportOf(s.Items(), []string{"a note"}, false)
	if len(e.Items) != 3 || e.Items[0].Ref != "3" {
		t.Errorf("items: %+v", e.Items)
	}
	e.Items = nil
	got, err := json.Marshal(e)
	want := `{"status":"ok","items":null,"by_kind":{"fact":2,"rule":1},"provenance_summary":{"by_origin":{"agent:codex":1,"user":2},` +
		`"by_session":{"20260510T110000Z-7f3a":2},"by_agent":{"codex":1}},"phases":["fluid","rigid"],"by_phase":{"fluid":2,"rigid":1},"notes":["a note"]}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	got, err = json.Marshal(ExportOf(nil, nil, true))
	if err != nil || !strings.HasPrefix(string(got), `{"status":"partial","items":[],"by_kind":{},`) || !strings.Contains(string(got), `"phases":[]`) {
		t.Errorf("nothing: %s, %v", got, err)
	}
}

// logOf makes lines of a log of texts.
func logOf(t interface{ Fatalf(string, ...any) }, name string, own bool, texts []string) memory.Lines {
	l := memory.Lines{Log: name, Own: own}
	for i, text := range texts {
		e := memory.ParseLine([]byte(text))
		if e.Bad != nil {
			t.Fatalf("%s: %v", text, e.Bad)
		}
		e.Line = i + 1
		l.Entries = append(l.Entries, e)
	}
	return l
}

// exportedOf are the items of a state, shown as they are.
func exportedOf(s *memory.State) Exported {
	return Exported{
		Items: s.Len(), Item: s.Item, Show: func(it memory.Item) memory.Item { return it },
		Own: s.OwnLog(), Next: s.MaxID("") + 1,
	}
}

// TestExportRecordsLaw: the lines of an export, read as a log of their own, hold the
// same items in the same order, with the same trust, and the relations between
// them.
func TestExportRecordsLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := func(name string) []string {
			var texts []string
			for id := 1; id <= rapid.IntRange(0, 8).Draw(t, name); id++ {
				num := fmt.Sprintf(`"id":%d,`, id)
				if rapid.IntRange(0, 5).Draw(t, "bare") == 0 {
					num = ""
				}
				target := rapid.IntRange(1, 8).Draw(t, "target")
				body := rapid.SampledFrom([]string{
					`"kind":"fact","content":"C","tags":["a","b"]`,
					`"kind":"rule","content":"C","origin":"tool","by":"user"`,
					`"kind":"fact","content":"C","origin":"model"`,
					`"kind":"preference","content":"C","key":"k","importance":9,"x":{"y":[1]}`,
					`"kind":"odd","content":"C","scope":"repo:a/b","phase":"rigid"`,
					`"kind":"goal","content":"C","supersedes":T,"cites":[T,"desk-1/2"]`,
					`"kind":"goal","content":"C","cites":["note-2/T"],"pinned":true`,
					`"kind":"edit","target":T,"content":"E C","tags":null`,
					`"kind":"edit","target":T,"origin":"external","by":"user","content":"X C"`,
					`"kind":"pin","target":T`, `"kind":"unpin","target":T`, `"kind":"forget","target":T`,
					`"kind":"tier","targets":[T],"tier":"archive"`, `"kind":"phase","target":T,"phase":"stabilized"`,
				}).Draw(t, "body")
				body = strings.NewReplacer("T", fmt.Sprint(target), "C", fmt.Sprintf("%s %d", name, id)).Replace(body)
				minute := rapid.IntRange(0, 9).Draw(t, "minute")
				texts = append(texts, fmt.Sprintf(`{%s"ts":"2026-05-10T11:0%d:00Z",%s}`, num, minute, body))
			}
			return texts
		}
		first := memory.Fold(logOf(t, "desk-1", true, lines("desk")), logOf(t, "note-2", false, lines("note")))
		var texts []string
		for r := range exportedOf(first).Records() {
			texts = append(texts, string(r.AppendJSON(nil)))
		}
		again := memory.Fold(logOf(t, "new-3", true, texts))
		if diff := cmp.Diff(told(first), told(again)); diff != "" {
			t.Fatalf("(-before +after):\n%s\n%s", diff, strings.Join(texts, "\n"))
		}
	})
}

// told is what of a memory an export must keep, item by item, newest first.
func told(s *memory.State) []string {
	var out []string
	for _, it := range s.Items() {
		v := ItemOf(it)
		var cited []string
		for _, id := range v.Cites {
			if other, status := s.Get(id.In(it.Log)); status == memory.StatusActive {
				cited = append(cited, other.Record.Content)
			}
		}
		out = append(out, fmt.Sprint(v.TS, v.Kind, v.Subtype, v.Scope, v.Content, v.Key, v.Tags, v.Origin, v.By, v.Phase, v.Tier, v.Importance, v.Pinned, v.Extra, cited))
	}
	return out
}

// TestExportLineByLine: a line of an export is made when it is asked for, and no sooner.
func TestExportLineByLine(t *testing.T) {
	t.Parallel()
	var lines []string
	for n := range 50 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"content":"c %d","cites":[1]}`, n+1, n))
	}
	x := exportedOf(memory.Fold(logOf(t, "desk-1", true, lines)))
	shown := 0
	x.Show = func(it memory.Item) memory.Item { shown++; return it }
	n := 0
	for range x.Records() {
		if n++; shown != n {
			t.Fatalf("%d items are made for %d lines", shown, n)
		}
	}
	if n != 50 {
		t.Errorf("%d lines", n)
	}
}
