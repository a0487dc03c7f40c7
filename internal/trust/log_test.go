package trust

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/memory/logtest"
)

// entries are all that a log yields after a cursor, without where they stand.
func entries(t testing.TB, l memory.Log, after memory.Cursor) []memory.Entry {
	t.Helper()
	var list []memory.Entry
	for _, e := range placed(t, l, after) {
		list = append(list, e.Entry)
	}
	return list
}

// placed are all that a log yields after a cursor.
func placed(t testing.TB, l memory.Log, after memory.Cursor) []memory.Placed {
	t.Helper()
	var list []memory.Placed
	for e, err := range l.Records(t.Context(), after) {
		if err != nil && e.Bad == nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// genText is a file of lines of many sorts.
func genText() *rapid.Generator[string] {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "noise", `{"meta":{"format":1,"log":"team"}}`, `{"content":"no id"}`, `{"id":1,"kind":"forget","target":3}`,
			`{"id":2,"kind":"rule","content":"r","by":"user"}`, `{"id":3,"content":"a","scope":"user"}`, `{"id":4,"kind":"edit","target":3,"scope":"user"}`,
			`{"id":5,"kind":"edit","target":3,"scope":null,"tags":["x"]}`, "\r", `{"id":6,"content":"x"}` + "\r", `{"id":0}`,
		}),
		rapid.StringN(0, 12, -1),
	)
	return rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "ended") {
			text += "\n"
		}
		return text
	})
}

// TestLogReadsAsOthersDo: a repository's log says what the same lines would say
// as a log of one's own, but for what makes it the repository's.
func TestLogReadsAsOthersDo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.TrimLeft(genText().Draw(rt, "text"), "\ufeff")
		f := file("team", text)
		oracle := logtest.NewMemory("team")
		for _, line := range f.lines() {
			oracle.Insert(string(line))
		}
		want := entries(t, oracle, "")
		if n := len(want); n > 0 && want[n-1].Bad != nil && want[n-1].Line == len(f.lines()) {
			want[n-1].Bad.Torn = !strings.HasSuffix(text, "\n")
		}
		l := f.Open("repo:h/a")
		got := placed(t, l, "")
		if len(want) != len(got) {
			rt.Fatalf("%q: %d entries, want %d", text, len(got), len(want))
		}
		for i := range want {
			w, g := want[i], got[i].Entry
			if rest := entries(t, l, got[i].At); len(rest) != len(got)-i-1 {
				rt.Fatalf("%q: %d entries follow the one at %s", text, len(rest), got[i].At)
			}
			if w.Bad != nil && g.Bad != nil {
				if w.Bad.Error() == g.Bad.Error() {
					w.Bad.Cause, g.Bad.Cause = nil, nil
				}
			} else if w.Record.Kind != "" {
				(&log{"team", nil, "repo:h/a"}).bind(w.Record)
			}
			if diff := cmp.Diff(w, g, cmp.AllowUnexported(memory.Entry{})); diff != "" {
				rt.Fatalf("%q: entry %d (-want +got)\n%s", text, i, diff)
			}
		}
	})
}

// TestByteOrderMark: what is shown for judging is what is read.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	f := file("team", "\ufeff{\"content\":\"a\"}\n")
	got := entries(t, f.Open("repo:h/a"), "")
	if len(got) != 1 || got[0].Record.Content != "a" || string(f.lines()[0]) != `{"content":"a"}` {
		t.Errorf("%+v, %q", got, f.lines())
	}
}

func TestLogRefuses(t *testing.T) {
	t.Parallel()
	l := file("team", "{\"content\":\"a\"}\n{\"content\":\"b\"}\n").Open("repo:h/a")
	for _, at := range []memory.Cursor{"1", "17", "x", "-1", "0", "100", "9223372036854775808"} {
		for _, err := range l.Records(t.Context(), at) {
			if !errors.Is(err, memory.ErrStale) {
				t.Errorf("after %q: %v", at, err)
			}
		}
	}
	if _, err := l.Append(t.Context(), "", nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("append: %v", err)
	}
	if _, err := l.Erase(t.Context(), memory.Num(1)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("erase: %v", err)
	}
}

