package asof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/memory/asof"
)

// day is noon of a day of May 2026.
func day(n int) time.Time { return time.Date(2026, 5, n, 12, 0, 0, 0, time.UTC) }

// fold folds lines of the own log. D3 stands for noon of the third.
func fold(lines ...string) *memory.State {
	var entries []memory.Entry
	for i, line := range lines {
		for n := 31; n > 0; n-- {
			line = strings.ReplaceAll(line, fmt.Sprintf("D%d\"", n), day(n).Format(time.RFC3339)+`"`)
		}
		e := memory.ParseLine([]byte(line))
		e.Line = i + 1
		entries = append(entries, e)
	}
	return memory.Fold(memory.Lines{Log: "desk-19c4", Own: true, Entries: entries})
}

// TestWrongClock: a line of a time that has not come yet was told nobody knows when.
// It puts off none of the lines behind it.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	s := fold(
		`{"id":1,"ts":"D2","kind":"fact","content":"kettle"}`,
		`{"id":2,"ts":"D31","kind":"fact","content":"samovar"}`,
		`{"id":3,"ts":"D6","kind":"fact","content":"teapot"}`,
		`{"id":4,"kind":"fact","content":"cup"}`,
		`{"id":5,"ts":"D30","kind":"fact","content":"urn"}`,
		`{"id":6,"kind":"fact","content":"tray"}`,
	)
	for n, want := range map[int]string{1: "", 2: "kettle", 5: "kettle", 6: "kettle, teapot, cup", 10: "kettle, teapot, urn, samovar, cup, tray"} {
		if got := texts(asof.At(s, day(n), day(10)).Items()); got != want {
			t.Errorf("on day %d: %q, want %q", n, got, want)
		}
	}
}

// texts are what holds, oldest first.
func texts(items []memory.Item) string {
	var list []string
	for _, it := range slices.Backward(items) {
		list = append(list, it.Record.Content)
	}
	return strings.Join(list, ", ")
}

