package recall

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"

	"ken/internal/index"
)

// scratches lend what a search needs besides its answer: tables with a row for each
// document are not made anew for each question. What is in them is of no question.
var scratches = sync.OnceValue(func() *sync.Pool { return new(sync.Pool) })

func newScratch() *scratch {
	s := new(scratch)
	for words := range s.briefs {
		s.briefs[words] = briefOf(int32(words))
	}
	return s
}

// A scratch holds the sums of one question. An ordinal is one among all documents.
type scratch struct {
	wanted  []index.Term
	corpora []*gathered
	// speaks says by term that it is in the name of somebody who spoke.
	speaks []bool
	// whole is the weight (the rarity, summed up) of the words of the question,
	// scale that of those that any document has, and sessionScale the same by
	// conversations; above 0.
	whole, scale, sessionScale float64
	asTyped                    float64 // the weight of the words as they were typed
	meant                      int     // how many words the question has

	// Of the ordinals that a term speaks for, by their order, as at says:
	sums  []sums
	marks []uint8 // of turns: who spoke, as the question sees it
	// touched has a bit for each ordinal that has sums, below how many of them stand
	// before each 64 of these. So a question costs what it finds, not what there is.
	touched  []uint64
	below    []int32
	sessions []float32 // by span
	linked   []uint16  // by ordinal: how often it has what goes with the term at hand; zeros in between

	// says is, by term, how much of its rarity counts; links are what goes with
	// the terms, by term.
	says  []float64
	links []link
	// saturated is, of the term at hand, what it counts that often; briefs how brief
	// texts of so many words are.
	saturated [64]float32
	briefs    [128]float64
}

// gathered is what was read of a corpus.
type gathered struct {
	*index.Corpus
	order            *index.DocOrder
	first, firstSpan int32 // of its ordinals and spans among all
	postings         []index.Posting
	ends             []int // by term: the end of its postings
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
	typed              float32 // the weight of the words that it has as they were typed, in the text and in tags
	around             float32 // of a turn: in its text, and in the two before and behind it
	wide               float32 // in any field, and of a turn in those of the two before and behind it
}

// at is where the sums of an ordinal are.
func (s *scratch) at(ordinal int32) int32 {
	return s.below[ordinal>>6] + int32(bits.OnesCount64(s.touched[ordinal>>6]&(1<<(ordinal&63)-1)))
}

// has reports whether a term speaks for an ordinal, so that it has sums.
func (s *scratch) has(ordinal int32) bool { return s.touched[ordinal>>6]&(1<<(ordinal&63)) != 0 }

// stemsAt is what stems say for an ordinal, which no term may speak for.
func (s *scratch) stemsAt(ordinal int32) float32 {
	if !s.has(ordinal) {
		return 0
	}
	return s.sums[s.at(ordinal)].stems
}

// ordinals calls yield for each ordinal of a corpus that has sums, in order, with where
// these are, until it says no.
func (s *scratch) ordinals(c *gathered, yield func(ordinal, at int32) bool) {
	last := c.first + int32(c.order.Ordinals)
	for n := c.first >> 6; n<<6 < last; n++ {
		for b, at := s.touched[n], s.below[n]; b != 0; b, at = b&(b-1), at+1 {
			ordinal := n<<6 + int32(bits.TrailingZeros64(b))
			if ordinal >= c.first && ordinal < last && !yield(ordinal, at) {
				return
			}
		}
	}
}

// read reads where the wanted terms stand.
func (s *scratch) read(ctx context.Context, corpora []*index.Corpus, wanted []index.Term) error {
	s.wanted = wanted
	s.look()
	s.corpora = s.corpora[:min(cap(s.corpora), len(corpora))]
	for len(s.corpora) < len(corpora) {
		s.corpora = append(s.corpora, nil)
	}
	all := s.terms()
	ordinals, spans := int32(0), int32(0)
	for n, c := range corpora {
		if s.corpora[n] == nil {
			s.corpora[n] = new(gathered)
		}
		g := s.corpora[n]
		*g = gathered{Corpus: c, order: c.DocOrder(), first: ordinals, firstSpan: spans, postings: g.postings[:0], ends: g.ends[:0], kin: g.kin[:0], kinEnds: g.kinEnds[:0]}
		ordinals += int32(g.order.Ordinals)
		spans += int32(len(g.order.Spans))
		c.Prepare(all)
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
	s.touched = zeroed(s.touched, int(ordinals)/64+1)
	s.below = zeroed(s.below, int(ordinals)/64+1)
	for _, c := range s.corpora {
		for i, t := range wanted {
			s.touch(c, c.of(i), t.Form != index.Word)
		}
	}
	n := int32(0)
	for i, b := range s.touched {
		s.below[i] = n
		n += int32(bits.OnesCount64(b))
	}
	s.sums = zeroed(s.sums, int(n))
	s.marks = zeroed(s.marks, int(n))
	s.sessions = zeroed(s.sessions, int(spans))
	if cap(s.linked) < int(ordinals) {
		s.linked = make([]uint16, ordinals, int(ordinals)+int(ordinals)/4)
	}
	s.linked = s.linked[:cap(s.linked)]
	s.speaks = zeroed(s.speaks, len(wanted))
	return nil
}

// touch notes the ordinals that a term speaks for: those around one as well if it
// spreads.
func (s *scratch) touch(c *gathered, list []index.Posting, spreads bool) {
	span := 0
	for i := range list {
		ordinal := c.order.Ordinal(list[i].Doc)
		span = c.order.Span(ordinal, span)
		from, to := ordinal, ordinal+1
		if r := &c.order.Spans[span]; r.Turns && spreads {
			from, to = max(ordinal-2, r.From), min(ordinal+3, r.To)
		}
		for p := c.first + from; p < c.first+to; p++ {
			s.touched[p>>6] |= 1 << (p & 63)
		}
	}
}

// read appends the postings of a term to list, without what is gone.
func (g *gathered) read(ctx context.Context, list []index.Posting, t index.Term) ([]index.Posting, error) {
	if err := ctx.Err(); err != nil {
		return list, err
	}
	from := len(list)
	list, err := g.AppendPostings(list, t)
	if err != nil || g.order.Whole() {
		return list, err
	}
	there := slices.DeleteFunc(list[from:], func(p index.Posting) bool { return g.order.Ordinal(p.Doc) < 0 })
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
		documents += c.order.Count
		sessions += c.order.Sessions
	}
	s.whole, s.scale, s.sessionScale, s.asTyped, s.meant = 0, 0, 0, 0, 0
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
		weight := rarity(max(documents, fewItems), df)
		inSession := rarity(sessions, of)
		says := s.says[i]
		if t.Form == index.Word {
			s.asTyped += weight
		} else {
			s.whole += weight * says
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
			s.add(c, c.of(i), t.Form == index.Word, float32(weight*says), inSession)
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
		s.saturated[n] = float32(weight * saturation(float64(n), k1))
	}
}

