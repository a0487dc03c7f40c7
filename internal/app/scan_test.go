package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/scan"
)

// TestScan: what a person should look at comes in the order of its kinds, masked, and only what was asked for.
func TestScan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := "AKIA" + "IOSF" + "ODNN7" + "KWMPLQZ"
	const lines = `{"id":1,"content":"the staging host is kettle"}
{"id":2,"content":"the staging host is kettle"}
{"id":3,"content":"the key is KEY","origin":"user"}
`
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(strings.Replace(lines, "KEY", key, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	h := Open(Options{
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
		Now:    func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) },
	}).View(Standing{Actor: Actor{Kind: Person}, Dir: dir})
	found, err := h.Scan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, f := range found {
		kinds = append(kinds, string(f.Kind)+" "+f.Ref)
		if strings.Contains(f.Text+f.Why, "AKIA") {
			t.Errorf("a secret is shown: %+v", f)
		}
	}
	if len(kinds) < 2 || kinds[0] != "secret 3" || !strings.HasPrefix(kinds[1], "duplicate") || found[0].Where != "memory.jsonl:3" {
		t.Errorf("found %q: %+v", kinds, found)
	}
	if found, err = h.Scan(t.Context(), scan.Duplicate); err != nil || len(found) != 1 || found[0].Kind != scan.Duplicate {
		t.Errorf("duplicates: %+v, %v", found, err)
	}
}
