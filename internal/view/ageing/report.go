package ageing

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/view"
)

// An Action is what becomes of some memories, planned or done.
type Action struct {
	Do     string   `json:"do"`   // "archive", "forget" or a phase
	Refs   []string `json:"refs"` // of the memories
	Why    string   `json:"why"`
	Rule   string   `json:"rule,omitempty"`  // of the policy; absent: the sweep
	Review bool     `json:"review"`          // waits for a person
	Lines  []string `json:"lines,omitempty"` // that were written
	Undo   string   `json:"undo,omitempty"`  // the command that takes it back

	Items []memory.Item `json:"-"` // which a person is shown
}

// ActionOf is a planned one.
func ActionOf(x lifecycle.Action, clean func(string) string) Action {
	return Action{Do: x.Name(), Refs: x.Refs(), Why: clean(x.Why), Rule: clean(x.Rule), Review: x.Review, Items: x.Items}
}

// Verb is the action as something that would be done.
func (d Action) Verb() string {
	switch d.Do {
	case string(lifecycle.Archive), string(lifecycle.Forget):
		return d.Do
	}
	return "make " + d.Do
}

// A Report is what a plan comes to, or came to. Its counts are of memories.
type Report struct {
	Policy    string      `json:"policy"`
	DryRun    bool        `json:"dry_run"`
	Archived  int         `json:"archived"`  // that were, or would be
	Forgotten int         `json:"forgotten"` // likewise
	Settled   int         `json:"settled"`   // likewise, into another phase
	Waiting   int         `json:"waiting"`   // that a person has to be asked about
	Total     int         `json:"total"`     // of this device, before
	Hot       int         `json:"hot"`
	Archive   int         `json:"archive"`
	Note      string      `json:"note,omitempty"`
	Faults    []Diagnosis `json:"diagnostics,omitempty"`
	Actions   []Action    `json:"actions"` // never null
}

// ReportOf counts a plan.
func ReportOf(p lifecycle.Plan, dry bool, clean func(string) string) Report {
	r := Report{Policy: p.Policy, DryRun: dry, Total: p.Total, Hot: p.Hot, Archive: p.Archive, Note: p.Note}
	r.set(nil)
	for _, x := range p.Actions {
		r.add(ActionOf(x, clean))
	}
	return r
}

// set puts actions in the place of those that there are, and counts anew.
func (r *Report) set(list []Action) {
	r.Actions, r.Archived, r.Forgotten, r.Settled, r.Waiting = []Action{}, 0, 0, 0, 0
	for _, d := range list {
		r.add(d)
	}
}

func (r *Report) add(d Action) {
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

// Done puts what was done in the place of what was planned, and leaves what waits.
func (r *Report) Done(done []Action) {
	waiting := slices.DeleteFunc(slices.Clone(r.Actions), func(d Action) bool { return !d.Review })
	r.set(slices.Concat(done, waiting))
}

// Answered puts what was done of it in the place of the action on one memory that waited.
func (r *Report) Answered(ref, do string, done []Action) {
	var rest []Action
	for _, d := range r.Actions {
		if d.Review && len(d.Lines) == 0 && d.Do == do && d.Refs[0] == ref {
			rest = append(rest, done...)
			continue
		}
		rest = append(rest, d)
	}
	r.set(rest)
}

// Wrote reports whether any of it was done.
func (r *Report) Wrote() bool {
	return slices.ContainsFunc(r.Actions, func(d Action) bool { return len(d.Lines) > 0 })
}

// Text is a report for a person; excerpt is the beginning of a memory, masked. It does
// not end with a line end.
func (r Report) Text(excerpt func(memory.Item) string) string {
	var b strings.Builder
	for _, d := range r.Actions {
		switch {
		case len(d.Lines) > 0:
			fmt.Fprintf(&b, "%s %s: %s (undo: %s)\n", lifecycle.Past(d.Do), view.Memories(len(d.Refs)), d.Why, d.Undo)
		case d.Review:
			fmt.Fprintf(&b, "would ask to %s: %s\n", d.Verb(), d.Why)
		default:
			fmt.Fprintf(&b, "would %s %s: %s\n", d.Verb(), view.Memories(len(d.Refs)), d.Why)
		}
		for _, it := range d.Items {
			fmt.Fprintf(&b, "  #%s  %s\n", it.Ref(), excerpt(it))
		}
	}
	if len(r.Actions) == 0 {
		b.WriteString("nothing to do\n")
	}
	if r.Note != "" {
		b.WriteString(r.Note + "\n")
	}
	fmt.Fprintf(&b, "%s before: %d hot, %d archived", view.Memories(r.Total), r.Hot, r.Archive)
	return b.String()
}
