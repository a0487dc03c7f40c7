package zipf

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"ken/internal/index"
	"ken/internal/index/indextest"
	"ken/internal/index/segment"
	"ken/internal/recall"
)

// BenchmarkSearch: a question, the ten best, over a segment, and over a scan; with
// the memory that stays in use for each.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		docs := indextest.Documents(n, 1)
		asked := Questions(docs)
		run := func(b *testing.B, open func() *index.Corpus) {
			before := heap()
			c := open()
			held := heap() - before
			i := 0
			for b.Loop() {
				hits, err := recall.Search(b.Context(), []*index.Corpus{c}, recall.Question{Text: asked[i%len(asked)], K: 10})
				if err != nil || len(hits) == 0 {
					b.Fatalf("%q: %d hits, %v", asked[i%len(asked)], len(hits), err)
				}
				i++
			}
			b.ReportMetric(float64(held)/float64(n), "held-B/doc")
			runtime.KeepAlive(c)
		}
		b.Run(fmt.Sprintf("segment/%d", n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "a")
			var built segment.Builder
			for i := range docs {
				built.Add(&docs[i], segment.Locator{})
			}
			if err := built.WriteFile(path, nil); err != nil {
				b.Fatal(err)
			}
			at := make(map[string]*index.Document, n)
			for i := range docs {
				at[docs[i].Ref] = &docs[i]
			}
			s, err := segment.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			run(b, func() *index.Corpus {
				c, err := s.Corpus(nil, func(l segment.Locator) (*index.Document, error) { return at[l.Ref], nil })
				if err != nil {
					b.Fatal(err)
				}
				return c
			})
		})
		b.Run(fmt.Sprintf("scan/%d", n), func(b *testing.B) {
			run(b, func() *index.Corpus { return index.NewScan(slices.Values(docs)) })
		})
	}
}

// heap is how much memory is in use, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
