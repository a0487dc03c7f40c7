package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/lifecycle"
	"ken/internal/usage"
)

// maxPolicy is the longest file of a policy that is read, in bytes.
const maxPolicy = 1 << 20

// Policy is the lifecycle policy of that name, which may have faults; "" is the one
// that the settings name, or else what they say themselves. It needs Settings.
func (a *App) Policy(name string) (lifecycle.Reading, error) {
	plain := a.plainPolicy()
	if name == "" {
		name = a.cfg.Memory.Policy
	}
	if name == "" {
		return lifecycle.Reading{Policy: plain}, nil
	}
	if !lifecycle.GoodName(name) {
		return lifecycle.Reading{}, Usage("%q is no name of a policy: want 1 to 40 of a-z, 0-9 and -", name).
			Hint("see what there is: %s", a.Verb("memory policy list"))
	}
	plain.Name = name
	text, err := readPolicy(filepath.Join(a.paths.Policies(), name+".toml"))
	if errors.Is(err, fs.ErrNotExist) {
		return lifecycle.Reading{}, Fail(ExitFailure, fmt.Errorf("there is no policy %q: %w", name, err)).
			Hint("write one: %s", a.Verb("memory policy init "+name))
	}
	if err != nil {
		return lifecycle.Reading{}, err
	}
	return lifecycle.ParseTOML(text, plain), nil
}

// Profile is the policy that a file says: a memory profile in JSON, or else TOML. It
// needs Settings.
func (a *App) Profile(path string) (lifecycle.Reading, error) {
	text, err := readPolicy(path)
	if err != nil {
		return lifecycle.Reading{}, err
	}
	plain := a.plainPolicy()
	if text = bytes.TrimPrefix(text, []byte("\ufeff")); bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) || filepath.Ext(path) == ".json" {
		plain.Name = "profile"
		return lifecycle.ParseProfile(text, plain), nil
	}
	return lifecycle.ParseTOML(text, plain), nil
}

// plainPolicy is what the settings say.
func (a *App) plainPolicy() lifecycle.Policy {
	m := a.cfg.Memory
	return lifecycle.Policy{Name: lifecycle.Builtin, Sweep: lifecycle.Sweep{
		HotDays: m.Hygiene.HotDays, ArchiveDays: m.Hygiene.ArchiveDays, HotMax: m.Hygiene.HotMax,
		Batch: m.Hygiene.Batch, Forget: m.Hygiene.Forget, PruneDays: m.PruneOlderThanDays,
	}}
}

func readPolicy(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", path)
	case fi.Size() > maxPolicy:
		return nil, fmt.Errorf("%s: %d bytes: a policy has %d at most", path, fi.Size(), maxPolicy)
	}
	return os.ReadFile(path)
}

// ActivationBudget is the most tokens and items that go with a question: what the
// settings say, or less if the policy in force does. A policy that cannot be read, or
// has faults, changes nothing, and is told where it counts. It needs Settings.
func (a *App) ActivationBudget() (tokens, items int) {
	m := a.cfg.Memory
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
func (a *App) Uses() (last func(ref string) time.Time, count func(ref string) int) {
	now := &usage.Book{Path: a.paths.Usage(), Dir: a.paths.Data, Now: a.Env.Now}
	return func(ref string) time.Time {
		if at := a.uses().Latest(ref); at.After(now.Last(ref)) {
			return at
		}
		return now.Last(ref)
	}, now.Count
}
