package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestPart: what had come of an answer as ken was killed is a truncated turn to whoever opens the session next, once; of an
// answer that was recorded nothing stays beside the session.
func TestPart(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	now := time.Date(2026, 5, 10, 19, 0, 1, 0, time.UTC)
	d := Dir{Path: filepath.Join(root, "sessions"), Lock: root, Run: filepath.Join(root, "run"), Now: func() time.Time { return now }}
	w, err := d.Create(Header{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	part := w.part()
	answer := func(text string) Turn { return Turn{Role: RoleAssistant, Content: text} }
	_, err = w.AppendTurn(Turn{Role: RoleUser, Content: "q1"})
	must(err)
	must(w.Part(answer("whole")))
	_, err = w.AppendTurn(answer("whole answer"))
	must(err)
	if _, err := os.Stat(part); err == nil {
		t.Error("a second copy stays")
	}
	_, err = w.AppendTurn(Turn{Role: RoleUser, Content: "q2"})
	must(err)
	must(w.Part(answer("half")))
	must(w.Part(answer("half of")))
	must(d.Settle(w.Path())) // held: nothing happens
	must(w.held.release())   // as a kill does
	for range 2 {
		must(d.Settle(w.Path()))
		got, err := d.Load(w.Path())
		must(err)
		turns := got.Turns()
		if len(turns) != 4 || turns[3].Content != "half of" || turns[3].Finish != FinishTruncated {
			t.Errorf("turns %+v", turns)
		}
	}
	if _, err := os.Stat(part); err == nil {
		t.Error("it stays once it was taken over")
	}
}
