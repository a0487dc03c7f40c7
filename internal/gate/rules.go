package gate

import (
	"ken/internal/memory"
	"ken/internal/rules"
)

// RulesOf returns the rules in force of a memory that can be checked, and the preferences
// and lessons in the person's own words that make ken ask. refuses reports that an item
// does not hold here and now. An item of another kind, one that no human act let in, or
// that raises nothing, is none.
func RulesOf(s *memory.State, refuses func(memory.Item) bool) []Rule {
	var list []Rule
	for _, it := range s.Items() {
		r, ok := rules.FromItem(it)
		if !ok || r.PromptOnly() || refuses(it) {
			continue
		}
		list = append(list, Rule{Rule: r.Rule, Ref: it.Ref(), Kind: string(r.Kind), Text: r.Text})
	}
	return list
}
