package distill

import (
	"regexp"
	"slices"
	"strings"

	"ken/internal/text"
)

// What Suspect finds beside the flags of a candidate.
const (
	flagOverride = "override" // it tells an assistant to set its instructions aside
	flagRuns     = "runs"     // it has what somebody fetched run
)

// Suspect returns what of a text that others wrote is to be looked at twice before it is
// kept: the flags that a plain instruction ("use tabs") does not have. Nil: nothing.
func Suspect(s string) []string {
	list := slices.DeleteFunc(FlagsOf(s, false), func(f string) bool { return f == flagOrder || f == flagPerson })
	if overrides(text.WordsInOrder(s)) {
		list = append(list, flagOverride)
	}
	if fetched().MatchString(s) {
		list = append(list, flagRuns)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// fetched finds a text that is given to a shell.
func fetched() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\|\s*(sudo\s+)?((ba|z|da|k|fi)?sh|python3?|perl|node)\b|` +
		`\b(ba|z|da|k)?sh\s+(-c\s+)?["']?(\$\(|<\()\s*(curl|wget)|\beval\b.*\$\(|base64\s+(-d|--decode)`)
}

// overrides reports whether words set instructions aside, in the languages in which that
// is most often tried: a verb, and soon behind or before it what it sets aside.
func overrides(words []string) bool {
	const verbs = "ignor disregard overrid bypass vergiss vergessen forget oublie olvid esquec dimentic negeer forbigå glöm zapomni"
	const nouns = "instruc instruk anweisung regeln rules prompt guideline direct " +
		"istruzion consign vorgab règles regles reglas regras istruz guardrail инструк указан"
	const more = 6
	begins := func(word, list string) bool {
		for stem := range strings.FieldsSeq(list) {
			if strings.HasPrefix(word, stem) {
				return true
			}
		}
		return false
	}
	for i, w := range words {
		if !begins(w, verbs) {
			continue
		}
		for _, near := range words[i+1 : min(i+1+more, len(words))] {
			if begins(near, nouns) {
				return true
			}
		}
	}
	return false
}