// TestAt is the rule of the two times, case by case. Each case says what held on
// which day.
func TestAt(t *testing.T) {
	t.Parallel()
	const stated = `{"id":1,"ts":"D2","kind":"fact","content":"kettle"}`
	for name, c := range map[string]struct {
		lines []string
		want  map[int]string // by day
	}{
		"stated": {[]string{stated}, map[int]string{1: "", 2: "kettle", 20: "kettle"}},
		"stated later about the past: known from then on": {
			[]string{`{"id":1,"ts":"D10","kind":"fact","content":"kettle","valid_from":"D2"}`},
			map[int]string{3: "", 9: "", 10: "kettle"},
		},
		"stated before about the future": {
			[]string{`{"id":1,"ts":"D2","kind":"fact","content":"kettle","valid_from":"D5","valid_to":"D8"}`},
			map[int]string{2: "", 4: "", 5: "kettle", 7: "kettle", 8: "", 20: ""},
		},
		"expired": {
			[]string{`{"id":1,"ts":"D2","kind":"fact","content":"kettle","expires":"D5"}`},
			map[int]string{2: "kettle", 4: "kettle", 5: ""},
		},
		"replaced by name": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","supersedes":1}`},
			map[int]string{5: "kettle", 6: "teapot"},
		},
		"replaced by key": {
			[]string{`{"id":1,"ts":"D2","kind":"fact","content":"kettle","key":"host"}`, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","key":"host"}`},
			map[int]string{5: "kettle", 6: "teapot"},
		},
		"replaced from a day on, said before": {
			[]string{`{"id":1,"ts":"D2","kind":"fact","content":"kettle","key":"host"}`, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","key":"host","valid_from":"D9"}`},
			map[int]string{5: "kettle", 6: "kettle", 8: "kettle", 9: "teapot"},
		},
		"replaced from a day on, said after": {
			[]string{stated, `{"id":2,"ts":"D9","kind":"fact","content":"teapot","supersedes":[1],"valid_from":"D6"}`},
			map[int]string{5: "kettle", 8: "kettle", 9: "teapot"},
		},
		"what replaced it has ended: it does not come back": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","supersedes":1,"valid_to":"D9"}`},
			map[int]string{5: "kettle", 8: "teapot", 9: ""},
		},
		"what would have replaced it was replaced before": {
			[]string{
				stated, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","supersedes":1,"valid_from":"D20"}`,
				`{"id":3,"ts":"D7","kind":"fact","content":"samovar","supersedes":2}`,
			},
			map[int]string{6: "kettle", 7: "kettle, samovar", 20: "samovar"},
		},
		"edited": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"edit","target":1,"content":"teapot"}`},
			map[int]string{5: "kettle", 6: "teapot"},
		},
		"ended by an edit: until then it was thought to last": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"edit","target":1,"valid_to":"D4"}`},
			map[int]string{3: "kettle", 5: "kettle", 6: ""},
		},
		"put off by an edit": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"edit","target":1,"valid_from":"D9"}`},
			map[int]string{5: "kettle", 6: "", 9: "kettle"},
		},
		"forgotten: at no moment": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"forget","target":1}`},
			map[int]string{2: "", 5: "", 6: ""},
		},
		"erased: at no moment": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"erased","target":1}`},
			map[int]string{5: "", 6: ""},
		},
		"undone: at no moment": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"undo","target":1}`},
			map[int]string{5: "", 6: ""},
		},
		"forgotten by mistake: as if never": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"forget","target":1}`, `{"id":3,"ts":"D9","kind":"undo","target":2}`},
			map[int]string{5: "kettle", 7: "kettle", 9: "kettle"},
		},
		"what replaced it was forgotten, and it too: at no moment": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","supersedes":1}`, `{"id":3,"ts":"D9","kind":"forget","target":2}`},
			map[int]string{2: "", 5: "", 7: "", 9: ""},
		},
		"what would have replaced it was forgotten before: it never did": {
			[]string{
				stated, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","supersedes":1,"valid_from":"D12"}`,
				`{"id":3,"ts":"D9","kind":"forget","target":2}`,
			},
			map[int]string{5: "kettle", 7: "kettle", 12: "kettle"},
		},
		"what replaced it was undone: it never did": {
			[]string{stated, `{"id":2,"ts":"D6","kind":"fact","content":"teapot","supersedes":1}`, `{"id":3,"ts":"D9","kind":"undo","target":2}`},
			map[int]string{5: "kettle", 7: "kettle", 9: "kettle"},
		},
		"without a time: told with the line before": {
			[]string{`{"id":1,"kind":"fact","content":"kettle"}`, `{"id":2,"ts":"D6","kind":"fact","content":"teapot"}`, `{"id":3,"kind":"fact","content":"samovar"}`},
			map[int]string{1: "kettle", 5: "kettle", 6: "kettle, teapot, samovar"},
		},
		"a clock that went back: told with the line before": {
			[]string{`{"id":1,"ts":"D6","kind":"fact","content":"kettle"}`, `{"id":2,"ts":"D2","kind":"fact","content":"teapot"}`},
			map[int]string{5: "", 6: "kettle, teapot"},
		},
		"a clock that went ahead, taken back": {
			[]string{`{"id":1,"ts":"D20","kind":"fact","content":"kettle"}`, `{"id":2,"ts":"D6","kind":"undo","target":1}`, `{"id":3,"ts":"D6","kind":"fact","content":"teapot"}`},
			map[int]string{5: "", 6: "teapot"},
		},
	} {
		s := fold(c.lines...)
		for n, want := range c.want {
			at := day(n)
			if got := texts(asof.Items(asof.At(s, at, day(31)), at)); got != want && !sameTexts(got, want) {
				t.Errorf("%s: on the %d. %q, want %q", name, n, got, want)
			}
		}
	}
}

