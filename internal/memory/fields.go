package memory

import (
	"fmt"
	"slices"

	"ken/internal/jsonl"
)

// A field is a name that this version knows on a line.
type field uint8

const (
	fieldUnknown field = iota
	fieldID
	fieldTime
	fieldKind
	fieldContent
	fieldTarget
	fieldTargets
	fieldKey
	fieldScope
	fieldTags
	fieldSource
	fieldOrigin
	fieldBy
	fieldReview
	fieldPhase
	fieldTier
	fieldImportance
	fieldPinned
	fieldExpires
	fieldValidFrom
	fieldValidTo
	fieldSupersedes
	fieldCites
	fieldSubtype
	fieldMatch
	fieldUnless
	fieldRaise
	fieldReason
	fieldSessions
)

// fieldOf returns the field of that name. Case counts.
func fieldOf(name string) field {
	switch name {
	case "id":
		return fieldID
	case "ts":
		return fieldTime
	case "kind":
		return fieldKind
	case "content":
		return fieldContent
	case "target":
		return fieldTarget
	case "targets":
		return fieldTargets
	case "key":
		return fieldKey
	case "scope":
		return fieldScope
	case "tags":
		return fieldTags
	case "source":
		return fieldSource
	case "origin":
		return fieldOrigin
	case "by":
		return fieldBy
	case "review":
		return fieldReview
	case "phase":
		return fieldPhase
	case "tier":
		return fieldTier
	case "importance":
		return fieldImportance
	case "pinned":
		return fieldPinned
	case "expires":
		return fieldExpires
	case "valid_from":
		return fieldValidFrom
	case "valid_to":
		return fieldValidTo
	case "supersedes":
		return fieldSupersedes
	case "cites":
		return fieldCites
	case "subtype":
		return fieldSubtype
	case "match":
		return fieldMatch
	case "unless":
		return fieldUnless
	case "raise":
		return fieldRaise
	case "reason":
		return fieldReason
	case "sessions":
		return fieldSessions
	}
	return fieldUnknown
}

// editable reports whether an edit line can set the field of its target, or
// clear it with null. The other fields are the edit line's own.
func (f field) editable() bool {
	switch f {
	case fieldUnknown, fieldKey, fieldScope, fieldTags, fieldPhase, fieldTier, fieldImportance, fieldPinned,
		fieldExpires, fieldValidFrom, fieldValidTo, fieldSupersedes, fieldCites, fieldSubtype,
		fieldMatch, fieldUnless, fieldRaise:
		return true
	}
	return false
}

// A fieldSet is a set of known fields.
type fieldSet uint64

func (s fieldSet) has(f field) bool { return s&(1<<f) != 0 }

// needed reports whether a wrong value of f makes the line unreadable.
func (f field) needed() bool { return f == fieldID || f == fieldKind || f == fieldContent }

// field reads one field. Only a wrong id, kind or content is an error; any
// other wrong value is noted and ignored.
func (d *decoder) field(jf jsonl.Field) error {
	f := fieldOf(string(jf.Name))
	if f == fieldUnknown {
		d.extra(jf)
		return nil
	}
	if d.seen.has(f) {
		d.twice = true
		return nil
	}
	d.seen |= 1 << f
	v := jf.Value
	switch {
	case v.Null() && !f.needed():
		if f.editable() {
			d.clear(string(jf.Name))
		}
		return nil
	case !d.value(f, v):
		wrong := fmt.Sprintf("want %s, got %s", f.wants(), show(v))
		if f.needed() {
			return fmt.Errorf("%s: %s", jf.Name, wrong)
		}
		d.note(jf.Name, wrong+"; ignored")
	case v.Lossy():
		d.note(jf.Name, "holds bytes that are no text, read as U+FFFD")
	}
	return nil
}

