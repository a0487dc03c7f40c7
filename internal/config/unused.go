package config

import "strings"

// Unused lists the keys that the file sets although nothing in this version
// reads them, in the order of the file. They are checked like all others, so a
// file that is right today is right when they come to life.
func (c Config) Unused() []string {
	var unused []string
	for _, key := range c.given {
		if IsUnused(key) {
			unused = append(unused, key)
		}
	}
	return unused
}

// IsUnused reports whether nothing in this version reads a key, or a table. It is not
// offered then, nor shown unless a file sets it.
func IsUnused(key string) bool {
	// A key, or a table with its dot for all below it. Whoever makes a key work
	// takes it off this list.
	without := []string{
		"redact.",
	}
	for _, w := range without {
		if key == w || strings.HasSuffix(w, ".") && (strings.HasPrefix(key, w) || key+"." == w) {
			return true
		}
	}
	return false
}
