package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ken/internal/memory/filelog"
)

// TestRoom: a long log is read with room for about as many lines as it has, also where they
// become shorter, and who asked is told how many these are.
func TestRoom(t *testing.T) {
	t.Parallel()
	for _, shorter := range []int{0, 60} {
		const lines = 9_000
		var text bytes.Buffer
		for n := range lines {
			fmt.Fprintf(&text, `{"id":%d,"ts":"2026-05-01T12:00:00Z","content":"%0*d"}`+"\n", n+1, 100-n*shorter/lines, n)
		}
		path := filepath.Join(t.TempDir(), "memory.jsonl")
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		told := 0
		e := New(Options{Own: filelog.Open(path, filelog.Options{}), Now: noon, Read: func(n int) { told = n }})
		if s, err := e.State(t.Context()); err != nil || s.Len() != lines || told != lines {
			t.Fatalf("%v, told of %d lines", err, told)
		}
		if room := cap(e.logs[0].entries); room > lines*11/10 {
			t.Errorf("lines that become %d bytes shorter: room for %d, and there are %d", shorter, room, lines)
		}
	}
}
