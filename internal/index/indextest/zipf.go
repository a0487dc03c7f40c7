// Package indextest makes documents by the thousand, of words that are as common as
// those of a language: what searching is tested and measured on.
package indextest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"ken/internal/index"
)

// Documents makes n documents, the same for the same seed. Words are as common as
// in English: that of rank r has a share of about 1/(r+2.7), among 50,000, of which
// one in four is an inflected form of another. A text has 20 words at the median.
// The first fifth are items of the memory, the others turns, 24 a conversation.
func Documents(n int, seed uint64) []index.Document {
	r := rand.New(rand.NewPCG(seed, 1))
	const vocabulary = 50_000
	words := make([]string, vocabulary)
	syllables := strings.Fields("ka to ri men sol ver pa lin du gar est on in re co tra ble mi ne sha")
	for i := range words {
		var b strings.Builder
		for k := i + 2; k > 0; k /= len(syllables) {
			b.WriteString(syllables[k%len(syllables)])
		}
		words[i] = b.String()
		if i > 100 && i%4 == 0 {
			words[i] = words[i/2] + [...]string{"s", "ing", "ed"}[i%3]
		}
	}
	word := func() string {
		// The inverse of the sum of the shares.
		x := math.Exp(r.Float64()*math.Log((vocabulary+2.7)/2.7))*2.7 - 2.7
		return words[min(int(x), vocabulary-1)]
	}
	docs := make([]index.Document, n)
	began := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range docs {
		var b strings.Builder
		for range max(3, int(math.Exp(r.NormFloat64()*0.7+3))) { // 20 at the median, 26 in the mean
			b.WriteString(word() + " ")
			if r.IntN(9) == 0 {
				b.WriteString("the. ")
			}
		}
		if r.IntN(8) == 0 {
			fmt.Fprintf(&b, "internal/%s/%s_%d.go", word(), word(), r.IntN(1000))
		}
		began = began.Add(time.Duration(r.IntN(600)) * time.Second)
		if items := n / 5; i >= items {
			turn := i - items
			name := fmt.Sprintf("20260510T%06dZ-%04x", turn/24, turn/24*7919%65536)
			docs[i] = index.Document{
				Ref: fmt.Sprintf("%s:%d", name, turn%24+1), In: index.Sessions, Kind: [...]string{"user", "assistant"}[turn%2], Scope: "dir:~/work",
				Time: began, Content: b.String(), Session: name, Turn: strconv.AppendInt(nil, int64(turn%24+1), 10),
			}
			continue
		}
		docs[i] = index.Document{
			Ref: fmt.Sprint(i + 1), In: index.Memory, Kind: [...]string{"fact", "pref", "decision"}[r.IntN(3)], Scope: fmt.Sprintf("repo:github.com/me/%d", r.IntN(12)),
			Time: began, Content: b.String(), Tags: []string{word()}, Importance: 5,
		}
	}
	return docs
}
