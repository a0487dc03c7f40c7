package lifecycle

import "ken/internal/memory"

// A Doubt is a reason to ask the person before something is done that needs no yes by its
// policy, where nobody asked for it either. It is for a person.
type Doubt string

// The doubts.
const (
	DoubtFirst Doubt = "for the first time"               // nothing of this log was ever put away
	DoubtMost  Doubt = "more than half of what is in use" // whoever comes back after months should find it
)

// ByItself returns what of the actions that choose picks is done without anybody asking
// for it, and whether the person is to be asked first: then it is all of them.
//
// What a sweep archives for age or number is never the last that is hot: a memory whose
// person uses it seldom would be empty one day, without their doing. What a rule of theirs
// says is done.
func (p Plan) ByItself(choose func(Plan) []Action) (due []Action, doubt Doubt) {
	due = choose(p)
	all, swept, gone := 0, 0, 0
	for _, a := range due {
		all += len(a.Items)
		if a.sweeps() {
			swept += len(a.Items)
		}
		for i := range a.Items {
			if a.Do != Settle && a.Items[i].Tier == memory.TierHot && a.Items[i].Current(p.at) {
				gone++
			}
		}
	}
	switch {
	case !p.Swept && all > p.handful:
		return due, DoubtFirst
	case swept > p.handful && 2*swept > p.current:
		return due, DoubtMost
	case swept > 0 && gone >= p.current:
		var rest []Action
		for _, a := range due {
			if !a.sweeps() {
				rest = append(rest, a)
			}
		}
		return rest, ""
	}
	return due, ""
}

// sweeps reports whether an action archives by the sweep and not by a rule.
func (a Action) sweeps() bool { return a.Do == Archive && a.Rule == "" }
