package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// entries parses lines as a log would hand them on.
func entries(lines ...string) []Entry {
	list := make([]Entry, len(lines))
	for i, line := range lines {
		list[i] = ParseLine([]byte(line))
		list[i].Line = i + 1
	}
	return list
}

// fold folds lines of the own log.
func fold(lines ...string) *State {
	return Fold(Lines{Log: "laptop-7f3a", Own: true, Entries: entries(lines...)})
}

func contents(items []Item) string {
	var list []string
	for _, it := range items {
		list = append(list, it.Record.Content)
	}
	return strings.Join(list, " ")
}

// TestR112NextID: ids grow from the largest on any line, control lines and
// lines that cannot be read included.
func TestR112NextID(t *testing.T) {
	s := fold()
	if s.MaxID("") != 0 || s.OwnLog() != "laptop-7f3a" {
		t.Errorf("an empty log starts behind %d", s.MaxID(""))
	}
	s = fold(`{"id":1,"content":"a"}`, `{"id":4,"kind":"forget","target":2}`, `{"id":6,"content":"dam`)
	if s.MaxID("") != 6 || s.MaxID("laptop-7f3a") != 6 || s.MaxID("phone-1") != 0 {
		t.Errorf("MaxID = %d", s.MaxID(""))
	}
}

func TestR116TombstoneBeforeTarget(t *testing.T) {
	s := fold(`{"id":9,"kind":"forget","target":10}`, `{"id":10,"content":"a"}`, `{"id":11,"content":"b"}`)
	if got := contents(s.Items()); got != "b" || s.Status(Num(10)) != StatusForgotten {
		t.Errorf("active: %s, item 10 is %s", got, s.Status(Num(10)))
	}
	// In another log, with an older time, and before the log has come.
	tomb := Lines{Log: "laptop-7f3a", Own: true, Entries: entries(`{"id":1,"ts":"2020-01-01T00:00:00Z","kind":"forget","target":"phone-1/1"}`)}
	if s := Fold(tomb); s.Status(ID{Log: "phone-1", N: 1}) != StatusUnknown || len(s.Problems()) != 0 {
		t.Errorf("a target that may still come: %v", s.Problems())
	}
	phone := Lines{Log: "phone-1", Entries: entries(`{"id":1,"ts":"2026-01-01T00:00:00Z","content":"p"}`)}
	if s := Fold(tomb, phone); s.Len() != 0 {
		t.Errorf("a tombstone of another log leaves %s", contents(s.Items()))
	}
}

// TestR117Empty: nothing at all gives a state that works.
func TestR117Empty(t *testing.T) {
	for _, s := range []*State{Fold(), fold(), fold("", " ", "\r"), Fold(Lines{Own: true})} {
		if s.Len() != 0 || s.Items() == nil || s.Waiting() != nil || s.MaxID("") != 0 || s.Problems() != nil || s.History(Num(1)) != nil || s.Status(ID{}) != StatusUnknown {
			t.Errorf("an empty state: %+v", s)
		}
		if _, ok := s.Undoable(); ok {
			t.Error("an empty log has something to undo")
		}
		if _, ok := s.Line(Num(1)); ok {
			t.Error("an empty log has a line")
		}
		if s.HiddenTurns().Has("s", 1) {
			t.Error("an empty log hides turns")
		}
	}
}

func TestR119NewestFirst(t *testing.T) {
	s := fold(
		`{"id":1,"ts":"2026-05-13T19:03:00Z","content":"late"}`,
		`{"id":2,"ts":"2026-05-13T19:01:00Z","content":"early"}`,
		`{"id":3,"ts":"2026-05-13T21:03:00+02:00","content":"late-too"}`,
		`{"id":4,"ts":"2026-05-13T19:02:00.5Z","content":"between"}`,
	)
	if got, want := contents(s.Items()), "late-too late between early"; got != want {
		t.Errorf("items are %s, want %s", got, want)
	}
	if it, _ := s.Get(Num(2)); it.Order != 1 {
		t.Errorf("statement %d is at %d of the order", 2, it.Order)
	}
}

