package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/risk"
)

// A Command is a line that ran, or that could.
type Command struct {
	Line    string
	Scope   memory.Scope // where it ran; "" where that is not known: rules of one place do not hold there
	At      time.Time    // when; zero if it never did
	Session string
	Failed  bool
}

// A Met is a command that two sets hold differently, or that a set holds at all.
type Met struct {
	Command
	Before, After risk.Level
	Rules         []Rule // that hold it now; for one that is freed: that held it before
}

// An Impact is what a difference would have meant for commands. A command is in at most
// one of Asked and Freed, and in at most one of Raised and Lowered.
type Impact struct {
	Of      int   // how many commands were looked at
	Asked   []Met // a rule holds them now, and none did before: they are asked about each time
	Freed   []Met // a rule held them, and none does now
	Raised  []Met // their level is higher now
	Lowered []Met // their level is lower now
}

// Touched is what is held more, each command once: what is asked about and what is raised.
func (i Impact) Touched() []Met {
	list := slices.Clone(i.Asked)
	for _, m := range i.Raised {
		if !slices.ContainsFunc(i.Asked, func(a Met) bool { return a.Command == m.Command }) {
			list = append(list, m)
		}
	}
	return list
}

// A Judge says what a line could do by itself: risk.Judge at some place.
type Judge func(line string) risk.Assessment

// Held returns the level of a command under a set at a time, and the rules that hold it.
func (set Set) Held(c Command, v risk.Assessment, now time.Time) (level risk.Level, by []Rule) {
	level = v.Level
	for i := range set {
		if r := &set[i]; !r.PromptOnly() && r.Current(now) && holdsAt(r.Scope, c.Scope) && r.Holds(v) {
			level, by = max(level, r.Raise), append(by, *r)
		}
	}
	return level, by
}

// holdsAt reports whether what has a scope holds at a place.
func holdsAt(scope, at memory.Scope) bool {
	if scope == "" || scope == memory.ScopeUser || scopeName(scope) == scopeName(at) {
		return true
	}
	dir, isDir := strings.CutPrefix(string(scope), "dir:")
	below, ok := strings.CutPrefix(string(at), "dir:")
	return isDir && ok && strings.HasPrefix(below, strings.TrimSuffix(dir, "/")+"/")
}

// ImpactOf holds both sets against commands, as of a time.
func ImpactOf(old, next Set, commands []Command, judge Judge, now time.Time) Impact {
	out := Impact{Of: len(commands)}
	known := make(map[string]risk.Assessment) // the same lines come again and again
	for _, c := range commands {
		v, ok := known[c.Line]
		if !ok {
			v = judge(c.Line)
			known[c.Line] = v
		}
		before, was := old.Held(c, v, now)
		after, is := next.Held(c, v, now)
		m := Met{Command: c, Before: before, After: after, Rules: is}
		switch {
		case len(was) == 0 && len(is) > 0:
			out.Asked = append(out.Asked, m)
		case len(was) > 0 && len(is) == 0:
			m.Rules = was
			out.Freed = append(out.Freed, m)
		}
		switch cmp.Compare(after, before) {
		case +1:
			out.Raised = append(out.Raised, m)
		case -1:
			out.Lowered = append(out.Lowered, m)
		}
	}
	return out
}

// A Use is how many commands a rule held, and when last.
type Use struct {
	Times int
	Last  time.Time
}

// Uses counts for each rule of the set, by its name, which of the commands it would
// have asked about.
func (set Set) Uses(commands []Command, judge Judge, now time.Time) map[memory.ID]Use {
	uses := make(map[memory.ID]Use)
	known := make(map[string]risk.Assessment)
	for _, c := range commands {
		v, ok := known[c.Line]
		if !ok {
			v = judge(c.Line)
			known[c.Line] = v
		}
		_, by := set.Held(c, v, now)
		for _, r := range by {
			u := uses[r.ID]
			if u.Times++; c.At.After(u.Last) {
				u.Last = c.At
			}
			uses[r.ID] = u
		}
	}
	return uses
}
