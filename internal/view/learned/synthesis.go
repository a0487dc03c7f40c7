package learned

import (
	"cmp"
	"fmt"
	"strings"

	"ken/internal/engine"
	"ken/internal/learn/patterns"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Synthesis is what recent memories come to: groups of them, what a model said of the
// groups and passed the check, and what did not.
type Synthesis struct {
	Model    string    `json:"model,omitempty"` // the preset that was asked; none: nobody was
	DryRun   bool      `json:"dry_run"`         // nothing was proposed
	Clusters []Cluster `json:"clusters"`        // never null, as all lists here
	Known    int       `json:"known,omitempty"` // groups that a pattern stands for, or that were refused
	Patterns []Pattern `json:"patterns"`
	Rejected []Refused `json:"rejected"`
}

// A Cluster is a group of memories that speak of one matter.
type Cluster struct {
	Scope  string   `json:"scope"`
	Refs   []string `json:"refs"`
	Common []string `json:"common"` // words that more than half of them have
	Depth  int      `json:"depth"`  // of a pattern that would cite them, from 1
}

// A Pattern is what a group comes to, as it would be remembered.
type Pattern struct {
	Ref     string        `json:"ref,omitempty"` // of the proposal: "p7"
	Kind    string        `json:"kind"`
	Content string        `json:"content"`
	Scope   string        `json:"scope"`
	Cites   []string      `json:"cites"`
	Origin  string        `json:"origin"`
	Depth   int           `json:"depth"`
	Beyond  []string      `json:"beyond,omitempty"` // what of it none of them says; none: all of it is said
	Impact  PatternImpact `json:"impact"`
	New     bool          `json:"new"`             // it waits now; false in a dry run
	Known   string        `json:"known,omitempty"` // why it is not new
}

// A PatternImpact says what a pattern touches.
type PatternImpact struct {
	Scopes []string `json:"scopes"`
	Kinds  []string `json:"kinds"`
	Rules  []string `json:"rules,omitempty"` // references of rules in force on the same matter
	Effect string   `json:"effect"`          // tightens, neutral or relaxes
}

// A Refused is a draft that did not pass the check.
type Refused struct {
	Content string `json:"content"` // masked, on one line, cut
	Why     string `json:"why"`
}

// ClusterOf is c for a program.
func ClusterOf(c patterns.Cluster) Cluster {
	return Cluster{Scope: scopeName(c.Scope), Refs: c.Refs(), Common: c.Common, Depth: c.Depth}
}

// PatternOf is p with what it touches.
func PatternOf(p patterns.Pattern, m patterns.Impact) Pattern {
	return Pattern{
		Kind: string(p.Kind), Content: p.Content, Scope: scopeName(p.Scope), Cites: p.Refs(), Origin: string(p.Origin), Depth: p.Depth,
		Beyond: p.Beyond, Impact: PatternImpact{m.Scopes, m.Kinds, m.Rules, string(m.Effect)},
	}
}

// Became says what became of the proposal of a pattern.
func (p *Pattern) Became(as engine.Proposed) {
	if p.New, p.Known = as.New, as.Known; as.ID > 0 {
		p.Ref = fmt.Sprintf("p%d", as.ID)
	}
}

// Waits reports whether it waits for a person now.
func (p *Pattern) Waits() bool { return p.New || p.Known == string(review.Pending) }

func scopeName(s memory.Scope) string { return string(cmp.Or(s, memory.ScopeUser)) }

// Text is a group on one line, with its scope as called names it.
func (c *Cluster) Text(called func(scope string) string) string {
	line := fmt.Sprintf("#%s (%s): %s", strings.Join(c.Refs, " #"), called(c.Scope), strings.Join(c.Common, ", "))
	if c.Depth > 1 {
		line += fmt.Sprintf("  (patterns, depth %d)", c.Depth)
	}
	return termsafe.Line(line)
}

// Text is it as a change of the memory: what would come in behind +, and what was refused.
func (v *Synthesis) Text(called func(scope string) string) string {
	var lines []string
	for _, p := range v.Patterns {
		line := fmt.Sprintf("+ %s (%s): %s", p.Kind, called(p.Scope), p.Content)
		if p.Ref != "" {
			line = "+ " + p.Ref + line[1:]
		}
		if !p.New && p.Known != "" {
			line += "  (not new: " + p.Known + ")"
		}
		m := p.Impact
		scopes := make([]string, len(m.Scopes))
		for i, s := range m.Scopes {
			scopes[i] = called(s)
		}
		impact := strings.Join(scopes, ", ") + "; " + strings.Join(m.Kinds, ", ") + "; " + m.Effect
		if len(m.Rules) > 0 {
			impact += "; touches rule #" + strings.Join(m.Rules, " #")
		}
		lines = append(lines, termsafe.Line(line),
			termsafe.Line(fmt.Sprintf("    rests on #%s; from %s; depth %d; phase stabilized", strings.Join(p.Cites, " #"), p.Origin, p.Depth)),
			termsafe.Line("    impact: "+impact))
		if len(p.Beyond) > 0 {
			lines = append(lines, termsafe.Line("    "+view.Generalisation(p.Cites)+", beyond their words: "+strings.Join(p.Beyond, ", ")))
		}
	}
	for _, r := range v.Rejected {
		lines = append(lines, termsafe.Line(fmt.Sprintf("refused: %q: %s", r.Content, r.Why)))
	}
	return strings.Join(lines, "\n")
}
