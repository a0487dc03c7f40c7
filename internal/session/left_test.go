package session

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/session/outputs"
)

// numbers are those of turns.
func numbers(turns []Turn) (list []int) {
	for _, t := range turns {
		list = append(list, t.N)
	}
	return list
}

// TestLeft: turns that were dropped, replaced or not answered are not live, come back where
// that is possible, and stay in the transcript with why.
func TestLeft(t *testing.T) {
	t.Parallel()
	const failed3, compact5 = `{"event":"unanswered","n":3}`, `{"event":"compact","summary":"s","keep_from":5}`
	const u, a = `{"role":"user","content":"q"}`, `{"role":"assistant","content":"a"}`
	drop := func(n, to int, why Left) string { return eventLine(t, dropEvent(n, to, why)) }
	back := func(n, to int) string { return eventLine(t, restoreEvent(n, to)) }
	for name, c := range map[string]struct {
		lines  []string
		live   []int
		aside  string // number and reason of each
		failed int
	}{
		"dropped":            {[]string{u, a, u, a, drop(3, 4, LeftDropped)}, []int{1, 2}, "3 dropped, 4 dropped", 0},
		"and restored":       {[]string{u, a, u, a, drop(3, 4, LeftDropped), back(3, 4)}, []int{1, 2, 3, 4}, "", 0},
		"restored later":     {[]string{u, a, drop(1, 2, LeftDropped), u, a, back(1, 2)}, []int{1, 2, 3, 4}, "", 0},
		"replaced":           {[]string{u, a, drop(1, 2, LeftReplaced), u, a}, []int{3, 4}, "1 replaced, 2 replaced", 0},
		"retried in vain":    {[]string{u, a, drop(1, 2, LeftReplaced), u, failed3, back(1, 2)}, []int{1, 2}, "3 unanswered", 3},
		"failed":             {[]string{u, `{"event":"unanswered","n":1}`}, nil, "1 unanswered", 1},
		"failed, a call":     {[]string{u, a, `{"event":"unanswered","n":1}`}, nil, "1 unanswered, 2 unanswered", 1},
		"failed, then more":  {[]string{u, `{"event":"unanswered","n":1}`, u, a}, []int{2, 3}, "1 unanswered", 0},
		"what failed stays":  {[]string{u, `{"event":"unanswered","n":1}`, back(1, 1)}, nil, "1 unanswered", 1},
		"before a reset":     {[]string{u, a, drop(1, 2, LeftDropped), `{"event":"reset"}`, back(1, 2), u}, []int{3}, "", 0},
		"before a summary":   {[]string{u, a, u, a, drop(3, 4, LeftDropped), u, a, compact5, back(3, 4)}, []int{5, 6}, "", 0},
		"back, without left": {[]string{u, `{"event":"left","n":1}`}, []int{1}, "", 0},
		"as it was written":  {[]string{u, a, u, a, `{"event":"left","n":1,"to":2,"why":"dropped"}`}, []int{3, 4}, "1 dropped, 2 dropped", 0},
		"an older word":      {[]string{u, `{"event":"unanswered","n":1,"why":"unanswered"}`, u}, []int{2}, "1 unanswered", 0},
		"a word of later":    {[]string{u, `{"event":"left","n":1,"why":"x"}`}, nil, "1 x", 0},
		"one that lies":      {[]string{u, `{"event":"left","n":1,"why":"unanswered"}`}, []int{1}, "", 0},
		"nothing said which": {[]string{u, `{"event":"left"}`, `{"event":"left","n":"1"}`, `{"event":"left","to":9}`}, []int{1}, "", 0},
		"backwards":          {[]string{u, a, u, drop(2, 1, LeftDropped)}, []int{1, 3}, "2 dropped", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr, err := Read(strings.NewReader(strings.Join(c.lines, "\n")+"\n"), "s")
			if err != nil || len(tr.Problems) > 0 {
				t.Fatal(err, tr.Problems)
			}
			l := tr.Live()
			failed := 0
			if l.Failed != nil {
				failed = l.Failed.N
			}
			if diff := cmp.Diff(c.live, numbers(l.Turns)); diff != "" || failed != c.failed {
				t.Errorf("live (-want +got):\n%s\nfailed %d", diff, failed)
			}
			if diff := cmp.Diff(c.aside, asideText(l.Aside)); diff != "" {
				t.Errorf("aside (-want +got):\n%s", diff)
			}
		})
	}
}

