package recall

import (
	"context"
	"math"
	"slices"
	"sync"

	"ken/internal/index"
)

// scratches lend what a search needs besides its answer: tables with a row for each
// document are not made anew for each question. What is in them is of no question.
var scratches = sync.OnceValue(func() *sync.Pool { return new(sync.Pool) })

func newScratch() *scratch {
	s := new(scratch)
	for words := range s.lengths {
		s.lengths[words] = lengthOf(int32(words))
	}
	return s
}

// A scratch holds the sums of one question, by place among all documents that are
// there.
type scratch struct {
	wanted  []index.Term
	corpora []*gathered
	// speaks says by term that it is in the name of somebody who spoke.
	speaks []bool
	// whole is the weight (the rarity, summed up) of the words of the question,
	// scale that of those that any document has, and sessionScale the same by
	// conversations; above 0.
	whole, scale, sessionScale float64
	meant                      int // how many words the question has

	sums     []sums
	sessions []float32 // by conversation
	marks    []uint8   // of turns: who spoke, as the question sees it
	window   []window
	// saturated is, of the term at hand, what it counts that often; lengths what
	// turns of so many words are worth.
	saturated [64]float32
	lengths   [128]float64
}

// gathered is what was read of a corpus.
type gathered struct {
	*index.Corpus
	order           *index.Succession
	first, firstRun int32 // of its places and conversations among all
	postings        []index.Posting
	ends            []int // by term: the end of its postings
}

// of are the postings of a term.
func (g *gathered) of(i int) []index.Posting {
	from := 0
	if i > 0 {
		from = g.ends[i-1]
	}
	return g.postings[from:g.ends[i]]
}

// sums are what speaks for a document: BM25 scores by form of the words and by
// field, and the weight of the words that it has.
type sums struct {
	words, stems, tags float32
	near, around       float32
	cover              float32 // in the text and in tags
	wide               float32 // in any field, and of a turn of the two before and behind it as well
}

// window counts a term around a place.
type window struct{ near, around, wide uint16 }

// read reads where the wanted terms stand.
func (s *scratch) read(ctx context.Context, corpora []*index.Corpus, wanted []index.Term) error {
	s.wanted = wanted
	s.corpora = s.corpora[:min(cap(s.corpora), len(corpora))]
	for len(s.corpora) < len(corpora) {
		s.corpora = append(s.corpora, nil)
	}
	places, runs := int32(0), int32(0)
	for n, c := range corpora {
		if s.corpora[n] == nil {
			s.corpora[n] = new(gathered)
		}
		g := s.corpora[n]
		*g = gathered{Corpus: c, order: c.Succession(), first: places, firstRun: runs, postings: g.postings[:0], ends: g.ends[:0]}
		places += int32(len(g.order.Docs))
		runs += int32(len(g.order.Starts) - 1)
		for _, t := range wanted {
			if err := ctx.Err(); err != nil {
				return err
			}
			from := len(g.postings)
			var err error
			if g.postings, err = c.AppendPostings(g.postings, t); err != nil {
				return err
			}
			if g.order.Places != nil { // what is gone does not count
				list := slices.DeleteFunc(g.postings[from:], func(p index.Posting) bool { return g.order.Places[p.Doc] < 0 })
				g.postings = g.postings[:from+len(list)]
			}
			g.ends = append(g.ends, len(g.postings))
		}
	}
	s.sums = zeroed(s.sums, int(places))
	s.sessions = zeroed(s.sessions, int(runs))
	s.marks = zeroed(s.marks, int(places))
	s.window = zeroed(s.window, int(places))
	s.speaks = zeroed(s.speaks, len(wanted))
	return nil
}

// zeroed is a slice of n zeros, the same one if it is long enough.
func zeroed[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	list = list[:n]
	clear(list)
	return list
}

// gather sums up what speaks for each document.
func (s *scratch) gather() {
	documents, sessions := 0, 0
	for _, c := range s.corpora {
		documents += len(c.order.Docs)
		sessions += c.order.Sessions
	}
	s.whole, s.scale, s.sessionScale, s.meant = 0, 0, 0, 0
	for i, t := range s.wanted {
		df, of := 0, 0
		for _, c := range s.corpora {
			list := c.of(i)
			df += len(list)
			of += c.conversations(list)
			for k := range list {
				if list[k].Counts[index.FieldSpeaker] > 0 {
					s.speaks[i] = true
				}
			}
		}
		weight := rarity(max(documents, Few), df)
		inSession := rarity(sessions, of)
		if t.Form != index.Word {
			s.whole += weight
			s.meant++
			if df > 0 {
				s.scale += weight
			}
			if of > 0 {
				s.sessionScale += inSession
			}
		}
		for n := range s.saturated {
			s.saturated[n] = float32(weight * saturation(float64(n), K1))
		}
		for _, c := range s.corpora {
			s.add(c, c.of(i), t.Form == index.Word, float32(weight), inSession)
		}
	}
	if s.scale == 0 {
		s.scale = 1
	}
	if s.sessionScale == 0 {
		s.sessionScale = 1
	}
}

