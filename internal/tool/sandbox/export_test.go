package sandbox

// WithoutSpaces is the box as it is where nobody but an administrator makes namespaces.
func (b *Box) WithoutSpaces() *Box {
	of := *b
	of.plan.Spaces = false
	return &of
}