// sameTexts compares without regard to order, which is that of ts.
func sameTexts(a, b string) bool {
	x, y := strings.Split(a, ", "), strings.Split(b, ", ")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// TestFuture: a moment that has not passed cuts nothing, and what will be valid
// then is.
func TestFuture(t *testing.T) {
	t.Parallel()
	s := fold(`{"id":1,"ts":"D9","kind":"fact","content":"kettle"}`, // by a clock that is ahead
		`{"id":2,"ts":"D2","kind":"fact","content":"teapot","valid_from":"D7"}`)
	for n, want := range map[int]string{3: "kettle", 7: "kettle, teapot", 30: "kettle, teapot"} {
		if got := texts(asof.Items(asof.At(s, day(n), day(3)), day(n))); !sameTexts(got, want) {
			t.Errorf("on the %d. %q, want %q", n, got, want)
		}
	}
}

// drawLines draws the lines of a log, which may name those of another.
func drawLines(t *rapid.T, log string) memory.Lines {
	l := memory.Lines{Log: log, Own: log == "a"}
	n := rapid.IntRange(0, 12).Draw(t, "lines")
	for i := range n {
		r := memory.Record{ID: memory.Num(int64(i + 1)), Detail: &memory.Detail{}}
		r.Time = day(rapid.IntRange(1, 9).Draw(t, "ts"))
		target := memory.ID{Log: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "log"), N: int64(rapid.IntRange(1, 12).Draw(t, "target"))}
		maybe := func(at *time.Time) {
			if rapid.IntRange(0, 3).Draw(t, "has") == 0 {
				*at = day(rapid.IntRange(1, 12).Draw(t, "day"))
			}
		}
		switch kind := rapid.SampledFrom([]memory.Kind{"fact", "fact", "fact", "edit", "forget", "undo", "erased", "pin"}).Draw(t, "kind"); kind {
		case memory.KindFact:
			r.Kind, r.Content = kind, fmt.Sprintf("%s%d", log, i)
			r.Key = rapid.SampledFrom([]string{"", "", "k", "j"}).Draw(t, "key")
			if rapid.IntRange(0, 3).Draw(t, "replaces") == 0 {
				r.Detail.Supersedes = []memory.ID{target}
			}
			maybe(&r.Detail.ValidFrom)
			maybe(&r.Detail.ValidTo)
			maybe(&r.Detail.Expires)
		case memory.KindEdit:
			r.Kind, r.Target = kind, target
			maybe(&r.Detail.ValidFrom)
			maybe(&r.Detail.ValidTo)
		default:
			r.Kind, r.Target = kind, target
		}
		l.Entries = append(l.Entries, memory.ParseLine(r.AppendJSON(nil)))
	}
	return l
}

// TestLaws: as of now is the present; what counts grows; nothing that is taken
// back now held ever; and what holds is current.
func TestLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := memory.Fold(drawLines(t, "a"), drawLines(t, "b"))
		now := day(rapid.IntRange(1, 12).Draw(t, "now"))
		if diff := cmp.Diff(refs(asof.Items(s, now)), refs(asof.Items(asof.At(s, now, now), now))); diff != "" {
			t.Fatalf("as of now is not the present: %s", diff)
		}
		before := -1
		for n := range 14 {
			at := day(n)
			then := asof.At(s, at, now)
			for _, it := range asof.Items(then, at) {
				if !it.Current(at) {
					t.Fatalf("%s held on the %d., and is not current then", it.Ref(), n)
				}
				switch st := s.Status(it.ID); st {
				case memory.StatusForgotten, memory.StatusErased, memory.StatusUndone, memory.StatusUnknown, memory.StatusChange:
					t.Fatalf("%s held on the %d., and is %s", it.Ref(), n, st)
				}
				if st, _ := then.Get(it.ID); at.Before(now) && st.Record.Time.After(at) {
					t.Fatalf("%s was told after the %d.", it.Ref(), n)
				}
			}
			lines := 0
			for _, l := range asof.At(s, at, now).Logs() {
				for _, e := range l.Entries {
					if e.Record.Kind.Changes() {
						lines++
					}
				}
			}
			if lines < before {
				t.Fatalf("%d lines that change something count on the %d., %d the day before", lines, n, before)
			}
			before = lines
		}
	})
}

func refs(items []memory.Item) []string {
	var list []string
	for _, it := range items {
		list = append(list, it.Ref()+it.Record.Content)
	}
	return list
}

