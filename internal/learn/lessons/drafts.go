package lessons

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/session"
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

// A Seen is a draft with what speaks for it.
type Seen struct {
	Draft
	Times int
	Last  time.Time     // when it was seen last
	At    []session.Ref // the answers that it was seen in
}

// Drafts are those of Seen.
func (l Look) Drafts() []Draft {
	var list []Draft
	for _, s := range l.Seen() {
		list = append(list, s.Draft)
	}
	return list
}

// Seen is what could be learned of what was seen, the surest first: commands that the person corrected, that they did not
// want twice or more, that failed twice or more and were not corrected. At most MostDrafts.
func (l Look) Seen() []Seen {
	var list []Seen
	corrected := make(map[string]bool)
	for _, c := range l.Corrections {
		corrected[c.From] = true
		if text, ok := feedback.Instead(c.From, c.To); ok {
			why := times(c.Times, "you ran it in the place of what was offered")
			seen := Seen{Draft: Draft{memory.KindLesson, text, why, c.Scope}, Times: c.Times, At: c.Where}
			for _, o := range l.Outcomes {
				if o.What == c.From && slices.Contains(c.Where, session.Ref{Session: o.Session, Turn: o.N}) && o.At.After(seen.Last) {
					seen.Last = o.At
				}
			}
			list = append(list, seen)
		}
	}
	refused, failed := make(map[string]*Seen), make(map[string]*Seen)
	for _, o := range l.Outcomes {
		switch {
		case o.Of != feedback.Command || o.What == "" || corrected[o.What] || len(o.What) > longest || strings.ContainsAny(o.What, "\n\r"):
		case o.Kind == feedback.Rejected:
			note(refused, o)
		case o.Kind == feedback.Failed:
			note(failed, o)
		}
	}
	where := l.where()
	for _, what := range often(refused) {
		s := *refused[what]
		s.Draft = Draft{memory.KindRule, "always confirm " + what, times(s.Times, "you did not let it run"), where[what]}
		list = append(list, s)
	}
	for _, what := range often(failed) {
		s := *failed[what]
		s.Draft = Draft{memory.KindLesson, fmt.Sprintf("%q fails here", what), times(s.Times, "it failed"), where[what]}
		list = append(list, s)
	}
	return list[:min(len(list), MostDrafts)]
}

// where is the scope of all outcomes of a line; "" if that is not one place.
func (l Look) where() map[string]string {
	at := make(map[string]string)
	for _, o := range l.Outcomes {
		if was, seen := at[o.What]; seen {
			at[o.What] = common(was, o.Scope)
		} else {
			at[o.What] = o.Scope
		}
	}
	return at
}

// note counts an outcome of a line.
func note(by map[string]*Seen, o Outcome) {
	s := by[o.What]
	if s == nil {
		s = &Seen{}
		by[o.What] = s
	}
	s.Times++
	s.At = append(s.At, session.Ref{Session: o.Session, Turn: o.N})
	if o.At.After(s.Last) {
		s.Last = o.At
	}
}

// often are the commands that were counted twice or more, the most often first.
func often(counted map[string]*Seen) []string {
	var list []string
	for _, what := range slices.Sorted(maps.Keys(counted)) {
		if counted[what].Times >= 2 {
			list = append(list, what)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(counted[b].Times, counted[a].Times) })
	return list
}

// times is what happened, and how often if that is more than once.
func times(n int, what string) string {
	if n < 2 {
		return what
	}
	return fmt.Sprintf("%s %d times", what, n)
}
