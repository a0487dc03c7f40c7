package indextest

import (
	"testing"

	"ken/internal/index"
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