// TestAll: how everything stands, superseded and not valid yet included; what was
// forgotten is not there.
func TestAll(t *testing.T) {
	t.Parallel()
	s := fold(
		`{"id":1,"ts":"D1","kind":"fact","content":"old","key":"k"}`,
		`{"id":2,"ts":"D2","kind":"fact","content":"new","key":"k"}`,
		`{"id":3,"ts":"D3","kind":"fact","content":"gone","expires":"D4"}`,
		`{"id":4,"ts":"D3","kind":"fact","content":"over","valid_to":"D4"}`,
		`{"id":5,"ts":"D3","kind":"fact","content":"soon","valid_from":"D9","supersedes":2}`,
		`{"id":6,"ts":"D3","kind":"fact","content":"forgotten","valid_from":"D9"}`,
		`{"id":7,"ts":"D3","kind":"forget","target":6}`,
		`{"id":8,"ts":"D4","kind":"fact","content":"waits","origin":"model"}`,
		`{"id":9,"ts":"D4","kind":"fact","content":"waits and is replaced later","origin":"model"}`,
		`{"id":10,"ts":"D4","kind":"fact","content":"later","valid_from":"D9","supersedes":9}`,
	)
	var got []string
	for _, it := range asof.All(s, day(5)) {
		got = append(got, it.Record.Content+" "+it.Status)
	}
	want := []string{"later not valid yet", "soon not valid yet", "over ended", "gone expired", "new active", "old superseded"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for id, want := range map[int64]string{6: "forgotten", 8: "waiting", 9: "waiting", 2: "active", 5: "not valid yet"} {
		it, _ := s.Get(memory.Num(id))
		if got := asof.Status(s, it, day(5)); got != want {
			t.Errorf("%d is %s, want %s", id, got, want)
		}
	}
}

// TestHold: items made one by one are those made together, at any time.
func TestHold(t *testing.T) {
	t.Parallel()
	s := fold(
		`{"id":1,"ts":"D1","kind":"fact","content":"the old office"}`,
		`{"id":2,"ts":"D2","kind":"fact","content":"the parcel comes","expires":"D4"}`,
		`{"id":3,"ts":"D3","kind":"fact","content":"the new office","valid_from":"D5","supersedes":1}`,
		`{"id":4,"ts":"D3","kind":"fact","content":"the bell is broken","valid_to":"D6"}`,
	)
	for n := 1; n < 8; n++ {
		want := slices.DeleteFunc(asof.Valid(s, day(n)).Items(), func(it memory.Item) bool { return !it.Current(day(n)) })
		h := asof.Hold(s, day(n))
		var got []memory.Item
		for i := range h.Len() {
			got = append(got, h.Item(i))
		}
		if !slices.Equal(got, want) || !slices.Equal(asof.Items(s, day(n)), want) {
			t.Errorf("day %d: %v, want %v", n, got, want)
		}
		all := slices.SortedFunc(asof.Each(s, day(n)), func(a, b asof.Standing) int { return b.Order - a.Order })
		if !slices.Equal(all, asof.All(s, day(n))) {
			t.Errorf("day %d: one by one %v, together %v", n, all, asof.All(s, day(n)))
		}
	}
}

// TestWithout: as if it had been forgotten, with what it replaced, of whatever log it is; of what
// is not there nothing changes.
func TestWithout(t *testing.T) {
	t.Parallel()
	s := fold(
		`{"id":1,"ts":"D2","kind":"fact","content":"kettle","key":"k"}`,
		`{"id":2,"ts":"D3","kind":"fact","content":"samovar","key":"k"}`,
		`{"id":3,"ts":"D4","kind":"fact","content":"teapot","supersedes":2}`,
		`{"kind":"fact","content":"cup"}`,
	)
	for id, want := range map[string]string{"1": "teapot, cup", "2": "teapot, cup", "3": "cup", "9": "teapot, cup"} {
		n, err := memory.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(asof.Without(s, n).Items()); got != want {
			t.Errorf("without %s: %q, want %q", id, got, want)
		}
	}
	for _, it := range s.Items() {
		if it.Record.Content == "cup" {
			if got := texts(asof.Without(s, it.ID).Items()); got != "teapot" {
				t.Errorf("without a line that has no number: %q", got)
			}
		}
	}
	if got := texts(s.Items()); got != "teapot, cup" {
		t.Errorf("the memory itself became %q", got)
	}
	peer := memory.ParseLine([]byte(`{"id":1,"ts":"2026-05-05T12:00:00Z","kind":"fact","content":"urn"}`))
	both := memory.Fold(s.Logs()[0], memory.Lines{Log: "phone-0001", Entries: []memory.Entry{peer}})
	if got := texts(asof.Without(both, memory.ID{Log: "phone-0001", N: 1}).Items()); got != "teapot, cup" {
		t.Errorf("without what a phone says: %q", got)
	}
}
