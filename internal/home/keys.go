package home

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"ken/internal/config"
	"ken/internal/redact"
	"ken/internal/redact/known"
)

// keyKind is the kind under which the keys that ken uses are masked.
const keyKind = "api-key"

// A keyring knows the keys that ken reads, wherever they are named: they are masked by
// their value in all that is written and sent, whatever stands around them. One that is
// taken back or changed in this run stays known. It is safe for concurrent use, since
// what runs beside the person masks as well.
type keyring struct {
	mu     sync.Mutex
	names  map[string]bool // variables that hold keys
	files  map[string]bool // files of keys, and whether they were read
	known  map[string]bool // the texts of keys
	keys   []known.Secret  // those, as they are looked for
	set    *known.Set      // of keys
	masker *redact.Masker  // nil: nothing was to be masked yet
	path   string          // of the person's masking key; "" if it is not known yet
}

// note takes note of where settings name keys, and where the person's masking key is.
func (k *keyring) note(cfg *config.Config, path string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.names == nil {
		k.names, k.files, k.known = map[string]bool{"OPENAI_API_KEY": true}, map[string]bool{}, map[string]bool{}
	}
	if cfg == nil {
		return
	}
	k.path = path
	for _, m := range cfg.Models {
		k.names[m.APIKeyEnv] = true
		if m.APIKeyFile != "" && !k.files[m.APIKeyFile] {
			k.files[m.APIKeyFile] = false
		}
	}
	for _, s := range cfg.MCP.Servers {
		k.names[s.AuthEnv] = true
	}
	delete(k.names, "")
}

// variables are the names of the variables that hold keys, in order.
func (k *keyring) variables() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Sorted(maps.Keys(k.names))
}

// learn reads the keys where they are named. The ring is locked.
func (k *keyring) learn(getenv func(string) string) {
	grown := false
	add := func(key string) {
		if key = strings.TrimSpace(key); key != "" && !k.known[key] {
			k.known[key], grown = true, true
			k.keys = append(k.keys, known.Secret{Kind: keyKind, Text: key, Key: true})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.names)) {
		add(getenv(name))
	}
	for _, file := range slices.Sorted(maps.Keys(k.files)) {
		if k.files[file] {
			continue
		}
		k.files[file] = true
		key, _, err := config.Model{APIKeyFile: file}.Key(getenv)
		if err == nil { // else it is of no use, and told where it is wanted
			add(key)
		}
	}
	if grown {
		k.set = known.NewSet(k.keys)
		if k.masker != nil {
			k.masker = k.masker.Knowing(slices.Clone(k.keys))
		}
	}
}

// idle reports whether nothing in s is to be masked by anybody, so that the person's
// key need not be read.
func (k *keyring) idle(getenv func(string) string, s string) bool {
	k.mu.Lock()
	k.learn(getenv)
	set, begun := k.set, k.masker != nil
	k.mu.Unlock()
	if begun {
		return false
	}
	holds := false
	set.Find(s, func(string, int, int) { holds = true })
	return !holds && !redact.Contains(s)
}

// using is the masker with all keys that are known by now. The person's masking key is
// read once; where that fails, or it is not known yet where it is, the marks are those of
// a key that nobody has.
func (k *keyring) using(getenv func(string) string) (*redact.Masker, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.learn(getenv)
	if k.masker != nil {
		return k.masker, nil
	}
	passing := make([]byte, redact.KeySize)
	_, _ = rand.Read(passing) // never fails
	key, err := passing, error(nil)
	if k.path != "" {
		if key, err = redact.LoadKey(k.path); err != nil {
			key = passing
		}
	}
	m := redact.New(key).Knowing(slices.Clone(k.keys))
	if k.path != "" {
		k.masker = m
	}
	return m, err
}

// Masker replaces secrets under the person's key, which is made at the first
// use. If it cannot be read, or it is not known yet where it is, the marks are
// those of a key that nobody has.
func (a *Home) Masker() *redact.Masker {
	a.ring.note(nil, "")
	m, err := a.ring.using(a.o.Getenv)
	if err != nil { // told once: from now on there is a masker
		a.Warn(fmt.Errorf("masked secrets get marks of this run only: %w", err))
	}
	return m
}

// KeyVariables are the names of the variables that hold keys which ken uses, in order:
// what a model or a tool runs does not get them.
func (a *Home) KeyVariables() []string {
	a.ring.note(nil, "")
	return a.ring.variables()
}

// Mask replaces the secrets in a text. Until the first is found the person's key
// is not asked for, so that most runs never touch it. It is safe for concurrent use
// once the settings were read.
func (a *Home) Mask(s string) (string, []redact.Hit) {
	a.ring.note(nil, "")
	if a.ring.idle(a.o.Getenv, s) {
		return s, nil
	}
	return a.Masker().Mask(s)
}