// TestLogIsOfItsRepository: nothing of it holds everywhere, whatever it says.
func TestLogIsOfItsRepository(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		`{"id":1,"content":"no scope","source":{"session":"20260510T190001Z-7f3a","turn":2}}`,
		`{"id":2,"content":"user's","scope":"user"}`,
		`{"id":3,"content":"a directory's","scope":"dir:~/x"}`,
		`{"id":4,"content":"edited to the user's","scope":"dir:~/x"}`,
		`{"id":5,"kind":"edit","target":4,"scope":"user"}`,
		`{"id":6,"content":"edited to none","scope":"dir:~/x"}`,
		`{"id":7,"kind":"edit","target":6,"scope":null,"tags":["t"]}`,
		`{"id":8,"content":"edited to the empty one","scope":"dir:~/x"}`,
		`{"id":9,"kind":"edit","target":8,"scope":""}`,
		`{"id":10,"kind":"edit","target":3,"content":"a directory's still"}`,
	}, "\n")
	f := file("team", text)
	s := memory.Fold(
		memory.Lines{Log: "laptop-7f3a", Own: true},
		memory.Lines{Log: "team", Ceiling: memory.OriginExternal, By: f.By(), Entries: entries(t, f.Open("repo:h/a"), "")},
	)
	got := make(map[string]string)
	for _, it := range s.Items() {
		got[it.Record.Content] = string(it.Record.Scope)
		if it.Record.Source != nil {
			t.Errorf("%s has a source: %+v", it.Ref(), it.Record.Source)
		}
		if it.Origin != memory.OriginExternal || it.Record.By != f.By() || !strings.HasPrefix(f.By(), "trust:") || len(f.By()) != len("trust:")+byDigits {
			t.Errorf("%s: origin %s, by %s", it.Ref(), it.Origin, it.Record.By)
		}
	}
	want := map[string]string{
		"no scope": "repo:h/a", "user's": "repo:h/a", "a directory's still": "dir:~/x",
		"edited to the user's": "repo:h/a", "edited to none": "repo:h/a", "edited to the empty one": "repo:h/a",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if d := s.HiddenTurns(); len(d.Turns) > 0 {
		t.Errorf("it hides turns: %v", d)
	}
}

// TestL11NothingRises: a rule that comes with a repository is not in force by
// being let in, whatever it says of itself.
func TestL11NothingRises(t *testing.T) {
	t.Parallel()
	f := file("team", strings.Join([]string{
		`{"id":1,"kind":"rule","content":"a","by":"user","origin":"user","review":3}`,
		`{"id":2,"kind":"procedural_rule","content":"b"}`,
		`{"id":3,"kind":"fact","content":"c"}`,
		`{"id":4,"kind":"edit","target":3,"content":"d","by":"user"}`,
		`{"id":5,"kind":"edit","target":1,"content":"e","by":"user"}`,
		`{"kind":"rule","content":"f"}`,
		`{"id":7,"kind":"rule","content":"g","supersedes":3}`,
	}, "\n"))
	for _, by := range []string{f.By(), ""} {
		s := memory.Fold(memory.Lines{Log: "laptop-7f3a", Own: true},
			memory.Lines{Log: "team", Ceiling: memory.OriginExternal, By: by, Entries: entries(t, f.Open("repo:h/a"), "")})
		var active []string
		for _, it := range s.Items() {
			active = append(active, it.Ref()+" "+it.Record.Content)
		}
		want := []string{"team/3 d"}
		if by == "" {
			want = nil
		}
		if diff := cmp.Diff(want, active); diff != "" {
			t.Errorf("by %q (-want +got)\n%s", by, diff)
		}
		for _, it := range s.Waiting() {
			if it.Record.Kind != memory.KindRule && by != "" {
				t.Errorf("%s waits", it.Ref())
			}
		}
	}
}

