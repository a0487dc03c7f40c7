package undo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

// A bench has a room and files that acts change.
type bench struct {
	t    fataler
	dir  string
	room undo.Room
	now  time.Time
	acts []undo.Act
}

type fataler interface{ Fatal(args ...any) }

func newBench(t fataler, dir string) *bench {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, dir: dir, now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)}
	state := filepath.Join(dir, "state")
	b.room = undo.Room{Path: filepath.Join(state, "undo"), Lock: state, Now: func() time.Time { return b.now }}
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// read is what a file holds; "-" if it is not there.
func (b *bench) read(name string) string {
	text, err := os.ReadFile(b.path(name))
	if err != nil {
		return "-"
	}
	return string(text)
}

// act changes a file as a tool does; "-" makes or removes it.
func (b *bench) act(name, text, run string) undo.Act {
	was := b.read(name)
	a := undo.Act{ID: undo.NewID(), Time: b.now, Tool: "write_file", Path: b.path(name), Who: "fast", Run: run}
	keep := func(text string) string {
		if text == "-" {
			return ""
		}
		sum, err := b.room.Keep(context.Background(), []byte(text))
		if err != nil {
			b.t.Fatal(err)
		}
		return sum
	}
	a.Before, a.After = keep(was), keep(text)
	if err := (swap.Swap{Path: a.Path, Before: a.Before, After: []byte(text), Gone: text == "-"}).Do(); err != nil {
		b.t.Fatal(err)
	}
	b.acts = append(b.acts, a)
	return a
}

func (b *bench) undo(acts ...undo.Act) error {
	steps, err := b.room.Plan(acts, "user", "")
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := s.Do(context.Background()); err != nil {
			return err
		}
		b.acts = append(b.acts, s.Act)
	}
	return nil
}

// other changes a file by another hand.
func (b *bench) other(name, text string) {
	if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// TestUndo: what was changed is as it was, what was made is gone, and both can be had again.
func TestUndo(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a.txt", "one\n")
	edit := b.act("a.txt", "two\n", "")
	made := b.act("new.txt", "made\n", "")
	if err := b.undo(edit); err != nil || b.read("a.txt") != "one\n" {
		t.Fatalf("%q, %v", b.read("a.txt"), err)
	}
	if err := b.undo(made); err != nil || b.read("new.txt") != "-" {
		t.Fatalf("%q, %v", b.read("new.txt"), err)
	}
	if list := undo.Standing(b.acts); len(list) != 0 {
		t.Errorf("%+v stand", list)
	}
	again := b.acts[len(b.acts)-1]
	if again.Tool != undo.Tool || again.Undoes != made.ID || again.Who != "user" {
		t.Errorf("%+v", again)
	}
	if err := b.undo(again); err != nil || b.read("new.txt") != "made\n" {
		t.Fatalf("%q, %v", b.read("new.txt"), err)
	}
	if list := undo.Standing(b.acts); len(list) != 1 || list[0].ID != made.ID {
		t.Errorf("%+v stand, want what was made", list)
	}
	steps, err := b.room.Plan([]undo.Act{made}, "user", "")
	if err != nil || !strings.Contains(steps[0].Diff, "-made\n") {
		t.Errorf("%+v, %v", steps, err)
	}
	if fi, err := os.Stat(filepath.Join(b.room.Path, edit.Before)); err != nil || fi.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", fi, err)
	}
}

