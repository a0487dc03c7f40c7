package trace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/trace"
)

// TestGave: what another assistant was given is read back as it was noted, its sums sealed, without a text; and who was
// given a memory is found by it, with the days.
func TestGave(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	root := t.TempDir()
	dir := session.Dir{
		Path: filepath.Join(root, "sessions"), Lock: root, Run: filepath.Join(root, "run"), Now: func() time.Time { return at },
	}
	seal := memory.NewSeal([]byte("key"))
	write := func(agent string, days int, refs ...string) string {
		w, err := dir.Create(session.Header{Channel: session.ChannelMCP, Agent: agent})
		if err != nil {
			t.Fatal(err)
		}
		for d := range days {
			tr := trace.Trace{Time: at.AddDate(0, 0, d), To: trace.To{Agent: agent, Thread: "th-1", By: "recall"}}
			for _, ref := range refs {
				tr.Chosen = append(tr.Chosen, trace.Given{Ref: ref, Sum: 7})
			}
			for range 2 {
				if err := w.AppendEvent(tr.Event(seal)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return w.Path()
	}
	path := write("claude", 3, "1", "2")
	write("codex", 1, "2")
	write("qwen", 1, "9")
	talk, err := dir.Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := talk.AppendTurn(session.Turn{Role: session.RoleUser, Content: `"agent":"me"`}); err != nil {
		t.Fatal(err)
	}
	if err := talk.Close(); err != nil {
		t.Fatal(err)
	}

	s, err := session.Load(path)
	if err != nil || s.Header.Agent != "claude" || len(s.Turns()) != 0 || len(s.Entries) != 6 {
		t.Fatalf("%v, %+v", err, s)
	}
	got, ok := trace.Read(*s.Entries[0].Event)
	want := trace.Trace{Time: at, To: trace.To{Agent: "claude", Thread: "th-1", By: "recall"}, Chosen: []trace.Given{
		{Ref: "1", Sum: seal.Sum(7), Keyed: true}, {Ref: "2", Sum: seal.Sum(7), Keyed: true},
	}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("%v %s", ok, diff)
	}
	list, err := trace.Receivers(dir, func(ref string) bool { return ref == "2" })
	wantWho := []trace.Receiver{
		{Agent: "claude", Days: 3, First: at, Last: at.AddDate(0, 0, 2)}, {Agent: "codex", Days: 1, First: at, Last: at},
	}
	if diff := cmp.Diff(wantWho, list); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if list, err := trace.Receivers(dir, func(ref string) bool { return ref == "4" }); err != nil || len(list) != 0 {
		t.Errorf("%v %v", err, list)
	}
	// What a person made of the files costs no more than itself.
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 9000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := trace.Receivers(dir, func(string) bool { return true }); err != nil || len(list) != 2 {
		t.Errorf("%v %v", err, list)
	}
	dir.Path = filepath.Join(root, "none")
	if list, err := trace.Receivers(dir, func(string) bool { return true }); err != nil || len(list) != 0 {
		t.Errorf("%v %v", err, list)
	}
}
