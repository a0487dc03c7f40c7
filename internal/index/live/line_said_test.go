package live

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/memory"
	"ken/internal/memory/filelog"
)

// TestHeadersSettled: the header of a file that was changed a moment ago is read again, since
// a change within a tick of the file system's clock shows in no stamp.
func TestHeadersSettled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.jsonl")
	get := func(h *headers, id string) string {
		t.Helper()
		// In its place, so that it stays the same file of the same length.
		if err := os.WriteFile(path, []byte(`{"meta":{"v":1,"session":"`+id+"\"}}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		head, err := h.get(f)
		if err != nil {
			t.Fatal(err)
		}
		return head.Session
	}
	for _, c := range []struct {
		after time.Duration // the clock, seen from the last change
		known int
	}{{0, 0}, {-time.Hour, 0}, {time.Hour, 1}} {
		h := &headers{clock: func() time.Time { return time.Now().Add(c.after) }}
		for _, id := range []string{"one", "two"} {
			if got := get(h, id); got != id {
				t.Errorf("%v after the change: %q, want %q", c.after, got, id)
			}
		}
		if len(h.of) != c.known {
			t.Errorf("%v after the change: %d headers are kept, want %d", c.after, len(h.of), c.known)
		}
	}
}

// TestHeaderOf: the first line that is not blank, however long, with an end or without.
func TestHeaderOf(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("h", 3*mostHeader)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"\n \n", ""},
		{"head\nturn\n", "head"},
		{"\n\nhead\nturn\n", "head"},
		{"head", "head"},
		{long + "\nturn\n", long},
		{long, long},
		{strings.Repeat("\n", 2*mostHeader) + "head\nturn", "head"},
		{long[:mostHeader-1] + "\nturn\n", long[:mostHeader-1]},
		{long[:mostHeader] + "\nturn\n", long[:mostHeader]},
	} {
		got, err := headerOf(strings.NewReader(c.text))
		if err != nil || string(got) != c.want {
			t.Errorf("%.20q of %d bytes: %d bytes, %v, want %d", c.text, len(c.text), len(got), err, len(c.want))
		}
	}
}

// TestNowhereToBuild: where no index can be kept nothing is read to make one.
func TestNowhereToBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cache"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	read := 0
	s := New(Options{
		State: func(context.Context) (*memory.State, error) {
			read++
			entries := []memory.Entry{memory.ParseLine([]byte(`{"id":1,"content":"tea"}`))}
			return memory.Fold(memory.Lines{Log: "a-1", Own: true, Entries: entries}), nil
		},
		Own: filelog.Open(filepath.Join(dir, "memory.jsonl"), filelog.Options{}), Logs: []Log{{Path: filepath.Join(dir, "memory.jsonl")}},
		Dir: filepath.Join(dir, "cache", "index"), Now: time.Now, Clock: time.Now, Least: 1,
	})
	if _, err := s.Memory(t.Context()); err != nil || !s.Wants() {
		t.Fatalf("%v, wants %v", err, s.Wants())
	}
	if err := s.Rebuild(t.Context()); err == nil || read != 1 {
		t.Errorf("%v, the memory was read %d times, want 1", err, read)
	}
}