// eventLine is an event as it stands in a file.
func eventLine(t *testing.T, e Event) string {
	t.Helper()
	line, err := e.line()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(line))
}

func dropEvent(n, to int, why Left) Event {
	return Event{Name: EventUnanswered, Fields: []Field{IntField("n", n), IntField("to", to), StringField("why", string(why))}}
}

func restoreEvent(n, to int) Event {
	return Event{Name: EventLeft, Fields: []Field{IntField("n", n), IntField("to", to)}}
}

// asideText says which turns are not in the context, and why.
func asideText(list []Entry) string {
	var says []string
	for _, e := range list {
		says = append(says, fmt.Sprint(e.Turn.N, " ", string(e.Left)))
	}
	return strings.Join(says, ", ")
}

// TestLeftLaws: whatever is dropped and restored, no turn is lost, none is live twice, what is
// live stands in the order of the file, marking anew changes nothing, and what was dropped last
// comes back as it was.
func TestLeftLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		write := func(e Event) {
			line, err := e.line()
			if err != nil {
				t.Fatal(err)
			}
			b.Write(line)
		}
		turns := 0
		number := func() int { return rapid.IntRange(0, turns+1).Draw(t, "n") }
		for range rapid.IntRange(0, 25).Draw(t, "lines") {
			switch rapid.IntRange(0, 9).Draw(t, "line") {
			case 0:
				write(dropEvent(number(), number(), rapid.SampledFrom([]Left{LeftDropped, LeftReplaced, LeftReplaced}).Draw(t, "why")))
			case 1:
				write(restoreEvent(number(), number()))
			case 2:
				write(Event{Name: EventUnanswered, Fields: []Field{IntField("n", number())}})
			case 3:
				write(Event{Name: EventReset})
			case 4:
				write(Compact("s", "", number()))
			default:
				turns++
				fmt.Fprintf(&b, `{"role":%q,"content":"x","n":%d}`+"\n", []Role{RoleUser, RoleAssistant}[turns%2], turns)
			}
		}
		tr, err := Read(bytes.NewReader(b.Bytes()), "s")
		if err != nil || len(tr.Problems) > 0 || len(tr.Turns()) != turns {
			t.Fatalf("%v, %v, %d turns of %d", err, tr.Problems, len(tr.Turns()), turns)
		}
		live := tr.Live()
		got := numbers(live.Turns)
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("live: %v", got)
		}
		for _, a := range live.Aside {
			if slices.Contains(got, a.Turn.N) {
				t.Fatalf("turn %d is live and aside", a.Turn.N)
			}
		}
		tr.Mark()
		if diff := cmp.Diff(got, numbers(tr.Live().Turns)); diff != "" {
			t.Fatalf("marked anew: %s", diff)
		}
		if len(got) == 0 {
			return
		}
		first, last := got[rapid.IntRange(0, len(got)-1).Draw(t, "first")], got[len(got)-1]
		write(dropEvent(first, last, LeftDropped))
		dropped, _ := Read(bytes.NewReader(b.Bytes()), "s")
		for _, n := range numbers(dropped.Live().Turns) {
			if n >= first && n <= last {
				t.Fatalf("turn %d was dropped and is live", n)
			}
		}
	})
}

// TestOutputs: what tools printed goes with its session, a copy of it has that of its turns, and one that is not kept has none.
func TestOutputs(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.Outputs = filepath.Join(d.Lock, "out")
	w := create(t, d)
	say(t, w, "q1", "a1")
	for _, name := range []string{"2", "4"} {
		if err := w.room().Keep(name, outputs.Output{Text: "printed"}); err != nil {
			t.Fatal(err)
		}
	}
	say(t, w, "q2", "a2")
	mustClose(t, w)
	b, _, err := d.Branch(w.Path(), 2)
	if err != nil || !slices.Equal(b.Outputs(), []string{"2"}) {
		t.Fatalf("%q, %v", b.Outputs(), err)
	}
	if err := d.Remove(w.Path()); err != nil || len(w.Outputs()) > 0 || len(b.Outputs()) != 1 {
		t.Errorf("%q, %q, %v", w.Outputs(), b.Outputs(), err)
	}
	mustClose(t, b)
	d.Hold = true
	for _, none := range []*Writer{Discard(), create(t, d)} {
		if name, err := none.KeepOutput(-1, "printed", "tool"); name != "" || err != nil || len(none.Outputs()) > 0 {
			t.Errorf("it is kept of a session that is not: %q, %v", name, err)
		}
	}
}

