package lifecycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func never(string) time.Time { return time.Time{} }

// wanting is a policy with wishes.
func wanting(t *testing.T, text string) Policy {
	t.Helper()
	r := ParseTOML([]byte("[propose]\n"+text+"\n"), usual())
	if len(r.Faults) > 0 {
		t.Fatal(r.Faults)
	}
	return r.Policy
}

// TestR361Wish: a policy reminds of a synthesis when so much is new since the last pattern, and of a look back when the last one is so
// long ago, of one of them, and not twice a day.
func TestR361Wish(t *testing.T) {
	t.Parallel()
	at := func(days float64) time.Time {
		return noon().Add(-time.Duration(days * float64(day))).Truncate(time.Second)
	}
	three := []string{stated(1, 9, ""), stated(2, 8, ""), stated(3, 7, "")}
	pattern := fmt.Sprintf(`{"id":9,"ts":%q,"kind":"pattern","content":"they come to this"}`, ago(8.5))
	retro := fmt.Sprintf(`{"id":9,"ts":%q,"kind":"retro","content":"it went well"}`, ago(7.5))
	for name, c := range map[string]struct {
		policy string
		lines  []string
		told   func(string) time.Time
		want   Wish
	}{
		"nothing is wished for": {"", three, never, Wish{}},
		"enough":                {"synthesis_after = 3", three, never, Wish{WishSynthesis, 3, time.Time{}}},
		"too few":               {"synthesis_after = 4", three, never, Wish{}},
		"since the pattern":     {"synthesis_after = 2", append(three[:3:3], pattern), never, Wish{WishSynthesis, 2, at(8.5)}},
		"too few since":         {"synthesis_after = 3", append(three[:3:3], pattern), never, Wish{}},
		"forgotten ones":        {"synthesis_after = 3", append(three[:3:3], `{"id":4,"kind":"forget","target":3}`), never, Wish{}},
		"told today":            {"synthesis_after = 1", three, func(string) time.Time { return at(0.5) }, Wish{}},
		"told tomorrow":         {"synthesis_after = 1", three, func(string) time.Time { return at(-1) }, Wish{}},
		"told before them":      {"synthesis_after = 2", three, func(string) time.Time { return at(8.5) }, Wish{WishSynthesis, 2, at(8.5)}},
		"told after them":       {"synthesis_after = 1", three, func(string) time.Time { return at(2) }, Wish{}},
		"long ago":              {`retrospect_after = "7d"`, three, never, Wish{WishRetrospect, 3, time.Time{}}},
		"not long ago":          {`retrospect_after = "10d"`, three, never, Wish{}},
		"since the last look":   {`retrospect_after = "7d"`, append(three[:3:3], retro), never, Wish{WishRetrospect, 1, at(7.5)}},
		"nothing since":         {`retrospect_after = "7d"`, append(three[:1:1], retro), never, Wish{}},
		"nothing at all":        {"synthesis_after = 1\nretrospect_after = \"1d\"", nil, never, Wish{}},
		"one of them":           {"synthesis_after = 1\nretrospect_after = \"1d\"", three, never, Wish{WishSynthesis, 3, time.Time{}}},
	} {
		if diff := cmp.Diff(c.want, wanting(t, c.policy).Wish(fold(c.lines...), c.told, noon())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	r := ParseTOML([]byte("[propose]\nsynthesis_after = 0\nretrospect_after = 3\nmodel = \"fast\"\n"), usual())
	if len(r.Faults) != 3 || !strings.HasPrefix(r.Faults[0].Field, "propose.") {
		t.Errorf("faults %v", r.Faults)
	}
}

// TestR361Once: whoever is told is told nothing more within a day, whatever the memory, and a plan has nothing of it.
func TestR361Once(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := somePolicy(t)
		p.Propose.Synthesis = rapid.IntRange(1, 4).Draw(t, "synthesis")
		p.Propose.Retrospect = time.Duration(rapid.IntRange(1, 9).Draw(t, "days")) * day
		s := fold(someLines(t)...)
		w := p.Wish(s, never, noon())
		soon := noon().Add(time.Duration(rapid.IntRange(0, 23).Draw(t, "hours")) * time.Hour)
		told := func(what string) (at time.Time) {
			if what == w.What {
				at = noon()
			}
			return at
		}
		if again := p.Wish(s, told, soon); w.What != "" && again.What != "" {
			t.Fatalf("%+v and again %+v", w, again)
		}
		plain := p
		plain.Propose = Propose{}
		of := func(p Policy) []string { return steps(Make(Input{State: s, Policy: p, Now: noon()})) }
		if diff := cmp.Diff(of(plain), of(p)); diff != "" {
			t.Fatalf("a wish changes the plan:\n%s", diff)
		}
	})
}
