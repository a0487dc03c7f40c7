package recall

import (
	"math"
	"slices"

	"ken/internal/dates/said"
	"ken/internal/index"
	"ken/internal/memory"
)

// A ranking is one question over what was gathered for it.
type ranking struct {
	*scratch
	q *Question
	asked
	keyword bool // one word is asked for
	named   int  // how many identifiers it has
}

// The bits of a mark: who spoke, as the question sees it, and from countedFrom on how many of its
// identifiers the document has.
const (
	isNamed     = 1 << 0 // the question names them
	isSubject   = 1 << 1 // and asks about them
	countedFrom = 2
	// mostIdentifiers is how many are counted.
	mostIdentifiers = 1<<(8-countedFrom) - 1
)

// identifiers marks the documents that have all identifiers of the question.
func (r *ranking) identifiers() {
	var list []int
	for _, id := range index.Identifiers(r.q.Text) {
		if i := slices.Index(r.wanted, id); i >= 0 && len(list) < mostIdentifiers {
			list = append(list, i)
		}
	}
	r.named = len(list)
	r.markAll(list)
}

// speakers marks the turns of those whom the question names.
func (r *ranking) speakers() {
	about := ""
	for _, word := range r.Subjects {
		for i, t := range r.wanted {
			if t.Form == index.Word && t.Text == word && r.speaks[i] {
				about = word
			}
		}
		if about != "" {
			break
		}
	}
	for i, t := range r.wanted {
		if t.Form == index.Word && r.speaks[i] {
			bits := uint8(isNamed)
			if t.Text == about {
				bits |= isSubject
			}
			r.mark(i, bits)
		}
	}
	for i, link := range r.links { // "Mike", if it is Michael who spoke
		if !r.speaks[link.of] {
			r.markLink(i)
		}
	}
}

// turnsFloor is the least share of the weight of the question that a turn must
// have with its neighbours: infinite if no turn has enough.
func (r *ranking) turnsFloor() float64 {
	enough := float32(Enough * r.whole)
	found := false
	for _, c := range r.corpora {
		span := 0
		r.ordinals(c, func(ordinal, at int32) bool {
			if r.sums[at].wide < enough {
				return true
			}
			span = c.order.Span(ordinal-c.first, span)
			found = c.order.Spans[span].Turns && (r.q.Keep == nil || r.q.Keep(c.Corpus, c.Rows.At(c.order.Doc(ordinal-c.first))))
			return !found
		})
		if found {
			return floorTurn * r.whole
		}
	}
	return math.Inf(1)
}

// row returns what is known of a document that has those sums, as far as its score needs it. It
// reads the text of a turn. It reads the text of an item only if the question asks for a time or a
// place, or has keywords that the item has.
func (r *ranking) row(c *gathered, doc, at int32, span int, room *index.Row) *index.Row {
	if c.order.Spans[span].Turns || len(r.Dates) > 0 || r.For != 0 || r.Keywords && !r.single() && r.hasEvery(at) {
		return c.Rows.At(doc)
	}
	return c.Rows.Known(doc, room)
}

// single reports whether one word is asked for that is no identifier.
func (r *ranking) single() bool { return r.meant < 2 && r.named == 0 }

// hasEvery reports whether a document has all words of the question.
func (r *ranking) hasEvery(at int32) bool { return float64(r.sums[at].cover) >= everyShare*r.whole }

// score is the sum of the parts of f, from the first to the last. They are put into
// values if that is not nil.
func (r *ranking) score(f *match, values *[numParts]float64) float64 {
	var v [numParts]float64
	w := r.q.Weights
	c := r.corpora[f.corpus]
	var room index.Row
	row := r.row(c, f.doc, f.at, f.span, &room)
	s := &r.sums[f.at]
	one := 1 / r.scale
	v[words] = w[words] * float64(s.words) * one
	v[stems] = w[stems] * float64(s.stems) * one
	v[tags] = w[tags] * float64(s.tags) * one
	v[coverage] = w[coverage] * float64(s.cover) / r.whole
	v[related] = w[related] * float64(s.related) * one
	r.wordsFirst(s, f.at, row, &v)
	if len(r.Dates) > 0 && row.Time != index.NoTime {
		day := int32(math.Floor(float64(row.Time) / 86400))
		v[date] = w[date] * r.onDate(said.Days{From: day, To: day})
		v[about] = w[about] * r.onDate(row.Days)
	}
	if row.Flags&r.For != 0 {
		v[when] = w[when]
	}
	if row.Flags&index.Turn != 0 {
		r.turn(f, c, row, &v)
	} else {
		r.item(f, c, row, &v)
	}
	f.share = 0
	if row.Flags&(index.Turn|index.Command) == 0 {
		f.share = v[words] + v[stems] + v[tags] + v[coverage] + v[alone]
		v[use] = w[use] * f.share * f.used
	}
	sum := 0.0
	for _, x := range v[:archive] {
		sum += x
	}
	if row.Flags&index.Archived != 0 && row.Flags&index.Pinned == 0 {
		v[archive] = w[archive] * sum
		sum += v[archive]
	}
	if values != nil {
		*values = v
	}
	return sum
}

