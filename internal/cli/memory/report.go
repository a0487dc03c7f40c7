package memory

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/cli/term"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/upkeep"
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

func deedOf(a *term.Run, x lifecycle.Action) deed {
	return deed{
		Do: upkeep.Name(x), Refs: x.Refs(), Why: clean(a, x.Why), Rule: clean(a, x.Rule), Review: x.Review, items: x.Items,
	}
}

// clean is a text of a policy or a memory as it may be shown on one line.
func clean(a *term.Run, text string) string { return termsafe.Line(a.Home.Keys.MaskText(text)) }

// reportOf counts a plan.
func reportOf(a *term.Run, p lifecycle.Plan, dry bool) report {
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

// looksAfter is the upkeep that commands carry out themselves.
func looksAfter(a *term.Run) *upkeep.Upkeep { return upkeep.New(a.Home, upkeep.Ports{Who: a.Actor}) }

// plan plans for the memory as it stands, and says what of it cannot be read.
func plan(ctx context.Context, a *term.Run, p lifecycle.Policy) (lifecycle.Plan, error) {
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return lifecycle.Plan{}, err
	}
	a.Home.Memory.TellProblems(s)
	return looksAfter(a).Plan(s, p), nil
}

// carry carries out what choose picks of a plan that is made once more.
func carry(
	ctx context.Context, a *term.Run, p lifecycle.Policy, by string, choose func(lifecycle.Plan) []lifecycle.Action,
) ([]deed, error) {
	list, err := looksAfter(a).Apply(ctx, p, by, choose)
	done := make([]deed, len(list))
	for i, x := range list {
		done[i] = deedOf(a, x.Action)
		done[i].Lines, done[i].Undo = x.Lines, a.Verb(string(upkeep.Undo(x.Lines)))
	}
	return done, err
}

// text shows a report to a person.
func (r report) text(a *term.Run) string {
	var b strings.Builder
	for _, d := range r.Actions {
		switch {
		case len(d.Lines) > 0:
			fmt.Fprintf(&b, "%s %s: %s (undo: %s)\n", upkeep.Past(d.Do), upkeep.Memories(len(d.Refs)), d.Why, d.Undo)
		case d.Review:
			fmt.Fprintf(&b, "would ask to %s: %s\n", verb(d.Do), d.Why)
		default:
			fmt.Fprintf(&b, "would %s %s: %s\n", verb(d.Do), upkeep.Memories(len(d.Refs)), d.Why)
		}
		for _, it := range d.items {
			fmt.Fprintf(&b, "  #%s  %s\n", it.Ref(), view.Excerpt(a.Home.Keys.MaskText(it.Record.Content), textWidth))
		}
	}
	if len(r.Actions) == 0 {
		b.WriteString("nothing to do\n")
	}
	if r.Note != "" {
		b.WriteString(r.Note + "\n")
	}
	fmt.Fprintf(&b, "%s before: %d hot, %d archived", upkeep.Memories(r.Total), r.Hot, r.Archive)
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
