package segment_test

import (
	"path/filepath"
	"slices"
	"testing"

	"ken/internal/index"
	"ken/internal/index/indextest"
	"ken/internal/index/segment"
)

// TestPlaces: which documents are of turns, in which conversation and scope, is what their rows
// say, and is read without the other columns.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 15, 16, 17, 64, 65, 700} {
		docs := indextest.Documents(n, 3)
		var b segment.Builder
		for i := range docs {
			b.Add(&docs[i], segment.Locator{})
		}
		path := filepath.Join(t.TempDir(), "x.seg")
		if err := b.WriteFile(path, nil); err != nil {
			t.Fatal(err)
		}
		seg, err := segment.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var deleted segment.Deleted
		for doc := int32(3); int(doc) < n; doc += 7 {
			deleted.Add(doc)
		}
		c, err := seg.Corpus(deleted, nil)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []index.Row
		c.Rows.Each(func(r *index.Row) { want = append(want, index.Row{Flags: r.Flags, Scope: r.Scope, Session: r.Session}) })
		c.Rows.Places(func(r *index.Row) { got = append(got, index.Row{Flags: r.Flags, Scope: r.Scope, Session: r.Session}) })
		if !slices.Equal(got, want) || len(got) != n || c.Rows.Err() != nil {
			t.Errorf("%d documents: %v\nwant %v, %v", n, got, want, c.Rows.Err())
		}
		if err := seg.Close(); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			if c.Rows.Places(func(*index.Row) {}); c.Rows.Err() == nil {
				t.Errorf("%d documents: no error of a closed segment", n)
			}
		}
	}
}

// TestRowsAsked: who asks for one row reads few others with it.
func TestRowsAsked(t *testing.T) {
	t.Parallel()
	read := 0
	rows := index.ReadRows(100_000, nil, nil, func(_ int, to []index.Row) error {
		read += len(to)
		return nil
	})
	for doc := int32(0); doc < 100_000; doc += 1000 {
		rows.At(doc)
		rows.At(doc)
	}
	if read > 100*16 {
		t.Errorf("%d rows were read for 100", read)
	}
}
