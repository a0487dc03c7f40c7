package jsonl

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSettled: the times of a file are believed only when a change after them would
// show, on file systems that count in whole or in two seconds as well.
func TestSettled(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	for _, c := range []struct {
		changed, now int64 // nanoseconds
		want         bool
	}{
		{10*second + 7, 10*second + 7 + int64(Settling), false},
		{10*second + 7, 10*second + 8 + int64(Settling), true},
		{10 * second, 10*second + int64(Settling) + 1, false},
		{10 * second, 12*second + int64(Settling), false},
		{10 * second, 12*second + int64(Settling) + 1, true},
	} {
		s := Stamp{Ino: 1, Mtime: c.changed, Ctime: c.changed}
		if got := s.Settled(time.Unix(0, c.now)); got != c.want {
			t.Errorf("changed at %d, now %d: %v", c.changed, c.now, got)
		}
	}
}

// TestSeen: what a look at a file tells another one, as it lies still, is written to,
// replaced, deleted and made.
func TestSeen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	see := func() Seen {
		t.Helper()
		s, err := See(path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	none := see()
	write("tea", at)
	first := see()
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	locked := see()
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	write("tea time", at)
	longer := see()
	write("tea", at.Add(time.Second))
	later := see()
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	write("tea", at)
	other := see()
	for name, c := range map[string]struct {
		was, now  Seen
		unchanged bool
	}{
		"none":         {none, see(), false},
		"still none":   {none, none, true},
		"made":         {none, first, false},
		"deleted":      {first, none, false},
		"still":        {first, first, true},
		"another mode": {first, locked, true},
		"longer":       {first, longer, false},
		"later":        {first, later, false},
		"another one":  {first, other, false},
	} {
		if got := c.was.Unchanged(c.now); got != c.unchanged {
			t.Errorf("%s: unchanged %v", name, got)
		}
	}
	if none.Exists() || !first.Exists() {
		t.Error("what is there")
	}
	a, _ := StampOf(first.fi)
	if b, ok := StampOf(longer.fi); ok && (!b.Grew(a) || a.Grew(b) || a.Grew(a)) {
		t.Error("what grew")
	}
}