// TestR120History: nothing is lost by a change.
func TestR120History(t *testing.T) {
	own := Lines{Log: "laptop-7f3a", Own: true, Entries: entries(
		`{"id":1,"ts":"2026-05-13T19:01:00Z","content":"a"}`,
		`{"id":2,"ts":"2026-05-13T19:02:00Z","content":"other"}`,
		`{"id":3,"ts":"2026-05-13T19:03:00Z","kind":"edit","target":1,"content":"b"}`,
		`{"id":4,"ts":"2026-05-13T19:05:00Z","kind":"forget","targets":[1,2]}`,
		`{"id":5,"ts":"2026-05-13T19:06:00Z","kind":"undo","target":4}`,
		`{"id":6,"ts":"2026-05-13T19:07:00Z","kind":"undo","target":2}`,
		`{"id":1,"ts":"2026-05-13T19:08:00Z","content":"again"}`,
		`{"id":8,"ts":"2026-05-13T19:09:00Z","kind":"edit","target":1,"content":"c","origin":"agent:x"}`,
	)}
	phone := Lines{Log: "phone-1", Entries: entries(
		`{"id":1,"ts":"2026-05-13T19:04:00Z","kind":"pin","target":"laptop-7f3a/1"}`,
		`{"id":2,"kind":"undo","target":"laptop-7f3a/5"}`,
	)}
	s := Fold(phone, own)
	var got []string
	for _, c := range s.History(Num(1)) {
		mark := fmt.Sprintf("%s %s line %d", c.ID, c.Record.Kind, c.Line)
		if c.Undone {
			mark += " undone"
		}
		if c.Waits {
			mark += " waits"
		}
		got = append(got, mark)
	}
	want := []string{
		"1 fact line 1", "3 edit line 3", "phone-1/1 pin line 1", "phone-1/2 undo line 2", "4 forget line 4", "5 undo line 5 undone", "1 fact line 7", "8 edit line 8 waits",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if s.History(Num(77)) != nil || len(s.History(Num(2))) != 5 {
		t.Errorf("history of 2: %v", s.History(Num(2)))
	}
	c, ok := s.Line(ID{Log: "phone-1", N: 1})
	if !ok || c.Record.Kind != KindPin || c.Log != "phone-1" {
		t.Errorf("Line = %+v, %v", c, ok)
	}
	if c, ok := s.Line(Num(1)); !ok || c.Record.Content != "again" {
		t.Errorf("of several lines with one id Line returns %+v", c)
	}
}

// TestHistoryOfErased: the text of an erased item is not in its history, even
// while a replica still has it.
func TestHistoryOfErased(t *testing.T) {
	own := Lines{Log: "laptop-7f3a", Own: true, Entries: entries(`{"id":1,"kind":"erased","target":"phone-1/1"}`)}
	phone := Lines{Log: "phone-1", Entries: entries(`{"id":1,"content":"secret"}`, `{"id":2,"kind":"edit","target":1,"content":"secret too"}`, `{"id":3,"kind":"pin","target":1}`)}
	s := Fold(own, phone)
	h := s.History(ID{Log: "phone-1", N: 1})
	if len(h) != 2 || strings.Contains(fmt.Sprintf("%+v", h), "secret") {
		t.Errorf("history: %+v", h)
	}
	if it, status := s.Get(ID{Log: "phone-1", N: 1}); status != StatusErased || !cmp.Equal(it, Item{Record: new(Record)}) {
		t.Errorf("Get gives %+v of %+v, %s", it, it.Record, status)
	}
}

// TestR126NoOptionalFields: records without tier and the like are complete.
func TestR126NoOptionalFields(t *testing.T) {
	it, status := fold(`{"content":"a"}`).Get(HashID([]byte(`{"content":"a"}`)))
	if status != StatusActive || it.Tier != TierHot || it.Phase != PhaseFluid || it.Importance != DefaultImportance || it.Origin != OriginUser {
		t.Errorf("%+v is %s", it, status)
	}
}

// TestR129FoldIsLinear: ten times the lines take ten times the work. It is
// counted in allocations, which no other process on the machine changes; that
// nothing is searched in between shows in TestLongChain, which would not end.
func TestR129FoldIsLinear(t *testing.T) {
	cost := func(n int) float64 {
		var list []Entry
		for _, l := range typicalLines(n) {
			list = append(list, ParseLine(l))
		}
		return testing.AllocsPerRun(3, func() { Fold(Lines{Own: true, Entries: list}) })
	}
	small, large := cost(1000), cost(10_000)
	if large > 12*small {
		t.Errorf("1,000 lines take %.0f allocations, 10,000 take %.0f", small, large)
	}
}

// TestC4UnknownKindKept: a kind of a later version is shown as text, with the
// fields that this one does not know.
func TestC4UnknownKindKept(t *testing.T) {
	s := fold(`{"id":1,"kind":"recipe","content":"bread","oven":{"deg":180}}`, `{"id":2,"kind":"edit","target":1,"content":"rye","x":1,"oven":200}`, `{"id":3,"kind":"edit","target":1,"x":null}`)
	it, status := s.Get(Num(1))
	if status != StatusActive || it.Record.Kind != "recipe" || it.Record.Content != "rye" || len(it.Record.Details().Extra) != 1 || string(it.Record.Details().Extra[0].Value) != "200" {
		t.Errorf("%+v is %s", it, status)
	}
	if c, _ := s.Line(Num(1)); string(c.Record.Details().Extra[0].Value) != `{"deg":180}` {
		t.Errorf("an edit changed the line it edits: %s", c.Record.Details().Extra[0].Value)
	}
}

// TestR128Clear: one forget line may empty a memory, and undo brings it back.
func TestR128Clear(t *testing.T) {
	lines := []string{`{"id":1,"content":"a"}`, `{"id":2,"content":"b"}`, `{"id":3,"kind":"forget","targets":[1,2]}`}
	if s := fold(lines...); s.Len() != 0 {
		t.Errorf("left: %s", contents(s.Items()))
	}
	if s := fold(append(lines, `{"id":4,"kind":"undo","target":3}`)...); contents(s.Items()) != "b a" {
		t.Errorf("back: %s", contents(s.Items()))
	}
}

// TestS34HandEdit: what people do to the file is honoured and told.
func TestS34HandEdit(t *testing.T) {
	s := fold(
		`{"meta":{"format":1,"log":"laptop-7f3a"}}`,
		`{"id":5,"kind":"forget","target":6}`,
		`{"id":6,"content":"gone"}`,
		`{"id":8,"kind":"forget","target":7}`, // line 7 was deleted by hand
		`{"id":9,"kind":"banana","content":"kept","colour":"yellow"}`,
		`just a note`,
	)
	if got := contents(s.Items()); got != "kept" {
		t.Errorf("active: %s", got)
	}
	want := []Problem{
		{Log: "laptop-7f3a", Line: 4, ID: Num(8), What: "target 7 is no line of its log", Remark: true},
		{Log: "laptop-7f3a", Line: 6, What: "not JSON: plain text", Unreadable: true},
	}
	if diff := cmp.Diff(want, s.Problems()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestS35Damaged: damage costs the damaged lines.
func TestS35Damaged(t *testing.T) {
	list := entries(`{"id":1,"content":"a"}`, "{\"id\":2,\"content\":\"\x00\x00", `{"id":3,"content":"x"}`, `{"id":3,"content":"y"}`, `{"id":4,"content":"`+strings.Repeat("z", MaxLine)+`"}`, `{"id":5,"content":"b`)
	list[5].Bad.Torn = true
	s := Fold(Lines{Log: "laptop-7f3a", Own: true, Entries: list})
	if got := contents(s.Items()); got != "y a" || s.MaxID("") != 5 {
		t.Errorf("active: %s, MaxID %d", got, s.MaxID(""))
	}
	var told []string
	for _, p := range s.Problems() {
		told = append(told, fmt.Sprintf("%d %v %s", p.Line, p.Unreadable, p.What))
	}
	want := []string{
		"2 true NUL bytes, from byte 19 on",
		"3 false a later line states the same id and counts; this one is history",
		"5 true 1048597 bytes, more than the 1048576 that a line may have",
		"6 true cut off at the end of the file: not JSON: byte 20: the line ends too early",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestCeilingDropsWhatLinesClaim: what a line that others wrote says of a human
// act is not that act.
func TestCeilingDropsWhatLinesClaim(t *testing.T) {
	team := Lines{Log: "team-1", Ceiling: OriginExternal, By: "trust:1", Entries: entries(`{"id":1,"content":"a","by":"user","review":7,"origin":"user"}`)}
	it, status := Fold(team).Get(ID{Log: "team-1", N: 1})
	if status != StatusActive || it.Record.By != "trust:1" || it.Record.Review != 0 || it.Origin != OriginExternal {
		t.Errorf("%s by %q, review %d, origin %s", status, it.Record.By, it.Record.Review, it.Origin)
	}
}

// TestEditToDefault: the fields of an edited item are in normal form, as those
// of any other.
func TestEditToDefault(t *testing.T) {
	it, _ := fold(`{"id":1,"content":"a","scope":"dir:~/x","importance":9,"tier":"archive","phase":"rigid"}`,
		`{"id":2,"kind":"edit","target":1,"scope":"user","importance":5,"tier":"hot","phase":"fluid"}`).Get(Num(1))
	if diff := cmp.Diff(&Record{ID: Num(1), Kind: KindFact, Content: "a"}, it.Record); diff != "" {
		t.Error(diff)
	}
}

func TestCurrent(t *testing.T) {
	at := func(s string) time.Time {
		tm, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return tm
	}
	for _, tt := range []struct {
		line string
		at   time.Time
		want bool
	}{
		{`{"content":"c"}`, at("2026-01-01"), true},
		{`{"content":"c","expires":"2026-01-02"}`, at("2026-01-01"), true},
		{`{"content":"c","expires":"2026-01-02"}`, at("2026-01-02"), false},
		{`{"content":"c","expires":"2026-01-02"}`, time.Time{}, true},
		{`{"content":"c","valid_from":"2026-01-02"}`, at("2026-01-01"), false},
		{`{"content":"c","valid_from":"2026-01-02"}`, at("2026-01-02"), true},
		{`{"content":"c","valid_to":"2026-01-02"}`, at("2026-01-01"), true},
		{`{"content":"c","valid_to":"2026-01-02"}`, at("2026-01-02"), false},
	} {
		items := fold(tt.line).Items()
		if len(items) != 1 || items[0].Current(tt.at) != tt.want {
			t.Errorf("%s at %s: want %v", tt.line, tt.at.Format(time.DateOnly), tt.want)
		}
	}
}

// TestC5HiddenTurns: the turn that taught something forgotten is hidden with it.
func TestC5HiddenTurns(t *testing.T) {
	lines := []string{
		`{"id":1,"content":"a","source":{"session":"s","turn":1}}`,
		`{"id":2,"content":"b","source":{"session":"s","turn":1}}`,
		`{"id":3,"kind":"edit","target":1,"content":"c","source":{"session":"s","turn":2}}`,
		`{"id":4,"kind":"edit","target":2,"content":"d","source":{"session":"s","turn":3}}`,
		`{"id":5,"kind":"edit","target":1,"content":"e","source":{"session":"s","turn":4},"origin":"tool"}`,
		`{"id":6,"kind":"forget","target":1,"sessions":["t"]}`,
	}
	h := fold(lines...).HiddenTurns()
	for turn, want := range map[Turn]bool{{"s", 1}: true, {"s", 2}: true, {"s", 3}: false, {"s", 4}: false, {"s", 0}: false, {"t", 9}: true, {"u", 1}: false} {
		if h.Has(turn.Session, turn.N) != want {
			t.Errorf("turn %v is hidden: %v", turn, !want)
		}
	}
	h = fold(append(lines, `{"id":7,"kind":"undo","target":6}`)...).HiddenTurns()
	if h.Has("s", 1) || h.Has("t", 9) {
		t.Error("an undone tombstone still hides")
	}
}

func TestCirclesAreExact(t *testing.T) {
	// 1 and 2 are a circle; 2 hides 3, and 4 hides 1; 5 and 6 and 7 are one,
	// by two names and a key.
	s := fold(
		`{"id":1,"content":"1","supersedes":2}`, `{"id":2,"content":"2","supersedes":[1,3]}`, `{"id":3,"content":"3"}`, `{"id":4,"content":"4","supersedes":1}`,
		`{"id":5,"content":"5","key":"k","supersedes":7}`, `{"id":6,"content":"6","key":"k"}`, `{"id":7,"content":"7","supersedes":6}`,
		`{"id":8,"content":"8","key":"k"}`,
	)
	if got := contents(s.Items()); got != "8 7 4 2" {
		t.Errorf("active: %s", got)
	}
	var told []string
	for _, p := range s.Problems() {
		told = append(told, fmt.Sprint(p.Line, " ", p.What))
	}
	if diff := cmp.Diff([]string{"1 in a circle of 2 that supersede each other, and hide none of them", "5 in a circle of 3 that supersede each other, and hide none of them"}, told); diff != "" {
		t.Error(diff)
	}
}

// TestLongChain: neither a long chain of items nor one of undos takes more than
// its share of time or stack.
//
//ken:unraced
func TestLongChain(t *testing.T) {
	const n = 50_000
	var lines []string
	for i := 1; i <= n; i++ {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"content":"c","supersedes":%d}`, i, i-1+n*(1/i)))
	}
	s := fold(lines...) // the first supersedes the last: one circle
	if s.Len() != n {
		t.Errorf("a circle of %d leaves %d", n, s.Len())
	}
	lines = []string{`{"id":1,"content":"a"}`, `{"id":2,"kind":"forget","target":1}`}
	for i := 3; i <= n; i++ {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"kind":"undo","target":%d}`, i, i-1))
	}
	if s := fold(lines...); s.Len() != 0 { // 3..n are n-2 undos, an even number
		t.Errorf("%d active", s.Len())
	}
	slices.Reverse(lines)
	if s := fold(lines...); s.Len() != 0 {
		t.Errorf("%d active, in reverse", s.Len())
	}
}

// genLog draws lines of a log: most with ids in order, some damaged, some
// written by hand.
func genLog(name string, logs []string) *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		n := rapid.IntRange(0, 12).Draw(t, name)
		var lines []string
		for i := range n {
			id := int64(i + 1)
			if rapid.IntRange(0, 9).Draw(t, "odd id") == 0 {
				id = rapid.Int64Range(1, 12).Draw(t, "id")
			}
			ref := rapid.Custom(func(t *rapid.T) ID {
				return ID{Log: rapid.SampledFrom(append(logs, "")).Draw(t, "log"), N: rapid.Int64Range(1, 12).Draw(t, "n")}.From(name)
			})
			r := Record{
				ID: Num(id), Time: day().Add(time.Duration(rapid.IntRange(-5, 20).Draw(t, "ts")) * time.Minute),
				Kind:   rapid.SampledFrom([]Kind{KindFact, KindFact, KindFact, KindRule, KindGoal, KindForget, KindForget, KindEdit, KindEdit, KindUndo, KindUndo, KindPin, KindPhase, KindTier, KindErased, "recipe"}).Draw(t, "kind"),
				Origin: rapid.SampledFrom([]Origin{"", "", "", OriginModel, OriginTool}).Draw(t, "origin"),
				By:     rapid.SampledFrom([]string{"", "user", "policy:p"}).Draw(t, "by"),
			}
			if rapid.IntRange(0, 9).Draw(t, "wrong clock") == 0 {
				r.Time = r.Time.AddDate(rapid.SampledFrom([]int{-30, 10, 100}).Draw(t, "years"), 0, 0)
			}
			if r.Kind.Changes() {
				r.Target = ref.Draw(t, "target")
				if rapid.IntRange(0, 2).Draw(t, "after?") == 0 {
					r.ownDetail().After = ref.Draw(t, "after")
				}
			} else {
				r.Content = fmt.Sprintf("%s-%d-%d", name, id, i)
				r.Source = &Source{Session: name, Turn: i + 1}
				if rapid.IntRange(0, 3).Draw(t, "supersedes?") == 0 {
					r.ownDetail().Supersedes = []ID{ref.Draw(t, "supersedes")}
				}
			}
			switch r.Kind {
			case KindEdit:
				r.Content = rapid.SampledFrom([]string{"", "edited"}).Draw(t, "new") + fmt.Sprint(i)
			case KindPhase:
				r.ownDetail().Phase = PhaseRigid
			case KindTier:
				r.ownDetail().Tier = TierArchive
			}
			if r.Kind == KindEdit || !r.Kind.Changes() {
				r.Key = rapid.SampledFrom([]string{"", "", "k", "l"}).Draw(t, "key")
				r.ownDetail().Extra = []Field{{"x", []byte(fmt.Sprint(i))}}
			}
			line := string(r.AppendJSON(nil))
			if rapid.IntRange(0, 14).Draw(t, "damage") == 0 {
				line = line[:len(line)/2]
			}
			lines = append(lines, line)
		}
		return lines
	})
}

