package feedback

import (
	"fmt"
	"slices"
	"strings"
)

// longest is how long a command line is that a lesson quotes, in bytes: a longer one is no habit.
const longest = 120

// Instead is the lesson of a command line that the person ran in the place of one that was offered; ok is false if they are the
// same but for blanks, or too long for a lesson.
func Instead(offered, ran string) (lesson string, ok bool) {
	was, is := strings.Join(strings.Fields(offered), " "), strings.Join(strings.Fields(ran), " ")
	ok = was != is && was != "" && is != "" && len(was) <= longest && len(is) <= longest
	return fmt.Sprintf("use %q instead of %q", is, was), ok
}

// ShareWord reports whether two command lines have a word in common: else one is not taken for what
// was run in the place of the other.
func ShareWord(a, b string) bool {
	words := strings.Fields(b)
	return slices.ContainsFunc(strings.Fields(a), func(w string) bool { return slices.Contains(words, w) })
}
