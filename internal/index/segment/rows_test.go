package segment_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ken/internal/index"
	"ken/internal/index/indextest"
	"ken/internal/index/segment"
)

// TestColumns: what a cursor says of the documents that are there is what their rows say, and the
// others are passed over; a row of a segment that is closed is an error.
func TestColumns(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 15, 16, 17, 64, 65, 700} {
		docs := indextest.Documents(n, 3)
		var b segment.Builder
		for i := range docs {
			if i%5 == 0 {
				docs[i].Time = time.Time{}
			}
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
		for _, standing := range []bool{false, true} {
			var want, got []index.Row
			c.Rows.Each(func(r *index.Row) {
				if r.Flags&index.Deleted == 0 {
					want = append(want, only(standing, *r))
				}
			})
			last := int32(-1)
			next := c.Rows.Cursor(standing)
			for doc, r := next(); r != nil; doc, r = next() {
				if doc <= last || only(standing, *c.Rows.At(doc)) != only(standing, *r) {
					t.Errorf("document %d behind %d: %+v", doc, last, *r)
				}
				got, last = append(got, only(standing, *r)), doc
			}
			if !slices.Equal(got, want) || c.Rows.Err() != nil {
				t.Errorf("%d documents: %v\nwant %v, %v", n, got, want, c.Rows.Err())
			}
		}
		if err := seg.Close(); err != nil {
			t.Fatal(err)
		}
		next := c.Rows.Cursor(false)
		if _, r := next(); r != nil {
			if r.Flags&index.Deleted == 0 || c.Rows.Err() == nil {
				t.Errorf("%d documents: no error of a closed segment", n)
			}
		}
	}
}

// only is a row with nothing but some columns.
func only(standing bool, r index.Row) index.Row {
	if !standing {
		return index.Row{Flags: r.Flags, Scope: r.Scope, Session: r.Session}
	}
	return index.Row{Flags: r.Flags, Scope: r.Scope, Kind: r.Kind, Time: r.Time}
}

// TestRowsAsked: who asks for one row reads few others with it.
func TestRowsAsked(t *testing.T) {
	t.Parallel()
	read := 0
	rows := index.ReadRows(100_000, nil, nil, func(_ int, to []index.Row) error {
		read += len(to)
		return nil
	}, nil)
	for doc := int32(0); doc < 100_000; doc += 1000 {
		rows.At(doc)
		rows.At(doc)
	}
	if read > 100*16 {
		t.Errorf("%d rows were read for 100", read)
	}
}
