package retrospect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/session/feedback"
)

// MostDrafts is how many drafts there are at most: more is no lesson but a list.
const MostDrafts = 3

// longest is how long a command line is that a draft quotes, in bytes: a longer one is no habit.
const longest = 120

// A Draft is what could be learned: a text for the person to take, change or leave.
type Draft struct {
	Kind memory.Kind
	Text string
	Why  string // what it was seen in
	// Scope is where it would hold: the repository or directory in which all of it was seen; "" is everywhere.
	Scope string
}

// Drafts are what could be learned of what was seen, the surest first: commands that the person corrected, that they did not
// want twice or more, that failed twice or more and were not corrected.
func (l Look) Drafts() []Draft {
	var list []Draft
	corrected := make(map[string]bool)
	for _, c := range l.Corrections {
		corrected[c.From] = true
		if text, ok := feedback.Instead(c.From, c.To); ok {
			list = append(list, Draft{memory.KindLesson, text, times(c.Times, "you ran it in the place of what was offered"), c.Scope})
		}
	}
	refused, failed, where := make(map[string]int), make(map[string]int), make(map[string]string)
	for _, o := range l.Outcomes {
		if was, seen := where[o.What]; seen {
			where[o.What] = common(was, o.Scope)
		} else {
			where[o.What] = o.Scope
		}
		switch {
		case o.Of != feedback.Command || o.What == "" || corrected[o.What] || len(o.What) > longest || strings.ContainsAny(o.What, "\n\r"):
		case o.Kind == feedback.Rejected:
			refused[o.What]++
		case o.Kind == feedback.Failed:
			failed[o.What]++
		}
	}
	for _, what := range often(refused) {
		list = append(list, Draft{memory.KindRule, "always confirm " + what, times(refused[what], "you did not let it run"), where[what]})
	}
	for _, what := range often(failed) {
		list = append(list, Draft{memory.KindLesson, fmt.Sprintf("%q fails here", what), times(failed[what], "it failed"), where[what]})
	}
	return list[:min(len(list), MostDrafts)]
}

// often are the commands that were counted twice or more, the most often first.
func often(counted map[string]int) []string {
	var list []string
	for _, what := range slices.Sorted(maps.Keys(counted)) {
		if counted[what] >= 2 {
			list = append(list, what)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(counted[b], counted[a]) })
	return list
}

// times is what happened, and how often if that is more than once.
func times(n int, what string) string {
	if n < 2 {
		return what
	}
	return fmt.Sprintf("%s %d times", what, n)
}
