package memory

import (
	"reflect"
	"slices"
	"time"
)

// A form is what an item has become by lines that change its fields.
type form struct {
	rec     Record
	origin  Origin
	changed time.Time
	edited  bool
	was     []string // the texts that edits took the place of
}

// shape applies the lines that change fields of items.
func (s *State) shape() {
	for i := range s.changes {
		c := &s.changes[i]
		r := c.rec
		switch {
		case r.Kind == KindEdit, r.Kind == KindPin, r.Kind == KindUnpin:
		case r.Kind == KindPhase && r.Details().Phase != "", r.Kind == KindTier && r.Details().Tier != "":
		default:
			continue
		}
		for _, t := range c.targets {
			item := s.names[t].item
			if item < 0 || !s.counts(c) {
				continue
			}
			nd, l := &s.nodes[item], &s.logs[c.spot.src]
			if r.Kind == KindEdit && s.entry(nd.spot).Record.Kind == KindRule && !l.limited() && !admitted(KindRule, r.Origin, r.By) {
				continue
			}
			if nd.form == nil {
				rec := *s.entry(nd.spot).Record
				nd.form = &form{rec: rec, origin: rec.Origin.Lowest(s.logs[nd.spot.src].Ceiling), changed: rec.Time}
			}
			nd.form.apply(r, r.Origin.Lowest(l.Ceiling))
		}
	}
}

// apply applies one line of that origin.
func (f *form) apply(c *Record, origin Origin) {
	r := &f.rec
	r.ownDetail()
	switch c.Kind {
	case KindEdit:
		if r.By == "" && r.Origin.Rank() == 0 {
			r.By, r.Review = c.By, c.Review // it lives by what let the edit in as well
		}
		f.origin, f.edited = f.origin.Lowest(origin), true
		before := r.Content
		if r.edit(*c); r.Content != before {
			f.was = append(f.was, before)
		}
	case KindPhase:
		r.Detail.Phase = c.Details().Phase
	case KindTier:
		r.Detail.Tier = c.Details().Tier
	default:
		r.Pinned = c.Kind == KindPin
	}
	r.normalise()
	if !r.Detail.says() {
		r.Detail = nil
	}
	if !c.Time.IsZero() {
		f.changed = c.Time
	}
}

// edit replaces the fields that e, an edit line, names. What r shares with the
// line it was read from is not touched.
func (r *Record) edit(e Record) {
	changes := e.ownDetail()
	from, to := e.slots(), r.slots()
	for i := range from {
		if v := reflect.ValueOf(from[i].place).Elem(); from[i].edit && !v.IsZero() {
			reflect.ValueOf(to[i].place).Elem().Set(v)
		}
	}
	extra := slices.Clone(r.Detail.Extra)
	for _, name := range changes.Clear {
		if to := find(to[:], name); to != nil && to.edit {
			reflect.ValueOf(to.place).Elem().SetZero()
		}
		extra = slices.DeleteFunc(extra, func(f Field) bool { return f.Name == name })
	}
	for _, f := range changes.Extra {
		i := slices.IndexFunc(extra, func(old Field) bool { return old.Name == f.Name })
		if i < 0 {
			extra = append(extra, f)
		} else {
			extra[i] = f
		}
	}
	r.Detail.Extra = extra
}

// record returns the current fields of an item.
func (s *State) record(nd *node) *Record {
	if nd.form != nil {
		return &nd.form.rec
	}
	return s.entry(nd.spot).Record
}

// trust returns the origin of an item, and the human act that let it in.
func (s *State) trust(nd *node) (Origin, string) {
	l, r := &s.logs[nd.spot.src], s.record(nd)
	origin, by := r.Origin.Lowest(l.Ceiling), r.By
	if nd.form != nil {
		origin = nd.form.origin
	}
	if l.limited() {
		by = l.By
	}
	return origin, by
}
