package filelog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
)

// brief reports whether a test should do a part of its cases only.
func brief() bool { return raceEnabled || testing.Short() }

func fact(n int64, text string) memory.Record {
	return memory.Record{ID: memory.Num(n), Time: time.Date(2026, 5, 13, 19, 0, 0, 0, time.UTC), Kind: memory.KindFact, Content: text}
}

// appended appends one fact above all numbers that are named behind at.
func appended(t testing.TB, l *Log, at memory.Cursor, text string) (memory.Cursor, int64) {
	t.Helper()
	var n int64
	end, err := l.Append(t.Context(), at, func(later []memory.Entry) ([]memory.Record, error) {
		tip, err := l.tip(t.Context())
		if err != nil {
			return nil, err
		}
		n = tip.MaxID + 1
		return []memory.Record{fact(n, text)}, nil
	})
	if err != nil {
		t.Fatalf("append %q: %v", text, err)
	}
	return end, n
}

// entries reads the log from after to its end.
func entries(t testing.TB, l *Log, after memory.Cursor) []memory.Placed {
	t.Helper()
	var list []memory.Placed
	for e, err := range l.Records(t.Context(), after) {
		var bad *memory.LineError
		if err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// shown is what a test compares of entries: the contents of records, "meta",
// and "bad 3" for a third line that cannot be read.
func shown(list []memory.Placed) string {
	var s []string
	for _, e := range list {
		switch {
		case e.Meta != nil:
			s = append(s, "meta")
		case e.Bad != nil && e.Bad.Torn:
			s = append(s, fmt.Sprintf("torn %d", e.Line))
		case e.Bad != nil:
			s = append(s, fmt.Sprintf("bad %d", e.Line))
		case e.Record.Kind.Changes():
			s = append(s, string(e.Record.Kind)+" "+e.Record.Target.String())
		default:
			s = append(s, e.Record.Content)
		}
	}
	return strings.Join(s, ", ")
}

func content(t testing.TB, l *Log) string {
	t.Helper()
	b, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holding opens a log whose file holds text.
func holding(t testing.TB, text string) *Log {
	t.Helper()
	l := openIn(jsonltest.Dir(t))
	write(t, l.path, text)
	return l
}

func TestR110FirstAppend(t *testing.T) {
	t.Parallel()
	l := openIn(filepath.Join(t.TempDir(), "new"))
	if _, err := os.Stat(filepath.Dir(l.path)); err == nil {
		t.Error("opening made something")
	}
	if got := shown(entries(t, l, "")); got != "" {
		t.Errorf("a log without a file holds %q", got)
	}
	appended(t, l, "", "one")
	lines := strings.Split(content(t, l), "\n")
	if len(lines) != 3 || lines[2] != "" {
		t.Fatalf("the file holds %q", lines)
	}
	meta := memory.ParseLine([]byte(lines[0])).Meta
	if meta == nil || meta.Format != 1 || !strings.HasPrefix(meta.Log, "laptop-") || meta.Created.IsZero() {
		t.Errorf("the first line is %s", lines[0])
	}
	if want := `{"id":1,"ts":"2026-05-13T19:00:00Z","kind":"fact","content":"one"}`; lines[1] != want {
		t.Errorf("the second line is %s, want %s", lines[1], want)
	}
	tip, err := l.Tip(t.Context())
	if err != nil || tip.Name != meta.Log || tip.MaxID != 1 {
		t.Errorf("Tip = %+v, %v", tip, err)
	}
}

func TestR112NextNumber(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       int64
	}{
		{"empty", "", 1},
		{"ids", `{"id":1,"content":"a"}` + "\n" + `{"id":7,"content":"b"}` + "\n" + `{"id":3,"content":"c"}` + "\n", 8},
		{"a tombstone counts", `{"id":1,"content":"a"}` + "\n" + `{"id":2,"kind":"forget","target":1}` + "\n", 3},
		{"a target counts", `{"id":1,"kind":"forget","target":9}` + "\n", 10},
		{"targets count", `{"id":1,"kind":"forget","targets":[4,11]}` + "\n", 12},
		{"its own name counts", `{"meta":{"format":1,"log":"laptop-7f3a"}}` + "\n" + `{"id":1,"kind":"forget","target":"laptop-7f3a/9"}` + "\n", 10},
		{"another log does not", `{"id":1,"kind":"forget","target":"desk-0001/9"}` + "\n", 2},
		{"a damaged line counts", `{"id":1,"content":"a"}` + "\n" + `{"id":5,"content":"cut` + "\n", 6},
		{"a torn line counts", `{"id":1,"content":"a"}` + "\n" + `{"id":5,"content":"cut`, 6},
		{"a line that is too long counts", `{"id":5,"content":"` + strings.Repeat("x", memory.MaxLine) + `"}` + "\n", 6},
		{"lines without ids", `{"content":"a"}` + "\n", 1},
		{"no final line end", `{"id":4,"content":"a"}`, 5},
	}
	for _, test := range tests {
		l := holding(t, test.text)
		tip, err := l.Tip(t.Context())
		if err != nil || tip.MaxID != test.want-1 {
			t.Errorf("%s: Tip = %+v, %v; want the largest number %d", test.name, tip, err, test.want-1)
		}
		if _, n := appended(t, l, tip.At, "next"); n != test.want {
			t.Errorf("%s: the next number is %d, want %d", test.name, n, test.want)
		}
		list := entries(t, Open(l.path, l.o), "")
		if last := list[len(list)-1]; last.Record.ID != memory.Num(test.want) || last.Record.Content != "next" {
			t.Errorf("%s: the last line is %+v", test.name, last)
		}
		if got := content(t, l); !strings.HasPrefix(got, test.text) && test.text != "" {
			t.Errorf("%s: what was there has changed", test.name)
		}
	}
}

func TestR115ForgetAppends(t *testing.T) {
	t.Parallel()
	l := openIn(t.TempDir())
	at, _ := appended(t, l, "", "one")
	before := content(t, l)
	forget := memory.Record{ID: memory.Num(2), Time: fact(1, "").Time, Kind: memory.KindForget, Target: memory.Num(1)}
	if _, err := l.Append(t.Context(), at, func([]memory.Entry) ([]memory.Record, error) { return []memory.Record{forget}, nil }); err != nil {
		t.Fatal(err)
	}
	if want := before + `{"id":2,"ts":"2026-05-13T19:00:00Z","kind":"forget","target":1}` + "\n"; content(t, l) != want {
		t.Errorf("the file holds %s, want %s", content(t, l), want)
	}
}

func TestR117EmptyAndMissing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "\n \n\n", "\ufeff"} {
		l := holding(t, text)
		if got := shown(entries(t, l, "")); got != "" {
			t.Errorf("a log of %q holds %q", text, got)
		}
		appended(t, l, "", "one")
		want := "one"
		if text == "" {
			want = "meta, one"
		}
		if got := shown(entries(t, l, "")); got != want {
			t.Errorf("a log of %q holds %q behind an append, want %q", text, got, want)
		}
	}
}

