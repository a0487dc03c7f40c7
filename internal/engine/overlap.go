package engine

import (
	"strings"

	"ken/internal/memory"
)

// overlap reports whether there is a place where both scopes hold.
func overlap(a, b memory.Scope) bool {
	x, y := string(a), string(b)
	if x == "" || y == "" || a == memory.ScopeUser || b == memory.ScopeUser || sameScope(a, b) {
		return true
	}
	x, okX := strings.CutPrefix(x, "dir:")
	y, okY := strings.CutPrefix(y, "dir:")
	return okX && okY && (strings.HasPrefix(x+"/", y+"/") || strings.HasPrefix(y+"/", x+"/"))
}

// sameScope compares scopes; "" is that of the user. Case does not count in the
// identity of a repository.
func sameScope(a, b memory.Scope) bool {
	if a == "" {
		a = memory.ScopeUser
	}
	if b == "" {
		b = memory.ScopeUser
	}
	return a == b || strings.HasPrefix(string(a), "repo:") && strings.EqualFold(string(a), string(b))
}