// union draws the logs of a person and one that others can write to.
func union(t *rapid.T) []Lines {
	logs := []string{"desk-1", "laptop-7f3a", "team-1"}
	var list []Lines
	for _, name := range logs {
		l := Lines{Log: name, Own: name == "laptop-7f3a", Entries: entries(genLog(name, logs).Draw(t, "lines of "+name)...)}
		if name == "team-1" && rapid.Bool().Draw(t, "ceiling") {
			l.Ceiling = OriginExternal
			l.By = rapid.SampledFrom([]string{"", "trust:1"}).Draw(t, "trust")
		}
		list = append(list, l)
	}
	return list
}

// seen is all that a state tells.
func seen(s *State) map[string]any {
	all := map[string]any{"items": s.Items(), "waiting": s.Waiting(), "problems": s.Problems(), "hidden": s.HiddenTurns(), "len": s.Len()}
	for _, log := range []string{"", "desk-1", "team-1"} {
		all["max "+log] = s.MaxID(log)
		for n := int64(1); n <= 12; n++ {
			id := ID{Log: log, N: n}
			it, status := s.Get(id)
			all[id.String()] = []any{it, status, s.History(id)}
		}
	}
	c, ok := s.Undoable()
	all["undoable"] = []any{c, ok}
	return all
}

