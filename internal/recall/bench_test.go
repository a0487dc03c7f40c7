package recall

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/index"
)

// zipf makes texts whose words are as often as those of a language: the n-th one
// 1/n as often as the first. The most frequent 100 are words without meaning.
type zipf struct {
	z       *rand.Zipf
	r       *rand.Rand
	english []string // by number of the word, from the 100th on
}

func newZipf(seed uint64) zipf {
	r := rand.New(rand.NewPCG(seed, 1))
	return zipf{z: rand.NewZipf(r, 1.05, 3, 30_000), r: r}
}

func (z zipf) word() string {
	n := z.z.Uint64()
	if n >= 100 && n-100 < uint64(len(z.english)) {
		return z.english[n-100]
	}
	if n >= 100 {
		return fmt.Sprintf("w%c%cx%d", 'a'+n%26, 'a'+n/26%26, n)
	}
	return [...]string{"the", "a", "of", "and", "to", "in", "it", "is", "was", "you"}[z.r.IntN(10)]
}

func (z zipf) text(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = z.word()
	}
	return strings.Join(list, " ")
}

// spoken are words of English in the place of the more frequent ones that carry
// meaning, so that questions have links, and of words that are as often as those.
func (z zipf) spoken(t *testing.B) zipf {
	t.Helper()
	text, err := os.ReadFile("lexicon/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	z.english = strings.Fields(string(text))
	slices.Sort(z.english)
	z.english = slices.Compact(z.english)
	rand.New(rand.NewPCG(3, 1)).Shuffle(len(z.english), func(i, j int) { z.english[i], z.english[j] = z.english[j], z.english[i] })
	return z
}

// conversations are n turns of about 20 words, 25 to a conversation, of two
// speakers.
func conversations(n int, z zipf) iter.Seq[index.Document] {
	return func(yield func(index.Document) bool) {
		at := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
		for i := range n {
			d := index.Document{
				Ref: fmt.Sprint(i), In: index.Sessions, Kind: "user", Scope: "user", Session: fmt.Sprintf("s%d", i/25),
				Speaker: [...]string{"Ada", "Bob"}[i%2], Time: at.Add(time.Duration(i/25) * 24 * time.Hour), Content: z.text(5 + z.r.IntN(30)),
			}
			if i%5 == 0 {
				d.Content += "?"
			}
			if !yield(d) {
				return
			}
		}
	}
}

// BenchmarkSearch is a whole question of eight words, ranked, the best ten: of words
// that call up no others, and of English ones.
func BenchmarkSearch(b *testing.B) {
	for _, words := range []string{"made up", "English"} {
		b.Run(words, func(b *testing.B) {
			said, asked := newZipf(7), newZipf(11)
			if words == "English" {
				said, asked = said.spoken(b), asked.spoken(b)
			}
			benchmarkSearch(b, said, asked)
		})
	}
}

func benchmarkSearch(b *testing.B, said, z zipf) {
	b.Helper()
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			corpora := []*index.Corpus{index.NewScan(conversations(n, said))}
			questions := make([]string, 64)
			for i := range questions {
				questions[i] = "When did Ada " + z.text(8) + "?"
			}
			b.ResetTimer()
			i := 0
			for b.Loop() {
				if _, err := Search(b.Context(), corpora, Question{Text: questions[i%len(questions)], K: 10}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
