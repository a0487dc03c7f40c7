package paired

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const wall Quantity = "wall, ms"

func sample() Readings {
	return Readings{
		"ken":   {wall: {2, 3, 4, 30}},
		"floor": {wall: {1, 1, 2, 15}},
		"zero":  {wall: {0, 0, 0, 0}},
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	rep := &Report{Row: "start"}
	rep.Add(sample(), Want{
		What: "start", Unit: "ms", Trial: "ken", Of: wall, Goal: 4, Names: []string{"floor", "absent", "zero"},
		Over: []OverGoal{{"floor", 1.5}, {"absent", 1}, {"zero", 1}},
	})
	rep.Add(sample(), Want{What: "end", Unit: "ms", Trial: "ken", Of: wall, At: 1, Goal: 4})
	rep.Add(sample(), Want{What: "middle", Unit: "ms", Trial: "absent", Of: wall, Goal: 4})
	want := &Report{
		Row: "start",
		Lines: []Line{
			{What: "start", Unit: "ms", Got: Figure{3.5, 2.75, 10.5, 4}, Goal: 4, Beside: []Beside{{"floor", 1.5, 2}}},
			{What: "start, over floor", Unit: "x", Got: Figure{2, 2, 2.25, 4}, Goal: 1.5},
			{What: "end", Unit: "ms", Got: Figure{30, 30, 30, 4}, Goal: 4},
		},
		Notes: []string{"start, over zero: lost in the noise", "middle: not measured"},
	}
	if diff := cmp.Diff(want, rep); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	tests := []struct {
		got, goal float64
		want      string
	}{
		{5, 0, ""},
		{5, 5, Met},
		{4, 5, Met},
		{5.001, 5, Missed},
		{0, 5, Unclear},
		{-1, 5, Unclear},
	}
	for _, tt := range tests {
		l := Line{Got: Figure{Value: tt.got}, Goal: tt.goal}
		if got := l.Verdict(); got != tt.want {
			t.Errorf("verdict on %v with goal %v: %q, want %q", tt.got, tt.goal, got, tt.want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	tests := []struct {
		v    float64
		want string
	}{
		{0, "0 ms"},
		{0.0012345, "0.00123 ms"},
		{0.5, "0.5 ms"},
		{1.999, "2 ms"},
		{12.345, "12.3 ms"},
		{100, "100 ms"},
		{1234.5, "1234 ms"},
		{-0.25, "-0.25 ms"},
	}
	for _, tt := range tests {
		if got := number(tt.v, "ms"); got != tt.want {
			t.Errorf("number(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	good := &Report{Row: "start"}
	good.Add(sample(), Want{
		What: "wall", Unit: "ms", Trial: "ken", Of: wall, Goal: 2, Names: []string{"floor"}, Over: []OverGoal{{"floor", 4}},
	})
	good.Lines = append(good.Lines, Line{What: "lost", Unit: "us", Got: Figure{-1, -2, 1, 3}, Goal: 5})
	good.Note("no %s here", "strace")
	bad := &Report{Row: "end", Error: "it hung"}
	var out strings.Builder
	for _, rep := range []*Report{good, bad} {
		if err := rep.Write(&out); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteSum(&out, []*Report{good, bad}); err != nil {
		t.Fatal(err)
	}
	want := `
start
  wall              3.5 ms  221%  <= 2 ms  MISSED  floor 1.5 ms (2.00x)
  wall, over floor  2 x     12%   <= 4 x   met
  lost              -1 us         <= 5 us  unclear
  (no strace here)

end
  FAILED: it hung

goals: 1 met, 1 MISSED, 1 unclear; rows that failed: 1
  MISSED start: wall: 3.5 ms, goal <= 2 ms
  unclear start: lost: -1 us, goal <= 5 us
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
