package usage

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// statsOf returns those of a directory whose clock is at.
func statsOf(dir string, at time.Time) *Stats {
	return &Stats{Path: filepath.Join(dir, "usage.jsonl"), Dir: dir, Now: func() time.Time { return at }}
}

// TestR231Use: what was used is known in the next run, and not again for an hour.
func TestR231Use(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := statsOf(dir, noon())
	b.Use("3", "desk-19c4/4")
	b.Use("3")
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !b.Last("3").IsZero() {
		t.Error("the order changes within a run")
	}
	text, err := os.ReadFile(b.Path)
	if want := `{"ts":"2026-11-21T12:00:00Z","refs":["3","desk-19c4/4"]}` + "\n"; err != nil || string(text) != want {
		t.Fatalf("%v, %q", err, text)
	}
	soon := statsOf(dir, noon().Add(59*time.Minute))
	soon.Use("3")
	later := statsOf(dir, noon().Add(time.Hour))
	later.Use("3")
	for _, b := range []*Stats{soon, later} {
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	last := statsOf(dir, noon())
	if got := last.Last("3"); !got.Equal(noon().Add(time.Hour)) {
		t.Errorf("3 was used at %v", got)
	}
	if got := last.Last("desk-19c4/4"); !got.Equal(noon()) {
		t.Errorf("4 was used at %v", got)
	}
	if !last.Last("9").IsZero() {
		t.Error("9 was never used")
	}
}

// TestNothingUsed: who uses nothing leaves nothing.
func TestNothingUsed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	b := statsOf(dir, noon())
	b.Use()
	if err := b.Flush(t.Context()); err != nil || !b.Last("1").IsZero() {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v: there is a directory", err)
	}
}

// TestBusy: a lock that somebody holds costs a fifth of a second, and the next
// flush writes what this one could not.
func TestBusy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lock, err := jsonl.LockDir(t.Context(), dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	b := statsOf(dir, noon())
	b.Use("3")
	if err := b.Flush(t.Context()); !errors.Is(err, jsonl.ErrBusy) {
		t.Errorf("%v, want that it is busy", err)
	}
	if _, err := os.Stat(b.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v: something was written", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(t.Context()); err != nil || statsOf(dir, noon()).Last("3").IsZero() {
		t.Errorf("%v: not noted", err)
	}
}

// TestDamaged: lines that are none cost themselves; what is no file costs all.
func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := statsOf(dir, noon())
	lines := []string{
		`{"ts":"2026-11-01T12:00:00Z","refs":["1"]}`, `{"ts":"2026-`, ``, `hello`, `{"ts":7,"refs":"2"}`, `[]`, `{"refs":["4"]}`,
		`{"ts":"2026-11-02T12:00:00Z","refs":["2"],"more":{}}`, `{"ts":"2026-11-03T12:00:00Z","refs":["3"]`,
	}
	if err := os.WriteFile(b.Path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	for ref, known := range map[string]bool{"1": true, "2": true, "3": false, "4": false} {
		if b.Last(ref).IsZero() == known {
			t.Errorf("%s: used at %v", ref, b.Last(ref))
		}
	}
	b.Use("3")
	if err := b.Flush(t.Context()); err != nil || statsOf(dir, noon()).Last("3").IsZero() {
		t.Errorf("%v: a new line glues to the torn one", err)
	}
	strange := &Stats{Path: dir, Dir: dir, Now: noon}
	strange.Use("1")
	if err := strange.Flush(t.Context()); !errors.Is(err, regular.ErrNotFile) {
		t.Errorf("%v, want that it is no file", err)
	}
}

// TestBounded: a file that has become long is written anew, and says the same.
func TestBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := noon()
	want := make(map[string]use)
	var text strings.Builder
	for text.Len() <= MaxSize {
		at = at.Add(time.Hour)
		ref := fmt.Sprint(text.Len() % 50)
		want[ref] = use{at, want[ref].n + 1}
		fmt.Fprintf(&text, `{"ts":%q,"refs":[%q]}`+"\n", at.Format(time.RFC3339), ref)
	}
	b := statsOf(dir, at.Add(time.Hour))
	if err := os.WriteFile(b.Path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Use("new")
	want["new"] = use{at.Add(time.Hour), 1}
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	stat, err := os.Stat(b.Path)
	if err != nil || stat.Size() > MaxSize/10 {
		t.Errorf("%v: %d bytes", err, stat.Size())
	}
	after := statsOf(dir, at)
	after.load()
	if !maps.EqualFunc(want, after.file.used, use.equal) {
		t.Errorf("got %v, want %v", after.file.used, want)
	}
}

func (u use) equal(o use) bool { return u.n == o.n && u.at.Equal(o.at) }