// conversations are how many of them the documents of a list are of, of those that
// have it in a turn's text.
func (g *gathered) conversations(list []index.Posting) int {
	n, last := 0, int32(-1)
	for i := range list {
		p := &list[i]
		if p.Counts[index.FieldContent] == 0 || g.Rows[p.Doc].Flags&index.Turn == 0 {
			continue
		}
		if run := g.order.Runs[g.order.Place(p.Doc)]; run != last {
			n, last = n+1, run
		}
	}
	return n
}

// saturation is what a word counts that stands there n times.
func saturation(n, k1 float64) float64 { return n * (k1 + 1) / (n + k1) }

// rarity is what a term weighs that df of n documents have; above 0.
func rarity(n, df int) float64 {
	n = max(n, df)
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// times is what a term counts that stands there n times.
func (s *scratch) times(n uint16) float32 {
	return s.saturated[min(int(n), len(s.saturated)-1)]
}

// add adds up what a term says of the documents of its list.
func (s *scratch) add(c *gathered, list []index.Posting, isWord bool, weight float32, inSession float64) {
	if isWord {
		for i := range list {
			p := &list[i]
			e := &s.sums[c.first+c.order.Place(p.Doc)]
			e.words += s.times(p.Counts[index.FieldContent])
			e.tags += tagWords * s.times(p.Counts[index.FieldTags])
		}
		return
	}
	inRun, run := 0, int32(-1) // how often the conversation has it
	for i := range list {
		p := &list[i]
		place := c.order.Place(p.Doc)
		e := &s.sums[c.first+place]
		e.stems += s.times(p.Counts[index.FieldContent])
		e.tags += s.times(p.Counts[index.FieldTags])
		if p.Counts[index.FieldContent]+p.Counts[index.FieldTags] > 0 {
			e.cover += weight
		}
		if c.Rows[p.Doc].Flags&index.Turn == 0 {
			e.wide += weight
			continue
		}
		if r := c.order.Runs[place]; r != run {
			s.inSession(c, run, inRun, inSession)
			inRun, run = 0, r
		}
		inRun += int(p.Counts[index.FieldContent])
		s.spread(c, place, run, p.Counts[index.FieldContent])
	}
	s.inSession(c, run, inRun, inSession)
	s.collect(c, list, weight)
}

func (s *scratch) inSession(c *gathered, run int32, times int, weight float64) {
	if times > 0 {
		s.sessions[c.firstRun+run] += float32(weight * saturation(float64(times), K1Session))
	}
}

// spread counts a term for the places around it, in its conversation.
func (s *scratch) spread(c *gathered, place, run int32, times uint16) {
	from, to := max(place-2, c.order.Starts[run]), min(place+3, c.order.Starts[run+1])
	w := s.window[c.first+from : c.first+to]
	for k := range w {
		w[k].wide = 1
		w[k].around = plus(w[k].around, times)
		if d := from + int32(k) - place; d >= -1 && d <= 1 {
			w[k].near = plus(w[k].near, times)
		}
	}
}

func plus(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }

// collect adds to the sums what was spread, and forgets it.
func (s *scratch) collect(c *gathered, list []index.Posting, weight float32) {
	done := int32(0)
	for i := range list {
		if c.Rows[list[i].Doc].Flags&index.Turn == 0 {
			continue
		}
		place := c.order.Place(list[i].Doc)
		run := c.order.Runs[place]
		from, to := max(place-2, c.order.Starts[run], done), min(place+3, c.order.Starts[run+1])
		for k := c.first + from; k < c.first+to; k++ {
			w, e := &s.window[k], &s.sums[k]
			e.near += s.times(w.near)
			e.around += s.times(w.around)
			e.wide += weight
			*w = window{}
		}
		done = max(done, to)
	}
}

// mark marks the turns of those whose name has the term i.
func (s *scratch) mark(i int, bits uint8) {
	for _, c := range s.corpora {
		for _, p := range c.of(i) {
			if p.Counts[index.FieldSpeaker] > 0 {
				s.marks[c.first+c.order.Place(p.Doc)] |= bits
			}
		}
	}
}

// lengthOf is the function of that name.
func (s *scratch) lengthOf(words int32) float64 {
	if int(words) < len(s.lengths) {
		return s.lengths[words]
	}
	return lengthOf(words)
}
