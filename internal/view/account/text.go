package account

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/session/acts"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// Text is the account in lines for a person. command says how a command of ken is typed here.
func (a Account) Text(command func(string) string) string {
	var b strings.Builder
	switch {
	case a.Run == "":
		b.WriteString("while it answered questions:\n")
	case a.Why != "":
		fmt.Fprintf(&b, "%s (%s): %s\n", a.Outcome, termsafe.Line(a.Why), termsafe.Line(a.Goal))
	default:
		fmt.Fprintf(&b, "%s: %s\n", a.Outcome, termsafe.Line(a.Goal))
	}
	for _, act := range a.Acts {
		fmt.Fprintf(&b, "%3d  %s\n     %s\n", act.Nr, termsafe.Line(act.What), act.text())
	}
	if len(a.Acts) == 0 {
		b.WriteString("  nothing was done\n")
	}
	for _, f := range a.Files {
		fmt.Fprintf(&b, "  %s %s (back: %s)\n", f.Change, termsafe.Line(f.Path), command("undo "+f.Undo))
	}
	if a.Run != "" {
		b.WriteString("  " + a.spent() + "\n")
	}
	if a.Undo != "" {
		fmt.Fprintf(&b, "  takes back the %s: %s\n", view.Count(len(a.Files), "edit"), command(a.Undo))
		b.WriteString(a.stay())
	}
	return strings.TrimRight(b.String(), "\n")
}

// stay says what is not taken back; "" if all is.
func (a Account) stay() string {
	const most = 3
	var named []string
	for _, what := range a.Stays[:min(most, len(a.Stays))] {
		named = append(named, "`"+termsafe.Cut(termsafe.Line(what), 40)+"`")
	}
	text := strings.Join(named, ", ")
	if more := len(a.Stays) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if text == "" {
		return ""
	}
	return "  what " + text + " did stays\n"
}

// text is the second line of an act: what became of it, by what right, and when.
func (a Act) text() string {
	did := a.Outcome
	switch {
	case a.Outcome == Unknown, a.Outcome == Killed:
		did = acts.KilledIn(a.Tool, a.Time)
	case a.Exit != nil:
		did = fmt.Sprintf("exit %d", *a.Exit)
	}
	if a.Risk != "" {
		did += ", " + a.Risk
	}
	if by := right(a.How); by != "" {
		did += ", " + by
	}
	did += ", " + a.Time.UTC().Format(time.TimeOnly)
	if a.MS >= 100 {
		did += fmt.Sprintf(", %.1f s", float64(a.MS)/1000)
	}
	return did
}

// right says by what right something was done.
func right(how string) string {
	switch how {
	case "level":
		return "by its level"
	case "allow":
		return "by safety.allow"
	case "always":
		return "by what you approved for good"
	case "session":
		return "by what you approved for the session"
	case "once":
		return "by your yes"
	}
	return ""
}

// spent is what a run used.
func (a Account) spent() string {
	seconds := func(ms int64) float64 { return float64(ms) / 1000 }
	text := fmt.Sprintf("%s, %.1f s of the model and %.1f s of the acts, ", view.Count(a.Steps, "step"), seconds(a.MS), seconds(a.ActsMS))
	if a.Estimated {
		text += "about "
	}
	text += view.Count(a.Tokens, "token")
	if a.Currency != "" {
		text += fmt.Sprintf(", %.4f %s", a.Cost, a.Currency)
		if a.Unpriced > 0 {
			text += fmt.Sprintf(" and %s of another price, or of none that is known", view.Count(a.Unpriced, "answer"))
		}
	}
	return text
}
