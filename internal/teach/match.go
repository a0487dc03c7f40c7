package teach

import "strings"

// mostSteps is how many steps the patterns of a language may take with a line: no line of
// a person takes as many, and one that was made to takes no longer.
const mostSteps = 150_000

// A span is a part of a line, in tokens.
type span struct{ from, to int }

func (s span) empty() bool { return s.from >= s.to }

// A match is how a pattern fits a sentence.
type match struct {
	end       int // the token behind it
	text, old span
	name      span
}

// A sentence is a part of a line that a pattern is compared with.
type sentence struct {
	line   string
	tokens []token // of the line
	after  mark    // behind the last of them
	places *list   // where something holds, as the language says it
	span
	work *work
}

// A work is what comparing a line with the frames of a language takes.
type work struct {
	steps  int      // that are left for the line
	frames []uint64 // that the line may fit, as bits
	rests  []*[block]rest
	used   int     // of the rests
	tables []table // by their numbers
	tongue *tongue // whose frames these are
}

// may reports whether the line may fit the frame of that number.
func (w *work) may(n int) bool { return w.frames[n/64]>>(n%64)&1 != 0 }

// others are the frames of a table that the line may fit, of those that are found by no first word. some
// is false if it may fit none of the table.
func (w *work) others(l *list) (other []int, some bool) {
	for len(w.tables) <= l.nr {
		w.tables = append(w.tables, table{})
	}
	t := &w.tables[l.nr]
	if t.known {
		return t.other, t.some
	}
	t.known = true
	for k := range l.frames {
		t.some = t.some || w.may(l.from+k)
	}
	for _, k := range l.other {
		if w.may(l.from + k) {
			t.other = append(t.other, k)
		}
	}
	return t.other, t.some
}

// A table is what is known of one of a language, of a line.
type table struct {
	known, some bool
	other       []int
}

// block is how many rests are made at once.
const block = 64

// rest is a new rest. It is free again when used is what it was before.
func (w *work) rest(row []node, then *rest) *rest {
	if w.used/block == len(w.rests) {
		w.rests = append(w.rests, new([block]rest))
	}
	r := &w.rests[w.used/block][w.used%block]
	w.used++
	*r = rest{row, then}
	return r
}

// mark is what stands before token i, or behind the last.
func (s *sentence) mark(i int) mark {
	if i < len(s.tokens) {
		return s.tokens[i].before
	}
	return s.after | comma
}

// asks reports whether a question mark ends the sentence.
func (s *sentence) asks() bool { return s.mark(s.to)&asked != 0 }

// A rest is what of a pattern is to be compared after a row in it.
type rest struct {
	row  []node
	then *rest
}

// empty reports whether nothing is left to compare.
func (r *rest) empty() bool { return r == nil || len(r.row) == 0 && r.then.empty() }

// fits compares a row with the sentence from token i on.
func (s *sentence) fits(row []node, i int) (match, bool) {
	var m match
	ok := s.walk(row, nil, i, &m)
	return m, ok
}

func (s *sentence) walk(row []node, then *rest, i int, m *match) bool {
	for {
		if s.work.steps--; s.work.steps < 0 {
			return false
		}
		if len(row) == 0 {
			if then == nil {
				m.end = i
				return true
			}
			row, then = then.row, then.then
			continue
		}
		n := &row[0]
		row = row[1:]
		switch n.op {
		case opWord, opAny:
			if i >= s.to || s.tokens[i].quoted || n.op == opWord && !n.words.has(s.tokens[i]) {
				return false
			}
			i++
		case opBreak, opColon, opJoined, opBegin, opEnd:
			if !s.stands(n.op, i) {
				return false
			}
		case opNot, opSee:
			var other match
			if s.walk(n.rows[0], nil, i, &other) != (n.op == opSee) {
				return false
			}
		case opOneOf, opMaybe:
			for _, r := range n.rows {
				used := s.work.used
				ok := s.walk(r, s.work.rest(row, then), i, m)
				if s.work.used = used; ok {
					return true
				}
			}
			if n.op == opOneOf {
				return false
			}
		case opGap:
			for k := 0; k <= n.most && i+k <= s.to; k++ {
				if s.walk(row, then, i+k, m) {
					return true
				}
			}
			return false
		case opText, opOld:
			return s.capture(n.op, row, then, i, m)
		case opName:
			to := s.named(i, n.close)
			if to == i || !s.walk(row, then, to, m) {
				return false
			}
			m.name = span{i, to}
			return true
		case opPlace:
			_, p, ok := s.places.at(s, i)
			if !ok || p.end == i {
				return false
			}
			i = p.end
		}
	}
}

// stands reports whether what is no word stands before token i.
func (s *sentence) stands(o op, i int) bool {
	switch o {
	case opBegin:
		return i == s.from
	case opEnd:
		return i == s.to
	case opColon:
		return i > s.from && i < s.to && s.mark(i)&colon != 0
	case opJoined:
		return i < s.to && s.mark(i)&comma == 0
	}
	return i == s.from || i == s.to || s.mark(i)&comma != 0
}

// capture lets what is free take as few words as it can: all that are left, if nothing
// follows in the pattern.
func (s *sentence) capture(o op, row []node, then *rest, i int, m *match) bool {
	at := &m.text
	if o == opOld {
		at = &m.old
	}
	if len(row) == 0 && then.empty() {
		*at = span{i, s.to}
		m.end = s.to
		return i < s.to
	}
	for to := i + 1; to <= s.to; to++ {
		if s.walk(row, then, to, m) {
			*at = span{i, to}
			return true
		}
	}
	return false
}

// named is where the name ends that begins with token i: what stands together as addresses,
// paths and keys do. It is i if none begins there, or, of a close one, if anything but a
// colon stands before it.
func (s *sentence) named(i int, close bool) int {
	if i >= s.to || dense(s.tokens[i].word) {
		return i
	}
	if close {
		gap := ""
		if i > 0 {
			gap = s.line[s.tokens[i-1].to:s.tokens[i].from]
		}
		if gap == "" || gap[0] != ':' || strings.Trim(gap[1:], "./~") != "" {
			return i
		}
	}
	to, quoted := i+1, s.tokens[i].quoted
	for ; to < s.to && s.tokens[to].quoted == quoted && !dense(s.tokens[to].word); to++ {
		gap := s.line[s.tokens[to-1].to:s.tokens[to].from]
		if gap == "" || strings.Trim(gap, "-./@~+") != "" && gap != "://" && !(gap == ":" && s.at(i, to)) {
			break
		}
	}
	return to
}

// at reports whether an at sign stands between tokens: git@example.org.
func (s *sentence) at(i, to int) bool {
	return strings.Contains(s.line[s.tokens[i].from:s.tokens[to-1].to], "@")
}
