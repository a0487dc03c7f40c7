package retrospect

import (
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
			return v.Level.String(), part
		}
	}
	return "", ""
}

// parts are what may be a command in a text: what stands between quotes, and what begins at each word.
func parts(text string) (list []string) {
	for _, q := range []string{"`", `"`, "'"} {
		pieces := strings.Split(text, q)
		for i := 1; i < len(pieces)-1; i += 2 {
			list = append(list, strings.TrimSpace(pieces[i]))
		}
	}
	words := strings.Fields(text)
	for i := range words[:min(len(words), mostWords)] {
		list = append(list, strings.Join(words[i:], " "))
	}
	return list
}
