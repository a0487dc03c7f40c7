package engine

import (
	"strings"

	"ken/internal/memory"
)

// scopesMeet reports whether there is a place where both scopes hold.
func scopesMeet(a, b memory.Scope) bool {
	x, y := string(a), string(b)
	if x == "" || y == "" || a == memory.ScopeUser || b == memory.ScopeUser || SameScope(a, b) {
		return true
	}
	x, okX := strings.CutPrefix(x, "dir:")
	y, okY := strings.CutPrefix(y, "dir:")
	return okX && okY && (strings.HasPrefix(x+"/", y+"/") || strings.HasPrefix(y+"/", x+"/"))
}

// SameScope reports whether two scopes are the same. "" is the scope of the user. Case does not
// count in the identity of a repository.
func SameScope(a, b memory.Scope) bool {
	if a == "" {
		a = memory.ScopeUser
	}
	if b == "" {
		b = memory.ScopeUser
	}
	return a == b || strings.HasPrefix(string(a), "repo:") && strings.EqualFold(string(a), string(b))
}
