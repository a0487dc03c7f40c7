package memory

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// A rest is a copy of a log that a fold leaves out.
type rest struct {
	log  string
	line int // of the log that was kept: where they begin to differ; 0: it has no such line
}

// single keeps one of several copies of a log. Copies with different lines are no union, and what
// holds must not depend on which one came first. A copy that was made here goes before one that
// others can write to, then a longer one before a shorter one, then the one whose lines are
// greater. So the order of the arguments does not count. A copy that is the beginning of the kept
// one is not reported.
func single(logs []Lines) (kept []Lines, left []rest) {
	slices.SortStableFunc(logs, func(a, b Lines) int {
		c := cmp.Or(cmp.Compare(a.Log, b.Log), cmp.Compare(rankOf(a), rankOf(b)), len(b.Entries)-len(a.Entries))
		if c == 0 {
			_, c = differ(b.Entries, a.Entries)
		}
		return c
	})
	for i := range logs {
		n := len(kept) - 1
		if n < 0 || kept[n].Log != logs[i].Log {
			kept = append(kept, logs[i])
			continue
		}
		at, _ := differ(kept[n].Entries, logs[i].Entries)
		if at == len(logs[i].Entries) {
			continue
		}
		r := rest{log: kept[n].Log}
		if at < len(kept[n].Entries) {
			r.line = kept[n].Entries[at].Line
		}
		if !slices.Contains(left, r) {
			left = append(left, r)
		}
	}
	return kept, left
}

// rankOf says which of two copies of a log counts: the least.
func rankOf(l Lines) int {
	switch {
	case l.Own:
		return 0
	case !l.limited():
		return 1
	}
	return 2
}

// differ is the place of the first entry in which b is not what a is, at most the
// length of the shorter one, and how the entry of a compares with that of b there.
func differ(a, b []Entry) (at, order int) {
	for at = range min(len(a), len(b)) {
		if a[at].Sum != 0 && a[at].Sum == b[at].Sum {
			continue
		}
		if order = bytes.Compare(saying(&a[at]), saying(&b[at])); order != 0 {
			return at, order
		}
	}
	return min(len(a), len(b)), 0
}

// saying is what a line says, to compare lines by.
func saying(e *Entry) []byte {
	switch {
	case e.Bad != nil:
		return fmt.Appendf(nil, "%08x %d", e.Sum, e.Bad.Len)
	case e.Meta != nil:
		return e.Meta.AppendJSON(nil)
	case e.Record == nil:
		return nil
	}
	return e.Record.AppendJSON(nil)
}

// tellCopies notes the copies of logs that were left out.
func (s *State) tellCopies(left []rest) {
	for _, r := range left {
		s.problems = append(s.problems, Problem{
			Log: r.log, Line: r.line, What: "another copy of this log says something else from here on, and is left out",
		})
	}
}
