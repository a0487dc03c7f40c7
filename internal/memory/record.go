package memory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxContent is the largest content that ken writes, in bytes.
const MaxContent = 64 << 10

// MaxLine is the largest line that is read, in bytes without its line end. A
// longer line is kept and counts as one that cannot be read.
const MaxLine = 1 << 20

// DefaultImportance is the importance of an item whose line gives none.
const DefaultImportance = 5

// A Record is one line of a log. The zero value of every optional field means
// that the line does not have it, and AppendJSON leaves it out.
type Record struct {
	ID      ID        // N == 0 and Hash != "": the line was written without an id
	Time    time.Time // "ts", UTC
	Kind    Kind      // never empty of a line that was read; a missing kind is KindFact
	Content string

	Target ID // of a changing line; ID.Log set if it lies in another log

	Key        string
	Scope      Scope
	Tags       []string
	Source     *Source
	Origin     Origin
	By         string // the human act that made the line active: "user", "trust:<digest>", "policy:<name>"
	Review     int64  // the decision in review.jsonl that By rests on; 0 = none
	Importance int    // 1..10; 0 = not given, read as 5
	Pinned     bool   // of a stating line

	// Detail holds the fields that few lines have; nil if the line has none of
	// them. Details reads it.
	Detail *Detail
}

// Generalisation is the Subtype of a pattern or a convention that goes beyond the words of what it cites.
const Generalisation = "generalisation"

// Generalises reports whether a record says more than what it cites.
func (r *Record) Generalises() bool {
	d := r.Details()
	return d.Subtype == Generalisation && len(d.Cites) > 0
}

// A Detail is the part of a Record that few lines have: it stands apart so that
// the many others stay small in memory.
type Detail struct {
	Targets    []ID // of forget, tier, phase, pin, unpin and undo
	Phase      Phase
	Tier       Tier
	Expires    time.Time
	ValidFrom  time.Time
	ValidTo    time.Time
	Supersedes []ID // one or several; written as one value when it is one
	Cites      []ID
	Subtype    string
	Match      []string // of a rule: argv words, "*" last
	Unless     string   // of a rule: a word or assignment that must be present
	Raise      string   // of a rule: "caution" or "danger"
	Reason     string   // of a changing line: free text
	Sessions   []string // of a forget by scope: sessions whose turns go with it
	Turns      []string // of a forget: turns that go with it, as "session:n"
	// After is, on an edit, phase, tier, pin or unpin line, the last line that changed
	// the item when it was written, if that stands in another log: this one follows it,
	// whatever the clocks say. See State.LastChange.
	After ID

	// Clear names the fields that an edit line sets to null.
	Clear []string
	// Extra holds the fields that this version does not know, in the order of
	// the line, values verbatim.
	Extra []Field
}

// Details returns the fields that few lines have, zero where r has none.
func (r *Record) Details() Detail {
	if r.Detail == nil {
		return Detail{}
	}
	return *r.Detail
}

// keyed is a field of an erased line. It says that the target is sealed.
const keyed = "keyed"

// Keyed reports whether the target of an erased line is sealed (see Seal): an older
// version left the name itself, a hash of what is gone.
func (r *Record) Keyed() bool {
	return r.Detail != nil && slices.ContainsFunc(r.Detail.Extra, func(f Field) bool { return f.Name == keyed && string(f.Value) == "true" })
}

// PointSealed gives r, an erased line, a sealed target. Records that share the Detail of r do not
// change.
func (r *Record) PointSealed(target ID) {
	if r.Target = target; !r.Keyed() {
		d := r.ownDetail()
		d.Extra = append(slices.Clone(d.Extra), Field{Name: keyed, Value: json.RawMessage("true")})
	}
}

// rollback is a field of the lines of a return to earlier rules, which makes all of them one
// version. Its value is the number of the version that was returned to.
const rollback = "rollback"

// RollBack marks r as a line of the return to that version of the rules. Records that share the
// Detail of r do not change.
func (r *Record) RollBack(version int) {
	d := r.ownDetail()
	d.Extra = append(slices.Clone(d.Extra), Field{Name: rollback, Value: strconv.AppendInt(nil, int64(version), 10)})
}

// Rollback returns the version of the rules that the line returns to; 0 if it is no such line.
func (r *Record) Rollback() int {
	if r == nil || r.Detail == nil {
		return 0
	}
	for _, f := range r.Detail.Extra {
		if f.Name == rollback {
			n, err := strconv.Atoi(string(bytes.TrimSpace(f.Value)))
			if err == nil && n > 0 {
				return n
			}
		}
	}
	return 0
}

// returns reports whether an undo is what a return to earlier rules is taken back by: it takes back
// earlier lines alone. One that holds what follows until the return is whole takes back later ones.
func (r *Record) returns() bool {
	if r.Rollback() == 0 {
		return false
	}
	for id := range r.targets {
		if id.Log == "" && id.N > r.ID.N {
			return false
		}
	}
	return true
}

