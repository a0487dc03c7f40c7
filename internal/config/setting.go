package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"ken/internal/config/edit"
)

// A Setting is one key with the value that holds for it.
type Setting struct {
	Key   []string // its parts; edit.Key writes them as one
	Value any      // a string, bool, int, float64, []string or time.Duration
	Want  string   // what it may be, in words: "1 to 365"
	Row   int      // where the file sets it, from 1; 0 if it does not
}

// Settings lists every key there is with the value that c has for it, those of
// presets and servers by name, in the order in which a file is written: the
// keys without a table first, each table in one piece. Written as TOML they
// make c again.
func (c Config) Settings() []Setting {
	var list []Setting
	add := func(table []string, fields []field) {
		for _, f := range fields {
			key := slices.Concat(table, strings.Split(f.path, "."))
			list = append(list, Setting{key, f.get(), f.want, c.row(key)})
		}
	}
	all := c.fields()
	root := slices.IndexFunc(all, func(f field) bool { return strings.Contains(f.path, ".") })
	add(nil, all[:root])
	if _, is := c.Models[strongPreset]; !is { // the preset has that name
		add(nil, all[root:root+1])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Models)) {
		m := c.Models[name]
		add([]string{"models", name}, m.fields())
	}
	add(nil, all[root+1:])
	for _, name := range slices.Sorted(maps.Keys(c.MCP.Servers)) {
		s := c.MCP.Servers[name]
		add([]string{"mcp", "servers", name}, s.fields())
		for _, variable := range slices.Sorted(maps.Keys(s.Env)) {
			key := []string{"mcp", "servers", name, "env", variable}
			list = append(list, Setting{key, s.Env[variable], "a string", c.row(key)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Serve.Alias)) {
		key := []string{"serve", "alias", name}
		list = append(list, Setting{key, c.Serve.Alias[name], "a string", c.row(key)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		key := []string{"keys", name}
		list = append(list, Setting{key, c.Keys[name], "a string", c.row(key)})
	}
	return list
}

// row is where the file sets a key; 0 if it does not. The older key timeout_ms
// of a preset sets two others.
func (c Config) row(key []string) int {
	if i := slices.Index(c.given, edit.Key(key...)); i >= 0 {
		return c.rows[i]
	}
	if len(key) == 3 && key[0] == "models" && (key[2] == "first_token_timeout" || key[2] == "idle_timeout") {
		return c.row([]string{"models", key[1], "timeout_ms"})
	}
	return 0
}

// ParseKey reads a key as a person types it: as TOML, but that the names of presets
// may have dots without quotes, and keys of the keyboard any form.
func ParseKey(s string) ([]string, error) {
	key, err := edit.ParseKey(s)
	if name, ok := strings.CutPrefix(strings.TrimSpace(s), "keys."); ok && (err != nil || len(key) > 2) {
		if n := len(name); n >= 2 && name[0] == name[n-1] && (name[0] == '"' || name[0] == '\'') {
			name = name[1 : n-1]
		}
		return []string{"keys", name}, nil
	}
	if err != nil {
		return nil, err
	}
	if last := len(key) - 1; last > 2 && key[0] == "models" {
		return []string{"models", strings.Join(key[1:last], "."), key[last]}, nil
	}
	return key, nil
}

// Literal writes what a person typed after a key as TOML, by the type that the
// key has: text needs no quotes, and a list may be given as a, b. What does not
// fit the type, or has no such key, is written so that Parse can say what is
// wrong with it.
func Literal(key []string, text string) string {
	text = strings.TrimSpace(text)
	kind, isValue := edit.Value(text)
	var sample any
	r := newReader(nil, "")
	if f, _ := r.lookup(partsOf(key), false); f != nil {
		sample = f.get()
	}
	switch sample.(type) {
	case string, time.Duration:
		if isValue && kind == unstable.String {
			return text
		}
		return edit.Quote(text)
	case []string:
		list := []string{}
		switch {
		case json.Unmarshal([]byte(text), &list) == nil:
		case isValue:
			return text
		default:
			for s := range strings.SplitSeq(text, ",") {
				if s = strings.TrimSpace(s); s != "" {
					list = append(list, s)
				}
			}
		}
		return edit.Literal(list)
	}
	if isValue {
		return text
	}
	return edit.Quote(text)
}

func partsOf(key []string) []part {
	parts := make([]part, len(key))
	for i, name := range key {
		parts[i].name = name
	}
	return parts
}
