package digest

import (
	"slices"
	"strings"

	"ken/internal/text"
)

// WithoutGrants takes out of a summary the lines that say that something is allowed,
// unless the person said so in what they typed: a page or a program that claims a
// permission must not have one in the next conversation.
func WithoutGrants(summary string, turns []Turn) string {
	var b strings.Builder
	for line := range strings.Lines(summary) {
		if grants(line) && !saidBy(line, turns) {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// grants reports whether a line may say that something is allowed, or need not be
// asked about.
func grants(line string) bool {
	words := text.Spoken(line)
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	return has("allow", "allows", "allowed", "allowing", "permit", "permits", "permitted", "permission", "permissions", "approve", "approves", "approved",
		"approval", "authorize", "authorized", "authorised", "consent", "consented", "waive", "waived", "waiver", "grant", "grants", "granted",
		"trusted", "trust", "trusts", "unattended", "bypass", "bypassed", "erlaubt", "darf", "genehmigt", "permite", "permitido", "autorise", "autorizado") ||
		has("without", "no", "never", "not", "skip", "skips", "don't", "stop") &&
			has("ask", "asking", "asked", "confirm", "confirming", "confirmation", "confirmations", "prompt", "prompting", "review", "reviewing") ||
		has("may", "can", "should") && has("automatically", "freely", "directly", "silently")
}

// saidBy reports whether most words of a line stand in one turn that the person
// typed.
func saidBy(line string, turns []Turn) bool {
	words := text.Spoken(line)
	for _, t := range turns {
		if !t.Person || !grants(t.Text) {
			continue
		}
		typed := text.Spoken(t.Text)
		same := 0
		for _, w := range words {
			if slices.Contains(typed, w) {
				same++
			}
		}
		if 5*same >= 3*len(words) {
			return true
		}
	}
	return false
}
