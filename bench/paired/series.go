package paired

import (
	"fmt"
	"math"
	"slices"
)

// Quantiles that are asked for by name.
const (
	Median = 0.5
	P99    = 0.99
)

// A Series is what was measured of one quantity, in the order of the runs.
type Series []float64

// Quantile returns the value below which a part q (0 to 1) of s lies, between
// two values in proportion. It is NaN for an empty series.
func (s Series) Quantile(q float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Over returns s over t: run by run where medians are asked for and both have as
// many runs, which cancels what drifts; else one number, the quantile q of s over
// that of t.
func (s Series) Over(t Series, q float64) Series {
	if q != Median || len(s) != len(t) {
		return Series{s.Quantile(q) / t.Quantile(q)}
	}
	each := make(Series, len(s))
	for i := range s {
		each[i] = s[i] / t[i]
	}
	return each
}

// Label is a count as rows are named: 0, 1k, 100k.
func Label(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprintf("%dM", n/1_000_000)
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}
