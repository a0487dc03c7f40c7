package gate_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/gate"
)

// TestLines: the bytes of the file of approvals, which older versions read.
func TestLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "approvals.jsonl")
	at := time.Date(2026, 5, 13, 21, 0, 0, 5, time.FixedZone("", 2*60*60))
	plain, err := gate.ParsePattern("make 'a b'")
	if err != nil {
		t.Fatal(err)
	}
	offered, ok := gate.Offer(judge("git push origin main"))
	if !ok {
		t.Fatal("nothing is offered")
	}
	for _, p := range []gate.Pattern{plain, offered, offered} {
		if _, err := gate.Approve(t.Context(), path, p, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := gate.Revoke(t.Context(), path, at, 2, 1); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	want := `{"id":1,"ts":"2026-05-13T19:00:00Z","pattern":"make 'a b'"}
{"id":2,"ts":"2026-05-13T19:00:00Z","pattern":"git push *","seen":["git","push","origin","main"]}
{"ts":"2026-05-13T19:00:00Z","revoke":2}
{"ts":"2026-05-13T19:00:00Z","revoke":1}
`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
