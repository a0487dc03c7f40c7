package view_test

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/view"
)

// TestLawScore: a score is written as encoding/json writes it.
func TestLawScore(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Fatalf(string, ...any) }, f float64) {
		want, err := json.Marshal(f)
		if err != nil {
			return // no number of JSON
		}
		if got := view.AppendScore(nil, f); string(got) != string(want) {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 1e-6, 9.9e-7, 1e-7, 1e-10, 1e-100, -1e-9, 1e20, 1e21, 1.5e300, 0.1} {
		check(t, f)
	}
	rapid.Check(t, func(r *rapid.T) {
		check(r, math.Float64frombits(rapid.Uint64().Draw(r, "bits")))
		check(r, rapid.Float64Range(-50, 50).Draw(r, "score"))
	})
}
