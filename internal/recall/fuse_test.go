package recall

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/index"
)

// An embedder makes vectors of length 1.
type embedder func(text string) []float64

// hashing is a model that knows words, and which of them mean the same: each
// meaning is a direction that its hash gives. It sees the words of every text,
// those without meaning too.
func hashing(same map[string]string) embedder {
	return func(text string) []float64 {
		v := make([]float64, 256)
		for _, w := range strings.Fields(strings.ToLower(text)) {
			w = strings.Trim(w, ".?!,")
			if m, ok := same[w]; ok {
				w = m
			}
			h := fnv.New64a()
			_, _ = h.Write([]byte(w))
			r := rand.New(rand.NewPCG(h.Sum64(), 1))
			for i := range v {
				v[i] += r.NormFloat64()
			}
		}
		return unitOf(v)
	}
}

// chance is a model that knows nothing: the vector of a text has nothing to do
// with it.
func chance(seed uint64, numbers int) embedder {
	return func(text string) []float64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text))
		r := rand.New(rand.NewPCG(h.Sum64(), seed))
		v := make([]float64, numbers)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return unitOf(v)
	}
}

func unitOf(v []float64) []float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(sum)
	}
	return v
}

// meaningOf is what a model says of a question, over all documents.
func (e embedder) meaningOf(question string, docs []index.Document) Embeddings {
	q := e(question)
	like := func(text string) float64 {
		sum := 0.0
		for i, x := range e(text) {
			sum += x * q[i]
		}
		return sum
	}
	m := Embeddings{Count: len(docs), Of: func(h *Hit) (float64, bool) { return like(h.Content), true }}
	var likes []float64
	for i := range docs {
		l := like(docs[i].Content)
		m.Nearest = append(m.Nearest, Neighbour{&docs[i], l})
		likes = append(likes, l)
	}
	slices.SortStableFunc(m.Nearest, func(a, b Neighbour) int {
		switch {
		case a.Cosine > b.Cosine:
			return -1
		case a.Cosine < b.Cosine:
			return 1
		}
		return 0
	})
	mid := func() float64 { slices.Sort(likes); return likes[len(likes)/2] }
	m.Median = mid()
	for i := range likes {
		likes[i] = math.Abs(likes[i] - m.Median)
	}
	m.Spread = mid()
	return m
}

// A trial is a question of a category, and what it should find; "" is nothing.
type trial struct{ category, question, want string }