// targets yields what a changing line changes, in the order of the line.
func (r *Record) targets(yield func(ID) bool) {
	if !r.Target.IsZero() && !yield(r.Target) || r.Detail == nil {
		return
	}
	for _, id := range r.Detail.Targets {
		if !yield(id) {
			return
		}
	}
}

// A Field is one unknown field of a line: its name, and its value as it stood.
type Field struct {
	Name  string
	Value json.RawMessage
}

// A Source says in which conversation a text stood, or in which file.
type Source struct {
	Session string `json:"session,omitempty"`
	Turn    int    `json:"turn,omitempty"` // the turn's number n, from 1
	Agent   string `json:"agent,omitempty"`
	Channel string `json:"channel,omitempty"`
	File    string `json:"file,omitempty"`   // "~/..." or absolute
	Digest  string `json:"digest,omitempty"` // SHA-256 of what the file held then, 64 hexadecimal digits
}

// A Meta is a log's header line, {"meta":{...}}. It has no id and states
// nothing; a log may lack it.
type Meta struct {
	Format  int       `json:"format"`
	Log     string    `json:"log"`
	Created time.Time `json:"created"`
}

// Format is the version of the line format that this package writes.
const Format = 1

// States reports whether r states something: it is of a stating kind, or of a
// kind that this version does not know and has content.
func (r *Record) States() bool {
	return !r.Kind.Changes() && strings.TrimSpace(r.Content) != ""
}

// normalise leaves the defaults out of a stating record. It changes the Detail
// in its place.
func (r *Record) normalise() {
	if r.Scope == ScopeUser {
		r.Scope = ""
	}
	if r.Importance == DefaultImportance {
		r.Importance = 0
	}
	if d := r.Detail; d != nil {
		if d.Tier == TierHot {
			d.Tier = ""
		}
		if d.Phase == r.Kind.DefaultPhase() {
			d.Phase = ""
		}
	}
}

// kept returns a copy of d, nil if d says nothing.
func (d *Detail) kept() *Detail {
	if d.says() {
		copied := *d
		return &copied
	}
	return nil
}

// says reports whether any field of d is set. Lists have no empty form.
func (d *Detail) says() bool {
	return d.Phase != "" || d.Tier != "" || d.Subtype != "" || d.Unless != "" || d.Raise != "" || d.Reason != "" ||
		len(d.Targets)+len(d.Supersedes)+len(d.Cites)+len(d.Match)+len(d.Sessions)+len(d.Turns)+len(d.Clear)+len(d.Extra) > 0 ||
		!d.After.IsZero() || !d.Expires.IsZero() || !d.ValidFrom.IsZero() || !d.ValidTo.IsZero()
}

// ownDetail gives r a Detail that it shares with no other record.
func (r *Record) ownDetail() *Detail {
	d := r.Details()
	r.Detail = &d
	return r.Detail
}

// A slot is the place of a field in a value: a pointer, whose type says what
// the field may hold.
type slot struct {
	name  string
	place any
	edit  bool // an edit line sets the field of its target; the others are its own
}

// slots lists the fields that this version knows, in the order in which they
// are written. r has a Detail.
func (r *Record) slots() [30]slot {
	d := r.Detail
	return [30]slot{
		{"id", &r.ID.N, false},
		{"ts", &r.Time, false},
		{"kind", (*string)(&r.Kind), false},
		{"target", &r.Target, false},
		{"targets", &d.Targets, false},
		{"after", &d.After, false},
		{"content", &r.Content, true},
		{"key", &r.Key, true},
		{"scope", (*string)(&r.Scope), true},
		{"tags", &r.Tags, true},
		{"source", &r.Source, false},
		{"origin", &r.Origin, false},
		{"by", &r.By, false},
		{"review", &r.Review, false},
		{"phase", &d.Phase, true},
		{"tier", &d.Tier, true},
		{"importance", &r.Importance, true},
		{"pinned", &r.Pinned, true},
		{"expires", &d.Expires, true},
		{"valid_from", &d.ValidFrom, true},
		{"valid_to", &d.ValidTo, true},
		{"supersedes", &d.Supersedes, true},
		{"cites", &d.Cites, true},
		{"subtype", &d.Subtype, true},
		{"match", &d.Match, true},
		{"unless", &d.Unless, true},
		{"raise", &d.Raise, true},
		{"reason", &d.Reason, false},
		{"sessions", &d.Sessions, false},
		{"turns", &d.Turns, false},
	}
}

// find returns the slot of that name, nil if there is none.
func find(slots []slot, name string) *slot {
	for i := range slots {
		if slots[i].name == name {
			return &slots[i]
		}
	}
	return nil
}