func TestR118MetaLineOptional(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"id":1,"content":"a"}`+"\n")
	appended(t, l, "", "b")
	if got := shown(entries(t, l, "")); got != "a, b" {
		t.Errorf("the log holds %q; want no meta line put into it", got)
	}
}

func TestR130ReadOnly(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"id":1,"content":"a"}`+"\n"+`{"id":2,"content":"cut`)
	l.o.ReadOnly = true
	if got := shown(entries(t, l, "")); got != "a, torn 2" {
		t.Errorf("the log holds %q", got)
	}
	if _, err := l.Append(t.Context(), "", nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Append: %v, want ErrReadOnly", err)
	}
	if _, err := l.Erase(t.Context(), memory.Num(1)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Erase: %v, want ErrReadOnly", err)
	}
	list, err := os.ReadDir(filepath.Dir(l.path))
	if err != nil || len(list) != 1 {
		t.Errorf("the directory holds %v, %v; want the log alone", list, err)
	}
}

// TestS35DamagedFile has half a line at the end, NUL bytes, an id that stands
// twice and a line of 2 MB.
func TestS35DamagedFile(t *testing.T) {
	t.Parallel()
	text := `{"id":1,"content":"one"}` + "\n" + "\x00\x00\x00\n" + `{"id":1,"content":"again"}` + "\n" +
		`{"id":3,"content":"` + strings.Repeat("x", 2<<20) + `"}` + "\n" + `{"id":4,"content":"four"}` + "\n" + `{"id":5,"cont`
	l := holding(t, text)
	if got, want := shown(entries(t, l, "")), "one, bad 2, again, bad 4, four, torn 6"; got != want {
		t.Errorf("the log holds %q, want %q", got, want)
	}
	for _, e := range entries(t, l, "") {
		if e.Bad == nil {
			continue
		}
		from := e.Bad.Offset
		if e.Bad.Line != e.Line || e.Bad.Cause == nil || text[from+e.Bad.Len-1] == '\n' || from > 0 && text[from-1] != '\n' {
			t.Errorf("line %d is told as %+v", e.Line, e.Bad)
		}
	}
	appended(t, l, "", "new")
	if got := content(t, l); !strings.HasPrefix(got, text) {
		t.Error("an append changed what was there")
	}
	if got, want := shown(entries(t, l, "")), "one, bad 2, again, bad 4, four, bad 6, new"; got != want {
		t.Errorf("the log holds %q behind an append, want %q", got, want)
	}
}

