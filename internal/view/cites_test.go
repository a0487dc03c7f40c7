package view_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/view"
)

// stateOf folds lines of the own log.
func stateOf(lines ...string) *memory.State {
	l := memory.Lines{Own: true}
	for _, s := range lines {
		l.Entries = append(l.Entries, memory.ParseLine([]byte(s)))
	}
	return memory.Fold(l)
}

// TestCitesSince: what became of what a memory rests on is said, but for what it replaced
// itself, and for an edit that it was looked over after.
func TestCitesSince(t *testing.T) {
	t.Parallel()
	base := []string{
		`{"id":1,"kind":"lesson","content":"one"}`, `{"id":2,"kind":"lesson","content":"two"}`,
		`{"id":3,"kind":"lesson","content":"three"}`,
		`{"id":4,"kind":"edit","target":3,"content":"three before"}`,
		`{"id":5,"kind":"pattern","content":"all","cites":[1,2,3]}`,
	}
	for _, tt := range []struct {
		name string
		more []string
		want string
	}{
		{"nothing", nil, ""},
		{"forgotten", []string{`{"id":6,"kind":"forget","target":2}`}, "#2 forgotten"},
		{"and taken back", []string{`{"id":6,"kind":"forget","target":2}`, `{"id":7,"kind":"undo","target":6}`}, ""},
		{"erased", []string{`{"id":6,"kind":"erased","target":1}`}, "#1 erased"},
		{"edited", []string{`{"id":6,"kind":"edit","target":1,"content":"uno"}`}, "#1 edited"},
		{"edited and taken back", []string{`{"id":6,"kind":"edit","target":1,"content":"uno"}`, `{"id":7,"kind":"undo","target":6}`}, ""},
		{"other fields", []string{`{"id":6,"kind":"edit","target":1,"tags":["x"]}`, `{"id":7,"kind":"pin","target":1}`}, ""},
		{"edited, and looked over", []string{
			`{"id":6,"kind":"edit","target":1,"content":"uno"}`, `{"id":7,"kind":"edit","target":5,"content":"all of them"}`,
		}, ""},
		{"replaced", []string{`{"id":6,"content":"new","supersedes":3}`}, "#3 superseded"},
		{"several", []string{
			`{"id":6,"kind":"forget","targets":[1,2]}`, `{"id":8,"kind":"edit","target":3,"content":"x"}`,
		}, "#1 forgotten, #2 forgotten, #3 edited"},
	} {
		s := stateOf(append(base[:len(base):len(base)], tt.more...)...)
		it, _ := s.Get(memory.Num(5))
		if got := view.CitesOf(s, nil).Text(it); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	s := stateOf(base[0], base[1], `{"id":3,"kind":"lesson","content":"both","supersedes":[1,2],"cites":[1,2]}`)
	if it, _ := s.Get(memory.Num(3)); view.CitesOf(s, nil).Text(it) != "" {
		t.Error("a merge is flagged for what it merged")
	}
}

// TestCitesRewritten: a text that was changed in the file itself is flagged as one that a line
// edited; not where nothing is known of what it was, and not where the key is another one.
func TestCitesRewritten(t *testing.T) {
	t.Parallel()
	const (
		one   = `{"id":1,"kind":"lesson","content":"one"}`
		two   = `{"id":2,"kind":"lesson","content":"two"}`
		other = `{"id":2,"kind":"lesson","content":"too"}`
	)
	key := memory.NewSeal([]byte("key"))
	rec := memory.Record{
		ID: memory.Num(3), Kind: memory.KindPattern, Content: "all", Detail: &memory.Detail{Cites: []memory.ID{memory.Num(1), memory.Num(2)}},
	}
	plain := string(rec.AppendJSON(nil))
	key.Cite(&rec, func(id memory.ID) string { return map[int64]string{1: "one", 2: "two"}[id.N] })
	noted := string(rec.AppendJSON(nil))
	if strings.Contains(noted, "two") || noted == plain {
		t.Fatalf("noted: %s", noted)
	}
	for _, tt := range []struct {
		name  string
		lines []string
		seal  *memory.Seal
		want  string
	}{
		{"as it was", []string{one, two, noted}, key, ""},
		{"changed", []string{one, other, noted}, key, "#2 edited"},
		{"changed, without a note", []string{one, other, plain}, key, ""},
		{"changed, of another key", []string{one, other, noted}, memory.NewSeal([]byte("another")), ""},
		{"changed, without a key", []string{one, other, noted}, nil, ""},
		{"forgotten", []string{one, other, noted, `{"id":4,"kind":"forget","target":2}`}, key, "#2 forgotten"},
		{"looked over since", []string{one, other, noted, `{"id":4,"kind":"edit","target":3,"content":"all of it"}`}, key, ""},
		{"rests on something else now", []string{one, other, noted, `{"id":4,"kind":"edit","target":3,"cites":[2,1]}`}, key, ""},
		{"a note of another length", []string{one, other, strings.Replace(noted, `"cites":[1,2]`, `"cites":[2]`, 1)}, key, ""},
		{"a note of another kind", []string{one, other, strings.Replace(noted, `"cited":[`, `"cited":[[],`, 1)}, key, ""},
	} {
		s := stateOf(tt.lines...)
		it, _ := s.Get(memory.Num(3))
		if got := view.CitesOf(s, func() (*memory.Seal, error) { return tt.seal, nil }).Text(it); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestCitesTree: from a pattern of patterns down to where it was said, each level further in,
// and no further than a person reads, also where it goes in a circle.
func TestCitesTree(t *testing.T) {
	t.Parallel()
	s := stateOf(
		`{"id":1,"kind":"lesson","content":"one","source":{"session":"s","turn":3}}`, `{"id":2,"kind":"lesson","content":"two \u001b[2J"}`,
		`{"id":3,"kind":"pattern","content":"low","cites":[1,2]}`, `{"id":4,"kind":"pattern","content":"high","cites":[3,1]}`,
		`{"id":5,"kind":"forget","target":2}`, `{"id":6,"kind":"edit","target":3,"cites":[1,2,4]}`,
	)
	it, _ := s.Get(memory.Num(4))
	got := strings.Join(view.CitesOf(s, nil).Tree(it, func(s string) string { return s }).Lines(), "\n")
	want := `rests on #3 (pattern): low
  rests on #1 (lesson): one; said in s:3
  rests on #2 - forgotten
  rests on #4 (pattern): high
rests on #1 (lesson): one; said in s:3`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	many := []string{`{"id":1,"kind":"pattern","content":"p","cites":[` + strings.Repeat("2,", 99) + `2]}`, `{"id":2,"content":"x"}`}
	s = stateOf(many...)
	it, _ = s.Get(memory.Num(1))
	b := view.CitesOf(s, nil).Tree(it, strings.ToUpper)
	list, more := b.Memories, b.More
	if len(list)+more != 100 || len(list) != 16 || list[0].Content != "X" {
		t.Errorf("%d and %d more", len(list), more)
	}
}
