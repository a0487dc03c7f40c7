package index

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"ken/internal/dates/said"
	"ken/internal/memory"
)

// A Scan is a Reader that holds the documents themselves. It reads all texts
// once, when it is made.
type Scan struct {
	docs []Document
	// places are, by chunk, where it stands: one for each time, in the order of the
	// documents.
	places [][]place
	// chunksOf gives the chunks that a term is in, by their number.
	chunksOf map[Term][]int32
}

// A place is where a chunk stands.
type place struct {
	doc   int32
	field Field
}

var _ Reader = (*Scan)(nil)

// NewScan returns the corpus of docs.
func NewScan(docs iter.Seq[Document]) *Corpus {
	s := &Scan{chunksOf: make(map[Term][]int32)}
	c := &Corpus{Reader: s}
	names := make(map[string]int32)
	numbers := make(map[string]int32) // of chunks
	words := make([]int32, 0, 1024)   // by chunk: how many it counts as
	var rows []Row                    // without what is read off the texts
	turns := false
	for d := range docs {
		doc, n := int32(len(s.docs)), int32(0)
		for f := range Fields {
			d.field(f, func(text string) {
				chunks(text, func(chunk string) {
					i, ok := numbers[chunk]
					if !ok {
						i = int32(len(s.places))
						chunk = strings.Clone(chunk) // not all of the text with it
						numbers[chunk] = i
						list := terms(chunk)
						for _, t := range list {
							// A term that a chunk has twice counts twice.
							s.chunksOf[t] = append(s.chunksOf[t], i)
						}
						s.places, words = append(s.places, nil), append(words, wordsIn(list))
					}
					s.places[i] = append(s.places[i], place{doc, f})
					if f == FieldContent {
						n += words[i]
					}
				})
			})
		}
		s.docs = append(s.docs, d)
		rows = append(rows, d.known(n, func(name string) int32 {
			i, ok := names[name]
			if !ok {
				i = int32(len(c.Names))
				names[name] = i
				c.Names = append(c.Names, name)
			}
			return i
		}))
		turns = turns || d.In == Sessions
	}
	c.Rows = ReadRows(len(rows), nil, func() (bool, error) { return turns, nil }, func(first int, to []Row) error {
		for i := range to {
			to[i] = rows[first+i]
			s.docs[first+i].read(&to[i])
		}
		return nil
	})
	return c
}

// wordsIn is how many words the terms of a chunk are: a name of several parts
// counts by these.
func wordsIn(list []Term) int32 {
	var n int32
	for _, t := range list {
		if t.Form == Stem {
			n++
		}
	}
	return max(n, 1)
}

// Row is what is known of d without its text, of which the caller has counted the
// words. number gives a name its number.
func (d *Document) Row(words int32, number func(string) int32) Row {
	r := d.known(words, number)
	d.read(&r)
	return r
}

// known is as much of a row as is known without reading the text.
func (d *Document) known(words int32, number func(string) int32) Row {
	r := Row{
		Time: NoTime, Scope: -1, Kind: number(d.Kind), Session: -1, Speaker: -1, Words: words,
		Importance: uint8(min(max(d.Importance, 0), math.MaxUint8)),
	}
	if !d.Time.IsZero() {
		r.Time = d.Time.Unix()
	}
	if d.Scope != "" {
		r.Scope = number(d.Scope)
	}
	switch d.In {
	case Sessions:
		r.Flags |= Turn
		if d.Session != "" {
			r.Session = number(d.Session)
		}
		r.Speaker = number(cmp.Or(d.Speaker, d.Kind))
	case Commands:
		r.Flags |= Command
	}
	r.flag(Pinned, d.Pinned)
	r.flag(Archived, d.Archived)
	r.flag(Stabilized, d.Phase == memory.PhaseStabilized)
	r.flag(Rigid, d.Phase == memory.PhaseRigid)
	return r
}

func (r *Row) flag(f Flags, on bool) {
	if on {
		r.Flags |= f
	}
}

// read adds to a row of d what its text says.
func (d *Document) read(r *Row) {
	// What is told of a picture may stand behind the question.
	at := strings.LastIndexByte(d.Content, '?')
	r.flag(Question, at >= 0 && at >= len(d.Content)/2)
	m := said.Read(d.Content, d.Time)
	r.flag(When, m.When)
	r.flag(Lasting, m.Lasting)
	r.flag(Place, m.Place)
	r.Days = m.Days
}

// field yields the texts of field f.
func (d *Document) field(f Field, yield func(string)) {
	switch f {
	case FieldContent:
		yield(d.Content)
	case FieldTags:
		for _, tag := range d.Tags {
			yield(tag)
		}
		yield(d.Key)
	case FieldSpeaker:
		yield(d.Speaker)
	}
}

// Count calls yield for each term of d with how often each field has it, in no
// order, and returns how many words the content has.
func (d *Document) Count(yield func(Term, [Fields]uint16)) (words int32) {
	counts := make(map[Term][Fields]uint16)
	for f := range Fields {
		d.field(f, func(text string) {
			chunks(text, func(chunk string) {
				list := terms(chunk)
				for _, t := range list {
					n := counts[t]
					n[f] = plus(n[f])
					counts[t] = n
				}
				if f == FieldContent {
					words += wordsIn(list)
				}
			})
		})
	}
	for t, n := range counts {
		yield(t, n)
	}
	return words
}

func plus(n uint16) uint16 { return min(n, math.MaxUint16-1) + 1 }

// AppendPostings implements Reader. There is no error.
func (s *Scan) AppendPostings(list []Posting, t Term) ([]Posting, error) {
	first := len(list)
	of := s.chunksOf[t]
	for _, chunk := range of {
		for _, p := range s.places[chunk] {
			if last := len(list) - 1; last >= first && list[last].Doc == p.doc {
				list[last].Counts[p.field] = plus(list[last].Counts[p.field])
				continue
			}
			list = append(list, Posting{Doc: p.doc})
			list[len(list)-1].Counts[p.field]++
		}
	}
	if len(of) < 2 {
		return list, nil
	}
	return united(list, first), nil
}

// united makes one posting of those of a document, in the order of documents, from
// number first of a list on.
func united(list []Posting, first int) []Posting {
	found := list[first:]
	slices.SortFunc(found, func(a, b Posting) int { return cmp.Compare(a.Doc, b.Doc) })
	n := 0
	for i := range found {
		if n > 0 && found[n-1].Doc == found[i].Doc {
			for f := range Fields {
				sum := uint32(found[n-1].Counts[f]) + uint32(found[i].Counts[f])
				found[n-1].Counts[f] = uint16(min(sum, math.MaxUint16))
			}
			continue
		}
		found[n] = found[i]
		n++
	}
	return list[:first+n]
}

// Terms are all terms that a document has, each once, in no order.
func (s *Scan) Terms() []Term { return slices.Collect(maps.Keys(s.chunksOf)) }

// Document implements Reader. There is no error.
func (s *Scan) Document(doc int32) (*Document, error) { return &s.docs[doc], nil }
