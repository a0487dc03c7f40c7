package lifecycle

import (
	"time"

	"ken/internal/memory"
)

// day is the unit of all ages.
const day = 24 * time.Hour

// A Policy is what a person wrote about the ageing of their memories.
type Policy struct {
	// Name is that of its file without suffix, or the id of a profile. Lines that
	// it has written say "policy:" and this.
	Name   string
	Title  string
	Sweep  Sweep
	Rules  []Rule // the first one that fits an item decides
	Tokens int    // most of what is activated for a question; 0: as the settings say
	Items  int    // the same in items
	// Propose is what the person is reminded of; it plans nothing.
	Propose Propose
}

// Builtin is the name of the policy that the settings alone make.
const Builtin = "hygiene"

// A Sweep is what is done to items that no rule is about. Zero numbers switch a
// part of it off.
type Sweep struct {
	HotDays     int  // unused for longer: archived
	ArchiveDays int  // in the archive for longer, and unused: forgotten, if Forget
	HotMax      int  // of one scope; above it the oldest Batch are archived
	Batch       int  // items a day and scope
	Forget      bool // whether anything is forgotten without being asked about
	PruneDays   int  // stated longer ago: forgotten
}

// A Rule says what becomes of the items that it fits. A zero field fits all.
type Rule struct {
	Name            string        // for people; never empty after reading
	Kinds           []memory.Kind // one of them
	Tags            []string      // one of them
	Scope           memory.Scope  // this one, or below it if it is a directory
	From            memory.Phase
	Older           time.Duration // stated longer ago
	Newer           time.Duration // stated less long ago
	Unused          time.Duration // not used or changed for longer
	UsedOver        int           // used more often
	ImportanceUnder int           // of less importance
	MaxHot          int           // with Archive: only what is beyond the newest so many
	Do              Do
	To              memory.Phase // with Settle
	Review          bool         // waits for a person in any case
}

// Do is what an action does.
type Do string

// What an action can do.
const (
	Keep    Do = "keep" // of a rule: nothing, and the sweep does nothing either
	Archive Do = "archive"
	Forget  Do = "forget"
	Settle  Do = "settle" // puts it into another phase
)

// rank orders the phases, least settled first. One that is not known is as settled
// as can be, so that nothing that a later version wrote is taken for loose.
func rank(p memory.Phase) int {
	switch p {
	case memory.PhaseEphemeral:
		return 0
	case memory.PhaseFluid:
		return 1
	case memory.PhaseStabilized:
		return 2
	}
	return 3
}

// Protected reports whether no hygiene archives or forgets an item.
func Protected(it *memory.Item) bool {
	return it.Pinned || it.Record.Kind.Is(memory.Stays) || rank(it.Phase) >= rank(memory.PhaseStabilized)
}

// Raises reports whether an item gets more settled by going from one phase to the
// other.
func Raises(from, to memory.Phase) bool { return rank(to) > rank(from) }
