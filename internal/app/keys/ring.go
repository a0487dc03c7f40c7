package keys

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"ken/internal/config"
	"ken/internal/memory"
	"ken/internal/redact"
	"ken/internal/redact/literals"
	"ken/internal/secret"
)

// keyKind is the kind under which the keys that ken uses are masked.
const keyKind = "api-key"

// A Ring knows the keys that ken reads, wherever they are named: they are masked by
// their value in all that is written and sent, whatever stands around them. One that is
// taken back or changed in this run stays known. It is safe for concurrent use, since
// what runs beside the person masks as well.
type Ring struct {
	getenv func(string) string
	warn   func(error)

	mu     sync.Mutex
	names  map[string]bool   // variables that hold keys
	files  map[string]bool   // files of keys, and whether they were read
	known  map[string]bool   // the texts of keys
	added  bool              // keys are not looked for yet that Add has
	keys   []literals.Secret // those, as they are looked for
	set    *literals.Set     // of keys
	masker *redact.Masker    // nil: nothing was to be masked yet
	path   string            // of the person's masking key; "" if it is not known yet
	seal   *memory.Seal      // nil: not asked for yet
}

// New returns a ring that knows what the environment holds by itself. Faults that cost
// no more than lasting marks go to warn.
func New(getenv func(string) string, warn func(error)) *Ring {
	return &Ring{
		getenv: getenv, warn: warn,
		names: map[string]bool{"OPENAI_API_KEY": true}, files: map[string]bool{}, known: map[string]bool{},
	}
}

// Note takes note of where settings name keys, and where the person's masking key is: its
// path.
func (k *Ring) Note(cfg *config.Config, path string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.path = path
	for _, m := range cfg.Models {
		k.names[m.APIKeyEnv] = true
		if m.APIKeyFile != "" && !k.files[m.APIKeyFile] {
			k.files[m.APIKeyFile] = false
		}
	}
	k.names[cfg.Telegram.TokenEnv] = true
	if file := cfg.Telegram.TokenFile; file != "" && !k.files[file] {
		k.files[file] = false
	}
	for _, s := range cfg.MCP.Servers {
		k.names[s.AuthEnv], k.names[s.ClientSecretEnv] = true, true
	}
	delete(k.names, "")
}

// Variables returns the names of the variables that hold keys which ken uses, in order: what
// a model or a tool runs does not get them.
func (k *Ring) Variables() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Sorted(maps.Keys(k.names))
}

// Holds reports whether a text has a key in it that ken uses.
func (k *Ring) Holds(text string) bool {
	holds := false
	k.keySet().Find(text, func(string, int, int) { holds = true })
	return holds
}

// Add makes a secret known that ken was given, and that no variable or file of keys holds: as the token of a login.
func (k *Ring) Add(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.added = k.keep(key) || k.added
}

// keep takes note of the text of a key, and reports whether it is new. The ring is locked.
func (k *Ring) keep(key string) bool {
	if key = strings.TrimSpace(key); key == "" || k.known[key] {
		return false
	}
	k.known[key] = true
	k.keys = append(k.keys, literals.Secret{Kind: keyKind, Text: key, Key: true})
	return true
}

// learn reads the keys where they are named. The ring is locked.
func (k *Ring) learn() {
	grown := k.added
	k.added = false
	add := func(key string) { grown = k.keep(key) || grown }
	for _, name := range slices.Sorted(maps.Keys(k.names)) {
		add(k.getenv(name))
	}
	for _, file := range slices.Sorted(maps.Keys(k.files)) {
		if k.files[file] {
			continue
		}
		k.files[file] = true
		key, _, err := config.Model{APIKeyFile: file}.Key(k.getenv)
		if err == nil { // else it is of no use, and reported where it is wanted
			add(key)
		}
	}
	if grown {
		k.set = literals.NewSet(k.keys)
		if k.masker != nil {
			k.masker = k.masker.Knowing(slices.Clone(k.keys))
		}
	}
}

// idle reports whether nothing in s is to be masked by anybody, so that the person's
// key need not be read.
func (k *Ring) idle(s string) bool {
	k.mu.Lock()
	k.learn()
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
func (k *Ring) using() (*redact.Masker, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.learn()
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
func (k *Ring) Masker() *redact.Masker {
	m, err := k.using()
	if err != nil { // reported once: from now on there is a masker
		k.warn(fmt.Errorf("masked secrets get marks of this run only: %w", err))
	}
	return m
}

// Knowing is the mask that Masker has which also masks the given secrets, wherever they stand.
func (k *Ring) Knowing(secrets []literals.Secret) secret.Mask {
	return k.Masker().Knowing(secrets).Mask
}

// Mask replaces the secrets in a text. Until the first is found the person's key
// is not asked for, so that most runs never touch it.
func (k *Ring) Mask(s string) (string, []redact.Hit) {
	if k.idle(s) {
		return s, nil
	}
	return k.Masker().Mask(s)
}

// MaskText returns the text as it may be written or sent.
func (k *Ring) MaskText(s string) string {
	s, _ = k.Mask(s)
	return s
}

// Seal keeps the sums and hashes that are written from being tried against texts, under
// the person's key. The settings must have been read.
func (k *Ring) Seal() (*memory.Seal, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seal == nil {
		key, err := redact.LoadKey(k.path)
		if err != nil {
			return nil, err
		}
		k.seal = memory.NewSeal(key)
	}
	return k.seal, nil
}

// Sums is Seal for what is only written: without the person's key, one that nobody has.
func (k *Ring) Sums() *memory.Seal {
	seal, err := k.Seal()
	if err == nil {
		return seal
	}
	passing := make([]byte, redact.KeySize)
	_, _ = rand.Read(passing) // never fails
	return memory.NewSeal(passing)
}
