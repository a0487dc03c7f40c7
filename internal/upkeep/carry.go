package upkeep

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ken/internal/audit"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Applied is an action that was carried out.
type Applied struct {
	lifecycle.Action
	Lines []string // that were written, one or more
}

// Undo returns the command that takes back what wrote these lines, in one append.
func Undo(lines []string) fault.Command {
	if n := len(lines); n > 2 {
		return fault.Command("undo " + lines[0] + "-" + lines[n-1])
	}
	return fault.Command("undo " + strings.Join(lines, " "))
}

// Plan returns what a policy comes to in a state of this memory, now.
func (u *Upkeep) Plan(s *memory.State, p lifecycle.Policy) lifecycle.Plan {
	in := u.input(p)
	in.State = s
	return lifecycle.Make(in)
}

// input is what plans are made of here, but for the state.
func (u *Upkeep) input(p lifecycle.Policy) lifecycle.Input {
	last, count := u.home.Uses.Counts()
	first := u.home.Uses.FirstSeen()
	here := u.home.Here.Place()
	return lifecycle.Input{
		Policy: p, LastUse: last, LastIn: u.home.Uses.LastSent(), Uses: count, Now: u.home.Now(),
		Seen:   func(it memory.Item) time.Time { return first(it.Ref()) },
		Within: func(scope, outer memory.Scope) bool { return here.Within(string(scope), string(outer)) },
	}
}

// Apply makes the plan once more, of the memory as it stands under its lock, writes
// what choose picks of it, and notes that in the audit. by is who says so:
// lifecycle.ByPolicy with the name of the policy, or "user". The caller renews the
// pages, once.
func (u *Upkeep) Apply(
	ctx context.Context, p lifecycle.Policy, by string, choose func(lifecycle.Plan) []lifecycle.Action,
) ([]Applied, error) {
	e, err := u.home.Memory.Engine()
	if err != nil {
		return nil, err
	}
	who := u.home.Actor()
	if name, ok := strings.CutPrefix(by, lifecycle.ByPolicy); ok && who.Kind == engine.Person {
		who.Kind, who.Name = engine.Policy, name
	}
	in := u.input(p)
	var chosen []lifecycle.Action
	r, err := e.As(who).ApplyPlan(ctx, func(s *memory.State) []memory.Record {
		in.State = s
		chosen = choose(lifecycle.Make(in))
		var recs []memory.Record
		for _, x := range chosen {
			recs = append(recs, x.Records(by)...)
		}
		return recs
	})
	if err != nil {
		return nil, err
	}
	var done []Applied
	rest := r.IDs
	for _, x := range chosen {
		d := Applied{Action: x}
		for range x.Records(by) {
			d.Lines, rest = append(d.Lines, rest[0].String()), rest[1:]
		}
		done = append(done, d)
	}
	if len(done) == 0 {
		return nil, nil
	}
	if err := u.note(ctx, by, done); err != nil {
		u.home.Warn(fmt.Errorf("what was done stands in the memory, and not in the audit: %w", err))
	}
	return done, nil
}

// note puts what was done into the account: references and no text.
func (u *Upkeep) note(ctx context.Context, by string, done []Applied) error {
	var list []audit.Entry
	for _, d := range done {
		for i, line := range d.Lines {
			first := i * lifecycle.MaxTargets
			refs := d.Refs()[first:min(first+lifecycle.MaxTargets, len(d.Refs()))]
			list = append(list, audit.Entry{Act: d.Name(), By: by, Refs: refs, Lines: []string{line}})
		}
	}
	p := u.home.Settings.Paths()
	return audit.Log{Path: p.Audit(), Dir: p.Data, Now: u.home.Now}.Append(ctx, list...)
}

// sentence says what was done, all of it in one line without its undo.
func (u *Upkeep) sentence(done []Applied) string {
	var parts []string
	for _, d := range done {
		why := termsafe.Line(u.home.Keys.MaskText(d.Why))
		parts = append(parts, fmt.Sprintf("%s %s (%s)", lifecycle.Past(d.Name()), view.Memories(len(d.Refs())), why))
	}
	return strings.Join(parts, ", ")
}

// Summary returns what would be done, for a question.
func Summary(due []lifecycle.Action) string {
	n := map[string]int{}
	var order []string
	for _, x := range due {
		do := string(x.Do)
		if x.Do == lifecycle.Settle {
			do = "make " + string(x.To)
		}
		if n[do] == 0 {
			order = append(order, do)
		}
		n[do] += len(x.Items)
	}
	text := ""
	for i, do := range order {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %s", do, view.Memories(n[do]))
	}
	return text
}
