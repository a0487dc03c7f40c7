package extract

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
// is most often tried: a verb of setting aside, or one of following behind a no, and soon behind it what it
// sets aside; or soon before it, where that is what an assistant was given ("your", "previous"), since others
// are ignored as well (rules of a linter).
func overrides(words []string) bool {
	const given = "previous prior earlier above foregoing preced your system initial original bisherig vorherig obig deine ihre " +
		"précéd vos votre anterior sus tus seus suas"
	const follows = "follow obey heed adher compl befolg beacht suiv segu obedec"
	const nots = "not never don dont stop cease nicht nie keine pas jamais ne no não non nunca"
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
	is := func(word, list string) bool { return slices.Contains(strings.Fields(list), word) }
	for i, w := range words {
		before := words[max(0, i-more):i]
		if !begins(w, verbs) {
			near := slices.Concat(words[max(0, i-3):i], words[i+1:min(i+2, len(words))]) // French says it on both sides
			if !begins(w, follows) || !slices.ContainsFunc(near, func(w string) bool { return is(w, nots) }) {
				continue
			}
			if !slices.ContainsFunc(words[i+1:min(i+1+more, len(words))], func(w string) bool { return begins(w, given) }) {
				continue // a plain instruction: "do not follow the rules of ..."
			}
		}
		if slices.ContainsFunc(before, func(w string) bool { return begins(w, nouns) }) &&
			slices.ContainsFunc(before, func(w string) bool { return begins(w, given) }) {
			return true
		}
		for _, near := range words[i+1 : min(i+1+more, len(words))] {
			if begins(near, nouns) {
				return true
			}
		}
	}
	return false
}
