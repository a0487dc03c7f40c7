package paired

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestQuantile(t *testing.T) {
	t.Parallel()
	tests := []struct {
		s    Series
		q    float64
		want float64
	}{
		{Series{7}, Median, 7},
		{Series{7}, P99, 7},
		{Series{3, 1, 2}, Median, 2},
		{Series{4, 1, 3, 2}, Median, 2.5},
		{Series{4, 1, 3, 2}, 0, 1},
		{Series{4, 1, 3, 2}, 1, 4},
		{Series{0, 10}, 0.25, 2.5},
	}
	for _, tt := range tests {
		if got := tt.s.Quantile(tt.q); got != tt.want {
			t.Errorf("%v.Quantile(%v) = %v, want %v", tt.s, tt.q, got, tt.want)
		}
	}
	if got := Series(nil).Quantile(Median); !math.IsNaN(got) {
		t.Errorf("quantile of nothing = %v, want NaN", got)
	}
}

func TestQuantileIsBetweenAndRises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := Series(rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 50).Draw(t, "s"))
		kept := append(Series(nil), s...)
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		q := rapid.Float64Range(p, 1).Draw(t, "q")
		low, a, b, high := s.Quantile(0), s.Quantile(p), s.Quantile(q), s.Quantile(1)
		const slack = 1e-6 // of the proportion between two values
		if low > a+slack || a > b+slack || b > high+slack {
			t.Fatalf("quantiles 0, %v, %v, 1 of %v do not rise: %v %v %v %v", p, q, s, low, a, b, high)
		}
		if diff := cmp.Diff(kept, s); diff != "" {
			t.Fatalf("the series was changed: %s", diff)
		}
	})
}

func TestOver(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		s, t Series
		q    float64
		want Series
	}{
		// The machine got ten times slower in between: the ratio did not.
		{"run by run", Series{2, 20, 200}, Series{1, 10, 100}, Median, Series{2, 2, 2}},
		{"unequal numbers of runs", Series{2, 4, 6}, Series{2}, Median, Series{2}},
		{"not the median", Series{2, 4}, Series{1, 1}, 1, Series{4}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.s.Over(tt.t, tt.q)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, diff)
		}
	}
}
