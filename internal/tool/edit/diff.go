package edit

import (
	"bytes"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"ken/internal/termsafe"
)

// Diff is the difference of two texts of the file called name, in the unified format with
// three lines of context; "" if they are equal.
func Diff(name, before, after string) string { return DiffOf(name, before, name, after) }

// DiffOf is Diff of texts that have names of their own. A name is shown on one line, whatever is in it.
func DiffOf(nameBefore, before, nameAfter, after string) string {
	text := diff.Diff(termsafe.Line(nameBefore), []byte(before), termsafe.Line(nameAfter), []byte(after))
	_, text, _ = bytes.Cut(text, []byte("\n")) // "diff before after"
	return string(text)
}

// Count is how many lines a difference in the unified format adds and removes.
func Count(unified string) (added, removed int) {
	inside := false
	for line := range strings.Lines(unified) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inside = true
		case !inside:
		case line[0] == '+':
			added++
		case line[0] == '-':
			removed++
		}
	}
	return added, removed
}
