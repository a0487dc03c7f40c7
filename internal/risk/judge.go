package risk

// MaxLine is the longest line that is looked into, in bytes. A longer one is a
// danger: nobody reads it before saying yes.
const MaxLine = 64 << 10

// Judge says what line could do if it ran at here. It never fails and never panics:
// what it does not understand is at least a caution.
func Judge(line string, here Here) Verdict {
	v := Verdict{Level: Caution, Reasons: []Reason{{Caution, "nothing is known of it yet", line, 0}}}
	if len(line) > MaxLine {
		v.Level, v.Reasons[0].Level = Danger, Danger
	}
	return v
}
