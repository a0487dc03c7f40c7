package battery

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/session"
)

// TestF12 has the clock jump before everything that is done: by seconds and years,
// to 1970 and a hundred years on. Numbers and names stay unique, the order is that
// of the lines, and a time to live hides and never deletes.
func TestF12(t *testing.T) {
	t.Parallel()
	ops := 400
	if full() {
		ops = 100_000
	}
	rng := rand.New(rand.NewPCG(12, 1))
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	h := NewHome(temp(t)())
	h.Now = func() time.Time {
		jumps := []time.Time{
			start, start.Add(-time.Second), start.AddDate(-1, 0, 0), time.Unix(0, 0), start.AddDate(100, 0, 0),
			start.Add(8 * time.Hour), start.AddDate(0, 0, 1), start.AddDate(0, 0, -1), start.In(time.FixedZone("", 9*3600)),
		}
		return jumps[rng.IntN(len(jumps))]
	}
	var r Report
	l := NewLedger()
	e := h.Engine()
	var wrote []memory.ID
	keyed := ""
	names := make(map[string]bool)
	for n := range ops {
		text := fmt.Sprintf("text %d", n)
		var err error
		switch k := rng.IntN(20); {
		case k < 11:
			err = stated(t.Context(), h, l, e, text)
		case k == 11: // of one key the last line counts, whatever its time
			err = l.Do(Active, text, Stands, Gone, func() error {
				_, err := e.Remember(t.Context(), engine.Draft{Content: text, Key: "colour"})
				return err
			})
			if keyed != "" && err == nil {
				l.Set(Active, keyed, Gone)
			}
			keyed = text
		case k < 14: // with a time to live
			var receipt engine.Receipt
			err = l.Do(Active, text, Stands, Gone, func() (err error) {
				receipt, err = e.Remember(t.Context(), engine.Draft{Content: text, Expires: start.Add(time.Duration(rng.IntN(1000)-500) * time.Hour)})
				return err
			})
			wrote = append(wrote, receipt.IDs...)
		case k < 16:
			if old := fmt.Sprintf("text %d", rng.IntN(n+1)); old != keyed { // what it superseded would be back
				err = hidden(t.Context(), l, e, old)
			}
		case k < 18:
			_, err = proposed(t.Context(), l, e, text)
		default:
			var w *session.Writer
			w, err = h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
			if err == nil && names[w.ID()] {
				err = fmt.Errorf("two sessions are called %s", w.ID())
			}
			if err == nil {
				names[w.ID()] = true
				l.Set(Said, text, Stands)
				_, err = w.AppendTurn(session.Turn{Role: session.RoleUser, Content: text})
				err = errors.Join(err, w.Close())
			}
		}
		r.Add(err, "operation %d", n)
	}
	// Every promise but for what the prompt shows, which the time decides.
	r.Add(Check(t.Context(), h, l, false), "afterwards")
	s, err := e.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range wrote {
		if _, ok := s.Line(id); !ok {
			t.Errorf("%v, which had a time to live, is not there any more", id)
		}
	}
	report(t, r, nil)
	if files, _ := filepath.Glob(filepath.Join(h.Dir, "sessions", "*.jsonl")); len(files) != len(names) { // the pattern is good
		t.Errorf("%d session files of %d sessions", len(files), len(names))
	}
}
