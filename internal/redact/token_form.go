package redact

// A tokenForm is a token that its issuer made recognisable: one of a few prefixes, then
// Min to Max bytes of a set.
type tokenForm struct {
	// Kind is the kind of the hit, in lower-case letters, digits and hyphens.
	Kind string
	// Prefixes have blanks between them and match in their own case only.
	Prefixes string
	// Set reports whether a byte may stand behind the prefix.
	Set func(byte) bool
	// Min and Max bound the bytes behind the prefix; Max 0 is no limit. A Max is
	// given where the prefix alone is ordinary letters.
	Min, Max int
}
