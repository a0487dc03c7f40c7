package home

import (
	"errors"
	"io/fs"
	"time"

	"ken/internal/fault"
	"ken/internal/lifecycle"
	"ken/internal/usage"
)

// Policy is the lifecycle policy of that name, which may have faults; "" is the one
// that the settings name, or else what they say themselves. It needs Settings.
func (a *Home) Policy(name string) (lifecycle.Reading, error) {
	plain := PlainPolicy(a.Settings.cfg.Memory)
	if name == "" {
		name = a.Settings.cfg.Memory.Policy
	}
	if name == "" {
		return lifecycle.Reading{Policy: plain}, nil
	}
	if !lifecycle.GoodName(name) {
		return lifecycle.Reading{}, fault.Usagef("%q is no name of a policy: want 1 to 40 of a-z, 0-9 and -", name).
			WithHint("see what there is: %s", fault.Command("memory policy list"))
	}
	r, err := LoadPolicy(a.Settings.paths.Policies(), name, plain)
	if errors.Is(err, fs.ErrNotExist) {
		err = fault.NotFoundf("there is no policy %q: %w", name, err).
			WithHint("write one: %s", fault.Command("memory policy init "+name))
	}
	return r, err
}

// ActivationBudget is the most tokens and items that go with a question: what the
// settings say, or less if the policy in force does. A policy that cannot be read, or
// has faults, changes nothing, and is told where it counts. It needs Settings.
func (a *Home) ActivationBudget() (tokens, items int) {
	m := a.Settings.cfg.Memory
	tokens, items = m.ActivateMaxTokens, m.ActivateMaxItems
	if m.Policy == "" {
		return tokens, items
	}
	r, err := a.Policy("")
	if err != nil || len(r.Faults) > 0 {
		return tokens, items
	}
	if n := r.Policy.Tokens; n > 0 {
		tokens = min(tokens, n)
	}
	if n := r.Policy.Items; n > 0 {
		items = min(items, n)
	}
	return tokens, items
}

// Uses tells when memories were last of use, and how often, as far as the file says
// now and this run knows. It needs Settings.
func (a *Home) Uses() (last func(ref string) time.Time, count func(ref string) int) {
	now := &usage.Book{Path: a.Settings.paths.Usage(), Dir: a.Settings.paths.Data, Now: a.o.Now}
	return func(ref string) time.Time {
		if at := a.uses().Latest(ref); at.After(now.Last(ref)) {
			return at
		}
		return now.Last(ref)
	}, now.Count
}
