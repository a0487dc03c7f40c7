package why

import (
	"ken/internal/view"
)

// A Verdict says how one memory stands to one answer.
type Verdict struct {
	Ref     string     `json:"ref"`
	Session string     `json:"session"`
	N       int        `json:"n"` // the turn of the answer
	Given   bool       `json:"given"`
	Reason  string     `json:"reason"` // why it was not given; why it was, if it was
	Then    bool       `json:"then"`   // the reason was noted then; else it is what holds now
	Score   *float64   `json:"score,omitempty"`
	Parts   view.Parts `json:"parts,omitempty"` // sum to the score
}

// VerdictOf is what the trace of an answer says of the memory called ref there. Then is
// false, and Reason "", if it says nothing.
func VerdictOf(src Source, ref string) Verdict {
	v := Verdict{Ref: ref, Session: src.Session, N: src.Trace.N, Then: true}
	for _, g := range src.Trace.Chosen {
		if g.Ref != ref {
			continue
		}
		it := src.ground(g)
		v.Given, v.Reason, v.Score, v.Parts = true, it.Why, it.Score, it.Parts
		if g.Standing {
			v.Reason = "in the start-up block; " + v.Reason
		}
		if it.Since != "" {
			v.Reason += "; " + it.Since
		}
		return v
	}
	for _, p := range src.Trace.Passed {
		if p.Ref == ref {
			if v.Reason = string(p.Reason); p.Standing {
				v.Reason = "it has too little to do with the question, and in the start-up block: " + v.Reason
			}
			return v
		}
	}
	v.Then = false
	return v
}

// Text is a verdict for people; answer names the answer.
func (v Verdict) Text(answer string) string {
	switch {
	case v.Given:
		return "[" + v.Ref + "] was given to " + answer + ": " + v.Reason
	case v.Then:
		return "[" + v.Ref + "] was not given to " + answer + ": " + v.Reason
	}
	return "[" + v.Ref + "] was not given to " + answer + "; as things are now: " + v.Reason
}
