package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The vectors are for other implementations of the format as well; their
// README says what the fields mean.
const vectorsDir = "../../testdata/vectors"

type foldVector struct {
	About string
	Logs  []struct {
		Name    string
		Own     bool
		Ceiling Origin
		By      string
		Lines   []string
	}
	Want struct {
		Active     []map[string]any
		Waiting    []string
		Status     map[string]string
		Unreadable []int
		Problems   []struct {
			Log  string
			Line int
		}
		NextID         int64 `json:"next_id"`
		Undoable       string
		HiddenTurns    []string `json:"hidden_turns"`
		HiddenSessions []string `json:"hidden_sessions"`
	}
}

func readVectors[T any](t *testing.T, dir string, least int, run func(t *testing.T, v T)) {
	names, err := filepath.Glob(filepath.Join(vectorsDir, dir, "*.json"))
	if err != nil || len(names) < least {
		t.Fatalf("%d vectors in %s, want %d or more: %v", len(names), dir, least, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			d := json.NewDecoder(f)
			d.DisallowUnknownFields()
			var v T
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			run(t, v)
		})
	}
}

func TestVectorsFold(t *testing.T) {
	readVectors(t, "fold", 25, func(t *testing.T, v foldVector) {
		var logs []Lines
		for _, l := range v.Logs {
			log := Lines{Log: l.Name, Own: l.Own, Ceiling: l.Ceiling, By: l.By}
			for i, line := range l.Lines {
				e := ParseLine([]byte(line))
				e.Line = i + 1
				log.Entries = append(log.Entries, e)
			}
			logs = append(logs, log)
		}
		checkVector(t, v, Fold(logs...))
		slices.Reverse(logs)
		checkVector(t, v, Fold(logs...))
	})
}

func checkVector(t *testing.T, v foldVector, s *State) {
	t.Helper()
	items := s.Items()
	if len(items) != len(v.Want.Active) || s.Len() != len(items) {
		t.Errorf("%d items are active, want %d", len(items), len(v.Want.Active))
	}
	for i := range min(len(items), len(v.Want.Active)) {
		got := itemFields(items[i])
		for name, want := range v.Want.Active[i] {
			if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got[name])); diff != "" {
				t.Errorf("active item %d, %s (-want +got):\n%s", i, name, diff)
			}
		}
		if !items[i].Active() {
			t.Errorf("item %s is listed and not active", items[i].Ref())
		}
	}
	var waiting []string
	for _, it := range s.Waiting() {
		waiting = append(waiting, it.Ref())
	}
	if diff := cmp.Diff(v.Want.Waiting, waiting); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	for ref, want := range v.Want.Status {
		id, err := ParseID(ref)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Status(id); got.String() != want {
			t.Errorf("%s is %s, want %s", ref, got, want)
		}
	}
	var unreadable []int
	told := make(map[string]int)
	for _, p := range s.Problems() {
		if p.Unreadable {
			unreadable = append(unreadable, p.Line)
		} else {
			told[fmt.Sprint(p.Log, ":", p.Line)]++
		}
	}
	if diff := cmp.Diff(v.Want.Unreadable, unreadable); diff != "" {
		t.Errorf("unreadable lines (-want +got):\n%s", diff)
	}
	for _, p := range v.Want.Problems {
		told[fmt.Sprint(p.Log, ":", p.Line)]--
	}
	for line, n := range told {
		if n != 0 {
			t.Errorf("line %s has %+d problems more than wanted: %v", line, n, s.Problems())
		}
	}
	if v.Want.NextID != 0 && s.MaxID("")+1 != v.Want.NextID {
		t.Errorf("the next id is %d, want %d", s.MaxID("")+1, v.Want.NextID)
	}
	if v.Want.Undoable != "" {
		if ch, ok := s.Undoable(); !ok || ch.ID.String() != v.Want.Undoable {
			t.Errorf("undo would take %v, want %s", ch.ID, v.Want.Undoable)
		}
	}
	var turns, sessions []string
	for turn := range s.HiddenTurns().Turns {
		turns = append(turns, fmt.Sprint(turn.Session, ":", turn.N))
	}
	for session := range s.HiddenTurns().Sessions {
		sessions = append(sessions, session)
	}
	slices.Sort(turns)
	if diff := cmp.Diff(v.Want.HiddenTurns, turns); diff != "" {
		t.Errorf("hidden turns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(v.Want.HiddenSessions, sessions); diff != "" {
		t.Errorf("hidden sessions (-want +got):\n%s", diff)
	}
}

// itemFields gives the fields of an item by the names that vectors use.
func itemFields(it Item) map[string]any {
	extra := make(map[string]any)
	for _, f := range it.Record.Details().Extra {
		var v any
		_ = json.Unmarshal(f.Value, &v) // it was checked
		extra[f.Name] = v
	}
	tags := it.Record.Tags
	if tags == nil {
		tags = []string{}
	}
	return map[string]any{
		"ref": it.Ref(), "kind": it.Record.Kind, "content": it.Record.Content, "key": it.Record.Key, "scope": it.Record.Scope,
		"tags": tags, "origin": it.Origin, "by": it.Record.By, "phase": it.Phase, "tier": it.Tier, "pinned": it.Pinned,
		"importance": it.Importance, "subtype": it.Record.Details().Subtype, "time": it.Record.Time.Format(time.RFC3339),
		"changed": it.Changed.Format(time.RFC3339), "edited": it.Edited, "order": it.Order, "extra": extra,
	}
}

type lineVector struct {
	About string
	Line  string
	Want  struct {
		Written    string
		Notes      int
		Unreadable bool
	}
}

func TestVectorsLines(t *testing.T) {
	readVectors(t, "lines", 25, func(t *testing.T, v lineVector) {
		r, notes, err := parseRecord([]byte(v.Line))
		switch {
		case v.Want.Unreadable:
			if err == nil {
				t.Errorf("it is read as %+v", r)
			}
		case err != nil:
			t.Error(err)
		default:
			if got := string(r.AppendJSON(nil)); got != v.Want.Written || len(notes) != v.Want.Notes {
				t.Errorf("written as %s, notes %q; want %s, %d", got, notes, v.Want.Written, v.Want.Notes)
			}
		}
	})
}