// TestOtherHand: what somebody changed since stays, and the difference is told three ways.
func TestOtherHand(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a.txt", "one\n")
	edit := b.act("a.txt", "two\n", "")
	made := b.act("new.txt", "made\n", "")
	b.other("a.txt", "two\nmine\n")
	b.other("new.txt", "made\nmine\n")
	var c *undo.Conflict
	if err := b.undo(edit); !errors.As(err, &c) || b.read("a.txt") != "two\nmine\n" {
		t.Fatalf("%q, %v", b.read("a.txt"), err)
	}
	p := b.path("a.txt")
	want := "what " + edit.ID + " changed:\n--- " + p + "\n+++ " + p + "\n@@ -1,1 +1,1 @@\n-one\n+two\n" +
		"what was changed since:\n--- " + p + "\n+++ " + p + "\n@@ -1,1 +1,2 @@\n two\n+mine\n"
	if diff := cmp.Diff(want, c.Show()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := b.undo(made); !errors.As(err, &c) || b.read("new.txt") != "made\nmine\n" {
		t.Errorf("%q, %v", b.read("new.txt"), err)
	}
	if err := os.Remove(b.path("new.txt")); err != nil {
		t.Fatal(err)
	}
	if err := b.undo(made); !errors.As(err, &c) || !c.Never {
		t.Errorf("of a file that is gone already: %v", err)
	}
	if err := os.Remove(b.path("a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := b.undo(edit); !errors.As(err, &c) || !c.Gone || b.read("a.txt") != "-" {
		t.Errorf("of a file that is gone: %v", err)
	}
}

// TestMeanwhile: what is changed between the plan and the deed stays.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a.txt", "one\n")
	edit := b.act("a.txt", "two\n", "")
	steps, err := b.room.Plan([]undo.Act{edit}, "user", "")
	if err != nil {
		t.Fatal(err)
	}
	b.other("a.txt", "mine\n")
	var c *undo.Conflict
	if err := steps[0].Do(t.Context()); !errors.As(err, &c) || b.read("a.txt") != "mine\n" {
		t.Errorf("%q, %v", b.read("a.txt"), err)
	}
}

// TestRun: the acts of a run go together, the newest first, or not at all.
func TestRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a.txt", "0")
	b.act("a.txt", "1", "7")
	b.act("b.txt", "x", "7")
	b.act("a.txt", "2", "7")
	b.act("a.txt", "3", "8")
	run := undo.RunOf(b.acts, "7")
	if len(run) != 3 {
		t.Fatalf("%+v", run)
	}
	var c *undo.Conflict
	if err := b.undo(run...); !errors.As(err, &c) || b.read("a.txt") != "3" || b.read("b.txt") != "x" {
		t.Fatalf("%q %q, %v", b.read("a.txt"), b.read("b.txt"), err)
	}
	if err := b.undo(undo.RunOf(b.acts, "8")...); err != nil {
		t.Fatal(err)
	}
	if err := b.undo(undo.RunOf(b.acts, "7")...); err != nil || b.read("a.txt") != "0" || b.read("b.txt") != "-" {
		t.Fatalf("%q %q, %v", b.read("a.txt"), b.read("b.txt"), err)
	}
	if err := b.undo(undo.RunOf(b.acts, "7")...); err == nil {
		t.Error("undone twice")
	}
}

// TestTidy: what is old goes, and the oldest of what is too much; what is kept again is as new.
func TestTidy(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	ctx := t.Context()
	b.other("a.txt", "old")
	old := b.act("a.txt", "new", "")
	b.now = b.now.Add(undo.Kept + time.Hour)
	if _, err := b.room.Keep(ctx, []byte("new")); err != nil { // as new again
		t.Fatal(err)
	}
	if err := b.room.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := b.room.Get(old.Before); !errors.Is(err, undo.ErrGone) {
		t.Errorf("too old: %v", err)
	}
	if _, err := b.room.Get(old.After); err != nil {
		t.Errorf("kept again: %v", err)
	}
	if err := b.undo(old); !errors.Is(err, undo.ErrGone) || b.read("a.txt") != "new" {
		t.Errorf("%q, %v", b.read("a.txt"), err)
	}
	big := strings.Repeat("x", 1<<20-8)
	var sums []string
	for i := range undo.MostBytes>>20 + 3 {
		b.now = b.now.Add(time.Minute)
		sum, err := b.room.Keep(ctx, fmt.Appendf(nil, "%8d%s", i, big))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, sum)
	}
	if err := b.room.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]bool{0: false, 1: false, 2: false, 3: true, len(sums) - 1: true} {
		if _, err := b.room.Get(sums[i]); (err == nil) != want {
			t.Errorf("number %d: %v", i, err)
		}
	}
}

