package index_test

import (
	"slices"
	"testing"

	"ken/internal/index"
)

// TestComplete: a word that nothing has is a beginning of others, and of nothing that
// is too short, known in any form, or of a script without spaces.
func TestComplete(t *testing.T) {
	t.Parallel()
	docs := []index.Document{
		{Ref: "1", Content: "the kettle is red"},
		{Ref: "2", Content: "two kettles, Kettering and a KETTLE"},
		{Ref: "3", Content: "deploys of kennels"},
		{Ref: "4", Content: "cat and category"},
		{Ref: "5", Content: "紅茶を飲む"},
		{Ref: "6", Content: "kettle.example.org"},
	}
	for i := range 40 {
		docs = append(docs, index.Document{Ref: "7", Content: "zz" + string(rune('a'+i/26)) + string(rune('a'+i%26))})
	}
	c := index.NewScan(slices.Values(docs))
	for query, want := range map[string][]int32{
		"kett":       {0, 1, 5},
		"KETT":       {0, 1, 5},
		"kettles":    nil, // known: one is found as itself
		"ke":         nil,
		"deployed":   nil, // known by its stem
		"cat":        nil,
		"紅茶を飲":       nil,
		"kettle.exa": nil, // "exa" is completed, "kettle" known
		"kenn":       {2},
		"xyz":        nil,
	} {
		got, err := index.Complete([]*index.Corpus{c}, query)
		if err != nil {
			t.Fatal(err)
		}
		var docs []int32
		for _, term := range index.Terms(query) {
			if term.Form != index.Stem {
				continue
			}
			before, _ := c.AppendPostings(nil, term)
			list, err := got[0].AppendPostings(nil, term)
			if err != nil {
				t.Fatal(err)
			}
			if len(before) == 0 && docs == nil {
				for _, p := range list {
					docs = append(docs, p.Doc)
				}
			}
		}
		if query == "kettle.exa" {
			want = []int32{5}
		}
		if !slices.Equal(docs, want) {
			t.Errorf("%q: %v, want %v", query, docs, want)
		}
	}
	got, err := index.Complete([]*index.Corpus{c}, "zza zzb")
	if err != nil {
		t.Fatal(err)
	}
	if list, _ := got[0].AppendPostings(nil, index.Term{Form: index.Stem, Text: "zza"}); len(list) != 20 {
		t.Errorf("%d documents of a beginning of many words", len(list))
	}
	if same, _ := index.Complete([]*index.Corpus{c}, "kettle"); same[0] != c {
		t.Error("what needs nothing is another corpus")
	}
}
