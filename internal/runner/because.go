package runner

import (
	"fmt"
	"strings"

	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/termsafe"
)

// Because returns the worst reason of a verdict with its token, in one line, and why it is
// asked about if that does not say it.
func Because(d gate.Decision) string {
	text := worst(d)
	if d.Once && d.Level < risk.Danger && len(d.Rules) == 0 {
		text += " (" + d.Why + ")"
	}
	return text
}

func worst(d gate.Decision) string {
	if len(d.Rules) > 0 && d.Level > d.Assessment.Level {
		r := d.Rules[0]
		return fmt.Sprintf("%s: %s", r.Name(), termsafe.Cut(termsafe.Line(r.Text), 60))
	}
	if len(d.Assessment.Reasons) == 0 {
		return "it only reads"
	}
	return Reason(d.Assessment.Reasons[0])
}

// Reason returns a reason with its token.
func Reason(r risk.Reason) string {
	token := termsafe.Cut(strings.ReplaceAll(termsafe.Unpad(termsafe.Visible(r.Token)), "\n", `\n`), 60)
	if token == "" {
		return r.Why
	}
	return fmt.Sprintf("%s: %s", token, r.Why)
}
