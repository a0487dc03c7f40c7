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
	linked   []uint16  // how often a place has what goes with the term at hand

	// says is, by term, how much of its rarity counts; links are what goes with
	// the terms, by term.
	says  []float64
	links []link
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
	// kin are the postings of the links, and kinEnds by link where they end.
	kin     []index.Posting
	kinEnds []int
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
	related            float32 // of words that go with those of the question
	cover              float32 // in the text and in tags
	around             float32 // of a turn: in its text, and in the two before and behind it
	wide               float32 // in any field, and of a turn in those of the two before and behind it
}

// read reads where the wanted terms stand.
func (s *scratch) read(ctx context.Context, corpora []*index.Corpus, wanted []index.Term) error {
	s.wanted = wanted
	s.look()
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
		*g = gathered{Corpus: c, order: c.Succession(), first: places, firstRun: runs, postings: g.postings[:0], ends: g.ends[:0], kin: g.kin[:0], kinEnds: g.kinEnds[:0]}
		places += int32(len(g.order.Docs))
		runs += int32(len(g.order.Starts) - 1)
		for _, t := range wanted {
			var err error
			if g.postings, err = g.read(ctx, g.postings, t); err != nil {
				return err
			}
			g.ends = append(g.ends, len(g.postings))
		}
		for i := range s.links {
			var err error
			if g.kin, err = g.read(ctx, g.kin, s.links[i].term); err != nil {
				return err
			}
			g.kinEnds = append(g.kinEnds, len(g.kin))
		}
	}
	s.sums = zeroed(s.sums, int(places))
	s.sessions = zeroed(s.sessions, int(runs))
	s.marks = zeroed(s.marks, int(places))
	s.linked = zeroed(s.linked, int(places))
	s.speaks = zeroed(s.speaks, len(wanted))
	return nil
}

// read appends the postings of a term to list, without what is gone.
func (g *gathered) read(ctx context.Context, list []index.Posting, t index.Term) ([]index.Posting, error) {
	if err := ctx.Err(); err != nil {
		return list, err
	}
	from := len(list)
	list, err := g.AppendPostings(list, t)
	if err != nil || g.order.Places == nil {
		return list, err
	}
	there := slices.DeleteFunc(list[from:], func(p index.Posting) bool { return g.order.Places[p.Doc] < 0 })
	return list[:from+len(there)], nil
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
			s.whole += weight * s.says[i]
			s.meant++
			if df > 0 {
				s.scale += weight
			}
			if of > 0 {
				s.sessionScale += inSession
			}
		}
		s.weigh(weight)
		for _, c := range s.corpora {
			s.add(c, c.of(i), t.Form == index.Word, float32(weight*s.says[i]), inSession)
		}
	}
	s.addLinks(documents)
	if s.scale == 0 {
		s.scale = 1
	}
	if s.sessionScale == 0 {
		s.sessionScale = 1
	}
}

// weigh sets what times counts to those of a term of that weight.
func (s *scratch) weigh(weight float64) {
	for n := range s.saturated {
		s.saturated[n] = float32(weight * saturation(float64(n), K1))
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
	inRun, run := 0, int32(-1)         // how often the conversation has it
	wide, around := int32(0), int32(0) // up to where it counts already
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
		r := c.order.Runs[place]
		if r != run {
			s.inSession(c, run, inRun, inSession)
			inRun, run = 0, r
		}
		inRun += int(p.Counts[index.FieldContent])
		from, to := max(place-2, c.order.Starts[r]), min(place+3, c.order.Starts[r+1])
		for k := max(from, wide); k < to; k++ {
			s.sums[c.first+k].wide += weight
		}
		wide = to
		if p.Counts[index.FieldContent] > 0 {
			for k := max(from, around); k < to; k++ {
				s.sums[c.first+k].around += weight
			}
			around = to
		}
	}
	s.inSession(c, run, inRun, inSession)
}

func (s *scratch) inSession(c *gathered, run int32, times int, weight float64) {
	if times > 0 {
		s.sessions[c.firstRun+run] += float32(weight * saturation(float64(times), K1Session))
	}
}

func plus(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }

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
