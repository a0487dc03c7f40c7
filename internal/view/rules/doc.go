// Package rules has the shapes of the rules in force, of what a change of them comes to,
// and of the sets there were, as JSON and as text.
package rules
