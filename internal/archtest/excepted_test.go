package archtest

// An exception is a row for a place that a gate lets through, with its reason. A new row
// is a question to the design, and is not written to make a build pass.
type exception struct {
	name string // of a package, or a file
	why  string
}
