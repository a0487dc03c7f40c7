package zipf

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"ken/internal/index"
	"ken/internal/index/segment"
	"ken/internal/recall"
)

// TestDocuments: what is measured on is the same every time, and in part what
// languages are like: of 10,000 documents the commonest word is in half, and half
// of the words are in one.
func TestDocuments(t *testing.T) {
	t.Parallel()
	docs, again := Documents(10_000, 1), Documents(10_000, 1)
	in := map[index.Term]int{}
	for i := range docs {
		if docs[i].Content != again[i].Content || docs[i].Ref != again[i].Ref {
			t.Fatalf("document %d is another one", i)
		}
		docs[i].Count(func(t index.Term, _ [index.Fields]uint16) { in[t]++ })
	}
	most, once := 0, 0
	for _, n := range in {
		most = max(most, n)
		if n == 1 {
			once++
		}
	}
	if share := float64(most) / float64(len(docs)); share < 0.5 || share > 0.95 {
		t.Errorf("the commonest word is in a share of %.2f", share)
	}
	if share := float64(once) / float64(len(in)); share < 0.3 || share > 0.7 {
		t.Errorf("%.2f of the words are in one document", share)
	}
}

// BenchmarkSearch: a question, the ten best, over a segment, and over a scan; with
// the memory that stays in use for each.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		docs := Documents(n, 1)
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
