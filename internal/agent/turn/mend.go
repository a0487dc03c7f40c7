package turn

import (
	"fmt"
	"slices"

	"ken/internal/agent"
	"ken/internal/agent/loop"
	"ken/internal/session"
)

// rest is what the last answer has no result of, if that answer is the last thing that the model knows of.
func (d *Dialog) rest() (loop.Rest, error) {
	t, err := session.Load(d.rec.Path())
	if err != nil {
		return loop.Rest{}, err
	}
	r := loop.RestOf(t)
	for _, turn := range slices.Backward(d.conv.Turns()) {
		if turn.Role == session.RoleAssistant && turn.N == r.Answer {
			return r, nil
		}
		if turn.Role != session.RoleTool {
			break
		}
	}
	return loop.Rest{}, nil // it left the context
}

// mend gives what an answer asked for in a process that was killed a result, before the question behind it: the calls in
// the conversation, and of command lines that a run did what is known of them, as what commands printed. Once for each
// conversation that is gone on with: this process gives all of its own calls a result.
func (d *Dialog) mend() {
	again := d.again
	d.again = false
	turns := d.conv.Turns()
	if !again || len(turns) == 0 || turns[len(turns)-1].Role == session.RoleUser || d.rec.Path() == "" {
		return
	}
	r, err := d.rest()
	if err != nil {
		d.home.Warn(fmt.Errorf("what came of the calls of the last answer is not known: %w", err))
		return
	}
	n := 0
	for _, one := range r.Lost {
		switch {
		case one.Call == "" && r.Lines:
			d.conv.Did(one.Line, one.Text)
		case one.Call != "" && r.Calls:
			d.conv.Return(agent.Returned{Call: one.Call, Text: one.Text})
		default:
			continue
		}
		n++
	}
	if n > 0 {
		d.home.Notef("ken was ended before the model knew what came of its calls: it is told what is known of them")
	}
}
