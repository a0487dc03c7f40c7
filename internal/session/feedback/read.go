package feedback

import (
	"slices"

	"ken/internal/session"
	"ken/internal/session/acts"
)

// Words of the lines of acts: of how they were let, of how they ended, and the tool that runs command lines.
const (
	howOnce, howSession, howAlways, howRefused = "once", "session", "always", "refused"
	failed, expired                            = "failed", "expired"
	shell                                      = "shell"
)

// Read returns the outcomes of a session, in the order of its lines: those that stand there, and what the lines of acts, of
// changes of files and of questions that were asked again say of themselves. What a copy has from the conversation that it
// copies is that one's, and is left out.
func Read(t *session.Transcript) []Outcome {
	r := reader{commands: make(map[string]bool), undos: make(map[string]bool)}
	for _, e := range t.Entries {
		if e.Turn != nil {
			r.turn(e.Turn)
		} else {
			r.event(*e.Event)
		}
	}
	var list []Outcome
	for _, n := range r.list {
		if t.Header.CopiedFrom == "" || !n.At.Before(t.Header.Started) {
			n.Session = t.Header.Session
			list = append(list, n.Outcome)
		}
	}
	return list
}

// A reader is a session of which some lines were read.
type reader struct {
	list     []noted
	answers  []int           // the numbers of answers, in their order
	commands map[string]bool // ids of acts that are command lines
	undos    map[string]bool // ids of changes of files that take others back
}

// A noted is an outcome, and what takes it back.
type noted struct {
	Outcome
	change   string // the id of a change of a file, should it not have been made
	question int    // the number of the first turn that left, should it come back since nothing came in its place
}

func (r *reader) add(n noted) {
	if !isRef(n.Ref) {
		n.Ref = ""
	}
	if n.Kind == Revised && n.Ref != "" { // it was refused first, and then done otherwise
		r.list = slices.DeleteFunc(r.list, func(x noted) bool { return x.Kind == Rejected && x.Of == n.Of && x.Ref == n.Ref })
	}
	r.list = append(r.list, n)
}

func (r *reader) turn(t *session.Turn) {
	if t.Role == session.RoleAssistant {
		r.answers = append(r.answers, t.N)
	}
}

// answer is the number of the last answer from turn n to turn to (0: to the newest); 0 if there is none.
func (r *reader) answer(n, to int) int {
	for _, a := range slices.Backward(r.answers) {
		if a >= n && (to == 0 || a <= to) {
			return a
		}
	}
	return 0
}

func (r *reader) event(e session.Event) {
	switch e.Name {
	case Event:
		if o, ok := Of(e); ok {
			r.add(noted{Outcome: o})
		}
	case acts.Event:
		if a, ok := acts.Of(e); ok {
			r.act(a)
		} else {
			r.change(e)
		}
	case session.EventUnanswered, session.EventLeft:
		r.left(e)
	}
}

// act reads a line of an act.
func (r *reader) act(a acts.Act) {
	if a.Tool == shell {
		r.commands[a.ID] = true
	}
	o := Outcome{N: r.answer(0, 0), At: a.Time, Of: Tool, Ref: a.ID}
	if r.commands[a.ID] {
		o.Of = Command
	}
	switch {
	case a.State == acts.Begun && (a.How == howOnce || a.How == howSession || a.How == howAlways):
		o.Kind = Accepted
	case a.State == acts.Skipped, a.State == acts.Refused && a.How == howRefused:
		o.Kind = Rejected
	case a.State == acts.Done && (a.Outcome == failed || a.Outcome == expired || a.Ended && a.Exit != 0):
		o.Kind = Failed
	default:
		return
	}
	r.add(noted{Outcome: o})
}

// change reads a line of a change of a file.
func (r *reader) change(e session.Event) {
	if e.Text("state") == string(acts.Void) {
		r.list = slices.DeleteFunc(r.list, func(n noted) bool { return n.change != "" && n.change == e.Text("id") })
		return
	}
	c, ok := acts.ChangeOf(e)
	if !ok || c.Undoes == "" {
		return
	}
	r.undos[c.ID] = true
	if !r.undos[c.Undoes] { // to take back that something was taken back is to have it as it was
		r.add(noted{Outcome: Outcome{At: c.Time, Kind: Undone, Of: File, Ref: c.Undoes}, change: c.ID})
	}
}

// left reads that turns left the context, or are back in it.
func (r *reader) left(e session.Event) {
	n, why, by := e.Int("n"), session.Left(e.Text("why")), e.Int("by")
	switch {
	case why == session.LeftReplaced && by == 0:
		if a := r.answer(n, max(n, e.Int("to"))); a > 0 {
			o := OfTurn(Retried, a)
			o.At = e.Time
			r.add(noted{Outcome: o, question: n})
		}
	case why == "" && e.Name == session.EventLeft && by > 0: // it was asked again in vain
		r.list = slices.DeleteFunc(r.list, func(x noted) bool { return x.question > 0 && x.question == n })
	}
}
