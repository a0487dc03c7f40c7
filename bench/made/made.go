package made

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/memory"
)

// Sentence is something to remember: about a hundred bytes.
func Sentence(random *rand.Rand) string {
	words := strings.Fields(`the server build needs port cache before deploy test config database always
		uses branch release old new script which runs nightly on staging customer report parser returns empty
		list when input file is missing prefer short answers tabs over spaces never push to main without review`)
	out := make([]string, 12+random.IntN(8))
	for i := range out {
		out[i] = words[random.IntN(len(words))]
	}
	return fmt.Sprintf("%s %d", strings.Join(out, " "), random.IntN(1_000_000))
}

// Sentences are n of them, all different and none that another seed gives.
func Sentences(seed uint64, n int) []string {
	random := rand.New(rand.NewPCG(5, seed))
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s, %d of %d", Sentence(random), i, seed)
	}
	return out
}

// vocabulary is what Text is made of, the most common word first: what every language
// has in every sentence, then words of an office among made-up ones, 20,000 in all.
func vocabulary() []string {
	words := strings.Fields("the of and to a in is it for on with as at by that this from are be not")
	syllables := strings.Fields("ka to ri men sol ver pa lin du gar est on in re co tra ble mi ne sha")
	made := func(n int) {
		for range n {
			var b strings.Builder
			for k := len(words) + 400; k > 0; k /= len(syllables) {
				b.WriteString(syllables[k%len(syllables)])
			}
			words = append(words, b.String())
		}
	}
	made(100)
	words = append(words, strings.Fields(`server build port cache deploy test config database branch release script staging
		customer report parser list input file answers tabs push main review`)...)
	made(20_000 - len(words))
	return words
}

// Text is something to remember, about a hundred bytes, of words that are as common as those of
// a language: that of rank r has a share of about 1/(r+2.7).
func Text(random *rand.Rand, words []string) string {
	out := make([]string, 12+random.IntN(8))
	most := float64(len(words))
	for i := range out {
		rank := math.Exp(random.Float64()*math.Log((most+2.7)/2.7))*2.7 - 2.7
		out[i] = words[min(int(rank), len(words)-1)]
	}
	return fmt.Sprintf("%s %d", strings.Join(out, " "), random.IntN(1_000_000))
}

// began is when what is made up begins.
func began() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// Memories appends n memories to a log that is there and has one: one in eight holds for the
// project of the bench only, one in thirty-two is pinned.
func Memories(file string, n int) error {
	random := rand.New(rand.NewPCG(2, uint64(n)))
	words := vocabulary()
	kinds := []memory.Kind{memory.KindFact, memory.KindFact, memory.KindPref, memory.KindDecision, memory.KindGotcha}
	var text []byte
	return write(file, os.O_APPEND, n, func(i int) []byte {
		rec := memory.Record{
			ID: memory.Num(int64(i) + 2), Time: began().Add(time.Duration(i) * time.Minute),
			Kind: kinds[random.IntN(len(kinds))], Content: Text(random, words), Pinned: random.IntN(32) == 0,
		}
		if random.IntN(8) == 0 {
			rec.Scope = "repo:example.com/bench/project"
		}
		text = append(rec.AppendJSON(text[:0]), '\n')
		return text
	})
}

// turnsEach is how many turns a made-up session has.
const turnsEach = 100

// Turns writes a transcript of n turns, a hundred to a session, as `ken import
// --format turns` reads it. series makes the sessions those of one import: with
// another series nothing is known yet.
func Turns(file string, series, n int) error {
	random := rand.New(rand.NewPCG(6, uint64(series)))
	return write(file, os.O_CREATE|os.O_TRUNC, n, func(i int) []byte {
		return fmt.Appendf(nil, "{\"session\":\"talk-%d-%d\",\"turn\":%d,\"ts\":%q,\"speaker\":%q,\"text\":%q}\n",
			series, i/turnsEach, i%turnsEach+1, began().Add(time.Duration(i)*time.Second).Format(time.RFC3339),
			[]string{"Ada", "Bob"}[i%2], Sentence(random))
	})
}

// Objects writes n memories as another program would have kept them, one object
// a line, as `ken import --format objects` reads them.
func Objects(file string, series, n int) error {
	random := rand.New(rand.NewPCG(7, uint64(series)))
	return write(file, os.O_CREATE|os.O_TRUNC, n, func(i int) []byte {
		return fmt.Appendf(nil, "{\"id\":\"s%d-%d\",\"type\":\"fact\",\"content\":%q}\n", series, i, Sentence(random))
	})
}

// Conversations writes n conversations of forty turns each into the directory
// of sessions; one in fifty, beginning with the first, quotes the text.
func Conversations(dir string, n int, quoted string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(8, uint64(n)))
	for s := range n {
		id := began().Add(time.Duration(s)*time.Hour).Format("20060102T150405Z") + fmt.Sprintf("-%04x", s)
		err := write(filepath.Join(dir, id+".jsonl"), os.O_CREATE|os.O_TRUNC, 41, func(i int) []byte {
			at := began().Add(time.Duration(s)*time.Hour + time.Duration(i)*time.Second).Format(time.RFC3339)
			if i == 0 {
				return fmt.Appendf(nil, "{\"meta\":{\"format\":1,\"session\":%q,\"started\":%q,\"channel\":\"terminal\"}}\n", id, at)
			}
			said := Sentence(random)
			if s%50 == 0 && i == 7 {
				said += ". " + quoted
			}
			return fmt.Appendf(nil, "{\"ts\":%q,\"role\":%q,\"content\":%q,\"n\":%d}\n", at, []string{"assistant", "user"}[i%2], said, i)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// write puts n lines into a file, synced.
func write(file string, how, n int, line func(i int) []byte) (err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|how, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	for i := range n {
		if _, err := w.Write(line(i)); err != nil {
			return err
		}
	}
	return w.Flush()
}
