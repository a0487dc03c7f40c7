package turn

import (
	"context"

	"ken/internal/agent"
	"ken/internal/fault"
	"ken/internal/session"
)

// A Branch is where a conversation went another way.
type Branch struct {
	From string // the name of the conversation
	Turn int    // the last one that was taken over
	// Question is what was asked there then, as it stands in the file, to be asked in other words; "" if the branch is
	// from an answer.
	Question string
}

// Branch goes on in a copy of the conversation in the file at path: as it stood behind turn n,
// or before it, if that is a question. The conversation that is live, which it may be, stays as it
// is, and is left as Reset leaves it.
func (d *Dialog) Branch(ctx context.Context, path string, n int) (Branch, error) {
	if path == d.Path() {
		if _, err := d.rec.Save(""); err != nil {
			return Branch{}, fault.Failuref("no branch: %w", err)
		}
	}
	t, err := d.home.Conversations.Dir().Load(path)
	if err != nil {
		return Branch{}, err
	}
	b := Branch{From: t.Name, Turn: n}
	at, ok := t.Turn(n)
	switch {
	case !ok:
		return b, fault.Failuref("%s has no turn %d", t.Name, n).WithHint("it has these: %s", fault.Command("sessions show "+t.Name))
	case at.Role == session.RoleUser:
		if b.Turn = turnBefore(t, n); b.Turn == 0 {
			return b, fault.Failuref("turn %d is the first: there is nothing before it", n).WithHint(":reset begins anew")
		}
		if hides := d.now().Hides(ctx, t.Header); at.ByPerson() && (hides == nil || !hides(at)) {
			b.Question = d.home.Keys.MaskText(agent.Typed(at))
		}
	}
	rec, live, scope, err := d.home.Conversations.Branch(path, b.Turn)
	if err != nil {
		return b, err
	}
	d.carry.leave(ctx, d.conv, d.rec)
	d.goOn(ctx, rec, live, scope)
	return b, nil
}

// turnBefore is the number of the turn that stands before turn n; 0 if it is the first.
func turnBefore(t *session.Transcript, n int) (before int) {
	for _, e := range t.Entries {
		if e.Turn == nil {
			continue
		}
		if e.Turn.N == n {
			return before
		}
		before = e.Turn.N
	}
	return 0
}
