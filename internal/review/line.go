package review

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"ken/internal/memory"
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

// Origin is where the text comes from.
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

// Hash names what a record says, so that the same is not asked twice: the same
// kind, target and text have the same hash, whatever their case, their blanks and
// the form in which their letters are composed. It is 16 hexadecimal digits.
func Hash(r *memory.Record) string {
	h := sha256.New()
	for _, part := range []string{string(r.Kind), targets(r), Normal(r.Content)} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func targets(r *memory.Record) string {
	if r.States() {
		return ""
	}
	ids := append([]memory.ID{r.Target}, r.Details().Targets...)
	var b strings.Builder
	for _, id := range ids {
		if !id.IsZero() {
			b.WriteString(id.String() + " ")
		}
	}
	return b.String()
}

// Normal is a text as it is compared: composed alike, without case, with single
// blanks.
func Normal(text string) string {
	return strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(text))), " ")
}

// Suggested reports whether a record of a kind can be proposed. Erasing and taking
// lines back is for a person alone to begin.
func Suggested(kind memory.Kind) bool {
	return kind != memory.KindErased && kind != memory.KindUndo
}
