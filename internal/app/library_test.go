package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/index"
)

// TestScopesOnce: the scopes of what is searched are looked for once, however many questions name one: without an
// index every look makes all rows anew.
func TestScopesOnce(t *testing.T) { // not beside others, whose allocations would count
	dir := t.TempDir()
	var log strings.Builder
	for i := range 200 {
		fmt.Fprintf(&log, `{"id":%d,"ts":"2026-05-01T10:00:00Z","kind":"fact","scope":"repo:tea","content":"kettle %d is blue"}`+"\n", i+1, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := OpenLibrary(t.Context(), house(t, dir, "http://127.0.0.1:1"), index.Memory)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Scope("repo:tea"); got != "repo:tea" {
		t.Errorf("scope %q", got)
	}
	const most = 5 // for a question; a look at all rows takes hundreds
	if n := testing.AllocsPerRun(10, func() { l.Scope("repo:tea") }); n > most {
		t.Errorf("%v allocations", n)
	}
}
