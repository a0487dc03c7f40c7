package lifecmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ken/internal/audit"
	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A deed is an action, planned or done.
type deed struct {
	Do     string   `json:"do"` // "archive", "forget" or a phase
	Refs   []string `json:"refs"`
	Why    string   `json:"why"`
	Rule   string   `json:"rule,omitempty"`  // of the policy; absent: the sweep
	Review bool     `json:"review"`          // waits for a person
	Lines  []string `json:"lines,omitempty"` // that were written
	Undo   string   `json:"undo,omitempty"`  // the command that takes it back
	items  []memory.Item
}

// A report is what a plan comes to, or came to.
type report struct {
	Policy    string      `json:"policy"`
	DryRun    bool        `json:"dry_run"`
	Archived  int         `json:"archived"`  // items that were, or would be
	Forgotten int         `json:"forgotten"` // likewise
	Settled   int         `json:"settled"`   // likewise, into another phase
	Waiting   int         `json:"waiting"`   // items that a person has to be asked about
	Total     int         `json:"total"`     // items of this device, before
	Hot       int         `json:"hot"`
	Archive   int         `json:"archive"`
	Note      string      `json:"note,omitempty"`
	Faults    []diagnosis `json:"diagnostics,omitempty"`
	Actions   []deed      `json:"actions"`
}

// A diagnosis is something wrong with a policy.
type diagnosis struct {
	Field string `json:"field"`
	Row   int    `json:"row,omitempty"`
	Text  string `json:"text"`
	Note  bool   `json:"note,omitempty"` // it does no harm
}

func deedOf(a *app.App, x lifecycle.Action) deed {
	d := deed{Do: string(x.Do), Refs: x.Refs(), Why: clean(a, x.Why), Rule: clean(a, x.Rule), Review: x.Review, items: x.Items}
	if x.Do == lifecycle.Settle {
		d.Do = string(x.To)
	}
	return d
}

// clean is a text of a policy or a memory as it may be shown on one line.
func clean(a *app.App, text string) string { return termsafe.Line(a.MaskText(text)) }

// reportOf counts a plan.
func reportOf(a *app.App, p lifecycle.Plan, dry bool) report {
	r := report{Policy: p.Policy, DryRun: dry, Total: p.Total, Hot: p.Hot, Archive: p.Archive, Note: p.Note, Actions: []deed{}}
	for _, x := range p.Actions {
		r.add(deedOf(a, x))
	}
	return r
}

func (r *report) add(d deed) {
	n := len(d.Refs)
	switch {
	case d.Review && len(d.Lines) == 0:
		r.Waiting += n
	case d.Do == string(lifecycle.Archive):
		r.Archived += n
	case d.Do == string(lifecycle.Forget):
		r.Forgotten += n
	default:
		r.Settled += n
	}
	r.Actions = append(r.Actions, d)
}

// input is what plans are made of here, but for the state.
func input(a *app.App, p lifecycle.Policy) lifecycle.Input {
	last, count := a.Uses()
	first := a.FirstSeen()
	here := a.Place()
	return lifecycle.Input{
		Policy: p, LastUse: last, LastIn: a.LastSent(), Uses: count, Now: a.Env.Now(),
		Seen:   func(it memory.Item) time.Time { return first(it.Ref()) },
		Within: func(scope, outer memory.Scope) bool { return here.Within(string(scope), string(outer)) },
	}
}

// plan plans for the memory as it stands. tell says that a person asked for it, who
// is told what of the memory cannot be read.
func plan(ctx context.Context, a *app.App, p lifecycle.Policy, tell bool) (lifecycle.Plan, error) {
	s, err := a.State(ctx)
	if err != nil {
		return lifecycle.Plan{}, err
	}
	if tell {
		a.TellProblems(s)
	}
	in := input(a, p)
	in.State = s
	return lifecycle.Make(in), nil
}

