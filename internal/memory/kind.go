package memory

import (
	"slices"
)

// A Kind says what a line is: what it states, or how it changes another line.
// Kinds that are not listed here are kept, shown and injected as text.
type Kind string

// The stating kinds.
const (
	KindFact       Kind = "fact"
	KindPref       Kind = "pref"
	KindSetting    Kind = "context" // not KindContext: Go has a context of its own
	KindDecision   Kind = "decision"
	KindWorkflow   Kind = "workflow"
	KindGotcha     Kind = "gotcha"
	KindConvention Kind = "convention"
	KindGoal       Kind = "goal"
	KindLesson     Kind = "lesson"
	KindRetro      Kind = "retro"
	KindPattern    Kind = "pattern"
	KindRule       Kind = "rule"
	KindSource     Kind = "source"
)

// The changing kinds. KindTouch is read and never written.
const (
	KindForget Kind = "forget"
	KindEdit   Kind = "edit"
	KindPhase  Kind = "phase"
	KindTier   Kind = "tier"
	KindPin    Kind = "pin"
	KindUnpin  Kind = "unpin"
	KindUndo   Kind = "undo"
	KindErased Kind = "erased"
	KindTouch  Kind = "touch"
)

// StatingKinds returns the stating kinds in the order in which they are shown.
func StatingKinds() []Kind {
	return []Kind{
		KindFact, KindPref, KindSetting, KindDecision, KindWorkflow, KindGotcha,
		KindConvention, KindGoal, KindLesson, KindRetro, KindPattern, KindRule, KindSource,
	}
}

// Changes reports whether lines of this kind change another line.
func (k Kind) Changes() bool {
	switch k {
	case KindForget, KindEdit, KindPhase, KindTier, KindPin, KindUnpin, KindUndo, KindErased, KindTouch:
		return true
	}
	return false
}

// Shapes reports whether lines of this kind change fields of an item.
func (k Kind) Shapes() bool {
	switch k {
	case KindEdit, KindPhase, KindTier, KindPin, KindUnpin:
		return true
	}
	return false
}

// OfWork reports whether a memory of this kind is about work on something. Such a memory holds in
// its repository unless the person says otherwise. Every other kind is about the person.
func (k Kind) OfWork() bool {
	switch k {
	case KindSetting, KindDecision, KindConvention, KindWorkflow, KindGotcha, KindLesson:
		return true
	}
	return false
}

// Known reports whether k is a stating or changing kind of this version.
func (k Kind) Known() bool { return k.Changes() || slices.Contains(StatingKinds(), k) }

// ParseKind resolves an alias of older names: "preference" gives KindPref with
// subtype "preference". A name that is no alias comes back as it is, with no
// subtype, known or not.
func ParseKind(name string) (k Kind, subtype string) {
	switch name {
	case "preference":
		k = KindPref
	case "reflection", "verbal_lesson":
		k = KindLesson
	case "retrospection":
		k = KindRetro
	case "interaction_goal":
		k = KindGoal
	case "synthesized_convention":
		k = KindConvention
	case "project_pattern":
		k = KindPattern
	case "procedural_rule", "meta_policy", "explanation_strategy", "safety_tuning":
		k = KindRule
	default:
		return Kind(name), ""
	}
	return k, name
}

// A Phase says how settled an item is.
type Phase string

// The phases, least settled first.
const (
	PhaseEphemeral  Phase = "ephemeral"
	PhaseFluid      Phase = "fluid"
	PhaseStabilized Phase = "stabilized"
	PhaseRigid      Phase = "rigid"
)

// DefaultPhase returns the phase of an item whose line names none.
func (k Kind) DefaultPhase() Phase {
	switch k {
	case KindConvention, KindGoal, KindLesson, KindPattern:
		return PhaseStabilized
	case KindRule:
		return PhaseRigid
	}
	return PhaseFluid
}

// A Tier says whether an item may stand in the start-up block.
type Tier string

// The tiers. An archived item is still found by recall.
const (
	TierHot     Tier = "hot"
	TierArchive Tier = "archive"
)

// A Scope says where an item applies: "user" (everywhere), "repo:<identity>",
// "dir:<path>" or "session:<id>". The empty Scope means ScopeUser.
type Scope string

// ScopeUser is the scope of what holds everywhere.
const ScopeUser Scope = "user"
