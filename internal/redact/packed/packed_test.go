package packed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWords: each word has its kinds in any case, and no other text has any.
func TestWords(t *testing.T) {
	t.Parallel()
	kinds := map[string]uint64{"пароль": 1 << 40, "x": 3, "mot de passe": 1 << 63}
	for i := range 3000 {
		kinds[fmt.Sprintf("w%dx", i*i)] = uint64(i) + 1
	}
	table := MakeWords(kinds)
	for w, want := range kinds {
		if got := table.Kinds(w); got != want {
			t.Fatalf("Kinds(%q) = %d, want %d", w, got, want)
		}
		if got := table.Kinds(strings.ToUpper(w)); got != want {
			t.Fatalf("Kinds(%q) = %d, want %d", strings.ToUpper(w), got, want)
		}
		if got := table.Kinds(w + "y"); got != 0 {
			t.Fatalf("Kinds(%q) = %d", w+"y", got)
		}
	}
	for _, w := range []string{"", "парол", "W", strings.Repeat("x", 4000), "\xff"} {
		if got := table.Kinds(w); got != 0 {
			t.Errorf("Kinds(%.20q) = %d", w, got)
		}
	}
}

// TestAnchors: what is found is what a search for each anchor at each place finds.
func TestAnchors(t *testing.T) {
	t.Parallel()
	k := rand.New(rand.NewPCG(1, 2))
	piece := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abc_-: \xc3\xa4/.="[k.IntN(12)]
		}
		return string(b)
	}
	all := []Anchor{{"000", 9000}}
	for i := range 500 {
		all = append(all, Anchor{piece(3 + k.IntN(4)), i % 70})
	}
	table := MakeAnchors(all)
	for range 200 {
		s := piece(k.IntN(60)) + fmt.Sprint(k.IntN(99999)) + strings.ToUpper(piece(k.IntN(20)))
		var got, want []string
		table.Each(s, func(id, at, end int) { got = append(got, fmt.Sprint(id, at, end)) })
		for at := range len(s) {
			for _, a := range all {
				end := at + len(a.Text)
				digits := a.Text == "000" && end <= len(s) && strings.Trim(s[at:end], "0123456789") == "" && (at == 0 || s[at-1] < '0' || s[at-1] > '9')
				if digits || a.Text != "000" && end <= len(s) && equal(a.Text, s[at:end]) {
					want = append(want, fmt.Sprint(a.ID, at, end))
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q: found %v, want %v", s, got, want)
		}
	}
}
