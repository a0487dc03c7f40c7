package battery

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ken/internal/memory"
)

// filled is a home with a log of n short texts.
func filled(t *testing.T, n int) (h *Home, text []byte) {
	t.Helper()
	h = NewHome(temp(t)())
	_, err := h.Log().Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) {
		var recs []memory.Record
		for i := range n {
			recs = append(recs, memory.Record{ID: memory.Num(int64(i + 1)), Kind: memory.KindFact, Content: fmt.Sprintf("text %d, ünïcode", i), Time: h.Now()})
		}
		return recs, nil
	})
	if err == nil {
		text, err = os.ReadFile(h.Memory())
	}
	if err != nil {
		t.Fatal(err)
	}
	return h, text
}

// TestGoal2Truncated cuts a log off at every byte: every read succeeds with all
// whole records, and what is remembered then is kept.
//
//ken:unraced
func TestGoal2Truncated(t *testing.T) {
	t.Parallel()
	step := 11
	if full() {
		step = 1
	}
	h, text := filled(t, 40)
	var r Report
	for n := 0; n <= len(text); n += step {
		if err := os.WriteFile(h.Memory(), text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		whole := strings.Count(string(text[:n]), "\n") - 1 // without the header
		if n == len(text) || text[n] == '\n' {             // it lacks its end alone
			whole = strings.Count(string(text[:n])+"\n", "\n") - 1
		}
		if n == len(text) {
			whole--
		}
		r.Add(cutOff(t, h, max(whole, 0)), "cut at byte %d of %d", n, len(text))
	}
	report(t, r, nil)
}

func cutOff(t *testing.T, h *Home, whole int) error {
	t.Helper()
	s, err := h.Engine().State(t.Context())
	if err != nil {
		return err
	}
	if s.Len() != whole {
		return fmt.Errorf("%w: %d items of %d whole lines", ErrLost, s.Len(), whole)
	}
	if err := stated(t.Context(), h, NewLedger(), h.Engine(), "afterwards"); err != nil {
		return err
	}
	if s, err = h.Engine().State(t.Context()); err == nil && s.Len() != whole+1 {
		err = fmt.Errorf("%w: %d items afterwards, want %d", ErrLost, s.Len(), whole+1)
	}
	return err
}

// TestGoal3Processes has 2 and 8 processes append a thousand times each. A case is
// an acknowledged record.
func TestGoal3Processes(t *testing.T) {
	t.Parallel()
	each := 40
	if full() {
		each = 1000
	}
	for _, processes := range []int{2, 8} {
		var r Report
		h, l := unsyncedHome(t, temp(t)), NewLedger()
		acked, errs := eachWrites(t, h, l, "append", processes, each, 1)
		r.Add(errors.Join(append(errs, Check(t.Context(), h, l, false))...), "%d processes", processes)
		if acked != processes*each {
			t.Errorf("%d of %d were acknowledged", acked, processes*each)
		}
		r.Cases, r.Survived, r.Distinct = acked, r.Survived*acked, acked
		report(t, r, nil)
	}
}

// TestGoal4BadLine puts a line that cannot be read at each place of a log, and in the
// place of each line: it costs itself, and its number is told, once.
func TestGoal4BadLine(t *testing.T) {
	t.Parallel()
	h, text := filled(t, 30)
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	var r Report
	for _, bad := range []string{"\x00\x00\x00\x00\n", "garbage\n", "\xff\xfe\x80\n", `{"id":7,"content":"cut` + "\n", "[1,2]\n"} {
		for at := 1; at < len(lines); at++ {
			for _, instead := range []bool{false, true} {
				now := slices.Clone(lines)
				want := 30
				if instead {
					now[at], want = bad, 29
				} else {
					now = slices.Insert(now, at, bad)
				}
				if err := os.WriteFile(h.Memory(), []byte(strings.Join(now, "")), 0o600); err != nil {
					t.Fatal(err)
				}
				s, err := h.Engine().State(t.Context())
				if err == nil {
					var told []int
					for _, p := range s.Problems() {
						told = append(told, p.Line)
					}
					if s.Len() != want || !slices.Equal(told, []int{at + 1}) {
						err = fmt.Errorf("%w: %d of %d texts, told are the lines %v", ErrLost, s.Len(), want, told)
					}
				}
				r.Add(err, "%.20q on line %d, instead of another: %v", bad, at+1, instead)
			}
		}
	}
	report(t, r, nil)
	code, out := runKen(t, h, "check")
	if want := fmt.Sprintf("memory.jsonl:%d: error", len(lines)); code != 1 || !strings.Contains(out, want) {
		t.Errorf("ken check: exit %d: %s", code, out)
	}
}
