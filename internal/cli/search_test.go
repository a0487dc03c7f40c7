//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// TestR244Limit: a search gives at most 50 hits, or as many as were asked for.
func TestR244Limit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for i := range 70 {
		fmt.Fprintf(&log, `{"id":%d,"kind":"fact","content":"kettle number %d"}`+"\n", i+1, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "memory.jsonl"), []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"recall", "kettle"}, 50},
		{[]string{"recall", "-k", "60", "kettle"}, 60},
		{[]string{"recall", "kettle", "-k", "100"}, 70},
		{[]string{"sessions", "search", "kettle"}, 0},
	} {
		out, err := clitest.Command(t, dir, nil, c.args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(out, []byte("- [")); n != c.want {
			t.Errorf("ken %q: %d hits, want %d", c.args, n, c.want)
		}
	}
}
