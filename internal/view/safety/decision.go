package safety

import "ken/internal/gate"

// A Decision says what would happen with a line that nobody typed.
type Decision struct {
	Command  string   `json:"command"`
	Level    string   `json:"level"`
	Decision string   `json:"decision"` // deny, ask or allow
	Why      string   `json:"why"`
	Pattern  string   `json:"pattern,omitempty"`  // that decided
	Approval int64    `json:"approval,omitempty"` // that decided
	Rules    []string `json:"rules,omitempty"`    // references
	Reasons  []Reason `json:"reasons"`            // never null
	Always   string   `json:"always,omitempty"`   // the pattern that could be approved
}

// DecisionOf is what was decided about a line, for a program.
func DecisionOf(line string, d gate.Decision) Decision {
	v := Decision{
		Command: line, Level: d.Level.String(), Decision: d.Action.String(), Why: d.Why, Pattern: d.Pattern, Approval: d.Approval,
		Reasons: []Reason{},
	}
	for _, r := range d.Rules {
		v.Rules = append(v.Rules, r.Ref)
	}
	for _, r := range d.Assessment.Reasons {
		v.Reasons = append(v.Reasons, Reason{r.Level.String(), r.Why, r.Token})
	}
	if pattern, always := gate.Offer(d.Assessment); always {
		v.Always = pattern.String()
	}
	return v
}

// Revoked are the numbers of approvals that were taken back.
type Revoked struct {
	Revoked []int64 `json:"revoked"`
}