// TestBranch: a copy of a session up to a turn holds what it held then, and goes on from there;
// the session is as it was.
func TestBranch(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "q1", "a1")
	why := Event{Name: EventWhy, Fields: []Field{IntField("n", 2)}}
	if err := errors.Join(w.AppendEvent(why), w.AppendEvent(Event{Name: EventModel})); err != nil {
		t.Fatal(err)
	}
	say(t, w, "q2", "a2")
	if err := errors.Join(w.AppendEvent(dropEvent(1, 2, LeftDropped)), w.AppendEvent(Compact("s", "", 3))); err != nil {
		t.Fatal(err)
	}
	mustClose(t, w)
	was := mustRead(t, w.Path())

	b, tr, err := d.Branch(w.Path(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1, 2}, numbers(tr.Live().Turns)); diff != "" || len(tr.Entries) != 3 || tr.Live().Summary != "" {
		t.Errorf("live: %s; %d entries", diff, len(tr.Entries))
	}
	if h := b.Header(); h.CopiedFrom != w.ID() || h.CopiedTo != 2 || !h.Copied(2) || h.Copied(3) || h.Session == w.ID() {
		t.Errorf("header %+v", h)
	}
	if n, err := b.AppendTurn(user("other")); n != 3 || err != nil {
		t.Errorf("turn %d, %v", n, err)
	}
	mustClose(t, b)
	if mustRead(t, w.Path()) != was {
		t.Error("the session was changed")
	}
	if _, _, err := d.Branch(w.Path(), 9); err == nil || !strings.Contains(err.Error(), "has no turn 9") {
		t.Errorf("branch from no turn: %v", err)
	}
	paths, err := d.Paths()
	if err != nil || len(paths) != 2 {
		t.Errorf("a branch that failed left a file: %v, %v", paths, err)
	}
}

// TestBecame: of an answer that is not in the context it is known why, and which one stands in its
// place; so it is when both change places.
func TestBecame(t *testing.T) {
	t.Parallel()
	const u, a = `{"role":"user","content":"q"}`, `{"role":"assistant","content":"a"}`
	drop := func(n, to int, why Left) string { return eventLine(t, dropEvent(n, to, why)) }
	for name, c := range map[string]struct {
		lines []string
		n     int
		why   Left
		by    int
	}{
		"in it":              {[]string{u, a}, 2, "", 0},
		"nowhere":            {[]string{u, a}, 9, "", 0},
		"dropped":            {[]string{u, a, u, a, drop(3, 4, LeftDropped)}, 4, LeftDropped, 0},
		"replaced":           {[]string{u, a, drop(1, 2, LeftReplaced), u, a}, 2, LeftReplaced, 4},
		"what replaced it":   {[]string{u, a, drop(1, 2, LeftReplaced), u, a}, 4, "", 0},
		"replaced in vain":   {[]string{u, a, drop(1, 2, LeftReplaced), u, u, a}, 2, LeftReplaced, 0},
		"with a tool's turn": {[]string{u, a, drop(1, 2, LeftReplaced), u, `{"role":"tool","content":"t"}`, a}, 2, LeftReplaced, 5},
		"changed places": {[]string{
			u, a, drop(1, 2, LeftReplaced), u, a, `{"event":"left","n":3,"to":4,"why":"replaced","by":1}`, eventLine(t, restoreEvent(1, 2)),
		}, 4, LeftReplaced, 2},
	} {
		tr, err := Read(strings.NewReader(strings.Join(c.lines, "\n")+"\n"), "s")
		if err != nil {
			t.Fatal(err)
		}
		if why, by := tr.Became(c.n); why != c.why || by != c.by {
			t.Errorf("%s: %q by %d, want %q by %d", name, why, by, c.why, c.by)
		}
	}
	tr, err := Read(strings.NewReader(u+"\n"+`{"event":"compact","summary":"s","from":"external"}`+"\n"), "s")
	if l := tr.Live(); err != nil || l.From != "external" {
		t.Errorf("a summary of what came from outside: %+v, %v", l, err)
	}
}
