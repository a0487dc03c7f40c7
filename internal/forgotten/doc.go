// Package forgotten says which turns of conversations must not come back: those that
// taught something that was forgotten, and those that repeat it.
package forgotten