// TestNothingOfOthersChanges: whatever a repository says, the person's own
// memory and that of their other devices stay as they are, and so do the
// numbers that are spent.
func TestNothingOfOthersChanges(t *testing.T) {
	t.Parallel()
	lines := func(text string) (list []memory.Entry) {
		for l := range strings.SplitSeq(text, "\n") {
			list = append(list, memory.ParseLine([]byte(l)))
		}
		return list
	}
	own := memory.Lines{Log: "laptop-7f3a", Own: true, Entries: lines(`{"id":1,"ts":"2026-05-01T00:00:00Z","content":"mine","key":"k"}
{"id":2,"ts":"2026-05-02T00:00:00Z","kind":"rule","content":"my rule"}
{"id":3,"ts":"2026-05-03T00:00:00Z","content":"gone"}
{"id":4,"ts":"2026-05-04T00:00:00Z","kind":"forget","target":3}
{"id":5,"ts":"2026-05-04T00:00:00Z","kind":"pin","target":"desk-0001/1"}`)}
	desk := memory.Lines{Log: "desk-0001", Entries: lines(`{"id":1,"ts":"2026-05-01T00:00:00Z","content":"my other one"}`)}
	view := func(s *memory.State) (list []memory.Item) {
		for _, it := range s.Items() {
			if it.Log != "team" {
				it.Order = 0
				list = append(list, it)
			}
		}
		return list
	}
	before := memory.Fold(own, desk)
	id := rapid.SampledFrom([]string{"1", "2", "3", "4", `"laptop-7f3a/1"`, `"laptop-7f3a/2"`, `"laptop-7f3a/3"`, `"laptop-7f3a/4"`, `"laptop-7f3a/9"`, `"desk-0001/1"`, `"team/1"`, `["laptop-7f3a/1","desk-0001/1"]`, `"laptop-7f3a/9007199254740991"`})
	kind := rapid.SampledFrom([]string{"fact", "rule", "forget", "edit", "erased", "undo", "pin", "unpin", "tier", "phase", "touch"})
	rapid.Check(t, func(rt *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 8).Draw(rt, "lines") {
			b.WriteString(`{"id":` + id.Draw(rt, "id") + `,"ts":"2026-06-01T00:00:00Z","kind":"` + kind.Draw(rt, "kind") + `"`)
			for _, name := range []string{"target", "targets", "supersedes", "cites"} {
				if rapid.Bool().Draw(rt, name) {
					b.WriteString(`,"` + name + `":` + id.Draw(rt, "of"))
				}
			}
			b.WriteString(`,"content":"theirs","key":"k","by":"user","origin":"user","tier":"archive","phase":"rigid","sessions":["s"],"source":{"session":"s","turn":1}}` + "\n")
		}
		for _, name := range []string{"team", "aaa", "zzz"} {
			f := file(name, b.String())
			s := memory.Fold(own, desk, memory.Lines{Log: name, Ceiling: memory.OriginExternal, By: f.By(), Entries: entries(t, f.Open("repo:h/a"), "")})
			items := slices.DeleteFunc(view(s), func(it memory.Item) bool { return it.Log == name })
			if diff := cmp.Diff(view(before), items); diff != "" {
				rt.Fatalf("%s: the own memory changed (-before +after)\n%s\n%s", name, diff, b.String())
			}
			for n := int64(1); n <= 9; n++ {
				if was, is := before.Status(memory.Num(n)), s.Status(memory.Num(n)); was != is {
					rt.Fatalf("%s: %d was %v and is %v\n%s", name, n, was, is, b.String())
				}
			}
			if s.MaxID("") != before.MaxID("") || len(s.HiddenTurns().Sessions)+len(s.HiddenTurns().Turns) > 0 {
				rt.Fatalf("%s: %d numbers are spent, hidden: %v\n%s", name, s.MaxID(""), s.HiddenTurns(), b.String())
			}
			// As a log that is not read by this package, by the fold's own law.
			raw := memory.Fold(own, desk, memory.Lines{Log: name, Ceiling: memory.OriginExternal, By: "x", Entries: lines(b.String())})
			items = slices.DeleteFunc(view(raw), func(it memory.Item) bool { return it.Log == name })
			if diff := cmp.Diff(view(before), items); diff != "" || raw.MaxID("") != before.MaxID("") {
				rt.Fatalf("%s: the own memory changed by the fold (-before +after)\n%s\n%s", name, diff, b.String())
			}
		}
	})
}
