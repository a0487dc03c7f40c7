package gate

import (
	"ken/internal/memory"
	"ken/internal/risk"
)

// RulesOf returns the rules in force of a memory that can be checked, and the preferences
// and lessons in the person's own words that make ken ask. refuses reports that an item
// does not hold here and now. An item of another kind, one that no human act let in, or
// that raises nothing, is none.
func RulesOf(s *memory.State, refuses func(memory.Item) bool) []Rule {
	var rules []Rule
	for _, it := range s.Items() {
		if !it.Active() {
			continue
		}
		d := it.Record.Details()
		raise, ok := raised(d.Raise)
		switch it.Record.Kind {
		case memory.KindRule:
		case memory.KindPref, memory.KindLesson: // they ask, and are never more than that
			raise, ok = min(raise, risk.Caution), ok && it.Origin.Rank() == 0
		default:
			continue
		}
		if !ok || len(d.Match) == 0 || refuses(it) {
			continue
		}
		rules = append(rules, Rule{Rule: risk.Rule{Match: d.Match, Unless: d.Unless, Raise: raise}, Ref: it.Ref(), Kind: string(it.Record.Kind), Text: it.Record.Content})
	}
	return rules
}

// raised is the level that a rule names.
func raised(word string) (risk.Level, bool) {
	switch word {
	case risk.Caution.String():
		return risk.Caution, true
	case risk.Danger.String():
		return risk.Danger, true
	}
	return risk.Safe, false
}
