package memory

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestL1Copies: copies of one log that say different things fold to the same state in
// any order of the arguments, and to that of one of them; who left one out says so.
func TestL1Copies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var logs []Lines
		for i := range rapid.IntRange(1, 4).Draw(t, "copies") {
			l := Lines{Log: rapid.SampledFrom([]string{"desk-0001", "phone-0002"}).Draw(t, "log"), Own: i == 0}
			if rapid.IntRange(0, 3).Draw(t, "guest") == 0 && !l.Own {
				l.Ceiling, l.By = OriginExternal, "trust:1"
			}
			for n := range rapid.IntRange(0, 4).Draw(t, "lines") {
				line := fmt.Sprintf(`{"id":%d,"ts":"2026-05-0%dT00:00:00Z","content":%q}`, n+1, n+1, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "text"))
				if n > 0 && rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
					line = fmt.Sprintf(`{"id":%d,"kind":"forget","target":%d}`, n+1, rapid.IntRange(1, n).Draw(t, "target"))
				}
				e := ParseLine([]byte(line))
				e.Line = n + 1
				l.Entries = append(l.Entries, e)
			}
			logs = append(logs, l)
		}
		says := func(s *State) any {
			var items []string
			for _, it := range s.Items() {
				items = append(items, it.Ref()+" "+it.Record.Content+" "+string(it.Origin))
			}
			return []any{items, s.Problems(), s.OwnLog()}
		}
		want := says(Fold(logs...))
		shuffled := slices.Clone(logs)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Shuffle(len(shuffled), func(i, j int) {
			shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
		})
		if got := says(Fold(shuffled...)); !reflect.DeepEqual(got, want) {
			t.Fatalf("in another order: %v, want %v", got, want)
		}
	})
}

func entriesOf(lines ...string) (list []Entry) {
	for i, line := range lines {
		e := ParseLine([]byte(line))
		e.Line = i + 1
		list = append(list, e)
	}
	return list
}

// TestCopies: which copy counts, and what is said of the other one.
func TestCopies(t *testing.T) {
	t.Parallel()
	one, two, forget := `{"id":1,"content":"one"}`, `{"id":2,"content":"two"}`, `{"id":3,"kind":"forget","target":2}`
	long := Lines{Log: "desk-0001", Entries: entriesOf(one, two, forget)}
	lags := Lines{Log: "desk-0001", Entries: entriesOf(one, two)}
	other := Lines{Log: "desk-0001", Entries: entriesOf(one, `{"id":2,"content":"another"}`)}
	guest := Lines{Log: "desk-0001", Ceiling: OriginExternal, By: "trust:1", Entries: entriesOf(one, two, forget, `{"id":4,"content":"smuggled"}`)}
	for name, c := range map[string]struct {
		logs []Lines
		want string
		told []int
	}{
		"one that lags is no news":            {[]Lines{lags, long}, "[one]", nil},
		"the longer one counts":               {[]Lines{other, long}, "[one]", []int{2}},
		"what a repository brings counts not": {[]Lines{guest, lags}, "[two one]", []int{0}},
	} {
		s := Fold(c.logs...)
		var texts []string
		for _, it := range s.Items() {
			texts = append(texts, it.Record.Content)
		}
		var told []int
		for _, p := range s.Problems() {
			told = append(told, p.Line)
		}
		if fmt.Sprint(texts) != c.want || !slices.Equal(told, c.told) {
			t.Errorf("%s: %v, told %v; want %s and %v", name, texts, told, c.want, c.told)
		}
	}
}
