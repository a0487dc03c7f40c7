package agent

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"ken/internal/session"
)

// TestBefore: the questions that were live when one was asked, the newest first: not those of
// before a reset or a summary, nor what is forgotten or was dropped.
func TestBefore(t *testing.T) {
	t.Parallel()
	const head = `{"meta":{"format":1,"session":"s"}}`
	turns := func(from int, questions ...string) (lines []string) {
		for i, q := range questions {
			n := from + 2*i
			lines = append(lines,
				`{"role":"user","content":"`+q+`","n":`+strconv.Itoa(n)+`}`,
				`{"role":"assistant","content":"ok","n":`+strconv.Itoa(n+1)+`}`)
		}
		return lines
	}
	sum := []string{`{"event":"compact","summary":"x","keep_from":3}`}
	left := []string{`{"event":"left","n":3,"to":4,"why":"dropped"}`}
	for name, test := range map[string]struct {
		lines []string
		n     int
		want  []string
	}{
		"first":        {turns(1, "a", "b"), 1, nil},
		"in order":     {turns(1, "a", "b", "c"), 5, []string{"b", "a"}},
		"as many":      {turns(1, "a", "b", "c", "d", "e", "f"), 11, []string{"e", "d", "c", "b"}},
		"in between":   {turns(1, "a", "b", "c"), 3, []string{"a"}},
		"forgotten":    {turns(1, "a", "hidden", "c"), 5, []string{"a"}},
		"after reset":  {slices.Concat(turns(1, "a"), []string{`{"event":"reset"}`}, turns(3, "b", "c")), 5, []string{"b"}},
		"after a sum":  {slices.Concat(turns(1, "a", "b"), sum, turns(5, "c")), 5, []string{"b"}},
		"reset later":  {slices.Concat(turns(1, "a", "b"), []string{`{"event":"reset"}`}), 3, []string{"a"}},
		"dropped":      {slices.Concat(turns(1, "a", "b"), left, turns(5, "c")), 5, []string{"a"}},
		"no such turn": {turns(1, "a"), 9, nil},
	} {
		tr, err := session.Read(strings.NewReader(head+"\n"+strings.Join(test.lines, "\n")+"\n"), "s.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		got := Before(tr, test.n, func(turn session.Turn) bool { return turn.Content == "hidden" })
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
