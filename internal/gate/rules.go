package gate

import (
	"ken/internal/memory"
	"ken/internal/rules"
)

// RulesOf returns the rules in force that can be checked, and the preferences and lessons in the
// words of the person that make ken ask. refuses reports whether an item does not hold here and
// now. RulesOf leaves out items of other kinds, items that no human act let in, and items that
// raise nothing.
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
