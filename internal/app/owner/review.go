package owner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/view/learned"
)

// A Waiting is one thing that waits for the person.
type Waiting struct {
	learned.Waiting
	Text  string   // whole, with what is invisible written out; "" of what only changes others
	Notes []string // what else a yes would do, and why it is suggested
	Binds bool     // a yes binds which commands run, or makes a skill: it is decided at the terminal
	Mark  string   // of all that is shown here: see Choice
}

// A Queue is what waits, oldest first, as far as it was asked for.
type Queue struct {
	Rows        []Waiting
	Total       int      // that wait in all
	Kinds, From []string // that there are in all, sorted
}

// Queue returns what waits and is of a kind and from a source; "" is any. Errors: what the files say.
func (o *Owner) Queue(ctx context.Context, kind, from string) (q Queue, err error) {
	h := o.view()
	pending, s, err := waits(ctx, h)
	if err != nil {
		return q, err
	}
	scopes := make([]string, len(pending))
	for i, w := range pending {
		scopes[i] = string(w.Proposal.Record.Scope)
	}
	names := h.Here.Names(scopes...)
	q.Total = len(pending)
	for _, w := range pending {
		v := waitingOf(w, s)
		v.Scope = names.Of(v.Scope)
		if !slices.Contains(q.Kinds, v.Kind) {
			q.Kinds = append(q.Kinds, v.Kind)
		}
		if !slices.Contains(q.From, v.Origin) {
			q.From = append(q.From, v.Origin)
		}
		if (kind == "" || kind == v.Kind) && (from == "" || from == v.Origin) {
			q.Rows = append(q.Rows, v)
		}
	}
	slices.Sort(q.Kinds)
	slices.Sort(q.From)
	return q, nil
}

// waits is what waits, and the memory beside which it does.
func waits(ctx context.Context, h *app.View) ([]engine.Waiting, *memory.State, error) {
	e, err := h.Memory.Engine()
	if err != nil {
		return nil, nil, err
	}
	pending, _, _, err := e.Queue(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("what waits cannot be read: %w", err)
	}
	s, err := h.Memory.State(ctx)
	return pending, s, err
}

// waitingOf is one thing that waits, as it is shown.
func waitingOf(w engine.Waiting, s *memory.State) Waiting {
	v := Waiting{
		Waiting: learned.WaitingOf(w), Binds: wouldBind(w, s),
		Mark: Mark(learned.Card(w, s, nil, 0, 0)),
	}
	for _, n := range learned.Notes(w, s, nil) {
		v.Notes = append(v.Notes, visible(n))
	}
	if w.Proposal.Record.States() {
		v.Text = visible(w.Proposal.Record.Content)
	}
	return v
}

// visible is a text with what is invisible in it written out, line by line.
func visible(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = termsafe.Visible(line)
	}
	return strings.Join(lines, "\n")
}

// wouldBind reports whether a yes would make, change or end what binds commands, or make a skill.
func wouldBind(w engine.Waiting, s *memory.State) bool {
	r := &w.Proposal.Record
	if binds(r) || w.Proposal.Of == review.OfSkill || w.Proposal.Of == review.OfRule {
		return true
	}
	d := r.Details()
	for _, id := range slices.Concat(d.Targets, d.Supersedes, []memory.ID{r.Target}) {
		it, status := s.Get(id)
		if status == memory.StatusChange { // an undo of it changes what it changed
			ch, _ := s.Line(id)
			it, _ = s.Get(ch.Record.Target)
		}
		if it.Record == nil {
			continue
		}
		now := *it.Record
		if now.Content = r.Content; binds(it.Record) || r.Kind == memory.KindEdit && binds(&now) {
			return true
		}
	}
	scope := string(view.ScopeOf(memory.Item{Record: r}))
	return r.Key != "" && slices.ContainsFunc(s.Items(), func(it memory.Item) bool {
		return it.Record.Key == r.Key && strings.EqualFold(string(view.ScopeOf(it)), scope) && binds(it.Record)
	})
}

// A Choice is one thing that waits, as the person saw it: Mark is that of the Waiting. What says something else by now is left.
type Choice struct{ Ref, Mark string }

// A Decision is what answers that were given together came to.
type Decision struct {
	Verdict string
	Done    []string // the references of what was decided
	Kept    []string // the memories that a yes stated or changed lines of
	Back    []string // by what TakeBack takes it back; none: it cannot be
	Left    []Left   // what could not be decided
}