// wordsFirst adds what puts the words themselves before what borrows them from its
// neighbours. A question is no list of words: most turns that answer one have few of them.
func (r *ranking) wordsFirst(s *sums, at int32, row *index.Row, v *[numParts]float64) {
	w := r.q.Weights
	if r.single() {
		return // what has not the one word is no hit
	}
	if r.named > 0 && int(r.marks[at]>>countedFrom) == r.named {
		v[every] = w[every]
	}
	if !r.Keywords {
		return
	}
	if r.asTyped > 0 { // 0 where single characters were typed
		share := float64(s.typed) / r.asTyped
		share *= share
		v[typed] = w[typed] * share * share
	}
	if r.hasEvery(at) {
		v[every] = w[every]
		v[brief] = w[brief] * r.brief(row.Words)
	}
}

// turn adds the parts of a turn of a conversation.
func (r *ranking) turn(f *match, c *gathered, row *index.Row, v *[numParts]float64) {
	w := r.q.Weights
	s := &r.sums[f.at]
	one := 1 / r.scale
	v[around] = w[around] * float64(s.around) / r.whole
	ordinal := f.ordinal - c.first
	n := c.order.Span(ordinal, f.span)
	span := &c.order.Spans[n]
	inSession := float64(r.sessions[int(c.firstSpan)+n])
	v[session] = w[session] * inSession / r.sessionScale
	if r.Several {
		v[several] = w[several] * inSession / r.sessionScale
	}
	if ordinal > span.From {
		share := float64(r.stemsAt(f.ordinal-1)) * one // of the turn before
		if share > 0 && c.Rows.At(c.order.Doc(ordinal-1)).Flags&index.Question != 0 {
			v[answers] = w[answers] * share * share
		}
		if r.How {
			v[reply] = w[reply] * share
		}
		if r.For&index.When != 0 {
			v[echo] = w[echo] * share
		}
	}
	if m := r.marks[f.at]; m&isNamed != 0 {
		v[speaker] = w[speaker]
		if m&isSubject != 0 {
			v[subject] = w[subject]
		}
	}
	if r.Who && row.Flags&index.Named != 0 {
		v[name] = w[name]
	}
	if row.Flags&index.Question != 0 {
		v[question] = w[question]
	}
}

// item adds the parts of what is no turn.
func (r *ranking) item(f *match, c *gathered, row *index.Row, v *[numParts]float64) {
	w := r.q.Weights
	e := &r.sums[f.at]
	v[alone] = w[alone] * float64(e.stems+aloneRelated*e.related) / r.scale
	if row.Flags&index.Command != 0 {
		return
	}
	share := v[words] + v[stems] + v[tags] + v[coverage] + v[alone]
	if name := c.Name(row.Scope); r.q.Holds != nil && name != string(memory.ScopeUser) && r.q.Holds(name) {
		v[scope] = w[scope] * share
	}
	if memory.Kind(c.Name(row.Kind)).Is(memory.Guides) {
		v[kind] = w[kind] * share
	}
	switch {
	case row.Flags&index.Rigid != 0:
		v[phase] = w[phase] * share
	case row.Flags&index.Stabilized != 0:
		v[phase] = w[phase] * share / 2
	}
	if row.Flags&index.Pinned != 0 {
		v[pinned] = w[pinned] * share
	}
	if row.Importance != 0 {
		v[importance] = w[importance] * share * (float64(row.Importance) - memory.DefaultImportance) / (10 - memory.DefaultImportance)
	}
	if row.Time != index.NoTime && !r.q.At.IsZero() {
		v[recency] = w[recency] * share * fading(r.q.At.Unix()-row.Time, recencyHalf)
	}
}

// fading returns how much an age in seconds counts: 1 for something new, a half after half days.
func fading(age int64, half float64) float64 {
	const day = 24 * 60 * 60
	return math.Exp2(-max(float64(age), 0) / day / half)
}

// briefOf is how brief a text of so many words is, from 0 to 1.
func briefOf(words int32) float64 { return max(0, 1-math.Log1p(float64(words))/longText) }
