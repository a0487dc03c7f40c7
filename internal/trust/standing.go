package trust

import (
	"slices"
	"time"
)

// A Line is one line of a file, for a person to judge.
type Line struct {
	Number int    // from 1
	Text   []byte // without its end
}

// A Standing is what was decided about a file, and what was not.
type Standing struct {
	// Verdict is Use or Ignore for these very bytes, Never, or "" if there is
	// something to be decided.
	Verdict Verdict
	Time    time.Time // of the decision; zero if there is none
	Changed bool      // other bytes of this file were let in
	// New are the lines that were not let in yet; Gone is how many of those
	// that were let in last are not in the file, or not in their place. Both
	// are empty if the verdict is Use.
	New  []Line
	Gone int
	// Clash is the scope of another repository whose log of the same name was
	// let in, and which is not this one's; "" if there is none. Items are known
	// by the name of their log, so what a person changed in one would be
	// changed in the other: such a log is not to be used.
	Clash string
}

// Of returns how f stands. here reports whether a scope is that of f's repository.
func (b Decisions) Of(f File, here func(scope string) bool) Standing {
	var (
		s     Standing
		last  *Decision            // the newest that let something in
		by    map[string]*Decision // by SHA-256
		never *Decision
		clash []*Decision
	)
	for i := range b.All {
		d := &b.All[i]
		if d.File != f.Path {
			continue
		}
		if !here(d.Scope) {
			if d.Verdict == Use {
				clash = append(clash, d)
			}
			continue
		}
		switch d.Verdict {
		case Revoke:
			last, by, never = nil, nil, nil
			continue
		case Never:
			never = d
			continue
		case Use:
			last = d
		}
		if by == nil {
			by = make(map[string]*Decision)
		}
		by[d.SHA256], never = d, nil
	}
	names := f.names()
	for _, d := range clash {
		if !slices.ContainsFunc(d.Lines, func(name string) bool { return slices.Contains(names, name) }) {
			s.Clash = d.Scope
		}
	}
	switch d := by[f.SHA256]; {
	case never != nil:
		s.Verdict, s.Time = Never, never.Time
	case d != nil:
		s.Verdict, s.Time = d.Verdict, d.Time
	}
	if s.Verdict == Use {
		return s
	}
	var before []string
	if last != nil {
		before, s.Changed = last.Lines, true
	}
	kept := common(before, names)
	for i, text := range f.lines() {
		if !kept[i] {
			s.New = append(s.New, Line{i + 1, text})
		}
	}
	s.Gone = len(before) - len(names) + len(s.New)
	return s
}

// Standing returns the decisions that are in force: the newest about each file of
// each repository, unless it was revoked, oldest first.
func (b Decisions) Standing() []Decision {
	var list []Decision
	for _, d := range b.All {
		list = slices.DeleteFunc(list, func(old Decision) bool { return old.File == d.File && old.Scope == d.Scope })
		if d.Verdict != Revoke {
			list = append(list, d)
		}
	}
	return list
}

// Decide returns the decision that a person makes about f.
func (f File) Decide(scope string, v Verdict, at time.Time) Decision {
	d := Decision{Time: at, Scope: scope, File: f.Path, SHA256: f.SHA256, Verdict: v}
	if v == Use {
		d.Lines = f.names()
	}
	return d
}

// maxCompared is the most pairs of lines that are compared to find out which
// lines stayed. Beyond it, all between the first and the last change counts as
// changed.
const maxCompared = 4 << 20

// common returns for each element of now whether it is part of a longest sequence
// that before and now have in common.
func common(before, now []string) []bool {
	kept := make([]bool, len(now))
	head := 0
	for head < len(before) && head < len(now) && before[head] == now[head] {
		kept[head] = true
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(now)-head && before[len(before)-1-tail] == now[len(now)-1-tail] {
		tail++
		kept[len(now)-tail] = true
	}
	a, b := before[head:len(before)-tail], now[head:len(now)-tail]
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxCompared {
		return kept
	}
	// best[i][j] is how much a[i:] and b[j:] have in common.
	best := make([][]int32, len(a)+1)
	for i := range best {
		best[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			kept[head+j] = true
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return kept
}
