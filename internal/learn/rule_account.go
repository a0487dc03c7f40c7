package learn

import (
	"ken/internal/app"
	"ken/internal/memory"
	"ken/internal/rules"
)

// actRules is how the account calls a change of the rules.
const actRules = "rules"

// A RuleAccount is what the account of a memory knows of its rules.
type RuleAccount struct {
	// Lines are the lines of the memory by which it knows changes.
	Lines map[string]bool
	// Otherwise says that the rules in force are not those of the last change that it knows: a line
	// was changed or taken away by hand, or the change came from another device.
	Otherwise bool
}

// ReadRuleAccount reads the account. What of it cannot be read is an error, beside what was read by then; a
// memory without the person's key is compared with nothing.
func ReadRuleAccount(h *app.View, s *memory.State) (RuleAccount, error) {
	a, sum := RuleAccount{Lines: make(map[string]bool)}, ""
	for e, err := range auditOf(h).Entries() {
		if err != nil {
			return a, err
		}
		if e.Act != actRules {
			continue
		}
		for _, id := range e.Lines {
			a.Lines[id] = true
		}
		sum = e.Hash
	}
	if seal, err := h.Keys.Seal(); err == nil && seal != nil && sum != "" {
		a.Otherwise = sum != seal.Hash(rules.Of(s).Sum())
	}
	return a, nil
}
