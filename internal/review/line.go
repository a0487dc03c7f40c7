package review

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/text"
)

// An Of says what a proposal is about.
type Of string

// What can be proposed. A value that this version does not know is kept and shown.
const (
	OfMemory Of = "memory" // a new memory
	OfChange Of = "change" // an edit, forget, pin, phase or tier of a memory
	OfRule   Of = "rule"   // a rule, or a change of one
	OfSkill  Of = "skill"  // a draft, which is a file
)

// A Verdict is what a person said to a proposal.
type Verdict string

// The verdicts.
const (
	Yes   Verdict = "yes"
	No    Verdict = "no"
	Later Verdict = "later" // it goes to the end of the queue
)

// The kinds of lines.
const (
	kindProposal = "proposal"
	kindDecision = "decision"
	kindUndo     = "undo"
	kindErased   = "erased" // what an erasing left of a proposal: its number
)

// A Proposal is something that would be written if a person said yes.
type Proposal struct {
	ID   int64 // its number; 0 before it was written
	Time time.Time
	Of   Of
	// Record is what would be written: without id, time, by and review. It is
	// masked already. Its Origin is the least trusted of all that fed it.
	Record memory.Record
	Source *memory.Source // where it was said, nil if nowhere
	Why    string         // in a line: why it is proposed
	Hash   string         // of its text, see Hash
}

// Origin returns where the text comes from.
func (p *Proposal) Origin() memory.Origin { return p.Record.Origin }

// A Decision is what a person answered.
type Decision struct {
	ID     int64
	Time   time.Time
	Target int64 // the proposal
	// Proposal is the target if it is written by the same append; then Target is
	// filled in there.
	Proposal *Proposal
	Verdict  Verdict
	By       string   // who: "user"
	Wrote    []string // references of the lines that the memory got
}

// An Undo takes a decision back.
type Undo struct {
	ID     int64
	Time   time.Time
	Target int64 // the decision
}

// Hash names what a record says, so that the same is not asked twice. What states
// something has the same hash as another of the same kind, scope, key and text; what
// changes something, as one that does the same to the same targets. Case, blanks
// and the form in which letters are composed do not count in the text, nor does where
// it comes from. It is 16 hexadecimal digits.
//
// A no is to a text where it would hold: the same text for another repository, for
// another key, or as a change of another memory, is another question. Known has the
// exception.
func Hash(r *memory.Record) string {
	c := *r
	d := c.Details()
	c.ID, c.Time, c.Origin, c.By, c.Review, c.Source = memory.ID{}, time.Time{}, "", "", 0, nil
	c.Content, d.Reason = text.NormalForHash(c.Content), ""
	if r.States() {
		c = memory.Record{Kind: c.Kind, Scope: c.Scope, Key: c.Key, Content: c.Content}
		d = memory.Detail{}
	}
	if kind, place, ok := strings.Cut(string(c.Scope), ":"); ok && kind == "repo" {
		c.Scope = memory.Scope(kind + ":" + strings.ToLower(place)) // an identity has no case
	}
	if c.Scope == memory.ScopeUser && r.States() {
		c.Scope = ""
	}
	c.Detail = &d
	sum := sha256.Sum256(c.AppendJSON(nil))
	return hex.EncodeToString(sum[:8])
}

// Known returns the hashes under which a record is known already: its own, and that of
// the same text for the person everywhere. What a person refused everywhere they
// refused here as well, and what holds everywhere need not be said of one place;
// what was refused here may still be asked elsewhere.
func Known(r *memory.Record) []string {
	hashes := []string{Hash(r)}
	if r.States() && r.Scope != "" && r.Scope != memory.ScopeUser {
		wide := *r
		wide.Scope = ""
		hashes = append(hashes, Hash(&wide))
	}
	return hashes
}

// Suggested reports whether a record of a kind can be proposed. Erasing and taking
// lines back is for a person alone to begin.
func Suggested(kind memory.Kind) bool {
	return !kind.Is(memory.PersonsAlone)
}
