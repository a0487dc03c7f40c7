package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/index"
)

// TestWordsFirst: what has the words of keywords goes before what borrows them from its
// neighbours; a question may be answered by what stands beside its words.
func TestWordsFirst(t *testing.T) {
	t.Parallel()
	talk := []string{
		"Ada: Did you ever fix the copper kettle, the whistle I mean?",
		"Bob: The lid of the kettle was bent, and copper is soft, so I took the hammer and went on with it until the evening, when it got dark.",
		"Ada: And did it whistle?",
		"Bob: At once!",
		"Ada: Good.",
		"Bob: My brother has a copper roof.",
		"Ada: Nice and expensive, with all that rain and the pigeons and what not, and a whistle of the wind, as over a kettle.",
		"Bob: The whistle of my kettle is copper.",
	}
	for _, c := range []struct{ query, first string }{
		{"copper kettle whistle", "7"},              // all, and brief
		{"whistle copper kettle", "7"},              // in any order
		{"kettles, whistling", "7"},                 // in other forms: the brief one
		{"did it whistle, the copper kettle?", "1"}, // a question: what stands beside
		{"copper roof", "5"},
		{"kettle wind", "6"},
	} {
		if hits := searchTurns(t.Context(), t, c.query, talk); len(hits) == 0 || hits[0].Ref != c.first {
			t.Errorf("%q: %+v, want %s first", c.query, hits, c.first)
		}
	}
}

// searchTurns searches turns of one conversation, each "SPEAKER: TEXT" and called by its
// place, from 0 on.
func searchTurns(ctx context.Context, t fataler, query string, turns []string) []Hit {
	docs := make([]index.Document, len(turns))
	for i, turn := range turns {
		speaker, said, _ := strings.Cut(turn, ": ")
		docs[i] = index.Document{
			Ref: fmt.Sprint(i), In: index.Sessions, Kind: "user", Scope: "user", Session: "s", Speaker: speaker, Content: said,
		}
	}
	hits, err := Search(ctx, []*index.Corpus{index.NewScan(slices.Values(docs))}, Question{Text: query})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

type fataler interface{ Fatal(args ...any) }

// TestWordsFirstLaw: whatever was said around them and by whom, turns that have every word
// of some keywords go before all that lack one.
func TestWordsFirstLaw(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{
			"kettle", "kettles", "copper", "pet", "dog", "dogs", "fetch_user", "fetch", "running", "run", "x86", "Ada", "红茶", "茶",
		})
		filler := rapid.SampledFrom([]string{"of", "the", "in Oslo", "?", "yesterday", "in May", "roof", "harbour", "when it rained"})
		line := rapid.Custom(func(t *rapid.T) string {
			list := append(rapid.SliceOfN(word, 0, 6).Draw(t, "words"), rapid.SliceOfN(filler, 0, 6).Draw(t, "fillers")...)
			return rapid.SampledFrom([]string{"Ada: ", "Bob: "}).Draw(t, "speaker") + strings.Join(rapid.Permutation(list).Draw(t, "order"), " ")
		})
		query := strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "query"), " ")
		hits := searchTurns(ctx, t, query, rapid.SliceOfN(line, 1, 12).Draw(t, "turns"))
		lacked := false
		for i := range hits {
			all := partOf(hits[i].Parts, partEvery) != 0
			if all && lacked {
				t.Fatalf("%q: %s has every word and comes behind one that has not:\n%+v", query, hits[i].Content, hits)
			}
			lacked = lacked || !all
			has := make(map[index.Term]bool)
			hits[i].Count(func(t index.Term, n [index.Fields]uint16) { has[t] = n[index.FieldContent] > 0 })
			meant := slices.DeleteFunc(index.Terms(query), func(t index.Term) bool { return t.Form == index.Word })
			lacks := func(t index.Term) bool { return !has[t] }
			ids := index.Identifiers(query)
			want := len(ids) > 0 && !slices.ContainsFunc(ids, lacks) || len(meant)+len(ids) > 1 && !slices.ContainsFunc(meant, lacks)
			if want != all {
				t.Fatalf("%q: every word %v, part %v: %s", query, want, all, hits[i].Content)
			}
		}
	})
}

// TestKeywords: what is a list of words, and what a sentence.
func TestKeywords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"copper kettle": true, "deploy to staging": true, "kettle": true, "useId hook": true, "staging host parcels port of db": true,
		"what is the kettle made of": false, "kettle?": false, "the copper kettle": false, "how deploy": false, "茶はどこ？": false,
		"": false, "rename it to the name of the file": false, "name of the cat of my sister": false, "/etc/hosts": true,
	} {
		if got := readAsked(text, time.Time{}).Keywords; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
