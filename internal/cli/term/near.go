package term

import (
	"fmt"
	"strings"

	"ken/internal/config"
	"ken/internal/fault"
)

// Near are the names that a word which is none of them may be meant for: all that
// begin with it, else the one that takes the fewest edits; nil if none is near.
func Near(word string, names []string) []string {
	var begin []string
	for _, name := range names {
		if word != "" && strings.HasPrefix(name, word) {
			begin = append(begin, name)
		}
	}
	if len(begin) > 0 {
		return begin
	}
	if name := config.Nearest(word, names); name != "" {
		return []string{name}
	}
	return nil
}

// OneOf checks the value of a flag that takes one of few words.
func OneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if w == value {
			return nil
		}
	}
	err := fault.Usagef("%s %q: want %s", flag, value, Or(words))
	if near := Near(value, words); len(near) > 0 {
		return err.WithHint("did you mean %s %s?", flag, near[0])
	}
	return err
}

// Or is a list for people: "a, b or c".
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return fmt.Sprintf("%s or %s", strings.Join(words[:last], ", "), words[last])
}