// TestL1Deterministic: the same lines give the same state, in whatever order
// the logs are given; and nothing of the lines is changed by the fold.
func TestL1Deterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := union(t)
		var before []string
		for _, l := range logs {
			for i := range l.Entries {
				before = append(before, string(l.Entries[i].Record.AppendJSON(nil)))
			}
		}
		want := seen(Fold(logs...))
		got := seen(Fold(rapid.Permutation(logs).Draw(t, "order")...))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order, another state:\n%s", diff)
		}
		var after []string
		for _, l := range logs {
			for i := range l.Entries {
				after = append(after, string(l.Entries[i].Record.AppendJSON(nil)))
			}
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("the fold changed lines:\n%s", diff)
		}
	})
}

// TestL5Forgotten: what is forgotten or erased is in no list, nor is the turn
// that taught it open.
func TestL5Forgotten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := union(t)
		all := Fold(logs...).Items()
		if len(all) == 0 {
			t.Skip("nothing to forget")
		}
		gone := rapid.SampledFrom(all).Draw(t, "item")
		kind := rapid.SampledFrom([]Kind{KindForget, KindErased}).Draw(t, "kind")
		line := Record{ID: Num(99), Kind: kind, Target: gone.ID}.AppendJSON(nil)
		own := slices.IndexFunc(logs, func(l Lines) bool { return l.Own })
		at := rapid.IntRange(0, len(logs[own].Entries)).Draw(t, "at") // a tombstone may stand anywhere
		logs[own].Entries = slices.Insert(slices.Clone(logs[own].Entries), at, ParseLine(line))
		s := Fold(logs...)
		for _, it := range append(s.Items(), s.Waiting()...) {
			if it.ID == gone.ID {
				t.Fatalf("%s is still listed", it.Ref())
			}
		}
		if st := s.Status(gone.ID); st != StatusForgotten && st != StatusErased {
			t.Fatalf("%s is %s", gone.Ref(), st)
		}
		if !s.HiddenTurns().Has(gone.Record.Source.Session, gone.Record.Source.Turn) {
			t.Fatalf("turn %+v is open", gone.Record.Source)
		}
	})
}