// TestExpire: what is too old goes, and nothing else, however much there is; nothing is made where nothing was kept.
func TestExpire(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	none := undo.Room{Path: b.path("none/undo"), Lock: b.path("none"), Now: b.room.Now}
	if err := errors.Join(none.Expire(t.Context()), none.Tidy(t.Context())); err != nil || b.read("none/.lock") != "-" {
		t.Fatal(err)
	}
	if _, err := os.Lstat(b.path("none")); err == nil {
		t.Error("a directory was made")
	}
	keep := func(text string) string {
		sum, err := b.room.Keep(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	there := func(sum string) bool { _, err := b.room.Get(sum); return err == nil }
	old := keep("old")
	b.now = b.now.Add(undo.Kept - time.Hour)
	big := strings.Repeat("x", 1<<20-8)
	first := keep("first" + big[8:])
	for i := range undo.MostBytes>>20 + 1 {
		keep(fmt.Sprintf("%8d%s", i, big))
	}
	if err := b.room.Expire(t.Context()); err != nil || !there(old) || !there(first) {
		t.Errorf("it went too early: %v %v, %v", there(old), there(first), err)
	}
	b.now = b.now.Add(2 * time.Hour)
	if err := b.room.Expire(t.Context()); err != nil || there(old) || !there(first) {
		t.Errorf("too old is there: %v, newer is there: %v, %v", there(old), there(first), err)
	}
}

// TestDamaged: bytes that are not what their name says are not given back, and kept anew.
func TestDamaged(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	sum, err := b.room.Keep(t.Context(), []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.room.Path, sum), []byte("wrong"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.room.Get(sum); !errors.Is(err, undo.ErrGone) {
		t.Error(err)
	}
	if _, err := b.room.Keep(t.Context(), []byte("right")); err != nil {
		t.Fatal(err)
	}
	if text, err := b.room.Get(sum); err != nil || string(text) != "right" {
		t.Errorf("%q, %v", text, err)
	}
	for _, name := range []string{"", "..", "../../etc/passwd", strings.Repeat("x", 64)} {
		if _, err := b.room.Get(name); !errors.Is(err, undo.ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEvent: an act is the same after it was in a session; what is none is none.
func TestEvent(t *testing.T) {
	t.Parallel()
	a := undo.Act{
		ID: undo.NewID(), Time: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), Tool: "edit_file", Path: "/a b",
		Before: "1", After: "2", Who: "fast", Run: "7", Undoes: "x",
	}
	if got, ok := acts.ChangeOf(a.Event()); !ok || got != a {
		t.Errorf("%+v, want %+v", got, a)
	}
	head := `{"meta":{"format":1,"session":"s1","started":"2026-05-10T19:00:01Z","channel":"terminal"}}` + "\n"
	text := head + `{"ts":"2026-05-10T19:00:01Z","event":"act","id":"a1","tool":"edit_file","path":"/p","before":"1","after":"2"}` + "\n" +
		`{"ts":"2026-05-10T19:00:01Z","event":"act","id":"a2","tool":"shell","sum":"x"}` + "\n" +
		`{"ts":"2026-05-10T19:00:01Z","event":"act","id":"a3","tool":"edit_file","path":"[erased]","before":"1","after":"2"}` + "\n" +
		`{"ts":"2026-05-10T19:00:02Z","event":"act","id":"a1","tool":"edit_file","path":"/p","before":"1","after":"2","state":"done"}` + "\n"
	tr, err := session.Read(strings.NewReader(text), "s1")
	if err != nil {
		t.Fatal(err)
	}
	if list := acts.Changes(tr); len(list) != 1 || list[0].ID != "a1" {
		t.Errorf("%+v", list)
	}
}

// TestLaws: whatever is done and taken back, in whatever order: a file is as it was before the oldest
// act that stands, or as somebody else made it; and what is refused changes nothing.
func TestLaws(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(root, fmt.Sprint(n))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		b := newBench(t, dir)
		names := []string{"a", "b"}
		for i := range rapid.IntRange(1, 12).Draw(t, "steps") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			before := map[string]string{"a": b.read("a"), "b": b.read("b")}
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0, 1:
				b.act(name, fmt.Sprint("by ken ", i), fmt.Sprint(i/3))
			case 2:
				b.other(name, fmt.Sprint("by hand ", i))
			default:
				if len(b.acts) == 0 {
					continue
				}
				acts := []undo.Act{rapid.SampledFrom(b.acts).Draw(t, "act")}
				if rapid.Bool().Draw(t, "run") {
					acts = undo.RunOf(b.acts, acts[0].Run)
				}
				if err := b.undo(acts...); err != nil {
					if b.read("a") != before["a"] || b.read("b") != before["b"] {
						t.Fatalf("refused (%v), and changed: %v", err, before)
					}
					continue
				}
				for _, a := range acts {
					if strings.HasPrefix(before[filepath.Base(a.Path)], "by hand") && swap.Sum([]byte(before[filepath.Base(a.Path)])) != acts[0].After {
						t.Fatalf("what somebody else wrote is gone: %v", before)
					}
				}
				oldest := acts[len(acts)-1]
				got := b.read(filepath.Base(oldest.Path))
				if got == "-" != (oldest.Before == "") || got != "-" && swap.Sum([]byte(got)) != oldest.Before {
					t.Fatalf("%q is not what it was", got)
				}
			}
		}
	})
}

// TestTaker: acts are found in the conversation that is held, in what of it is in no file yet, and in others;
// what is undone is written to the conversation of the act.
func TestTaker(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	sessions := session.Dir{Path: b.path("sessions"), Lock: b.path("state"), Run: b.path("run"), Now: b.room.Now}
	held := sessions
	held.Hold = true // nothing is in a file before it is closed
	live, err := held.Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	other, err := sessions.Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		t.Fatal(err)
	}
	b.other("a.txt", "0")
	first := b.act("a.txt", "1", "")
	mine := b.act("b.txt", "1", "4")
	more := b.act("c.txt", "1", "4")
	failed := b.act("d.txt", "1", "5")
	for w, events := range map[*session.Writer][]session.Event{
		other: {first.Event()}, live: {mine.Event(), more.Event(), failed.Event(), failed.Void()},
	} {
		for _, e := range events {
			if err := w.AppendEvent(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	taker := undo.Taker{Room: b.room, Sessions: sessions, Live: live, Who: "user"}
	if a, err := taker.Newest(); err != nil || a.ID != more.ID {
		t.Errorf("the newest is %+v, %v", a, err)
	}
	if _, _, err := taker.Find(t.Context(), failed.ID); !errors.Is(err, undo.ErrNone) {
		t.Errorf("what was not done: %v", err)
	}
	if _, err := taker.Undo(t.Context(), first); !errors.Is(err, session.ErrHeld) || b.read("a.txt") != "1" {
		t.Errorf("of a conversation that is held elsewhere: %v, %q", err, b.read("a.txt"))
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if steps, err := taker.Undo(t.Context(), first); err != nil || len(steps) != 1 || b.read("a.txt") != "0" {
		t.Errorf("%+v, %v, %q", steps, err, b.read("a.txt"))
	}
	if tr, err := session.Load(other.Path()); err != nil || len(undo.Standing(acts.Changes(tr))) != 0 || len(acts.Changes(tr)) != 2 {
		t.Errorf("%v: what was undone is not in its conversation", err)
	}
	run, err := taker.NewestRun()
	if err != nil || len(run) != 2 {
		t.Fatalf("%+v, %v", run, err)
	}
	if _, err := taker.Undo(t.Context(), run...); err != nil || b.read("b.txt") != "-" || b.read("c.txt") != "-" {
		t.Errorf("%v, %q %q", err, b.read("b.txt"), b.read("c.txt"))
	}
	if _, err := taker.Newest(); !errors.Is(err, undo.ErrNothing) {
		t.Error(err)
	}
	for word, want := range map[string]bool{
		undo.NewID(): true, "a7k2mq4x": true, "a1": false, "h1a2b3c4": false, "12": false, "a7k2mq4X": false, "log/3": false, "": false,
	} {
		if undo.IsID(word) != want {
			t.Errorf("%q is an id: %v", word, !want)
		}
	}
}