// A Left is what could not be decided, and why.
type Left struct {
	Ref string
	Err error
}

// Decide says yes, no or later to what the person chose, together. What would bind commands is for the terminal, and left, as is
// what changed since. Errors, with which nothing was decided: no such verdict, nothing was chosen, what the files say.
func (o *Owner) Decide(ctx context.Context, verdict string, chosen []Choice) (d Decision, err error) {
	v := review.Verdict(verdict)
	if v != review.Yes && v != review.No && v != review.Later {
		return d, fault.Usagef("%q is neither yes nor no nor later", verdict)
	}
	if len(chosen) == 0 {
		return d, fault.Usagef("nothing was chosen").WithHint("choose what to decide on first")
	}
	d.Verdict = verdict
	h := o.view()
	pending, s, err := waits(ctx, h)
	if err != nil {
		return d, err
	}
	var list []engine.Answer
	for _, c := range chosen {
		i := slices.IndexFunc(pending, func(w engine.Waiting) bool { return w.Ref == c.Ref })
		switch {
		case i < 0:
			d.Left = append(d.Left, Left{c.Ref, review.ErrNotWaiting})
		case wouldBind(pending[i], s):
			d.Left = append(d.Left, Left{c.Ref, errors.New("it binds which commands run, or is a skill: it needs the terminal")})
		case waitingOf(pending[i], s).Mark != c.Mark:
			d.Left = append(d.Left, Left{c.Ref, errors.New("it was changed meanwhile: look at it as it is now")})
		default:
			list = append(list, engine.Answer{Ref: c.Ref, Verdict: v})
		}
	}
	round, err := h.Decide(ctx, func() *session.Writer { return o.held("") }, list...)
	if late := (*engine.QueueError)(nil); errors.As(err, &late) {
		h.Warn(err)
	} else if err != nil {
		return d, err
	}
	for _, x := range round {
		if x.Err != nil {
			d.Left = append(d.Left, Left{x.Ref, x.Err})
			continue
		}
		d.Done = append(d.Done, x.Ref)
		if v == review.Yes && len(x.IDs) > 0 {
			d.Kept = append(d.Kept, x.IDs[0].String())
		}
	}
	d.Back = round.Back()
	return d, nil
}

// TakeBack takes a Decision back by its Back, unless that changes what binds commands. It returns what was taken back; the
// error says why the rest was not.
func (o *Owner) TakeBack(ctx context.Context, refs []string) (done []string, err error) {
	stated := make(map[string]*memory.Source) // by line: where it was said
	h := o.view()
	if len(refs) == 0 {
		return nil, fault.Usagef("there is nothing to take back")
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		lines, err := decidedLines(s, ref)
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			if err := mayTakeBack(s, line); err != nil && !waitsAgain(s, line) {
				return nil, err
			}
			if it, status := s.Get(line); status == memory.StatusActive && it.ID == line {
				stated[ref] = it.Record.Source
			}
		}
	}
	done, err = h.TakeBack(ctx, refs...)
	for _, ref := range done {
		if from, ok := stated[ref]; ok {
			err = errors.Join(err, o.tookBack(ref, from))
		}
	}
	return done, err
}

// decidedLines are the lines that a reference of a Back takes back: that of its number, or those that a yes to a proposal wrote.
func decidedLines(s *memory.State, ref string) ([]memory.ID, error) {
	if n, ok := strings.CutPrefix(ref, "p"); ok {
		id, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			return nil, fault.Usagef("%q names nothing that was decided", ref)
		}
		return review.Wrote(s, id), nil
	}
	lines, err := memory.ParseTyped(ref)
	if err != nil || len(lines) != 1 {
		return nil, fault.Usagef("%q names no line", ref)
	}
	return lines, nil
}

// waitsAgain reports whether a line took back one that nobody let in: without it that line waits, and is in force nowhere.
func waitsAgain(s *memory.State, line memory.ID) bool {
	ch, ok := s.Line(line)
	if !ok || ch.Record.Kind != memory.KindUndo {
		return false
	}
	was, ok := s.Line(ch.Record.Target.In(ch.ID.Log))
	return ok && was.Record.Origin.Rank() > 0 && was.Record.By == ""
}