// TestR377ForgetRevivesNothing: forgetting makes nothing active that was not, whatever the
// logs say, wherever the line stands that says it; what is forgotten along with an item
// hides the turn that taught it; and an undo of the line gives back what there was.
func TestR377ForgetRevivesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := union(t)
		before := Fold(logs...)
		var all []Item
		for _, st := range []Status{StatusActive, StatusWaiting, StatusSuperseded} {
			all = append(all, before.With(st)...)
		}
		if len(all) == 0 {
			t.Skip("nothing to forget")
		}
		gone := rapid.SampledFrom(all).Draw(t, "item")
		own := slices.IndexFunc(logs, func(l Lines) bool { return l.Own })
		was := logs[own].Entries
		at := rapid.IntRange(0, len(was)).Draw(t, "at")
		line := ParseLine(Record{ID: Num(99), Kind: KindForget, Target: gone.ID}.AppendJSON(nil))
		logs[own].Entries = slices.Insert(slices.Clone(was), at, line)
		after := Fold(logs...)
		for _, it := range after.Items() {
			if st := before.Status(it.ID); st != StatusActive {
				t.Fatalf("%s is active, and was %s", it.Ref(), st)
			}
		}
		for _, it := range append(before.Replaced(gone.ID), gone) {
			if st := after.Status(it.ID); st != StatusForgotten {
				t.Fatalf("%s, which %s replaced, is %s", it.Ref(), gone.Ref(), st)
			}
			if src := it.Record.Source; src != nil && src.Turn > 0 && !after.HiddenTurns().Has(src.Session, src.Turn) {
				t.Fatalf("turn %+v is open", src)
			}
		}
		logs[own].Entries = append(logs[own].Entries, ParseLine(Record{ID: Num(100), Kind: KindUndo, Target: Num(99)}.AppendJSON(nil)))
		if diff := cmp.Diff(before.Items(), Fold(logs...).Items(), cmpopts.IgnoreFields(Item{}, "Line")); diff != "" {
			t.Fatalf("forgotten and undone (-before +after):\n%s", diff)
		}
	})
}