// TestF10 reads files of every bad sort: what is good in them is read, the rest
// is told by line, and an append goes to the end and leaves them alone.
func TestF10(t *testing.T) {
	t.Parallel()
	one, two := `{"id":1,"content":"one"}`, `{"id":2,"content":"two"}`
	sized := func(n int) string {
		const frame = len(`{"id":9,"content":""}`)
		return `{"id":9,"content":"` + strings.Repeat("x", n-frame) + `"}`
	}
	huge := 64 << 20
	if brief() {
		huge = 4 << 20
	}
	tests := []struct{ name, text, want string }{
		{"a line of one byte", one + "\nx\n" + two + "\n", "one, bad 2, two"},
		{"a brace", one + "\n{\n" + two + "\n", "one, bad 2, two"},
		{"64 KiB", one + "\n" + sized(64<<10) + "\n" + two + "\n", "one, xxx, two"},
		{"1 MiB", one + "\n" + sized(1<<20) + "\n" + two + "\n", "one, xxx, two"},
		{"1 MiB and a byte", one + "\n" + sized(1<<20+1) + "\n" + two + "\n", "one, bad 2, two"},
		{"64 MiB", one + "\n" + sized(huge) + "\n" + two + "\n", "one, bad 2, two"},
		{"64 MiB without an end", one + "\n" + sized(huge), "one, torn 2"},
		{"NUL at the start", "\x00\x00" + one + "\n" + two + "\n", "bad 1, two"},
		{"NUL in the middle", one + "\n" + `{"id":2,"con` + "\x00" + `tent":"x"}` + "\n" + two + "\n", "one, bad 2, two"},
		{"NUL at the end", one + "\n" + two + "\n\x00\x00\x00\x00", "one, two, torn 3"},
		{"invalid UTF-8 between", one + "\n" + "\xff\xfe\x80\n" + two + "\n", "one, bad 2, two"},
		{"CR LF", one + "\r\n" + two + "\r\n", "one, two"},
		{"a lone CR", one + "\r" + two + "\n", "bad 1"},
		{"U+2028", `{"id":1,"content":"a` + "\u2028" + `b"}` + "\n" + two + "\n", "a\u2028b, two"},
		{"deep JSON", one + "\n" + `{"id":3,"content":"x","deep":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + "}\n" + two + "\n", ""},
		{"deep JSON that never closes", one + "\n" + strings.Repeat(`{"a":`, 10000) + "\n" + two + "\n", "one, bad 2, two"},
		{"a number out of range", one + "\n" + `{"id":1e400,"content":"x"}` + "\n" + two + "\n", "one, bad 2, two"},
		{"NaN", one + "\n" + `{"id":NaN,"content":"x"}` + "\n" + two + "\n", "one, bad 2, two"},
		{"an id of a wrong type", one + "\n" + `{"id":{},"content":"x"}` + "\n" + two + "\n", "one, bad 2, two"},
		{"content of a wrong type", one + "\n" + `{"id":3,"content":7}` + "\n" + two + "\n", "one, bad 2, two"},
		{"an unknown kind", one + "\n" + `{"id":3,"kind":"mood","content":"calm"}` + "\n" + two + "\n", "one, calm, two"},
		{"unknown fields", `{"id":1,"content":"one","new":{"a":1}}` + "\n" + two + "\n", "one, two"},
		{"blank lines", "\n\n" + one + "\n   \n\t\n" + two + "\n\n", "one, two"},
		{"no final line end", one + "\n" + two, "one, two"},
		{"an array", "[\n" + one + ",\n" + two + "\n]\n", "bad 1, bad 2, two, bad 4"},
		{"trailing commas", one + ",\n" + two + ",\n", "bad 1, bad 2"},
		{"an id twice", one + "\n" + `{"id":1,"content":"other"}` + "\n", "one, other"},
		{"a tombstone first", `{"id":2,"kind":"forget","target":1}` + "\n" + one + "\n", "forget 1, one"},
		{"merge marks", "<<<<<<< HEAD\n" + one + "\n=======\n" + two + "\n>>>>>>> theirs\n", "bad 1, one, bad 3, two, bad 5"},
		{"a byte order mark", "\ufeff" + one + "\n" + two + "\n", "one, two"},
		{"plain text", "remember the milk\n" + one + "\n", "bad 1, one"},
		{"a pretty-printed record", "{\n  \"id\": 1,\n  \"content\": \"x\"\n}\n" + two + "\n", "bad 1, bad 2, bad 3, bad 4, two"},
	}
	for _, test := range tests {
		l := holding(t, test.text)
		read := func() string {
			list := entries(t, l, "")
			for i := range list {
				if c := list[i].Record.Content; strings.HasPrefix(c, "xxx") {
					list[i].Record.Content = "xxx"
				}
			}
			return shown(list)
		}
		got := read()
		if test.want != "" && got != test.want {
			t.Errorf("%s: the log holds %q, want %q", test.name, got, test.want)
		}
		appended(t, l, "", "next")
		if now := content(t, l); !strings.HasPrefix(now, test.text) {
			t.Errorf("%s: an append changed what was there", test.name)
		}
		if after, want := read(), strings.ReplaceAll(got, "torn", "bad")+", next"; after != want {
			t.Errorf("%s: the log holds %q behind an append, want %q", test.name, after, want)
		}
	}
}

// TestOpenEnd reads on behind a last line that had no end.
func TestOpenEnd(t *testing.T) {
	t.Parallel()
	one, two := `{"id":1,"content":"one"}`, `{"id":2,"content":"two"}`
	tests := []struct{ name, more, want string }{
		{"nothing", "", ""},
		{"its end", "\n", ""},
		{"its end and a line", "\n" + two + "\n", "two"},
		{"its end and a torn line", "\n" + two[:9], "torn 2"},
		{"glued", two + "\n", "stale"},
		{"a blank glued", " \n", "stale"},
	}
	for _, test := range tests {
		l := holding(t, one)
		list := entries(t, l, "")
		typed(t, l.path, test.more)
		for _, handle := range []*Log{l, Open(l.path, l.o)} {
			got := "stale"
			for _, err := range handle.Records(t.Context(), list[0].At) {
				if errors.Is(err, memory.ErrStale) {
					break
				}
				got = ""
			}
			if got == "" || test.want == "" {
				got = shown(entries(t, handle, list[0].At))
			}
			if got != test.want {
				t.Errorf("%s: behind the line that had no end: %q, want %q", test.name, got, test.want)
			}
			for _, e := range entries(t, handle, "") {
				if e.Bad == nil && e.Record.Content == "two" && e.Line != 2 {
					t.Errorf("%s: the second line has the number %d", test.name, e.Line)
				}
			}
		}
	}
}

// TestLiveAppend reads while somebody who holds the lock is in the middle of a
// write: that is no torn line.
func TestLiveAppend(t *testing.T) {
	t.Parallel()
	one, two := `{"id":1,"content":"one"}`+"\n", `{"id":2,"content":"two"}`+"\n"
	l := holding(t, one+two[:12])
	held, err := jsonl.LockDir(t.Context(), filepath.Dir(l.path), 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	first := make(chan bool)
	go func() {
		var list []memory.Placed
		for e := range l.Records(t.Context(), "") {
			list = append(list, e)
			if len(list) == 1 {
				close(first)
			}
		}
		done <- shown(list)
	}()
	<-first
	typed(t, l.path, two[12:])
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got != "one, two" {
		t.Errorf("the reader saw %q", got)
	}
}

func TestLockIsHeld(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"id":1,"content":"one"}`+"\n"+`{"id":2`)
	l.o.Wait = 2 * time.Millisecond
	held, err := jsonl.LockDir(t.Context(), filepath.Dir(l.path), 0)
	if err != nil {
		t.Fatal(err)
	}
	_, aerr := l.Append(t.Context(), "", nil)
	_, eerr := l.Erase(t.Context(), memory.Num(1))
	for _, err := range []error{aerr, eerr} {
		if !errors.Is(err, memory.ErrBusy) || !strings.Contains(err.Error(), l.path) {
			t.Errorf("%v, want ErrBusy that names the log", err)
		}
	}
	// Reading goes on: it does without the second look.
	if got := shown(entries(t, l, "")); got != "one, torn 2" {
		t.Errorf("the log holds %q", got)
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
}

// TestTooLong wants no line written that could not be read.
func TestTooLong(t *testing.T) {
	t.Parallel()
	l := openIn(t.TempDir())
	_, err := l.Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) {
		return []memory.Record{fact(1, "a"), fact(2, strings.Repeat("x", memory.MaxLine))}, nil
	})
	if err == nil {
		t.Error("a record of more than a line was written")
	}
	if _, err := os.Stat(l.path); err == nil {
		t.Error("a part was written")
	}
}

func TestEntryNames(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"meta":{"format":1,"log":"laptop-7f3a"}}`+"\n"+
		`{"id":4,"kind":"forget","targets":["laptop-7f3a/1","desk-0001/2",3]}`+"\n"+
		`{"id":5,"content":"x","supersedes":"laptop-7f3a/2","cites":["laptop-7f3a/3"]}`+"\n")
	list := entries(t, l, "")
	got := append(append(list[1].Record.Detail.Targets, list[2].Record.Detail.Supersedes...), list[2].Record.Detail.Cites...)
	want := []memory.ID{memory.Num(1), {Log: "desk-0001", N: 2}, memory.Num(3), memory.Num(2), memory.Num(3)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
}
