package run

import (
	"ken/internal/fault"
	"ken/internal/session/feedback"
)

// A fate is what becomes of the command line that was offered last.
type fate struct {
	n, nr int    // the turn of the answer, and which line of it, from 0
	line  string // as it was offered
	edits bool   // the person has it on their prompt
	fails bool   // it ran and failed, or they have changed it
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
// changed, however much of it they changed ("go test ./..." -> "make quick"). lesson is what could be learned, "" if nothing:
// the line ended well in the place of one that they changed, or that failed and that it does otherwise.
func (o *Offerer) Typed(line string, exit int) (lesson string) {
	if !o.fate.edits && !feedback.Otherwise(o.fate.line, line) {
		return ""
	}
	if o.fate.edits {
		if line == o.fate.line {
			o.became(feedback.Accepted)
		} else {
			o.became(feedback.Revised)
			o.fate.fails = true
		}
		if exit != 0 {
			o.became(feedback.Failed)
		}
	}
	switch {
	case exit != 0:
		o.fate.fails = o.fate.n > 0
	case o.fate.fails:
		o.fate.fails = false
		if text, ok := feedback.Instead(o.fate.line, line); ok {
			return text
		}
	}
	return ""
}

// Passed is told that the person went on to something else: what they were given to edit did not run.
func (o *Offerer) Passed() {
	if o.fate.edits {
		o.became(feedback.Rejected)
	}
	o.fate = fate{}
}
