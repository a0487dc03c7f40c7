// Package rules is `ken rules`: the rules in force, what a change of them comes to, and
// the sets there were.
package rules
