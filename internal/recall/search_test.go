package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/index"
)

// brute scores a query as the documentation of the package says it, with no
// thought for speed: the reference that every Searcher must agree with.
func brute(docs []index.Document, q Question, scope string) []Hit {
	wanted := index.Terms(q.Text)
	fields := make([][3]map[index.Term]int, len(docs))
	df := map[index.Term]int{}
	for i, d := range docs {
		fields[i] = [3]map[index.Term]int{{}, {}, {}}
		d.Count(func(t index.Term, n [index.Fields]uint16) {
			for f := range n {
				fields[i][f][t] = int(n[f])
			}
		})
		for _, t := range wanted {
			if fields[i][0][t]+fields[i][1][t]+fields[i][2][t] > 0 {
				df[t]++
			}
		}
	}
	idf := func(t index.Term) float64 {
		return math.Log(1 + (float64(max(len(docs), Few)-df[t])+0.5)/(float64(df[t])+0.5))
	}
	bm := func(m map[index.Term]int, words bool) (sum float64) {
		for _, t := range wanted {
			if tf := float64(m[t]); tf > 0 && (t.Form == index.Word) == words {
				sum += idf(t) * tf * (K1 + 1) / (tf + K1)
			}
		}
		return sum
	}
	var hits []Hit
	for i := range docs {
		share, whole := 0.0, 0.0
		for _, t := range wanted {
			if t.Form == index.Word {
				continue
			}
			whole += idf(t)
			if fields[i][0][t]+fields[i][1][t]+fields[i][2][t] > 0 {
				share += idf(t)
			}
		}
		h := Hit{Document: &docs[i]}
		for _, p := range []Part{
			{PartWords, WeightWords * bm(fields[i][0], true)},
			{PartStems, WeightStems * bm(fields[i][0], false)},
			{PartTags, WeightTags * (WeightWords*bm(fields[i][1], true) + WeightStems*bm(fields[i][1], false))},
			{PartSpeaker, WeightSpeaker * (WeightWords*bm(fields[i][2], true) + WeightStems*bm(fields[i][2], false))},
		} {
			if p.Score > 0 {
				h.Parts = append(h.Parts, p)
				h.Score += p.Score
			}
		}
		if h.Score > 0 && share >= Floor*whole && (scope == "" || docs[i].Scope == scope) {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		switch {
		case a.Score != b.Score && a.Score > b.Score, a.Score == b.Score && a.Time.After(b.Time):
			return -1
		case a.Score == b.Score && a.Time.Equal(b.Time):
			return 0
		}
		return 1
	})
	if q.K > 0 {
		hits = hits[:min(len(hits), q.K)]
	}
	return hits
}

func genText() *rapid.Generator[string] {
	w := rapid.SampledFrom([]string{
		"kettle", "kettles", "Kettle's", "the", "what", "fetchUser", "fetch_user", "user", "go", "running", "runs", "run",
		"红茶", "茶", "紅茶杯", "café", "CAFE", "tea-pot", "/etc/hosts", "v1.2", "C++", "don't", "🎉", "ตลาด", "and", "x",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(w, 0, 6).Draw(t, "words"), rapid.SampledFrom([]string{" ", ", ", "\n"}).Draw(t, "gap"))
	})
}

// TestScanIsBruteForce (L2, L6): same hits, scores and parts as the reference;
// parts sum to the score; twice the same.
func TestScanIsBruteForce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "documents")
		docs := make([]index.Document, n)
		for i := range docs {
			docs[i] = index.Document{
				Ref: fmt.Sprint(i), Content: genText().Draw(t, "content"), Speaker: rapid.SampledFrom([]string{"", "Ada", "Kettle"}).Draw(t, "speaker"),
				Tags: rapid.SliceOfN(genText(), 0, 2).Draw(t, "tags"), Key: rapid.SampledFrom([]string{"", "tea.kettle"}).Draw(t, "key"),
				Time: time.Unix(rapid.Int64Range(0, 2).Draw(t, "time"), 0), Scope: rapid.SampledFrom([]string{"user", "b"}).Draw(t, "scope"),
			}
		}
		q := Question{Text: genText().Draw(t, "query"), K: rapid.IntRange(0, 4).Draw(t, "k")}
		scope := ""
		if rapid.Bool().Draw(t, "filtered") {
			scope = "b"
			q.Keep = func(c *index.Corpus, r *index.Row) bool { return c.Name(r.Scope) == "b" }
		}
		cut := rapid.IntRange(0, n).Draw(t, "cut")
		corpora := []*index.Corpus{index.NewScan(slices.Values(docs[:cut])), index.NewScan(slices.Values(docs[cut:]))}
		got, err := Search(ctx, corpora, q)
		if err != nil {
			t.Fatal(err)
		}
		want := brute(docs, q, scope)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("query %q (-brute +scan):\n%s", q.Text, diff)
		}
		again, _ := Search(ctx, corpora, q)
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatalf("the second time:\n%s", diff)
		}
		for _, h := range got {
			sum := 0.0
			for _, p := range h.Parts {
				sum += p.Score
			}
			if sum != h.Score || h.Score <= 0 {
				t.Fatalf("%v sum to %g, the score is %g", h.Parts, sum, h.Score)
			}
		}
	})
}

