package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// said is a question with its answer.
type said struct {
	At                       time.Time
	Channel                  Channel
	Session, User, Assistant string
	From, To, Calls          int
}

// add writes it, 20 characters of the one side and 30 of the other.
func (s said) add(t *testing.T, l Dir) error {
	t.Helper()
	h := Header{Channel: s.Channel, Session: s.Session}
	return l.AddDay(t.Context(), s.At, h, Turn{N: s.From, Content: s.User}, Turn{N: s.To, Content: s.Assistant}, s.Calls, [2]int{20, 30})
}

// aDiary is one in a directory of its own.
func aDiary(t *testing.T) Dir {
	t.Helper()
	dir := t.TempDir()
	return Dir{Lock: dir}
}

func dayOf(t *testing.T, l Dir, day string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(l.days(), day+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDiary: both sides are one line each of so many characters, the day is that of the person's zone, calls of tools are counted.
func TestDiary(t *testing.T) {
	t.Parallel()
	l := aDiary(t)
	zone := time.FixedZone("", 9*60*60)
	at, long := time.Date(2026, 3, 1, 20, 30, 0, 0, time.UTC), "\x1b[31m"+strings.Repeat("ok ", 50)
	for _, e := range []said{
		{At: at, Channel: "terminal", Session: "s-1", From: 1, To: 2, User: "what is\n## the\tkettle", Assistant: "red"},
		{At: at.In(zone), Channel: "ask", Session: "s-2", From: 3, To: 7, User: strings.Repeat("ü", 21), Assistant: long, Calls: 2},
		{At: at.In(zone), User: strings.Repeat("ü", 20)},
	} {
		if err := e.add(t, l); err != nil {
			t.Fatal(err)
		}
	}
	want := "# 2026-03-01\n\n## 20:30 terminal s-1:1-2\n- you: what is ## the kettl…\n- ken: red\n"
	if got := dayOf(t, l, "2026-03-01"); got != want {
		t.Errorf("%q", got)
	}
	want = "# 2026-03-02\n\n## 05:30 ask s-2:3-7\n- you: " +
		strings.Repeat("ü", 20) + "…\n- ken: ok ok ok ok ok ok ok ok ok ok…\n- tool_calls: 2\n" +
		"\n## 05:30 \n- you: " + strings.Repeat("ü", 20) + "\n"
	if got := dayOf(t, l, "2026-03-02"); got != want || !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
	fi, err := os.Stat(filepath.Join(l.days(), "2026-03-01.md"))
	if err != nil || fi.Mode().Perm() != 0o600 {
		t.Error(fi.Mode(), err)
	}
}

// TestDiaryTogether: those who write at once lose nothing, and the day has one heading.
func TestDiaryTogether(t *testing.T) {
	t.Parallel()
	l := aDiary(t)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range 10 {
				e := said{At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Channel: "ask", User: fmt.Sprintf("%d and %d", n, i)}
				if err := e.add(t, l); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	text := dayOf(t, l, "2026-03-01")
	for n := range 8 {
		for i := range 10 {
			if strings.Count(text, fmt.Sprintf("- you: %d and %d\n", n, i)) != 1 {
				t.Errorf("%d and %d is not there once", n, i)
			}
		}
	}
	if strings.Count(text, "# 2026") != 1 {
		t.Error(text[:200])
	}
}

// TestDiaryDrop: an entry goes whole, by what it says or by its turns, all others stay byte for byte, and a file without entries goes.
func TestDiaryDrop(t *testing.T) {
	t.Parallel()
	l := aDiary(t)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for n, what := range []string{"kettle", "drum", "flute"} {
		if err := (said{At: at, Channel: "ask", Session: "s:x", From: 2*n + 1, To: 2*n + 2, User: what}).add(t, l); err != nil {
			t.Fatal(err)
		}
	}
	if err := (said{At: at.AddDate(0, 0, 1), Session: "s:x", From: 9, To: 9, User: "kettle"}).add(t, l); err != nil {
		t.Fatal(err)
	}
	err := l.DropDays(t.Context(), func(text []byte, session string, from, to int) bool {
		return strings.Contains(string(text), "kettle") || session == "s:x" && from == 5 && to == 6
	})
	if got, want := dayOf(t, l, "2026-03-01"), "# 2026-03-01\n\n## 12:00 ask s:x:3-4\n- you: drum\n\n"; err != nil || got != want {
		t.Errorf("%v %q", err, got)
	}
	if _, err := os.Stat(filepath.Join(l.days(), "2026-03-02.md")); err == nil {
		t.Error("a day without an entry is there")
	}
}
