package memory

import (
	"cmp"
	"slices"
	"strings"
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

// A kindRow is what is so of a kind: a row of the table of kinds. Every list and every check that is about the kind itself reads the
// table, so that a kind is one row.
type kindRow struct {
	kind  Kind
	older string // its older names, with a blank between them; one that is read becomes the subtype
	about string // what it is for, said to a person who chooses one
	title string // the title of its chapter where a memory is shown whole
	// chapter is the place of that chapter, 1 for the first.
	chapter int8
	phase   Phase // of an item whose line names none; empty: fluid
	traits  Trait
	// did says what a line of a changing kind did to an item.
	did string
}

// A Trait is something that is so of some kinds.
type Trait uint32

// The traits.
const (
	Changes      Trait = 1 << iota // a line changes another line, and states nothing
	Shapes                         // a line changes fields of an item
	PersonsAlone                   // no such line can be suggested: a person alone begins it
	OfWork                         // is about work on something; every other stating kind is about the person
	Guides                         // says how to act, and counts for more in a search
	Leads                          // goes before what informs, in what is known before the first question
	Yours                          // a person calls it theirs: "your preference"
	Learned                        // was made of experience, or is acted by: it is shown with what it rests on
	Derived                        // is made of other memories
	Checked                        // may bind commands
	Stays                          // is neither archived nor forgotten by hygiene
	ModelMay                       // the model may propose it while it answers
	AgentMay                       // another assistant may propose it
	ReadingMay                     // it may be extracted from a conversation
)

// kindTable is the table of kinds: the stating ones in the order in which they are shown, then the changing ones.
var kindTable = [...]kindRow{
	{kind: KindFact, about: "something that is so", title: "Facts", chapter: 11, traits: ModelMay | AgentMay | ReadingMay},
	{
		kind: KindPref, older: "preference", about: "how you like things", title: "Preferences", chapter: 2,
		traits: Guides | Leads | Yours | Checked | Stays | ModelMay | AgentMay | ReadingMay,
	},
	{kind: KindSetting, about: "what you are in the middle of", title: "Context", chapter: 10, traits: OfWork | ReadingMay},
	{
		kind: KindDecision, about: "what was decided, and why", title: "Decisions", chapter: 6,
		traits: OfWork | Yours | ModelMay | AgentMay | ReadingMay,
	},
	{
		kind: KindWorkflow, about: "how something is done", title: "Workflows", chapter: 4,
		traits: OfWork | Yours | ModelMay | AgentMay | ReadingMay,
	},
	{
		kind: KindGotcha, about: "what goes wrong, and how to avoid it", title: "Gotchas", chapter: 5,
		traits: OfWork | ModelMay | AgentMay | ReadingMay,
	},
	{
		kind: KindConvention, older: "synthesized_convention", about: "how a project does things", title: "Conventions", chapter: 3,
		phase: PhaseStabilized, traits: OfWork | Guides | Leads | Yours | Learned | Derived | ModelMay | AgentMay | ReadingMay,
	},
	{
		kind: KindGoal, older: "interaction_goal", about: "what you want to get to", title: "Goals", chapter: 7,
		phase: PhaseStabilized, traits: Guides | Leads | Yours | AgentMay | ReadingMay,
	},
	{
		kind: KindLesson, older: "reflection verbal_lesson", about: "what experience taught", title: "Lessons", chapter: 8,
		phase: PhaseStabilized, traits: OfWork | Guides | Yours | Learned | Checked | ModelMay | AgentMay | ReadingMay,
	},
	{kind: KindRetro, older: "retrospection", about: "how a piece of work went", title: "Retrospectives", chapter: 12, traits: Guides},
	{
		kind: KindPattern, older: "project_pattern", about: "what keeps coming back", title: "Patterns", chapter: 9,
		phase: PhaseStabilized, traits: Learned | Derived,
	},
	{
		kind: KindRule, older: "procedural_rule meta_policy explanation_strategy safety_tuning", about: "what must always or never be done",
		title: "Rules", chapter: 1, phase: PhaseRigid, traits: Guides | Leads | Yours | Learned | Checked | Stays,
	},
	{kind: KindSource, about: "where something can be looked up", title: "Sources", chapter: 13},

	{kind: KindForget, did: "forgot it", traits: Changes},
	{kind: KindEdit, did: "edited it", traits: Changes | Shapes},
	{kind: KindPhase, did: "moved it", traits: Changes | Shapes},
	{kind: KindTier, did: "moved it", traits: Changes | Shapes},
	{kind: KindPin, did: "pinned it", traits: Changes | Shapes},
	{kind: KindUnpin, did: "unpinned it", traits: Changes | Shapes},
	{kind: KindUndo, did: "took back", traits: Changes | PersonsAlone},
	{kind: KindErased, did: "erased it", traits: Changes | PersonsAlone},
	{kind: KindTouch, did: "used it", traits: Changes},
}

// row is the place of a kind in the table; -1: it is none of this version.
func (k Kind) row() int {
	for i := range kindTable {
		if kindTable[i].kind == k {
			return i
		}
	}
	return -1
}

// Is reports whether a trait is so of a kind of this version.
func (k Kind) Is(t Trait) bool {
	i := k.row()
	return i >= 0 && kindTable[i].traits&t == t
}

// StatingKinds returns the stating kinds in the order in which they are shown.
func StatingKinds() []Kind { return kindsThat(func(t Trait) bool { return t&Changes == 0 }) }

// NamesThat returns the names of the kinds of which a trait is so, in the order in which they are shown.
func NamesThat(t Trait) (names []string) {
	for _, k := range kindsThat(func(is Trait) bool { return is&t == t }) {
		names = append(names, string(k))
	}
	return names
}

func kindsThat(is func(Trait) bool) (list []Kind) {
	for i := range kindTable {
		if is(kindTable[i].traits) {
			list = append(list, kindTable[i].kind)
		}
	}
	return list
}

// Chapters returns the stating kinds in the order of their chapters where a memory is shown whole: what binds first.
func Chapters() []Kind {
	list := StatingKinds()
	slices.SortStableFunc(list, func(a, b Kind) int {
		return cmp.Compare(kindTable[a.row()].chapter, kindTable[b.row()].chapter)
	})
	return list
}

// Title returns the title of the chapter of a kind; its name, of one that is not of this version or changes another line.
func (k Kind) Title() string {
	if i := k.row(); i >= 0 && kindTable[i].title != "" {
		return kindTable[i].title
	}
	return string(k)
}

// About says what a stating kind is for, to a person who chooses one; "" of every other kind.
func (k Kind) About() string {
	if i := k.row(); i >= 0 {
		return kindTable[i].about
	}
	return ""
}

// Did says what a line of the kind did, as a verb of the past: "forgot it", and "stated" of what changes nothing.
func (k Kind) Did() string {
	if i := k.row(); i >= 0 && kindTable[i].did != "" {
		return kindTable[i].did
	}
	return "stated"
}

// Changes reports whether lines of this kind change another line.
func (k Kind) Changes() bool { return k.Is(Changes) }

// Shapes reports whether lines of this kind change fields of an item.
func (k Kind) Shapes() bool { return k.Is(Shapes) }

// OfWork reports whether a memory of this kind is about work on something. Such a memory holds in
// its repository unless the person says otherwise. Every other kind is about the person.
func (k Kind) OfWork() bool { return k.Is(OfWork) }

// Known reports whether k is a stating or changing kind of this version.
func (k Kind) Known() bool { return k.row() >= 0 }

// ParseKind resolves an alias of older names: "preference" gives KindPref with
// subtype "preference". A name that is no alias comes back as it is, with no
// subtype, known or not.
func ParseKind(name string) (k Kind, subtype string) {
	if k = Kind(name); name == "" || k.Known() {
		return k, ""
	}
	for i := range kindTable {
		for older := range strings.FieldsSeq(kindTable[i].older) {
			if older == name {
				return kindTable[i].kind, name
			}
		}
	}
	return k, ""
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
	if i := k.row(); i >= 0 && kindTable[i].phase != "" {
		return kindTable[i].phase
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
