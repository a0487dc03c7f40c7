package recall_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/index"
	"ken/internal/recall"
)

// TestKnownRows: what is found where rows are known as far as a question needs them is what is
// found where all of them are read.
func TestKnownRows(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	texts := []string{
		"the kettle is in the kitchen", "we met Anna on 3 May 2026 about the kettle", "the kettle boils for ten minutes",
		"is the kettle new?", "a kettle", "kettle copper whistle", "copper whistle of the big old kettle in Porto", "copper",
	}
	var docs []index.Document
	for i := range 40 {
		docs = append(docs, index.Document{
			Ref: fmt.Sprint(i + 1), In: index.Memory, Kind: "fact", Scope: "user", Time: at.AddDate(0, 0, -i), Content: texts[i*3%len(texts)],
			Archived: i%7 == 3, Importance: 1 + i%10,
		})
	}
	for _, question := range []string{
		"kettle", "copper kettle whistle", "when did we meet about the kettle?", "what about the kettle on 3 May 2026?", "kettle last week",
		"how long does the kettle boil?", "where is the kettle?", "who asked about the kettle", "kettle copper",
	} {
		ask := func(whole bool) []recall.Hit {
			t.Helper()
			c := index.ScanOf(len(docs), func(doc int32) index.Document { return docs[doc] })
			if whole {
				all, err := c.Rows.All()
				if err != nil {
					t.Fatal(err)
				}
				c.Rows = index.RowsOf(all)
			}
			hits, err := recall.Search(t.Context(), []*index.Corpus{c}, recall.Question{Text: question, K: 10, At: at})
			if err != nil || len(hits) == 0 {
				t.Fatalf("%q: %d hits, %v", question, len(hits), err)
			}
			return hits
		}
		if diff := cmp.Diff(ask(true), ask(false)); diff != "" {
			t.Errorf("%q (-all rows read, +as needed):\n%s", question, diff)
		}
	}
}
