package config

import "strings"

// Unused lists the keys that the file sets although nothing in this version
// reads them, in the order of the file. They are checked like all others, so a
// file that is right today is right when they come to life.
func (c Config) Unused() []string {
	// A key, or a table with its dot for all below it. Whoever makes a key work
	// takes it off this list.
	without := []string{
		"memory.daily_log.",
		"redact.",
		"auto.",
		"rules.",
		"mcp.",
		"skills.",
	}
	var unused []string
	for _, key := range c.given {
		for _, w := range without {
			if key == w || strings.HasSuffix(w, ".") && strings.HasPrefix(key, w) {
				unused = append(unused, key)
				break
			}
		}
	}
	return unused
}
