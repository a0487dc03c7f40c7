package recall

import (
	"math"

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
}

// named marks the turns of those whom the question names: bit 0 who is named,
// bit 1 whom it asks about.
func (r *ranking) named() {
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
			bits := uint8(1)
			if t.Text == about {
				bits |= 2
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

// score is the sum of the parts of f, from the first to the last. They are put into
// values if that is not nil.
func (r *ranking) score(f *match, values *[numParts]float64) float64 {
	var v [numParts]float64
	w := r.q.Weights
	c := r.corpora[f.corpus]
	row := c.Rows.At(f.doc)
	s := &r.sums[f.at]
	one := 1 / r.scale
	v[words] = w[words] * float64(s.words) * one
	v[stems] = w[stems] * float64(s.stems) * one
	v[tags] = w[tags] * float64(s.tags) * one
	v[coverage] = w[coverage] * float64(s.cover) / r.whole
	v[related] = w[related] * float64(s.related) * one
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

// turn adds the parts of a turn of a conversation.
func (r *ranking) turn(f *match, c *gathered, row *index.Row, v *[numParts]float64) {
	w := r.q.Weights
	s := &r.sums[f.at]
	one := 1 / r.scale
	v[around] = w[around] * float64(s.around) / r.whole
	ordinal := f.ordinal - c.first
	n := c.order.Span(ordinal, f.span)
	span := &c.order.Spans[n]
	v[session] = w[session] * float64(r.sessions[int(c.firstSpan)+n]) / r.sessionScale
	if ordinal > span.From {
		before := c.order.Doc(ordinal - 1)
		if c.Rows.At(before).Flags&index.Question != 0 {
			share := float64(r.stemsAt(f.ordinal-1)) * one
			v[answers] = w[answers] * share * share
		}
	}
	if m := r.marks[f.at]; m != 0 {
		v[speaker] = w[speaker]
		if m&2 != 0 {
			v[subject] = w[subject]
		}
	}
	if row.Flags&index.Question != 0 {
		v[question] = w[question]
	}
	v[length] = w[length] * r.lengthOf(row.Words)
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
	switch memory.Kind(c.Name(row.Kind)) {
	case memory.KindRule, memory.KindPref, memory.KindConvention, memory.KindGoal, memory.KindLesson, memory.KindRetro:
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

// fading is what something of that age in seconds is worth: 1 if it is new, half of
// it after half days.
func fading(age int64, half float64) float64 {
	const day = 24 * 60 * 60
	return math.Exp2(-max(float64(age), 0) / day / half)
}

// lengthOf is what a turn of so many words is worth.
func lengthOf(words int32) float64 { return math.Log1p(float64(words)) / longTurn }
