package upkeep_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/upkeep"
)

// TestR361Remind: the policy in force reminds in one line when a conversation ends, once a day, and not where it wishes for nothing,
// the conversation broke off, or nobody but the person is there; no model is asked, and the memory stays as it is.
func TestR361Remind(t *testing.T) {
	t.Parallel()
	h := open(t, 4, "[memory]\npolicy = \"work\"\n")
	path := talk(t, h)
	policy := filepath.Join(h.Settings.Paths().Policies(), "work.toml")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(policy), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	end := func(session string) []string {
		t.Helper()
		h.notes, h.warnings = nil, nil
		upkeep.New(h.View, nil).After(t.Context(), upkeep.Event{What: upkeep.Ended, Session: session})
		if len(h.warnings) > 0 {
			t.Errorf("warned %q", h.warnings)
		}
		return h.notes
	}
	const keep = "[hygiene]\nhot_days = 0\n"
	write(keep)
	if got := end(path); len(got) > 0 {
		t.Errorf("nothing is wished for: %q", got)
	}
	before, err := os.ReadFile(h.Settings.Paths().Memory())
	if err != nil {
		t.Fatal(err)
	}
	write(keep + "[propose]\nsynthesis_after = 4\n")
	if got := end(""); len(got) > 0 {
		t.Errorf("it broke off: %q", got)
	}
	if diff := cmp.Diff([]string{"4 new memories: ken retrospect --synthesize"}, end(path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range 3 {
		if got := end(path); len(got) > 0 {
			t.Errorf("again: %q", got)
		}
		h.now = h.now.Add(30 * time.Hour)
	}
	write(keep + "[propose]\nretrospect_after = \"5d\"\n")
	if diff := cmp.Diff([]string{"4 new memories: ken retrospect"}, end(path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	after, err := os.ReadFile(h.Settings.Paths().Memory())
	if err != nil || string(after) != string(before) {
		t.Errorf("the memory is another one: %v", err)
	}
	b, err := os.ReadFile(h.Settings.Paths().Audit())
	one := strings.Count(string(b), `"act":"remind-synthesis","by":"policy:work","count":4`) == 1
	if err != nil || !one || strings.Count(string(b), "\n") != 2 {
		t.Errorf("the audit: %s %v", b, err)
	}
}
