package memory

import (
	"cmp"
	"slices"
	"strings"
)

// A Problem is something about a line that a person should know. The line
// stays as it is.
type Problem struct {
	Log        string
	Line       int    // 0 if the log has no line numbers
	ID         ID     // of the line; zero if it cannot be read
	What       string // lower case, no full stop
	Unreadable bool   // the line counts for nothing, since it cannot be read
}

// tell notes a problem of a line that can be read.
func (s *State) tell(src int32, e *Entry, what string) {
	p := Problem{Log: s.logs[src].Log, Line: e.Line, What: what}
	if e.Meta == nil {
		p.ID = s.seen(src, e.Record.ID)
	}
	s.problems = append(s.problems, p)
}

// tellBad notes a line that cannot be read.
func (s *State) tellBad(src int32, e *Entry) {
	what := "cannot be read"
	if e.Bad.Cause != nil {
		what = e.Bad.Cause.Error()
	}
	if e.Bad.Torn {
		what = "cut off at the end of the file: " + what
	}
	s.problems = append(s.problems, Problem{
		Log: s.logs[src].Log, Line: max(e.Line, e.Bad.Line), What: what, Unreadable: true,
	})
}

// checkTargets tells the changes whose target is no line of a log that is
// there, and those whose log may not have that target.
func (s *State) checkTargets() {
	for i := range s.changes {
		c := &s.changes[i]
		if c.rec.Kind == KindErased || c.rec.Kind == KindTouch || !s.counts(c) {
			continue
		}
		s.checkTarget(c, c.rec.Target)
		for _, t := range c.rec.Targets {
			s.checkTarget(c, t)
		}
	}
}

func (s *State) checkTarget(c *change, id ID) {
	src := c.spot.src
	switch n := s.resolve(src, id); {
	case id.IsZero():
	case n < 0:
		s.tell(src, s.entry(c.spot), "target "+id.String()+" is of another log, which lines of this one cannot change")
	case !s.names[n].written && !s.names[n].erased && (!s.foreign(src, id) || s.spaces[s.spaceOf[id.Log]].folded):
		s.tell(src, s.entry(c.spot), "target "+id.String()+" is no line of its log")
	}
}

func (s *State) sortProblems() {
	slices.SortStableFunc(s.problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Log, b.Log), cmp.Compare(a.Line, b.Line), strings.Compare(a.What, b.What))
	})
}
