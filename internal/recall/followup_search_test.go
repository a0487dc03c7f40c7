package recall

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/index"
)

// TestL6Before: with the question before as without, the parts of a score sum to it,
// the best come first, the same question has the same hits, and what has to do with
// neither is none of them.
func TestL6Before(t *testing.T) {
	t.Parallel()
	words := []string{"kettle", "deploy", "staging", "host", "passport", "box", "green", "build"}
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(rt, "words"), " ")
		})
		var docs []index.Document
		for i := range rapid.IntRange(0, 12).Draw(rt, "docs") {
			docs = append(docs, index.Document{Ref: strconv.Itoa(i + 1), In: index.Memory, Kind: "fact", Scope: "user", Content: text.Draw(rt, "content")})
		}
		corpora := []*index.Corpus{index.NewScan(slices.Values(docs))}
		q := Question{Text: text.Draw(rt, "question"), K: rapid.IntRange(0, 5).Draw(rt, "k"), At: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)}
		f := Follow{Text: text.Draw(rt, "before"), Only: rapid.Bool().Draw(rt, "only"), Refers: rapid.Bool().Draw(rt, "refers")}
		hits, err := f.Search(t.Context(), corpora, q)
		if err != nil {
			rt.Fatal(err)
		}
		if again, _ := f.Search(t.Context(), corpora, q); !cmp.Equal(hits, again) {
			rt.Fatal(cmp.Diff(hits, again))
		}
		if q.K > 0 && len(hits) > q.K {
			rt.Fatalf("%d hits of %d", len(hits), q.K)
		}
		for i, h := range hits {
			sum := 0.0
			for _, p := range h.Parts {
				sum += p.Score
			}
			if sum != h.Score {
				rt.Fatalf("%v sum to %g, the score is %g", h.Parts, sum, h.Score)
			}
			if i > 0 && h.Score > hits[i-1].Score {
				rt.Fatal("not the best first")
			}
			has := func(text string) bool {
				return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return slices.Contains(strings.Fields(h.Content), w) })
			}
			if !has(f.Text) && (f.Only || !has(q.Text)) {
				rt.Fatalf("%q is a hit for %q after %q", h.Content, q.Text, f.Text)
			}
		}
	})
}
