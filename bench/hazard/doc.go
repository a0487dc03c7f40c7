// Package hazard measures how package risk judges commands whose level is known: by
// label, by source, and behind wrappers; how often a person would be asked; and what
// a verdict costs.
//
// A corpus is lines of JSON, one for each command:
//
//	{"id":"1","cmd":"ls","label":"safe","source":"own"}
package hazard
