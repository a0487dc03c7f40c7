package memory

import (
	"slices"
	"time"
)

// shape applies the lines that change fields of items.
func (s *State) shape() {
	for i := range s.changes {
		c := &s.changes[i]
		if !c.rec.shapes() || !s.counts(c) {
			continue
		}
		for t := range s.targets(c.rec, c.spot.src) {
			if item := s.names[t].item; item >= 0 && s.mayShape(c, &s.nodes[item]) {
				s.formOf(&s.nodes[item]).apply(c.rec, s.logs[c.spot.src].Ceiling)
			}
		}
	}
}

// shapes reports whether r is a line that changes fields of an item.
func (r *Record) shapes() bool {
	switch r.Kind {
	case KindEdit, KindPin, KindUnpin:
		return true
	case KindPhase:
		return r.Phase != ""
	case KindTier:
		return r.Tier != ""
	}
	return false
}

// mayShape reports whether c may change the item: what a rule says changes
// only by the user's own act.
func (s *State) mayShape(c *change, nd *node) bool {
	return c.rec.Kind != KindEdit || nd.entry.Record.Kind != KindRule ||
		s.logs[c.spot.src].limited() || c.rec.Origin.Rank() == 0 || c.rec.By == byUser
}

// formOf returns the form of an item, made from its line if it has none.
func (s *State) formOf(nd *node) *form {
	if nd.form < 0 {
		r := nd.entry.Record
		nd.form = int32(len(s.forms))
		s.forms = append(s.forms, form{
			rec:     r,
			origin:  r.Origin.Lowest(s.logs[nd.spot.src].Ceiling),
			changed: r.Time,
		})
	}
	return &s.forms[nd.form]
}

// record returns the current fields of an item.
func (s *State) record(nd *node) *Record {
	if nd.form >= 0 {
		return &s.forms[nd.form].rec
	}
	return &nd.entry.Record
}

// trust returns the origin of an item, and the human act that let it in.
func (s *State) trust(nd *node) (Origin, string) {
	l := &s.logs[nd.spot.src]
	r := s.record(nd)
	by := r.By
	if l.limited() {
		by = l.By
	}
	if nd.form >= 0 {
		return s.forms[nd.form].origin, by
	}
	return r.Origin.Lowest(l.Ceiling), by
}

// apply applies one line to the form.
func (f *form) apply(c *Record, ceiling Origin) {
	r := &f.rec
	switch c.Kind {
	case KindEdit:
		if r.By == "" && r.Origin.Rank() == 0 {
			// The item lives by what let the edit in as well.
			r.By, r.Review = c.By, c.Review
		}
		f.origin = f.origin.Lowest(c.Origin.Lowest(ceiling))
		f.edited = true
		r.edit(c)
	case KindPhase:
		set(&r.Phase, c.Phase)
	case KindTier:
		set(&r.Tier, c.Tier)
	case KindPin:
		r.Pinned = true
	case KindUnpin:
		r.Pinned = false
	}
	r.normalise()
	set(&f.changed, c.Time)
}

// set replaces *dst unless v is zero.
func set[T comparable](dst *T, v T) {
	var zero T
	if v != zero {
		*dst = v
	}
}

func setList[T any](dst *[]T, v []T) {
	if len(v) > 0 {
		*dst = v
	}
}

// edit replaces the fields that e, an edit line, names.
func (r *Record) edit(e *Record) {
	set(&r.Content, e.Content)
	set(&r.Key, e.Key)
	set(&r.Scope, e.Scope)
	setList(&r.Tags, e.Tags)
	set(&r.Phase, e.Phase)
	set(&r.Tier, e.Tier)
	set(&r.Importance, e.Importance)
	set(&r.Pinned, e.Pinned)
	set(&r.Expires, e.Expires)
	set(&r.ValidFrom, e.ValidFrom)
	set(&r.ValidTo, e.ValidTo)
	setList(&r.Supersedes, e.Supersedes)
	setList(&r.Cites, e.Cites)
	set(&r.Subtype, e.Subtype)
	setList(&r.Match, e.Match)
	set(&r.Unless, e.Unless)
	set(&r.Raise, e.Raise)
	for _, name := range e.Clear {
		r.clear(name)
	}
	for _, x := range e.Extra {
		r.setExtra(x)
	}
}

// clear removes the field of that name.
func (r *Record) clear(name string) {
	switch fieldOf(name) {
	case fieldKey:
		r.Key = ""
	case fieldScope:
		r.Scope = ""
	case fieldTags:
		r.Tags = nil
	case fieldPhase:
		r.Phase = ""
	case fieldTier:
		r.Tier = ""
	case fieldImportance:
		r.Importance = 0
	case fieldPinned:
		r.Pinned = false
	case fieldExpires:
		r.Expires = time.Time{}
	case fieldValidFrom:
		r.ValidFrom = time.Time{}
	case fieldValidTo:
		r.ValidTo = time.Time{}
	case fieldSupersedes:
		r.Supersedes = nil
	case fieldCites:
		r.Cites = nil
	case fieldSubtype:
		r.Subtype = ""
	case fieldMatch:
		r.Match = nil
	case fieldUnless:
		r.Unless = ""
	case fieldRaise:
		r.Raise = ""
	case fieldUnknown:
		r.Extra = slices.DeleteFunc(slices.Clone(r.Extra), func(f Field) bool { return f.Name == name })
	}
}

// setExtra sets a field that this version does not know. The list is shared
// with the line it was read from: it is copied first.
func (r *Record) setExtra(x Field) {
	r.Extra = slices.Clone(r.Extra)
	for i := range r.Extra {
		if r.Extra[i].Name == x.Name {
			r.Extra[i] = x
			return
		}
	}
	r.Extra = append(r.Extra, x)
}

// normalise leaves defaults out of a stating record.
func (r *Record) normalise() {
	if r.Scope == ScopeUser {
		r.Scope = ""
	}
	if r.Importance == DefaultImportance {
		r.Importance = 0
	}
	if r.Tier == TierHot {
		r.Tier = ""
	}
	if r.Phase == r.Kind.DefaultPhase() {
		r.Phase = ""
	}
}
