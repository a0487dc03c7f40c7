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
		{"the vehicle of Ada", []index.Document{item("1", "Ada has a harpsichord"), item("2", "Ada has a bicycle"), item("3", "a bicycle rusts")}, "2 1", partRelated},
		{"the bicycle of Ada", []index.Document{item("1", "Ada has a harpsichord"), item("2", "Ada has a vehicle")}, "1 2", ""},
		{"the vehicle and the bicycle of Ada", []index.Document{item("1", "Ada has a bicycle"), item("2", "Ada has a vehicle")}, "1 2", ""},
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
	s.wanted = index.Terms("which country, city, state, vehicle, animal, food, sport, instrument, book, job, family, weather and country")
	s.look()
	if len(s.links) != mostLinks || len(s.says) != len(s.wanted) {
		t.Errorf("%d links, %d of %d words", len(s.links), len(s.says), len(s.wanted))
	}
}

// TestKindsOfQuestions: who asks for several has them from several conversations; who asks how is
// answered behind what they ask about, who asks when is not.
func TestKindsOfQuestions(t *testing.T) {
	t.Parallel()
	said := func(session string, texts ...string) (docs []index.Document) {
		for i, text := range texts {
			docs = append(docs, index.Document{
				Ref: session + string(rune('1'+i)), In: index.Sessions, Kind: "user", Scope: "user", Session: session, Content: text,
			})
		}
		return docs
	}
	// Two that speak of boats, one of them of much else with the words of the question.
	boats := slices.Concat(
		said("a", "the boats are in the yard", "we sang", "we ate", "we slept", "Ada was there", "then we left", "Ada had boats and boats"),
		said("b", "Ada rows", "she likes it", "so do I", "good", "boats lie there"))
	told := said("a", "we ate", "fish", "and cake", "Ada carved a spoon", "with a knife", "we sang")
	for _, test := range []struct {
		question string
		docs     []index.Document
		part     PartName
		up, down string // which the part brings nearer to each other, or farther
	}{
		{"which boats has Ada?", boats, partSeveral, "b5", "a1"},
		{"how did Ada carve the spoon?", told, partReply, "a5", "a4"},
		{"when did Ada carve the spoon?", told, partEcho, "a4", "a5"},
	} {
		apart := func(w *Weights) float64 {
			hits, err := Search(t.Context(), []*index.Corpus{index.NewScan(slices.Values(test.docs))}, Question{Text: test.question, Weights: w})
			if err != nil {
				t.Fatal(err)
			}
			score := map[string]float64{}
			for _, h := range hits {
				score[h.Ref] = h.Score
			}
			return score[test.up] - score[test.down]
		}
		without := DefaultWeights()
		without[slices.Index(Names(), test.part)] = 0
		if with, bare := apart(nil), apart(without); with <= bare {
			t.Errorf("%s: %s stands %.2f before %s, without %s %.2f", test.question, test.up, with, test.down, test.part, bare)
		}
	}
}