// value reads the value of a known field and reports whether it is fit for it.
func (d *decoder) value(f field, v jsonl.Value) (ok bool) {
	r := &d.rec
	switch f {
	case fieldID:
		return readCount(v, MaxID, &r.ID.N)
	case fieldTime:
		return readTime(v, &r.Time)
	case fieldKind:
		return readKind(v, &r.Kind)
	case fieldContent:
		r.Content, ok = v.Text()
		return ok
	case fieldTarget:
		return readID(v, &r.Target)
	case fieldTargets:
		return d.ids(v, &r.Targets, "targets")
	case fieldKey:
		return readText(d, v, &r.Key, "key")
	case fieldScope:
		return readText(d, v, &r.Scope, "scope")
	case fieldTags:
		return d.texts(v, &r.Tags, "tags")
	case fieldSource:
		return d.source(v)
	case fieldOrigin:
		return d.origin(v)
	case fieldBy:
		r.By, ok = v.Text()
		return ok
	case fieldReview:
		return readCount(v, MaxID, &r.Review)
	case fieldReason:
		r.Reason, ok = v.Text()
		return ok
	case fieldSessions:
		return d.texts(v, &r.Sessions, "sessions")
	}
	return d.settled(f, v)
}

// settled is value for the fields that say how an item stands and holds.
func (d *decoder) settled(f field, v jsonl.Value) (ok bool) {
	r := &d.rec
	switch f {
	case fieldPhase:
		return readWord(v, &r.Phase, PhaseEphemeral, PhaseFluid, PhaseStabilized, PhaseRigid)
	case fieldTier:
		return readWord(v, &r.Tier, TierHot, TierArchive)
	case fieldImportance:
		return readCount(v, 10, &r.Importance)
	case fieldPinned:
		if r.Pinned, ok = v.Bool(); ok && !r.Pinned {
			d.clear("pinned")
		}
		return ok
	case fieldExpires:
		return readTime(v, &r.Expires)
	case fieldValidFrom:
		return readTime(v, &r.ValidFrom)
	case fieldValidTo:
		return readTime(v, &r.ValidTo)
	case fieldSupersedes:
		return d.ids(v, &r.Supersedes, "supersedes")
	case fieldCites:
		return d.ids(v, &r.Cites, "cites")
	case fieldSubtype:
		return readText(d, v, &r.Subtype, "subtype")
	case fieldMatch:
		return d.texts(v, &r.Match, "match")
	case fieldUnless:
		return readText(d, v, &r.Unless, "unless")
	case fieldRaise:
		return readText(d, v, &r.Raise, "raise")
	}
	return false
}

// wants says what the value of f should have been.
func (f field) wants() string {
	switch f {
	case fieldID, fieldReview:
		return "a whole number from 1 to 2^53-1"
	case fieldTime, fieldExpires, fieldValidFrom, fieldValidTo:
		return "a time like 2026-05-13T19:01:01Z"
	case fieldTarget:
		return "a reference like 3 or \"laptop-7f3a/3\""
	case fieldTargets, fieldSupersedes, fieldCites:
		return "references like 3 or \"laptop-7f3a/3\""
	case fieldTags, fieldMatch, fieldSessions:
		return "a list of strings"
	case fieldPhase:
		return "ephemeral, fluid, stabilized or rigid"
	case fieldTier:
		return "hot or archive"
	case fieldImportance:
		return "a whole number from 1 to 10"
	case fieldPinned:
		return "true or false"
	case fieldSource:
		return "an object"
	}
	return "a string"
}

// show tells a wrong value for a message: short ones as they stand.
func show(v jsonl.Value) string {
	switch v.Type() {
	case "array", "object":
		return "an " + v.Type()
	}
	return clip(string(v))
}

// clear remembers that an edit line removes the field of that name.
func (d *decoder) clear(name string) { d.rec.Clear = append(d.rec.Clear, name) }

// extra keeps a field that this version does not know. Its name and value are
// copied: the line is the caller's.
func (d *decoder) extra(jf jsonl.Field) {
	if !d.distinct {
		known := func(f Field) bool { return f.Name == string(jf.Name) }
		if len(d.rec.Extra) >= manyExtra || slices.ContainsFunc(d.rec.Extra, known) {
			d.twice = true
			return
		}
	}
	if string(jf.Name) == "meta" {
		d.meta = jf.Value
	}
	d.rec.Extra = append(d.rec.Extra, Field{Name: string(jf.Name), Value: slices.Clone([]byte(jf.Value))})
}
