package fts

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTable: any of the words, in any form, best first; words with signs are words.
func TestTable(t *testing.T) {
	t.Parallel()
	table, err := New(t.Context(), t.TempDir(), []string{"the kettle's whistle", "boats and kettles, kettles", "nothing"})
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := table.Ask(t.Context(), [][]string{{"kettle", "boat"}, {"absent"}, nil, {`whistle"'`}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int{{1, 0}, nil, nil, {0}}, found); diff != "" {
		t.Error(diff)
	}
}
