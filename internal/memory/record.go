package memory

import (
	"encoding/json"
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
	Kind    Kind      // never empty after ParseRecord; a missing kind is KindFact
	Content string

	Target  ID   // of a changing line; ID.Log set if it lies in another log
	Targets []ID // of forget, tier, phase, pin and unpin

	Key        string
	Scope      Scope
	Tags       []string
	Source     *Source
	Origin     Origin
	By         string // the human act that made the line active: "user", "trust:<digest>", "policy:<name>"
	Review     int64  // the decision in review.jsonl that By rests on; 0 = none
	Phase      Phase
	Tier       Tier
	Importance int  // 1..10; 0 = not given, read as 5
	Pinned     bool // of a stating line
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

	// Clear names the fields that an edit line sets to null.
	Clear []string
	// Extra holds the fields that this version does not know, in the order of
	// the line, values verbatim.
	Extra []Field
}

// A Field is one unknown field of a line: its name, and its value as it stood.
type Field struct {
	Name  string
	Value json.RawMessage
}

// A Source says in which conversation a text stood.
type Source struct {
	Session string `json:"session,omitempty"`
	Turn    int    `json:"turn,omitempty"` // the turn's number n, from 1
	Agent   string `json:"agent,omitempty"`
	Channel string `json:"channel,omitempty"`
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

// normalise leaves the defaults out of a stating record.
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

// A slot is the place of a field in a value: a pointer, whose type says what
// the field may hold.
type slot struct {
	name  string
	place any
	edit  bool // an edit line sets the field of its target; the others are its own
}

// slots lists the fields that this version knows, in the order in which they
// are written.
func (r *Record) slots() [28]slot {
	return [28]slot{
		{"id", &r.ID.N, false},
		{"ts", &r.Time, false},
		{"kind", (*string)(&r.Kind), false},
		{"target", &r.Target, false},
		{"targets", &r.Targets, false},
		{"content", &r.Content, true},
		{"key", &r.Key, true},
		{"scope", (*string)(&r.Scope), true},
		{"tags", &r.Tags, true},
		{"source", &r.Source, false},
		{"origin", &r.Origin, false},
		{"by", &r.By, false},
		{"review", &r.Review, false},
		{"phase", &r.Phase, true},
		{"tier", &r.Tier, true},
		{"importance", &r.Importance, true},
		{"pinned", &r.Pinned, true},
		{"expires", &r.Expires, true},
		{"valid_from", &r.ValidFrom, true},
		{"valid_to", &r.ValidTo, true},
		{"supersedes", &r.Supersedes, true},
		{"cites", &r.Cites, true},
		{"subtype", &r.Subtype, true},
		{"match", &r.Match, true},
		{"unless", &r.Unless, true},
		{"raise", &r.Raise, true},
		{"reason", &r.Reason, false},
		{"sessions", &r.Sessions, false},
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
