package policies

import (
	"errors"
	"io/fs"

	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/lifecycle"
)

// A Set is the policies of one person. It holds no file and reads one when it is asked.
type Set struct {
	Dir    string        // of the policies that the person wrote
	Memory config.Memory // what the settings say
}

// Plain returns the policy that the settings make by themselves.
func (s Set) Plain() lifecycle.Policy {
	h := s.Memory.Hygiene
	return lifecycle.Policy{Name: lifecycle.Builtin, Sweep: lifecycle.Sweep{
		HotDays: h.HotDays, ArchiveDays: h.ArchiveDays, HotMax: h.HotMax, Batch: h.Batch, Forget: h.Forget,
		PruneDays: s.Memory.PruneOlderThanDays,
	}}
}

// Named returns the lifecycle policy of that name, which may have faults; "" is the one
// that the settings name, or else what they say themselves.
func (s Set) Named(name string) (lifecycle.Reading, error) {
	if name == "" {
		name = s.Memory.Policy
	}
	if name == "" {
		return lifecycle.Reading{Policy: s.Plain()}, nil
	}
	if !lifecycle.GoodName(name) {
		return lifecycle.Reading{}, fault.Usagef("%q is no name of a policy: want 1 to 40 of a-z, 0-9 and -", name).
			WithHint("see what there is: %s", fault.Command("memory tidy policy list"))
	}
	r, err := s.Load(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = fault.NotFoundf("there is no policy %q: %w", name, err).
			WithHint("write one: %s", fault.Command("memory tidy policy init "+name))
	}
	return r, err
}

// Budget returns the most tokens and items that go with a question: what the
// settings say, or less if the policy in force does. A policy that cannot be read, or
// has faults, changes nothing, and is reported where it counts.
func (s Set) Budget() (tokens, items int) {
	m := s.Memory
	tokens, items = m.ActivateMaxTokens, m.ActivateMaxItems
	if m.Policy == "" {
		return tokens, items
	}
	r, err := s.Named("")
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
