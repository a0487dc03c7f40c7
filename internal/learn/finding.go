package learn

import (
	"cmp"
	"math"
	"time"

	"ken/internal/engine"
	"ken/internal/learn/extract"
	"ken/internal/learn/habits"
	"ken/internal/learn/patterns"
	"ken/internal/memory"
	"ken/internal/view/learned"
)

// A Sort says what a finding is.
type Sort string

// The sorts of findings, in the order in which those of the same worth stand.
const (
	Correction Sort = "correction"
	Wish       Sort = "wish"
	Pattern    Sort = "pattern"
	Rule       Sort = "rule"
	Skill      Sort = "skill"
	Statement  Sort = "statement"
)

// Sorts are all sorts, in their order.
func Sorts() []Sort { return []Sort{Correction, Wish, Pattern, Rule, Skill, Statement} }

// Evidence is what a finding rests on, as far as its worth is computed from it.
type Evidence struct {
	Times  int       // how often it was seen
	Last   time.Time // when last; zero if that is not known: it is as old as can be
	Tokens int       // of the answers or the memories concerned
	Danger bool      // it is about a command of level danger
}

// halfLife is the time in which a finding loses half of its worth.
const halfLife = 14 * 24 * time.Hour

// Worth is how much speaks for showing a finding first: see the package.
func (e Evidence) Worth(now time.Time) float64 {
	danger := 1.0
	if e.Danger {
		danger = 2
	}
	age := max(now.Sub(e.Last), 0)
	if e.Last.IsZero() {
		return 0
	}
	return math.Exp2(-float64(age)/float64(halfLife)) * (float64(e.Times)*danger + float64(e.Tokens)/1000)
}

// A Finding is something that could be learned. Nothing of it is memory.
type Finding struct {
	Sort  Sort
	Kind  memory.Kind // of the memory that it would be; "" where it would be none, or has no text yet
	Text  string      // masked
	Why   string      // what it was seen in, masked
	Scope memory.Scope
	Ref   string // pN where it waits in the queue already; "" elsewhere
	Evidence

	// Draft names the draft of a skill that waits to become one.
	Draft string
	// Signal is what a draft of a skill would be made of.
	Signal *habits.Signal
	// Group are the memories that a pattern would stand for.
	Group *patterns.Cluster

	rule      *engine.Suggestion
	statement *extract.Candidate
	said      Conversation // of a statement
}

// Goes says where a finding goes after a yes.
func (f *Finding) Goes() string {
	switch {
	case f.Draft != "":
		return "the skill " + f.Draft
	case f.Signal != nil:
		return "the draft of a skill, which no model is shown before you promote it"
	case f.Sort == Pattern:
		return "a pattern in the memory, which cites what it rests on"
	case f.Kind == memory.KindRule:
		return "a rule in the memory: ken asks more, never less"
	}
	return "the memory, as a " + string(cmp.Or(f.Kind, memory.KindFact))
}

// Step is the command that has findings of this sort alone, without ken in front.
func (f *Finding) Step() string {
	switch {
	case f.Draft != "":
		return "skills promote " + f.Draft
	case f.Ref != "":
		return "review"
	case f.Signal != nil:
		return "skills evolve"
	case f.Sort == Pattern:
		return "retrospect --synthesize"
	case f.Sort == Rule:
		return "rules propose"
	case f.Sort == Statement:
		return "memory summarize"
	}
	return "retrospect"
}

// Shown is the finding for people and programs.
func (f *Finding) Shown(now time.Time) learned.Finding {
	v := learned.Finding{
		Sort: string(f.Sort), Kind: string(f.Kind), Text: f.Text, Why: f.Why, Scope: string(f.Scope), Ref: f.Ref, Goes: f.Goes(), Step: f.Step(),
		Times: f.Times, Tokens: f.Tokens, Danger: f.Danger, Worth: math.Round(1000*f.Worth(now)) / 1000,
	}
	if !f.Last.IsZero() {
		v.Last = &f.Last
	}
	return v
}
