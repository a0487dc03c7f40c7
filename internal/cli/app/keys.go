package app

import (
	"maps"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/redact/known"
)

// keyKind is the kind under which the keys that ken uses are masked.
const keyKind = "api-key"

// learnKeys takes note of the keys that ken reads, wherever they are named: they are
// masked by their value in all that is written and sent, whatever stands around them.
// One that is taken back or changed in this run stays known.
func (a *App) learnKeys() {
	names := map[string]bool{"OPENAI_API_KEY": true}
	var files []string
	if a.cfg != nil {
		for _, m := range a.cfg.Models {
			names[m.APIKeyEnv] = true
			if m.APIKeyFile != "" && !a.filed[m.APIKeyFile] {
				files = append(files, m.APIKeyFile)
			}
		}
		for _, s := range a.cfg.MCP.Servers {
			names[s.AuthEnv] = true
		}
	}
	grown := false
	learn := func(key string) {
		if key = strings.TrimSpace(key); key == "" || a.keyOf[key] {
			return
		}
		if a.keyOf == nil {
			a.keyOf = make(map[string]bool)
		}
		a.keyOf[key], grown = true, true
		a.keys = append(a.keys, known.Secret{Kind: keyKind, Text: key, Key: true})
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name != "" {
			learn(a.Env.Getenv(name))
		}
	}
	for _, file := range files {
		if a.filed == nil {
			a.filed = make(map[string]bool)
		}
		a.filed[file] = true
		key, _, err := config.Model{APIKeyFile: file}.Key(a.Env.Getenv)
		if err == nil { // else it is of no use, and told where it is wanted
			learn(key)
		}
	}
	if grown {
		a.keySet = known.NewSet(a.keys)
		if a.masker != nil {
			a.masker = a.masker.Knowing(a.keys)
		}
	}
}

// holdsKey reports whether one of the keys stands in a text.
func (a *App) holdsKey(s string) bool {
	found := false
	a.keySet.Find(s, func(string, int, int) { found = true })
	return found
}
