package paired

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTakeIsTurnByTurn(t *testing.T) {
	t.Parallel()
	var order strings.Builder
	counting := func(name string) Trial {
		n := 0.0
		return Trial{name, func(context.Context) (Reading, error) {
			order.WriteString(name)
			n++
			return Single(map[Quantity]float64{"runs": n}), nil
		}}
	}
	r := Readings{}
	if err := r.Take(t.Context(), 3, []Trial{counting("A"), counting("B")}); err != nil {
		t.Fatal(err)
	}
	if got, want := order.String(), "AB"+"BA"+"AB"+"BA"; got != want {
		t.Errorf("order %s, want %s: a first turn that does not count, then three, every other one backwards", got, want)
	}
	want := Readings{"A": {"runs": {2, 3, 4}}, "B": {"runs": {2, 3, 4}}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("readings (-want +got)\n%s", diff)
	}
}

func TestTakeStopsAtTheFirstError(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	runs := 0
	bad := Trial{"bad", func(context.Context) (Reading, error) {
		runs++
		return nil, boom
	}}
	err := Readings{}.Take(t.Context(), 3, []Trial{bad})
	if !errors.Is(err, boom) || !strings.HasPrefix(err.Error(), "bad: ") {
		t.Errorf("error %v, want the trial's own with its name", err)
	}
	if runs != 1 {
		t.Errorf("%d runs, want 1", runs)
	}
}
