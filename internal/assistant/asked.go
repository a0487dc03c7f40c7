package assistant

import "strings"

// mostAsked is how many characters of a question are looked for.
const mostAsked = 2000

// wrapped are the bounds of what programs put into a message around the words of the person.
func wrapped() [][2]string {
	return [][2]string{
		{"<hook_context>", "</hook_context>"},
		{"<system-reminder>", "</system-reminder>"},
		{"<system_reminder>", "</system_reminder>"},
		{"<current_datetime>", "</current_datetime>"},
		{"<environment_context>", "</environment_context>"},
		{"[memories]", "[end of memories]"},
	}
}

// Asked is what a message asks: without what assistants, and ken itself, put around it, and no longer than is looked for.
func Asked(message string) string {
	runes := []rune(Said(message))
	return string(runes[:min(len(runes), mostAsked)])
}

// Said is Asked at whatever length.
func Said(message string) string {
	for _, w := range wrapped() {
		for {
			from := strings.Index(message, w[0])
			if from < 0 {
				break
			}
			length := strings.Index(message[from:], w[1])
			if length < 0 {
				break
			}
			message = message[:from] + message[from+length+len(w[1]):]
		}
	}
	return strings.TrimSpace(message)
}
