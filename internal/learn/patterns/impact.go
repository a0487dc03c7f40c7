package patterns

import (
	"slices"
	"strings"

	"ken/internal/conflict"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/text"
)

// An Effect says what a text does to the freedom of what acts for the person.
type Effect string

// The effects.
const (
	Tightens Effect = "tightens" // it says that something is to be asked about, or not to be done
	Neutral  Effect = "neutral"
	Relaxes  Effect = "relaxes" // it is against a rule in force
)

// An Impact says what a pattern touches if it is let in.
type Impact struct {
	Scopes []string // where it holds: one, "user" or the full scope
	Kinds  []string // of what it is and of what it cites, each once
	Rules  []string // references of rules in force that speak of the same matter
	Effect Effect
}

// mostRules is how many rules an Impact names.
const mostRules = 8

// ImpactOf returns what a pattern touches, rules being those in force where it would hold. A
// pattern binds nothing by itself: its effect is what its text would ask for as a rule.
func ImpactOf(p Pattern, rules []memory.Item) Impact {
	m := Impact{Scopes: []string{string(memory.ScopeUser)}, Kinds: []string{string(p.Kind)}, Effect: Neutral}
	if p.Scope != "" {
		m.Scopes[0] = string(p.Scope)
	}
	for _, it := range p.Cites {
		if k := string(it.Record.Kind); !slices.Contains(m.Kinds, k) {
			m.Kinds = append(m.Kinds, k)
		}
	}
	words := read(p.Content)
	if _, ok := risk.ParseRule(p.Content); ok || forbids(words) {
		m.Effect = Tightens
	}
	said := sorted(topics(words))
	for _, it := range rules {
		both := text.Shared(said, sorted(topics(read(it.Record.Content))))
		if v, _ := conflict.Compare(p.Content, it.Record.Content); v == conflict.Contradicts {
			m.Effect = Relaxes
		} else if both < 2 {
			continue
		}
		if len(m.Rules) < mostRules {
			m.Rules = append(m.Rules, it.Ref())
		}
	}
	return m
}

// String is it on one line: "user; pattern of lesson, gotcha; touches rule #4; tightens".
func (m Impact) String() string {
	parts := []string{strings.Join(m.Scopes, ", "), m.Kinds[0]}
	if len(m.Kinds) > 1 {
		parts[1] += " of " + strings.Join(m.Kinds[1:], ", ")
	}
	if len(m.Rules) > 0 {
		parts = append(parts, "touches rule #"+strings.Join(m.Rules, " #"))
	}
	return strings.Join(append(parts, string(m.Effect)), "; ")
}

// forbids reports whether a text begins by denying something: "never ...", "do not ...".
func forbids(words []word) bool {
	t := table()
	for i := range words {
		if w := words[i].form; t.no[w] || w == "avoid" {
			return true
		} else if w != "do" {
			return false
		}
	}
	return false
}
