package recall

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/index"
)

// TestRelated: a word that goes with one of the question brings a text forward,
// and is told; by itself it finds nothing. A short name is the name.
func TestRelated(t *testing.T) {
	t.Parallel()
	item := func(ref, text string) index.Document {
		return index.Document{Ref: ref, In: index.Memory, Kind: "fact", Scope: "user", Content: text}
	}
	said := func(ref, speaker, text string) index.Document {
		return index.Document{Ref: ref, In: index.Sessions, Kind: "user", Scope: "user", Session: "s", Speaker: speaker, Content: text}
	}
	for _, test := range []struct {
		question string
		docs     []index.Document
		want     string
		part     PartName // that the first has, and no other
	}{
		{"the pet of Ada", []index.Document{item("1", "Ada has a harpsichord"), item("2", "Ada has a dog"), item("3", "a dog barks")}, "2 1", partRelated},
		{"the dog of Ada", []index.Document{item("1", "Ada has a harpsichord"), item("2", "Ada has a pet")}, "1 2", ""},
		{"the pet and the dog of Ada", []index.Document{item("1", "Ada has a dog"), item("2", "Ada has a pet")}, "1 2", ""},
		{"what does Mike row", []index.Document{said("1", "Ada", "I row a boat"), said("2", "Michael", "I row a boat")}, "2 1", partSpeaker},
		{"what does Mike row", []index.Document{said("1", "Michael", "I row a boat"), said("2", "Mike", "I row a boat")}, "2 1", partSpeaker},
	} {
		hits, err := Search(t.Context(), []*index.Corpus{index.NewScan(slices.Values(test.docs))}, Question{Text: test.question})
		if err != nil {
			t.Fatal(err)
		}
		var refs []string
		for i, h := range hits {
			refs = append(refs, h.Ref)
			has := slices.ContainsFunc(h.Parts, func(p Part) bool { return p.Name == test.part })
			if test.part != "" && has != (i == 0) {
				t.Errorf("%s: %s has %v", test.question, h.Ref, h.Parts)
			}
		}
		if got := strings.Join(refs, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.question, got, test.want)
		}
	}
}

// TestMostLinks: a long question costs no more than so many links.
func TestMostLinks(t *testing.T) {
	t.Parallel()
	s := newScratch()
	s.wanted = index.Terms("which country, city, state, pet, animal, food, sport, instrument, hobby, book, job, family, weather and country")
	s.look()
	if len(s.links) != mostLinks || len(s.says) != len(s.wanted) {
		t.Errorf("%d links, %d of %d words", len(s.links), len(s.says), len(s.wanted))
	}
}
