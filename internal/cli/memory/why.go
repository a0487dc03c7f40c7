package memory

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/pick"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/recall"
	"ken/internal/search"
	"ken/internal/trace"
	"ken/internal/view"
	"ken/internal/view/why"
)

// WhyCommands are those that stand at the top.
func WhyCommands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{whyCommand(a), whyNotCommand(a)}
}

func whyCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "why [ANSWER]",
		Short: "which memories an answer had, and why",
		Long: `Why names the memories that an answer was given, what the score of each is made of,
and what was left out and for what reason: as it was then, with what became of each
since. ANSWER is the number of a turn in the newest conversation of this project, or
SESSION:N; without it, the last answer there.`,
		Example:     "  ken why\n  ken why 4\n  ken why 20260510T190001Z-7f3a:2 --json",
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := resolve(cmd.Context(), a, strings.Join(args, ""))
			if err != nil {
				return err
			}
			r, err := w.report(cmd.Context(), a)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(r)
			}
			return a.Println(view.Wrap(why.Text(r), a.Width(), 4))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

// A verdict says how a memory stands to an answer.
type verdict struct {
	Ref     string     `json:"ref"`
	Session string     `json:"session"`
	N       int        `json:"n"`
	Given   bool       `json:"given"`
	Reason  string     `json:"reason"` // why it was not given; why it was, if it was
	Then    bool       `json:"then"`   // the reason was noted then; else it is what holds now
	Score   *float64   `json:"score,omitempty"`
	Parts   view.Parts `json:"parts,omitempty"`
}

func whyNotCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	var answer string
	cmd := &cobra.Command{
		Use:   "why-not REF",
		Short: "why an answer did not have a memory",
		Long: `Why-not says for what reason the memory REF was not given to an answer: the last one
of this project, or the one that --answer names. What was not noted then is found out
anew, and said to be so.`,
		Example:     "  ken why-not 7\n  ken why-not 7 --answer 4",
		Args:        cobra.ExactArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := resolve(cmd.Context(), a, answer)
			if err != nil {
				return err
			}
			ref, err := refOf(cmd.Context(), a, args[0])
			if err != nil {
				return err
			}
			v, err := w.verdict(cmd.Context(), a, ref)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(v)
			}
			return a.Println(v.text(w))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	cmd.Flags().StringVar(&answer, "answer", "", "of this `ANSWER`: N, or SESSION:N")
	return cmd
}

func (v verdict) text(w asked) string {
	switch {
	case v.Given:
		return "[" + v.Ref + "] was given to " + w.name() + ": " + v.Reason
	case v.Then:
		return "[" + v.Ref + "] was not given to " + w.name() + ": " + v.Reason
	}
	return "[" + v.Ref + "] was not given to " + w.name() + "; as things are now: " + v.Reason
}

// verdict is how the memory ref stands to the answer.
func (w asked) verdict(ctx context.Context, a *term.Run, ref string) (verdict, error) {
	v := verdict{Ref: ref, Session: w.session, N: w.n, Then: true}
	s, err := a.State(ctx)
	if err != nil {
		return v, err
	}
	if g, ok := w.given(ref); ok {
		one := w
		one.trace.Chosen, one.trace.Passed = []trace.Given{g}, nil
		r, err := one.report(ctx, a)
		if err != nil {
			return v, err
		}
		it := r.Provenance[0].Items[0]
		v.Given, v.Reason, v.Score, v.Parts = true, it.Why, it.Score, it.Parts
		if g.Standing {
			v.Reason = "in the start-up block; " + v.Reason
		}
		if it.Since != "" {
			v.Reason += "; " + it.Since
		}
		return v, nil
	}
	for _, p := range w.trace.Passed {
		if p.Ref == ref {
			if v.Reason = string(p.Reason); p.Standing {
				v.Reason = "it has too little to do with the question, and in the start-up block: " + v.Reason
			}
			return v, nil
		}
	}
	v.Then = false
	v.Reason, err = w.reasonNow(ctx, a, s, ref)
	return v, err
}

// reasonNow finds out anew why a memory has no part in the answer.
func (w asked) reasonNow(ctx context.Context, a *term.Run, s *memory.State, ref string) (string, error) {
	id, err := memory.ParseID(ref)
	if err != nil {
		return "", err
	}
	it, status := s.Get(id)
	switch status {
	case memory.StatusActive:
	case memory.StatusUnknown:
		return "", fault.Failuref("no memory is called %s", ref).WithHint("see what there is: %s", fault.Command("memory list"))
	case memory.StatusSuperseded:
		if by := asof.Replacing(s, it.ID); len(by) > 0 {
			return "superseded by " + pick.ItemRefs(by), nil
		}
		return status.String(), nil
	case memory.StatusWaiting:
		return "it waits: nobody has said yes to it", nil
	case memory.StatusChange:
		return "it is a line that changes another memory", nil
	default:
		return status.String(), nil
	}
	if !w.trace.Time.IsZero() && it.Record.Time.After(w.trace.Time) {
		return "it was said after the answer", nil
	}
	if w.question == "" {
		return "the question is not to be read any more", nil
	}
	n := recall.Need{Query: a.Moment().Query(), Text: w.question, Items: 1, Item: search.Active(s)}
	n.Tokens = 1 << 20 // whatever fits: the question is whether it is called up
	got, err := recall.Activate(ctx, []*index.Corpus{index.NewScan(func(yield func(index.Document) bool) {
		for _, d := range index.Items(s, n.At) {
			if d.Ref == it.Ref() && !yield(d) {
				return
			}
		}
	})}, n)
	switch {
	case err != nil:
		return "", err
	case len(got.Passed) > 0 && got.Passed[0].Reason != recall.TooMany:
		return string(got.Passed[0].Reason), nil
	case len(got.Chosen) > 0 && !w.traced:
		return "the conversation had no memory to draw on", nil
	case len(got.Chosen) > 0:
		return "others had more to do with the question", nil
	}
	if reason := n.Refuses(it); reason != "" && reason != recall.Archived {
		return string(reason), nil
	}
	return "it has too little to do with the question", nil
}
