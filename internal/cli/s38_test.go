//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ken/internal/cli/clitest"
)

// TestS38ConcurrentAdds: 4 processes after each other add memories while 2 read:
// every answer is kept, the numbers have no gap, no line is torn and no reader
// fails. KEN_BATTERY=full makes it 250 memories each.
func TestS38ConcurrentAdds(t *testing.T) {
	t.Parallel()
	const writers, readers = 4, 2
	each := 25
	if os.Getenv("KEN_BATTERY") == "full" {
		each = 250
	}
	dir := t.TempDir()
	run := func(args ...string) ([]byte, error) {
		var out, errs bytes.Buffer
		cmd := clitest.Command(t, dir, nil, args...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			return nil, fmt.Errorf("ken %s: %v: %s", strings.Join(args, " "), err, errs.String())
		}
		return out.Bytes(), nil
	}
	done := make(chan struct{})
	var adding, reading sync.WaitGroup
	for w := range writers {
		adding.Go(func() {
			for i := range each {
				if _, err := run("-q", "remember", fmt.Sprintf("thing %d that writer %d has seen", i, w)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range readers {
		reading.Go(func() {
			for most, last := 0, false; !last; {
				select {
				case <-done:
					last = true
				default:
				}
				out, err := run("memory", "list", "--json")
				var items []struct{ ID int }
				if err == nil {
					err = json.Unmarshal(out, &items)
				}
				if err != nil {
					t.Errorf("a reader: %v", err)
					return
				}
				if len(items) < most || last && len(items) != writers*each {
					t.Errorf("a reader saw %d memories, and %d before", len(items), most)
					return
				}
				most = len(items)
			}
		})
	}
	adding.Wait()
	close(done)
	reading.Wait()
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 1+writers*each || !strings.HasPrefix(lines[0], `{"meta"`) {
		t.Fatalf("%d lines, the first %s", len(lines), lines[0])
	}
	seen := make(map[string]bool)
	for i, line := range lines[1:] {
		var rec struct {
			ID      int
			Content string
		}
		if err := json.Unmarshal([]byte(line), &rec); err != nil || rec.ID != i+1 || seen[rec.Content] {
			t.Errorf("line %d: %v: %s", i+2, err, line)
		}
		seen[rec.Content] = true
	}
}