// TestL9Undo: undoing a line gives the active items, fields and order that
// there would be if it had never been written, also for lines that follow.
func TestL9Undo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := union(t)
		own := slices.IndexFunc(logs, func(l Lines) bool { return l.Own })
		before := logs[own].Entries
		r := genLog("laptop-7f3a", []string{"desk-1", "laptop-7f3a", "team-1"}).Filter(func(l []string) bool {
			return len(l) > 0 && ParseLine([]byte(l[0])).Bad == nil && ParseLine([]byte(l[0])).Record.Kind != KindErased
		}).Draw(t, "line")[0]
		rec := ParseLine([]byte(r)).Record
		rec.ID = Num(50)
		undo := Record{ID: Num(51), Time: day().Add(time.Hour), Kind: KindUndo, Target: Num(50)}
		at := rapid.IntRange(0, len(before)).Draw(t, "at")
		logs[own].Entries = slices.Insert(slices.Clone(before), at, ParseLine(rec.AppendJSON(nil)), ParseLine(undo.AppendJSON(nil)))
		with := Fold(logs...)
		logs[own].Entries = before
		without := Fold(logs...)
		if diff := cmp.Diff(without.Items(), with.Items()); diff != "" {
			t.Fatalf("undoing %s (-never written +undone):\n%s", rec.AppendJSON(nil), diff)
		}
		if diff := cmp.Diff(without.Waiting(), with.Waiting()); diff != "" {
			t.Fatalf("undoing %s, waiting:\n%s", rec.AppendJSON(nil), diff)
		}
		if with.Status(Num(50)) != StatusUndone || with.MaxID("") != 51 {
			t.Fatalf("line 50 is %s, MaxID %d", with.Status(Num(50)), with.MaxID(""))
		}
	})
}

