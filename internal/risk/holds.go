package risk

// Holds says that the rule is about a command of a line with that verdict, at any
// depth, and that nothing excuses it. A rule that raises nothing never holds.
func (r Rule) Holds(v Assessment) bool {
	if len(r.Match) == 0 || r.Raise == Safe {
		return false
	}
	for _, c := range v.Commands {
		if r.holds(c, nil) {
			return true
		}
	}
	return false
}