func refs(t *testing.T, docs []index.Document, q Question) string {
	t.Helper()
	hits, err := Search(t.Context(), []*index.Corpus{index.NewScan(slices.Values(docs))}, q)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, h := range hits {
		list = append(list, h.Ref)
	}
	return strings.Join(list, " ")
}

// TestSearch: what is found, in which order, and what is not.
func TestSearch(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC) }
	docs := []index.Document{
		{Ref: "host", Content: "the staging host is kettle.example.org", Time: at(1)},
		{Ref: "runs", Content: "the nightly job runs on Sundays", Time: at(2)},
		{Ref: "running", Content: "running shoes are in the hall", Time: at(3)},
		{Ref: "func", Content: "parseHTTPHeader in internal/net_util.go panics on an empty line", Time: at(4)},
		{Ref: "tag", Content: "we meet at noon", Tags: []string{"standup"}, Time: at(5)},
		{Ref: "said", Content: "I sold the boat", Speaker: "Ada", Time: at(6)},
		{Ref: "tea", Content: "紅茶は朝に飲む", Time: at(7)},
		{Ref: "cafe", Content: "Das Café schließt um 6", Time: at(8)},
		{Ref: "lang", Content: "the parser is written in C++", Time: at(9)},
		{Ref: "old", Content: "same words here", Time: at(1)},
		{Ref: "new", Content: "same words here", Time: at(2)},
		{Ref: "korean", Content: "커피를 마신다", Time: at(1)},
		{Ref: "thai", Content: "ไปตลาดเช้า", Time: at(1)},
	}
	for _, c := range []struct{ query, want string }{
		{"staging host", "host"},
		{"what is the STAGING host?", "host"},
		{"kettle.example.org", "host"},
		{"kettle", "host"},
		{"run", "running runs"}, // alike: the newer first,
		{"running", "running runs"},
		{"parse http header", "func"},
		{"parsehttpheader", "func"},
		{"net_util.go", "func"},
		{"util", "func"},
		{"internal/net_util.go", "func"},
		{"standups", "tag"},
		{"what did Ada sell", "said"},
		{"boats", "said"},
		{"紅茶", "tea"},
		{"茶", "tea"},
		{"飲む", "tea"},
		{"cafe", "cafe"},
		{"SCHLIESST", "cafe"},
		{"C++", "lang"},
		{"same words", "new old"},
		{"커피", "korean"},
		{"ตลาด", "thai"},
		// Nothing relevant is no hit.
		{"zeppelin", ""},
		{"what is the", "lang host said running runs"}, // nothing else was asked
		{"is the zeppelin what we meet", "tag"},
		{"what do you know about zeppelins?", ""},
		{"", ""},
		{" ?! ", ""},
		{"紅白", ""},
	} {
		if got := refs(t, docs, Question{Text: c.query}); got != c.want {
			t.Errorf("%q: found %q, want %q", c.query, got, c.want)
		}
	}
	if got := refs(t, docs, Question{Text: "same words", K: 1}); got != "new" {
		t.Errorf("K 1: %q", got)
	}
	if got := refs(t, docs, Question{Text: "same words", Keep: func(_ *index.Corpus, r *index.Row) bool { return r.Time == at(1).Unix() }}); got != "old" {
		t.Errorf("Keep: %q", got)
	}
	if got := refs(t, nil, Question{Text: "kettle"}); got != "" {
		t.Errorf("nothing to search: %q", got)
	}
}

// TestFloor: one common word of many is too little.
func TestFloor(t *testing.T) {
	t.Parallel()
	docs := []index.Document{{Ref: "a", Content: "work"}, {Ref: "b", Content: "work"}, {Ref: "c", Content: "work"}, {Ref: "d", Content: "zinc copper brass tin lead iron gold silver"}}
	if got := refs(t, docs, Question{Text: "do zinc, copper, brass, tin, lead, iron, gold or silver work"}); got != "d" {
		t.Errorf("found %q", got)
	}
	if got := refs(t, docs, Question{Text: "work"}); got != "a b c" {
		t.Errorf("asked for alone: %q", got)
	}
}

// TestSearchEnds: a cancelled search says so.
func TestSearchEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	corpora := []*index.Corpus{index.NewScan(slices.Values([]index.Document{{Content: "kettle"}}))}
	for _, text := range []string{"kettle", ""} {
		if _, err := Search(ctx, corpora, Question{Text: text}); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		docs := func(yield func(index.Document) bool) {
			for i := range n {
				d := index.Document{Ref: fmt.Sprint(i), Content: fmt.Sprintf("the %d kettle of room %d hums when pump%d runs near the old boiler", i, i%97, i%1013)}
				if !yield(d) {
					return
				}
			}
		}
		b.Run(fmt.Sprintf("read/%d", n), func(b *testing.B) {
			for b.Loop() {
				index.NewScan(docs)
			}
		})
		corpora := []*index.Corpus{index.NewScan(docs)}
		b.Run(fmt.Sprintf("search/%d", n), func(b *testing.B) {
			for b.Loop() {
				if hits, err := Search(b.Context(), corpora, Question{Text: "which pump512 runs in room 40?", K: 10}); err != nil || len(hits) != 10 {
					b.Fatal(len(hits), err)
				}
			}
		})
	}
}