// TestL11Trust: an item is trusted no more than any line that made it, no rule
// is active that the user did not let in, and nothing at all without a human
// act.
func TestL11Trust(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := union(t)
		s := Fold(logs...)
		for _, it := range s.Items() {
			l := logs[slices.IndexFunc(logs, func(l Lines) bool { return l.Log == it.Log })]
			if !it.Active() || it.Origin.Rank() < l.Ceiling.Rank() {
				t.Fatalf("%s of origin %s is active in a log of ceiling %q", it.Ref(), it.Origin, l.Ceiling)
			}
			if it.Record.Kind == KindRule && it.Origin != OriginUser && it.Record.By != "user" {
				t.Fatalf("rule %s is active by %q", it.Ref(), it.Record.By)
			}
			for _, c := range s.History(it.ID) {
				statesIt := !c.Record.Kind.Changes() && c.Record.Content == it.Record.Content
				edits := c.Record.Kind == KindEdit && c.Record.Content != "" && c.Record.Content == it.Record.Content
				if (statesIt || edits) && !c.Waits && !c.Undone && c.Record.Origin.Rank() > it.Origin.Rank() {
					t.Fatalf("%s has origin %s, its text %s", it.Ref(), it.Origin, c.Record.Origin)
				}
			}
		}
		// A log that others can write to changes nothing outside itself.
		for i := range logs {
			if logs[i].limited() {
				rest := slices.Delete(slices.Clone(logs), i, i+1)
				mine := slices.DeleteFunc(s.Items(), func(it Item) bool { return it.Log == logs[i].Log })
				for j := range mine {
					mine[j].Order = 0
				}
				alone := Fold(rest...).Items()
				for j := range alone {
					alone[j].Order = 0
				}
				if diff := cmp.Diff(alone, mine); diff != "" {
					t.Fatalf("log %s changes others (-without +with):\n%s", logs[i].Log, diff)
				}
			}
		}
	})
}

