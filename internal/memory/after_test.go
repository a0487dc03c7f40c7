package memory

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// clocks are two devices, one of which had a wrong clock once; edits follow one
// another across the two.
func clocks(more ...string) []Lines {
	own := entries(append([]string{
		`{"id":1,"ts":"2026-05-13T19:01:00Z","content":"a"}`,
		`{"id":2,"ts":"2026-05-13T19:05:00Z","kind":"edit","target":1,"content":"mine","after":"phone-1/2"}`,
		`{"id":3,"ts":"2026-05-13T19:06:00Z","kind":"edit","target":1,"content":"mine again"}`,
	}, more...)...)
	phone := entries(
		`{"id":1,"ts":"2036-01-01T00:00:00Z","content":"of the phone"}`,
		`{"id":2,"ts":"2026-05-13T19:02:00Z","kind":"edit","target":"laptop-7f3a/1","content":"theirs"}`,
	)
	return []Lines{{Log: "phone-1", Entries: phone}, {Log: "laptop-7f3a", Own: true, Entries: own}}
}

// TestF28WrongClock: a line under a wrong clock beats no later edit of somebody who
// had seen it, and still one of somebody who had not.
func TestF28WrongClock(t *testing.T) {
	if got := contents(Fold(clocks()...).Items()); got != "of the phone mine again" {
		t.Errorf("items are %q", got)
	}
	var order []string
	for _, c := range Fold(clocks()...).History(Num(1)) {
		order = append(order, c.ID.String())
	}
	if want := []string{"1", "phone-1/2", "2", "3"}; !slices.Equal(order, want) {
		t.Errorf("the history is %v, want %v", order, want)
	}
	// What was changed elsewhere meanwhile, with the clock right again, is later.
	logs := clocks()
	logs[0].Entries = append(logs[0].Entries, entries(`{"id":3,"ts":"2026-05-13T19:09:00Z","kind":"edit","target":"laptop-7f3a/1","content":"seen","after":"laptop-7f3a/3"}`)...)
	if it, _ := Fold(logs...).Get(Num(1)); it.Record.Content != "seen" {
		t.Errorf("the item says %q", it.Record.Content)
	}
	// A line that says nothing of another log is ordered by its time alone.
	blind := clocks()
	blind[1].Entries = entries(`{"id":1,"ts":"2026-05-13T19:01:00Z","content":"a"}`, `{"id":2,"ts":"2026-05-13T19:05:00Z","kind":"edit","target":1,"content":"mine"}`)
	if it, _ := Fold(blind...).Get(Num(1)); it.Record.Content != "theirs" {
		t.Errorf("an edit that saw nothing gives %q", it.Record.Content)
	}
	if got := Fold(clocks()...).LastChange(Num(1)); !got.IsZero() {
		t.Errorf("the last change is %v, want none of another log", got)
	}
	if got, want := Fold(blind...).LastChange(Num(1)), (ID{Log: "phone-1", N: 2}); got != want {
		t.Errorf("the last change is %v, want %v", got, want)
	}
}

// TestF28Lies: what is said to be followed counts only if it is of the same item, in
// another log, and not itself behind the line.
func TestF28Lies(t *testing.T) {
	for name, tt := range map[string]struct{ own, phone, want string }{
		"another item": {`"after":"phone-1/1"`, ``, "theirs"},
		"no line":      {`"after":"phone-1/77"`, ``, "theirs"},
		"own line":     {`"after":1`, ``, "theirs"},
		"no name":      {`"after":["phone-1/2"]`, ``, "theirs"},
		"a circle":     {`"after":"phone-1/2"`, `,"after":"laptop-7f3a/2"`, "theirs"},
		"itself":       {`"after":"laptop-7f3a/2"`, ``, "theirs"},
		"truth":        {`"after":"phone-1/2"`, ``, "mine"},
	} {
		logs := []Lines{
			{Log: "laptop-7f3a", Own: true, Entries: entries(`{"id":1,"ts":"2026-05-13T19:01:00Z","content":"a"}`,
				`{"id":2,"ts":"2026-05-13T19:05:00Z","kind":"edit","target":1,"content":"mine",`+tt.own+`}`)},
			{Log: "phone-1", Entries: entries(`{"id":1,"ts":"2036-01-01T00:00:00Z","content":"b"}`,
				`{"id":2,"ts":"2026-05-13T19:02:00Z","kind":"edit","target":"laptop-7f3a/1","content":"theirs"`+tt.phone+`}`)},
		}
		if it, _ := Fold(logs...).Get(Num(1)); it.Record.Content != tt.want {
			t.Errorf("%s: the item says %q, want %q", name, it.Record.Content, tt.want)
		}
	}
}

// TestF28Key: of two holders of a key the one that names the other has it.
func TestF28Key(t *testing.T) {
	logs := func(now, third string) []Lines {
		return []Lines{
			{Log: "laptop-7f3a", Own: true, Entries: entries(`{"id":1,"ts":"2026-05-13T19:01:00Z","content":"new","key":"k"` + now + `}`)},
			{Log: "phone-1", Entries: entries(`{"id":1,"ts":"2036-01-01T00:00:00Z","content":"old","key":"k"}`)},
			{Log: "desk-1", Entries: entries(`{"id":1,"ts":"2031-01-01T00:00:00Z","content":"desk","key":"k"` + third + `}`)},
		}
	}
	for _, tt := range [][3]string{
		{``, ``, "old"},
		{`,"supersedes":"phone-1/1"`, ``, "new"},
		{`,"supersedes":"phone-1/1"`, `,"supersedes":"laptop-7f3a/1"`, "desk"},
	} {
		s := Fold(logs(tt[0], tt[1])...)
		if got := contents(s.Items()); got != tt[2] || len(s.Problems()) > 0 {
			t.Errorf("%q %q: the key is held by %q, want %q; problems %v", tt[0], tt[1], got, tt[2], s.Problems())
		}
	}
}

// TestF28Chain: of devices with any clocks at all, each of which says what it has
// seen, the last one to edit wins.
func TestF28Chain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"desk-1", "laptop-7f3a", "phone-1"}
		lines := map[string][]string{"laptop-7f3a": {`{"id":1,"ts":"2026-05-13T19:00:00Z","content":"a"}`}}
		logs := func() (list []Lines) {
			for _, name := range names {
				list = append(list, Lines{Log: name, Own: name == "laptop-7f3a", Entries: entries(lines[name]...)})
			}
			return list
		}
		for i := range rapid.IntRange(1, 12).Draw(t, "edits") {
			name := rapid.SampledFrom(names).Draw(t, "device")
			at := logs()
			for n := range at {
				at[n].Own = at[n].Log == name
			}
			target := ID{Log: "laptop-7f3a", N: 1}
			r := Record{
				ID: Num(int64(len(lines[name]) + 1)), Time: day().AddDate(rapid.IntRange(-9, 9).Draw(t, "years"), 0, 0), Kind: KindEdit,
				Target: target.From(name), Content: fmt.Sprintf("edit %d", i), Detail: &Detail{After: Fold(at...).LastChange(target)},
			}
			lines[name] = append(lines[name], string(r.AppendJSON(nil)))
			if it, _ := Fold(logs()...).Get(Num(1)); it.Record.Content != r.Content {
				t.Fatalf("after %s of %s the item says %q:\n%v", r.Content, name, it.Record.Content, lines)
			}
		}
	})
}