// synthetic is a memory of so many facts, questions about them, and which words
// mean the same.
func synthetic(facts int) (docs []index.Document, trials []trial, same map[string]string) {
	people := []string{"Ada", "Bo", "Cleo", "Dag", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jun"}
	verbs := [][2]string{{"repairs", "mends"}, {"purchased", "bought"}, {"adores", "loves"}, {"teaches", "instructs"}, {"despises", "hates"}}
	same = make(map[string]string)
	for _, v := range verbs {
		same[v[1]] = v[0]
	}
	for i := range facts {
		// Words that nothing else has, as a name or a number is.
		noun, other := fmt.Sprintf("thing%dx", i), fmt.Sprintf("dings%dx", i)
		same[other] = noun
		p, v := people[i%len(people)], verbs[(i/len(people))%len(verbs)]
		ref := fmt.Sprint(i + 1)
		docs = append(docs, index.Document{
			Ref: ref, In: index.Memory, Kind: "fact", Scope: "user",
			Content: fmt.Sprintf("%s %s %s near harbour%d", p, v[0], noun, i%7),
		})
		if i%3 == 0 {
			trials = append(trials,
				trial{"same words", fmt.Sprintf("Who %s %s?", v[0], noun), ref},
				trial{"some words", fmt.Sprintf("%s %s %s", p, v[1], other), ref},
				trial{"name alone", noun, ref},
				trial{"other words", fmt.Sprintf("%s %s", v[1], other), ref},
				trial{"nothing", fmt.Sprintf("zebra%d quantum", i), ""},
			)
		}
	}
	return docs, trials, same
}

// score gives by category the sum of reciprocal ranks and how many are among the
// first five; of "nothing" how many found nothing.
func score(t *testing.T, docs []index.Document, trials []trial, e embedder) (mrr, top map[string]float64) {
	t.Helper()
	mrr, top = map[string]float64{}, map[string]float64{}
	corpora := []*index.Corpus{index.NewScan(slices.Values(docs))}
	for _, tr := range trials {
		hits, err := Search(t.Context(), corpora, Question{Text: tr.question, K: 200})
		if err != nil {
			t.Fatal(err)
		}
		if e != nil {
			hits = Fuse(hits, e.meaningOf(tr.question, docs), 50)
		}
		at := slices.IndexFunc(hits, func(h Hit) bool { return h.Ref == tr.want })
		switch {
		case tr.want == "" && len(hits) == 0:
			mrr[tr.category]++
			top[tr.category]++
		case tr.want != "" && at >= 0:
			mrr[tr.category] += 1 / float64(at+1)
			if at < 5 {
				top[tr.category]++
			}
		}
	}
	return mrr, top
}

// TestR352NeverBelowWords: on no category is a search with an embedding model worse
// than without: not with one that knows what means the same, which finds much
// more, and not with ones that know nothing.
//
//ken:unraced
func TestR352NeverBelowWords(t *testing.T) {
	t.Parallel()
	docs, trials, same := synthetic(150)
	wordsMRR, wordsTop := score(t, docs, trials, nil)
	models := map[string]embedder{"knows": hashing(same), "knows words alone": hashing(nil)}
	for seed := range uint64(4) {
		models[fmt.Sprintf("chance %d, 256 numbers", seed)] = chance(seed, 256)
		models[fmt.Sprintf("chance %d, 16 numbers", seed)] = chance(seed, 16)
	}
	for name, e := range models {
		mrr, top := score(t, docs, trials, e)
		for c := range wordsMRR {
			if mrr[c] < wordsMRR[c]-1e-9 || top[c] < wordsTop[c] {
				t.Errorf("%s, %s: %.2f and %.0f, with words alone %.2f and %.0f", name, c, mrr[c], top[c], wordsMRR[c], wordsTop[c])
			}
		}
		if name == "knows" && (mrr["other words"] < 45 || wordsMRR["other words"] > 5) {
			t.Errorf("other words: %.2f of 50 with meaning, %.2f without", mrr["other words"], wordsMRR["other words"])
		}
	}
}

// TestR352Fuse: whatever a model says, the parts sum to the score, no hit is lost
// or there twice, the best come first, and what has twice the score of another by
// words alone stays before it.
func TestR352Fuse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "hits")
		docs := make([]index.Document, 40)
		for i := range docs {
			docs[i].Ref = fmt.Sprint(i)
		}
		var hits []Hit
		words := make(map[string]float64)
		last := 100.0
		for i := range n {
			last *= rapid.Float64Range(0.2, 1).Draw(t, "score")
			hits = append(hits, Hit{Document: &docs[i], Score: last, Parts: []Part{{Name: PartWords, Score: last / 2}, {Name: PartStems, Score: last / 2}}})
			words[docs[i].Ref] = last
		}
		likes := make(map[string]float64)
		m := Embeddings{
			Count: rapid.IntRange(0, 1000).Draw(t, "count"), Median: rapid.Float64Range(-0.2, 0.8).Draw(t, "median"),
			Spread: rapid.Float64Range(0, 0.2).Draw(t, "spread"),
			Of:     func(h *Hit) (float64, bool) { l, ok := likes[h.Ref]; return l, ok },
		}
		for i := range docs {
			if rapid.Bool().Draw(t, "known") {
				likes[docs[i].Ref] = rapid.Float64Range(-1, 1).Draw(t, "like")
				m.Nearest = append(m.Nearest, Neighbour{&docs[i], likes[docs[i].Ref]})
			}
		}
		before := fmt.Sprint(hits)
		fused := Fuse(hits, m, 0)
		if fmt.Sprint(hits) != before {
			t.Fatal("the hits were changed")
		}
		seen := make(map[string]bool)
		for i, h := range fused {
			sum := 0.0
			for _, p := range h.Parts {
				sum += p.Score
			}
			if math.Abs(sum-h.Score) > 1e-9 || seen[h.Ref] || i > 0 && h.Score > fused[i-1].Score || !(h.Score > 0) {
				t.Fatalf("hit %d: %v", i, h)
			}
			seen[h.Ref] = true
			for _, g := range fused[:i] {
				if w := words[h.Ref]; n > 0 && w > shareEmbeddings*hits[0].Score+words[g.Ref]+1e-9 {
					t.Fatalf("%s (%.2f by words) stands behind %s (%.2f)", h.Ref, w, g.Ref, words[g.Ref])
				}
			}
		}
		for ref := range words {
			if !seen[ref] {
				t.Fatalf("%s is lost", ref)
			}
		}
		if k := rapid.IntRange(1, 20).Draw(t, "k"); fmt.Sprint(Fuse(hits, m, k)) != fmt.Sprint(fused[:min(k, len(fused))]) {
			t.Fatal("the best k are others")
		}
	})
}