// carry makes the plan once more, of the memory as it stands under its lock, writes
// what choose picks of it, and notes that in the audit.
func carry(ctx context.Context, a *app.App, p lifecycle.Policy, by string, choose func(lifecycle.Plan) []lifecycle.Action) ([]deed, error) {
	e, err := a.Memory()
	if err != nil {
		return nil, err
	}
	who := a.Actor()
	if name, ok := strings.CutPrefix(by, lifecycle.ByPolicy); ok && who.Kind == engine.Person {
		who.Kind, who.Name = engine.Policy, name
	}
	in := input(a, p)
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
	var done []deed
	rest := r.IDs
	for _, x := range chosen {
		d := deedOf(a, x)
		for range x.Records(by) {
			d.Lines, rest = append(d.Lines, rest[0].String()), rest[1:]
		}
		d.Undo = a.Verb("undo " + span(d.Lines))
		done = append(done, d)
	}
	if len(done) == 0 {
		return nil, nil
	}
	a.MemoryAdded() // the caller renews the pages, once
	if err := note(ctx, a, by, done); err != nil {
		a.Warn(fmt.Errorf("what was done stands in the memory, and not in the audit: %w", err))
	}
	return done, nil
}

// note puts what was done into the account: references and no text.
func note(ctx context.Context, a *app.App, by string, done []deed) error {
	var list []audit.Entry
	for _, d := range done {
		for i, line := range d.Lines {
			first := i * lifecycle.MaxTargets
			refs := d.Refs[first:min(first+lifecycle.MaxTargets, len(d.Refs))]
			list = append(list, audit.Entry{Act: d.Do, By: by, Refs: refs, Lines: []string{line}})
		}
	}
	return audit.Book{Path: a.Paths().Audit(), Dir: a.Paths().Data, Now: a.Env.Now}.Append(ctx, list...)
}

// past is an action in the past tense: "archived".
func past(do string) string {
	switch do {
	case string(lifecycle.Archive):
		return "archived"
	case string(lifecycle.Forget):
		return "forgot"
	}
	return "made " + do
}

// sentence says what was done, all of it in one line without its undo.
func sentence(done []deed) string {
	var parts []string
	for _, d := range done {
		parts = append(parts, fmt.Sprintf("%s %s (%s)", past(d.Do), memories(len(d.Refs)), d.Why))
	}
	return strings.Join(parts, ", ")
}

func memories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}

// undo is the command that takes all of it back.
func undo(a *app.App, done []deed) string {
	var lines []string
	for _, d := range done {
		lines = append(lines, d.Lines...)
	}
	return a.Verb("undo " + span(lines))
}

// span names lines that one append wrote, which follow each other.
func span(lines []string) string {
	if n := len(lines); n > 2 {
		return lines[0] + "-" + lines[n-1]
	}
	return strings.Join(lines, " ")
}

// text shows a report to a person.
func (r report) text(a *app.App) string {
	var b strings.Builder
	for _, d := range r.Actions {
		switch {
		case len(d.Lines) > 0:
			fmt.Fprintf(&b, "%s %s: %s (undo: %s)\n", past(d.Do), memories(len(d.Refs)), d.Why, d.Undo)
		case d.Review:
			fmt.Fprintf(&b, "would ask to %s: %s\n", verb(d.Do), d.Why)
		default:
			fmt.Fprintf(&b, "would %s %s: %s\n", verb(d.Do), memories(len(d.Refs)), d.Why)
		}
		for _, it := range d.items {
			fmt.Fprintf(&b, "  #%s  %s\n", it.Ref(), view.Excerpt(a.MaskText(it.Record.Content), textWidth))
		}
	}
	if len(r.Actions) == 0 {
		b.WriteString("nothing to do\n")
	}
	if r.Note != "" {
		b.WriteString(r.Note + "\n")
	}
	fmt.Fprintf(&b, "%s before: %d hot, %d archived", memories(r.Total), r.Hot, r.Archive)
	return b.String()
}

// textWidth is how many cells of a memory are shown.
const textWidth = 90

// verb is an action as something that would be done.
func verb(do string) string {
	switch do {
	case string(lifecycle.Archive), string(lifecycle.Forget):
		return do
	}
	return "make " + do
}