// TestCount: every hour of use counts, whatever happens to the file's length; what is
// noted and not yet written is known to Latest.
func TestCount(t *testing.T) {
	t.Parallel()
	dir, at := t.TempDir(), noon()
	for range 6 {
		at = at.Add(2 * time.Hour)
		b := statsOf(dir, at)
		b.Use("7")
		b.Use("7") // within the hour
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := statsOf(dir, at).Count("7"); n != 6 {
		t.Errorf("counted %d, want 6", n)
	}
	b := statsOf(dir, at.Add(5*time.Hour))
	b.Use("7")
	if got := b.Latest("7"); !got.Equal(at.Add(5 * time.Hour)) {
		t.Errorf("used last at %v", got)
	}
	if got := b.Last("7"); !got.Equal(at) {
		t.Errorf("the file said %v", got)
	}
}

// TestLines: uses that are written are read back equal.
func TestLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		times := func(name string) map[string]time.Time {
			return rapid.MapOf(rapid.StringMatching(`[a-z0-9@-]{1,8}`), rapid.Custom(func(rt *rapid.T) time.Time {
				return noon().Add(time.Duration(rapid.IntRange(0, 1000).Draw(rt, "s")) * time.Second)
			})).Draw(rt, name)
		}
		want := newKept()
		want.sent = times("sent")
		for ref, at := range times("seen") {
			want.see(ref, at)
		}
		want.used = rapid.MapOf(rapid.StringMatching(`[a-z0-9/-]{1,8}`), rapid.Custom(func(rt *rapid.T) use {
			return use{noon().Add(time.Duration(rapid.IntRange(0, 1000).Draw(rt, "s")) * time.Second), rapid.IntRange(1, 9).Draw(rt, "n")}
		})).Draw(rt, "uses")
		got := readBack(rt, dir, written(want))
		if !maps.EqualFunc(want.used, got.used, use.equal) || !maps.Equal(want.sent, got.sent) || !maps.Equal(want.seen, got.seen) || !slices.Equal(want.runs, got.runs) {
			rt.Fatalf("got %v, want %v", got, want)
		}
	})
}

// TestSentAndSeen: a memory is sent once a day, a line is seen for the first time once,
// and neither is a use.
func TestSentAndSeen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, hours := range []time.Duration{0, 1, 23, 24, 30, 47, 72} {
		b := statsOf(dir, noon().Add(hours*time.Hour))
		b.Sent("1", "1")
		b.See("3", "1", "h1a2b3c4d", "2", "7")
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "usage.jsonl"))
	want := `{"ts":"2026-11-21T12:00:00Z","sent":["1"]}
{"ts":"2026-11-21T12:00:00Z","seen":["1-3","7","h1a2b3c4d"]}
{"ts":"2026-11-22T12:00:00Z","sent":["1"]}
{"ts":"2026-11-24T12:00:00Z","sent":["1"]}
`
	if err != nil || string(text) != want {
		t.Errorf("%v:\n%s\nwant:\n%s", err, text, want)
	}
	b := statsOf(dir, noon())
	if !b.LastSent("1").Equal(noon().Add(72*time.Hour)) || !b.FirstSeen("2").Equal(noon()) || !b.FirstSeen("h1a2b3c4d").Equal(noon()) || !b.FirstSeen("4").IsZero() || !b.Last("1").IsZero() || b.Count("1") != 0 {
		t.Errorf("sent %v, seen %v, used %v, %d times", b.LastSent("1"), b.FirstSeen("2"), b.Last("1"), b.Count("1"))
	}
}

// FuzzRead: whatever stands in the file, reading it ends well.
func FuzzRead(f *testing.F) {
	f.Add(`{"ts":"2026-11-01T12:00:00Z","refs":["1","2"]}`)
	f.Add(`{"ts":"2026-11-01T12:00:00Z","sent":["1"],"seen":["1-4","3","h1","9-2"]}`)
	f.Add(`{"ts":1e400,"refs":[1,null]}` + "\n\n{")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		last := readBack(t, dir, text)
		again := readBack(t, dir, written(last))
		if !maps.EqualFunc(last.used, again.used, use.equal) || !maps.Equal(last.sent, again.sent) || !maps.Equal(last.seen, again.seen) || !slices.Equal(last.runs, again.runs) {
			t.Fatalf("read %v, again %v", last, again)
		}
	})
}

// written is the text of the lines of k.
func written(k *kept) string {
	var b []byte
	for _, l := range k.lines() {
		b = append(appendLine(b, l), '\n')
	}
	return string(b)
}

// readBack is what a file of text says.
func readBack(t interface{ Fatal(args ...any) }, dir, text string) *kept {
	b := &Stats{Path: filepath.Join(dir, "usage.jsonl"), Dir: dir}
	if err := os.WriteFile(b.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := b.read()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestBefore: what may have been known within a second, the less of it the sooner.
func TestBefore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := statsOf(dir, noon())
	var lines []string
	for _, l := range []string{"11:00:00 1", "12:00:00 2", "12:00:00 3", "12:00:01 4", "12:00:00 5"} {
		at, ref, _ := strings.Cut(l, " ")
		lines = append(lines, `{"ts":"2026-11-01T`+at+`Z","refs":["`+ref+`"]}`, `{"ts":"2026-11-01T12:00:00Z","sent":["9"]}`)
	}
	if err := os.WriteFile(b.Path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, last := range b.Before(time.Date(2026, 11, 1, 12, 0, 0, 7e8, time.UTC)) {
		known := ""
		for _, ref := range []string{"1", "2", "3", "4", "5", "9"} {
			if !last(ref).IsZero() {
				known += ref
			}
		}
		got = append(got, known)
	}
	if want := []string{"1", "12", "123", "1235"}; !slices.Equal(got, want) {
		t.Errorf("known: %v, want %v", got, want)
	}
	if got := statsOf(t.TempDir(), noon()).Before(noon()); len(got) != 1 || !got[0]("1").IsZero() {
		t.Error("without a file there is one answer, and nothing was used")
	}
}
