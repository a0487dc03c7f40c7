package rank

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ken/bench/fts"
	"ken/internal/text"
)

// Known turns: a person types words that they remember, and wants the turn that has them.

// mostKnown is how many turns are asked for at most, and knownSeed says which.
const (
	mostKnown = 400
	knownSeed = 16
)

// knownWords are the numbers of words that are asked with.
func knownWords() [4]int { return [...]int{2, 3, 4, 6} }

// A recalled is words of a turn, by the turn's number, in no order.
type recalled struct {
	turn  int
	words []string
}

// contentWords are the different words of a text that carry meaning, as they are typed:
// letters alone, three or more, and no part of a word with an apostrophe.
func contentWords(s string) (words []string) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '\'' && r != '’'
	}) {
		plain := !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
		if plain && utf8.RuneCountInString(word) > 2 && !text.IsStop(word) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// known draws turns with at least the most words that are asked with, and the words of
// each in the order in which they are asked: the first two, three and so on.
func (d *dataset) known() (list []recalled) {
	random := rand.New(rand.NewPCG(knownSeed, 0))
	counts := knownWords()
	most := slices.Max(counts[:])
	for i := range d.turns {
		if words := contentWords(d.turns[i].said()); len(words) >= most {
			random.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
			list = append(list, recalled{i, words[:most]})
		}
	}
	random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list[:min(len(list), mostKnown)]
}

// A place says how often what is right stood first, and among the first ten.
type place struct{ first, ten int }

func (p *place) add(rank int) {
	if rank == 0 {
		p.first++
	}
	if rank >= 0 && rank < 10 {
		p.ten++
	}
}

// knownTable asks for known turns, through the program and through sqlite3 where there is
// one, and writes how often they were found.
func (d *dataset) knownTable(ctx context.Context, b *tables, p *program, beside *fts.Table) error {
	list := d.known()
	if len(list) == 0 {
		b.say("no turn has six words to ask for it with\n\n")
		return nil
	}
	n := float64(len(list))
	b.say("known turns: %d turns asked for with some of their words, all conversations searched at once\n", len(list))
	b.say("%-16s %8s %8s %8s %8s %8s %8s %8s\n", "words", "first", "FTS5", "ten", "FTS5", "CPU us", "FTS5", "share")
	for _, k := range knownWords() {
		questions := make([][]string, len(list))
		for i, r := range list {
			questions[i] = r.words[:k]
		}
		var ken, other place
		var cpu, otherCPU []time.Duration
		for range 3 { // turn by turn: machines drift
			found, took, err := p.askWords(ctx, questions)
			if err != nil {
				return err
			}
			cpu, ken = append(cpu, took), place{}
			for i, r := range list {
				ken.add(slices.Index(found[i], d.turns[r.turn].ID))
			}
			if beside == nil {
				continue
			}
			rows, took, err := beside.Ask(ctx, questions, 10)
			if err != nil {
				return err
			}
			otherCPU, other = append(otherCPU, took), place{}
			for i, r := range list {
				other.add(slices.Index(rows[i], r.turn))
			}
		}
		each := func(list []time.Duration) float64 {
			slices.Sort(list)
			return float64(list[len(list)/2].Microseconds()) / n
		}
		if beside == nil {
			b.say("%-16d %8.3f %8s %8.3f %8s %8.0f %8s %8s\n", k, float64(ken.first)/n, "-", float64(ken.ten)/n, "-", each(cpu), "-", "-")
			continue
		}
		b.say("%-16d %8.3f %8.3f %8.3f %8.3f %8.0f %8.0f %8.2f\n", k, float64(ken.first)/n, float64(other.first)/n,
			float64(ken.ten)/n, float64(other.ten)/n, each(cpu), each(otherCPU), each(cpu)/each(otherCPU))
	}
	b.say("\n")
	return nil
}

// askWords asks questions of words in one process, of all conversations, and returns the
// ids of the turns that it found for each, best first, and the CPU time of the process.
func (p *program) askWords(ctx context.Context, questions [][]string) ([][]string, time.Duration, error) {
	var lines bytes.Buffer
	for i, words := range questions {
		line, err := json.Marshal(map[string]any{"id": fmt.Sprint(i), "query": strings.Join(words, " "), "k": 10})
		if err != nil {
			return nil, 0, err
		}
		lines.Write(append(line, '\n'))
	}
	out, err := p.run(ctx, lines.Bytes(), "recall", "--jsonl", "--in", "sessions")
	if err != nil {
		return nil, 0, err
	}
	byID, err := turnsFound(out)
	found := make([][]string, len(questions))
	for i := range found {
		found[i] = byID[fmt.Sprint(i)]
	}
	return found, p.cpu, err
}

// besideOf is the table of the turns' texts; nil, and said, where there is no sqlite3.
func (d *dataset) besideOf(ctx context.Context, b *tables, dir string) (*fts.Table, error) {
	texts := make([]string, len(d.turns))
	for i := range d.turns {
		texts[i] = d.turns[i].said()
	}
	t, err := fts.New(ctx, dir, texts)
	if errors.Is(err, fts.ErrMissing) {
		b.say("%v: nothing stands beside\n\n", err)
		return nil, nil
	}
	return t, err
}

// findBeside asks sqlite3 all questions. What it finds in other conversations than the
// one asked of is left out afterwards, so that its rarities are those of all.
func (d *dataset) findBeside(ctx context.Context, t *fts.Table) (finder, error) {
	questions := make([][]string, len(d.questions))
	at := make(map[string]int)
	for i := range d.questions {
		questions[i] = fts.Words(d.questions[i].Text)
		at[d.questions[i].ID] = i
	}
	found, _, err := t.Ask(ctx, questions, len(d.turns))
	return func(q *question, scope string) (ids []string) {
		for _, row := range found[at[q.ID]] {
			if turn := &d.turns[row]; scope == "" || turn.Conv == scope {
				ids = append(ids, turn.ID)
			}
			if len(ids) == depth {
				break
			}
		}
		return ids
	}, err
}