// conversations are how many of them the documents of a list are of, of those that
// have it in a turn's text.
func (g *gathered) conversations(list []index.Posting) int {
	if !g.Rows.Turns() {
		return 0
	}
	n, last, span := 0, -1, 0
	for i := range list {
		p := &list[i]
		if p.Counts[index.FieldContent] == 0 {
			continue
		}
		span = g.order.Span(g.order.Ordinal(p.Doc), span)
		if g.order.Spans[span].Turns && span != last {
			n, last = n+1, span
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
			e := &s.sums[s.at(c.first+c.order.Ordinal(p.Doc))]
			e.words += s.times(p.Counts[index.FieldContent])
			e.tags += tagWords * s.times(p.Counts[index.FieldTags])
			if p.Counts[index.FieldContent]+p.Counts[index.FieldTags] > 0 {
				e.typed += weight
			}
		}
		return
	}
	inSpan, span := 0, -1              // how often the conversation has it
	near := 0                          // the span of the document before
	wide, around := int32(0), int32(0) // up to where it counts already
	for i := range list {
		p := &list[i]
		ordinal := c.order.Ordinal(p.Doc)
		e := &s.sums[s.at(c.first+ordinal)]
		e.stems += s.times(p.Counts[index.FieldContent])
		e.tags += s.times(p.Counts[index.FieldTags])
		if p.Counts[index.FieldContent]+p.Counts[index.FieldTags] > 0 {
			e.cover += weight
		}
		near = c.order.Span(ordinal, near)
		if !c.order.Spans[near].Turns {
			e.wide += weight
			continue
		}
		if near != span {
			s.inSession(c, span, inSpan, inSession)
			inSpan, span = 0, near
		}
		inSpan += int(p.Counts[index.FieldContent])
		r := &c.order.Spans[span]
		from, to := max(ordinal-2, r.From), min(ordinal+3, r.To)
		five := s.sums[s.at(c.first+from):][:to-from] // all of them are touched
		for k := max(from, wide); k < to; k++ {
			five[k-from].wide += weight
		}
		wide = to
		if p.Counts[index.FieldContent] > 0 {
			for k := max(from, around); k < to; k++ {
				five[k-from].around += weight
			}
			around = to
		}
	}
	s.inSession(c, span, inSpan, inSession)
}

func (s *scratch) inSession(c *gathered, span int, times int, weight float64) {
	if times > 0 {
		s.sessions[int(c.firstSpan)+span] += float32(weight * saturation(float64(times), k1Session))
	}
}

func plus(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }

// mark marks the turns of those whose name has the term i.
func (s *scratch) mark(i int, bits uint8) {
	for _, c := range s.corpora {
		for _, p := range c.of(i) {
			if p.Counts[index.FieldSpeaker] > 0 {
				s.marks[s.at(c.first+c.order.Ordinal(p.Doc))] |= bits
			}
		}
	}
}

// markAll marks, with the bit all, the documents that have each of those terms.
func (s *scratch) markAll(terms []int) {
	for n, i := range terms {
		for _, c := range s.corpora {
			for _, p := range c.of(i) {
				if p.Counts[index.FieldContent]+p.Counts[index.FieldTags] == 0 {
					continue
				}
				if m := &s.marks[s.at(c.first+c.order.Ordinal(p.Doc))]; int(*m>>countedFrom) == n {
					*m += 1 << countedFrom
				}
			}
		}
	}
}

// brief is how brief a text of so many words is.
func (s *scratch) brief(words int32) float64 {
	if int(words) < len(s.briefs) {
		return s.briefs[words]
	}
	return briefOf(words)
}
