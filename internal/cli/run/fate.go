package run

import (
	"strings"

	"ken/internal/fault"
	"ken/internal/session/feedback"
)

// A fate is what becomes of the command line that was offered last.
type fate struct {
	n, nr int    // the turn of the answer, and which line of it, from 0
	line  string // as it was offered
	edits bool   // the person has it on their prompt
}

// became notes what became of the line, by reference.
func (o *Offerer) became(kind feedback.Kind) {
	if o.fate.edits = false; o.fate.n == 0 {
		return // the answer is in no session
	}
	if err := feedback.Note(o.App.Live, feedback.OfLine(kind, o.fate.n, o.fate.nr)); err != nil {
		o.App.Warn(fault.Once(err))
	}
}

// Typed is told of each line that the person had run, with how it ended: one that they were given to edit ran, as it was or
// changed. A line that shares no word with it is another one, and the offer is still open.
func (o *Offerer) Typed(line string, exit int) {
	switch {
	case !o.fate.edits:
		return
	case line == o.fate.line:
		o.became(feedback.Accepted)
	case sharesWord(line, o.fate.line):
		o.became(feedback.Revised)
	default:
		return
	}
	if exit != 0 {
		o.became(feedback.Failed)
	}
}

// Passed is told that the person went on to something else: what they were given to edit did not run.
func (o *Offerer) Passed() {
	if o.fate.edits {
		o.became(feedback.Rejected)
	}
}

// sharesWord reports whether two command lines have a word in common.
func sharesWord(a, b string) bool {
	words := make(map[string]bool)
	for _, w := range strings.Fields(a) {
		words[w] = true
	}
	for _, w := range strings.Fields(b) {
		if words[w] {
			return true
		}
	}
	return false
}
