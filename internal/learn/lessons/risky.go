package lessons

import (
	"slices"
	"strings"

	"ken/internal/risk"
)

// mostWords is how many words of a text are tried as the beginning of a command.
const mostWords = 100

// Risky is the worst command line that a text names, quoted or not, if that is a danger: its level, and the part of the text.
// What is remembered never lowers what ken asks about; who keeps such a text is told so. "" if it names none.
func Risky(text string) (level, what string) {
	for _, part := range parts(text) {
		if v := risk.Judge(part, risk.Here{}); v.Level == risk.Danger && len(v.Commands) > 0 {
			return v.Level.String(), fromProgram(part)
		}
	}
	return "", ""
}

// fromProgram is a part without the words before the first one that is a program with a level of its own.
func fromProgram(part string) string {
	for words := strings.Fields(part); len(words) > 0; words = words[1:] {
		for _, r := range risk.Judge(words[0], risk.Here{}).Reasons {
			if r.Why != unknown {
				return strings.Join(words, " ")
			}
		}
	}
	return part
}

// unknown is the reason of a word that is no program which ken knows.
const unknown = "a program of which nothing is known"

// parts are what may be a command in a text: what stands between quotes, and what begins at each word.
func parts(text string) (list []string) {
	for _, q := range []string{"`", `"`, "'"} {
		pieces := strings.Split(text, q)
		for i := 1; i < len(pieces)-1; i += 2 {
			list = append(list, strings.TrimSpace(pieces[i]))
		}
	}
	words := strings.Fields(text)
	words = words[:min(len(words), mostWords)]
	for i := range slices.Backward(words) { // the shortest first: words before a command are none of it
		list = append(list, strings.Join(words[i:], " "))
	}
	return list
}
