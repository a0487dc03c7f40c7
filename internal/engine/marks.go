package engine

import (
	"context"
	"hash/fnv"

	"ken/internal/conflict"
	"ken/internal/memory"
	"ken/internal/rules"
)

// A mark is a number that a log keeps among the sketches of texts: one of no words and some
// bits, as no text has. By marks it is known without a look at the state that a key can be
// taken from no rule. An item that has the key may be in the set of rules only if
//
//   - a line states a rule with the key, or something that says what it binds (held),
//   - a line gives an item the key (held as well), or
//   - a line states a preference or lesson with the key that binds nothing by itself
//     (unbound), and another one has that bind (binding).
//
// Whether these lines count, and in which scope, is for the state to say.
type mark byte

const (
	held    mark = 'h'
	unbound mark = 'u'
	binding mark = 'b' // of no key
	valued  mark = 'v' // of what a text gives a value, by which others give it another
)

// of is the mark of a key.
func (m mark) of(key string) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write(append([]byte{byte(m)}, key...)) // a hash takes everything
	h := sum.Sum64()
	return 1<<63 | (h^h>>32)<<sketchShift
}

// isMark reports whether a sketch is that of no text.
func isMark(sketch uint64) bool { return sketch&sketchMany == 0 && sketch != 0 }

// Sketches appends the sketches of a line to a list, for a log to keep beside it. A log that
// was written with another Sketches has to read its lines again.
func Sketches(r *memory.Record, to []uint64) []uint64 {
	if r.Content != "" {
		to = append(to, Sketch(r.Content))
		to = append(to, valueMarks(conflict.Patterns(r.Content))...)
	}
	key, edit := r.Key, r.Kind == memory.KindEdit
	switch {
	case edit && key != "", key != "" && bindsItself(r):
		to = append(to, held.of(key))
	case key != "" && rules.Binds(r.Kind):
		to = append(to, unbound.of(key))
	}
	if bindsMore(r) {
		to = append(to, binding.of(""))
	}
	return to
}

// valueMarks are the marks of patterns whose texts may share no word.
func valueMarks(patterns []conflict.Pattern) (marks []uint64) {
	for _, p := range patterns {
		if p.Value {
			marks = append(marks, valued.of(p.Key))
		}
	}
	return marks
}

// bindsItself reports whether what a line states may be in the set of rules as it is.
func bindsItself(r *memory.Record) bool {
	return r.Kind == memory.KindRule || rules.Binds(r.Kind) && len(r.Details().Match) > 0
}

// bindsMore reports whether a line may have an item bind that did not.
func bindsMore(r *memory.Record) bool { return r.Kind == memory.KindEdit && len(r.Details().Match) > 0 }

// meetsHolder returns errAlike if one of the lines of log before at states what has the key of n,
// and what was noted by holds has it bind.
func (n *newcomer) meetsHolder(ctx context.Context, log sketched, at memory.Cursor) error {
	if n.key == "" || len(n.bound) == 0 {
		return nil
	}
	for r, err := range log.LinesOf(ctx, at, unbound.of(n.key)) {
		if err != nil || n.bound[r.ID] && r.Key == n.key {
			return errAlike
		}
	}
	return nil
}

// holds reports whether a line of the own log says by itself that a rule may have the key of n;
// what it has bind is noted.
func (n *newcomer) holds(r *memory.Record) bool {
	if n.key == "" {
		return false
	}
	if bindsMore(r) {
		if n.bound == nil {
			n.bound = make(map[memory.ID]bool)
		}
		n.bound[r.Target] = true
	}
	return r.Key == n.key && (r.Kind == memory.KindEdit || bindsItself(r))
}

// contests returns errAlike if one of the entries, which are of no log that others write to, may
// have to do with the key of n.
func (n *newcomer) contests(entries []memory.Entry) error {
	for i := range entries {
		if r := entries[i].Record; n.key != "" && (r.Key == n.key || bindsMore(r)) {
			return errAlike
		}
	}
	return nil
}