func FuzzFold(f *testing.F) {
	f.Add([]byte("{\"id\":1,\"content\":\"a\",\"key\":\"k\"}\n{\"id\":2,\"kind\":\"edit\",\"target\":1,\"tags\":null}\n{\"id\":3,\"kind\":\"undo\",\"target\":2}\nx\n"), []byte("{\"id\":1,\"kind\":\"forget\",\"target\":\"laptop-7f3a/1\"}\n"))
	f.Add([]byte("{\"id\":1,\"content\":\"a\",\"supersedes\":[1,2]}\n{\"id\":2,\"content\":\"b\",\"supersedes\":1}\n{\"id\":1,\"content\":\"c\"}\n{\"id\":2,\"kind\":\"erased\"}"), []byte("{\"content\":\"a\"}\n{\"kind\":\"phase\",\"target\":\"h1a2b3c4d\",\"phase\":\"rigid\"}"))
	f.Add([]byte("{\"id\":9007199254740991,\"content\":\"a\"}\n{\"kind\":\"undo\",\"target\":9007199254740991}"), []byte("{\"id\":5,\"kind\":\"undo\",\"target\":5}"))
	f.Fuzz(func(t *testing.T, own, other []byte) {
		logs := []Lines{
			{Log: "laptop-7f3a", Own: true, Entries: entries(strings.Split(string(own), "\n")...)},
			{Log: "phone-1", Entries: entries(strings.Split(string(other), "\n")...)},
		}
		s := Fold(logs...)
		if s.Len() != len(s.Items()) || s.Len()+len(s.Waiting()) > len(s.nodes) {
			t.Fatalf("%d active, %d listed, %d wait, of %d", s.Len(), len(s.Items()), len(s.Waiting()), len(s.nodes))
		}
		for _, it := range append(s.Items(), s.Waiting()...) {
			got, status := s.Get(it.ID)
			if diff := cmp.Diff(it, got); diff != "" || status != StatusActive && status != StatusWaiting {
				t.Fatalf("%s is listed and %s:\n%s", it.Ref(), status, diff)
			}
			if len(s.History(it.ID)) == 0 {
				t.Fatalf("%s has no history", it.Ref())
			}
			if _, _, err := parseRecord(it.Record.AppendJSON(nil)); err != nil {
				t.Fatalf("%s cannot be written: %v", it.Ref(), err)
			}
			if it.ID.N > s.MaxID(it.ID.Log) {
				t.Fatalf("%s is above MaxID %d", it.Ref(), s.MaxID(it.ID.Log))
			}
		}
		slices.Reverse(logs)
		if diff := cmp.Diff(seen(s), seen(Fold(logs...))); diff != "" {
			t.Fatal(diff)
		}
	})
}
