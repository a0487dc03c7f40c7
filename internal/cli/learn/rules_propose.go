package learn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/ask"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/view/learned"
)

func rulesProposeCommand(a *term.Run) *cobra.Command {
	var asJSON, dryRun bool
	cmd := &cobra.Command{
		Use: "propose", Short: "look back at what you did not let run, and propose rules", Args: cobra.NoArgs,
		Long: `Propose looks back at the newest outcomes of your conversations, at most 50: commands that a
model asked for and that you refused, changed before they ran, or took back. Where that
happened often enough to commands that begin alike it proposes a rule, and shows what the
rule would have meant for your last commands. What it proposes waits for your yes; it never
proposes to relax a rule. How often is enough is a setting, rules.aggressiveness.`,
		Example:     "  ken rules propose --dry-run\n  ken rules propose\n  ken rules approve p3",
		Annotations: term.Writes{Person: "proposes rules", Look: "rules list", When: []string{"no --dry-run"}}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return proposeRules(cmd.Context(), a, dryRun, asJSON) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "propose nothing, only show")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

// improveCommand is `rules propose` under its other name.
func improveCommand(a *term.Run) *cobra.Command {
	cmd := rulesProposeCommand(a)
	cmd.Use = "improve-rules"
	return cmd
}

func proposeRules(ctx context.Context, a *term.Run, dryRun, asJSON bool) error {
	look, err := learn.ReadRuleLook(ctx, a.Home)
	if err != nil {
		return err
	}
	s, err := a.Home.Memory.State(ctx)
	if err != nil {
		return err
	}
	model := judgedRules(ctx, a, look)
	out := learned.Proposals{Proposals: []learned.Proposal{}, Outcomes: look.Objections, Left: look.Left, Refused: look.Refused, Model: model}
	if out.Refused == nil {
		out.Refused = []string{}
	}
	became := make([]engine.Proposed, len(look.Drafts))
	if !dryRun && len(look.Drafts) > 0 {
		if became, err = look.Propose(ctx); err != nil {
			return term.NotSaved(err)
		}
	}
	on := scale(a)
	for i, g := range look.Drafts {
		p, err := ruleProposal(ctx, on, a, s, g.Record, g.Why)
		if err != nil {
			return err
		}
		if p.New, p.Known = became[i].New, became[i].Known; became[i].ID > 0 {
			p.Ref = fmt.Sprintf("p%d", became[i].ID)
		}
		out.Proposals = append(out.Proposals, p)
	}
	return term.Answer(a, asJSON, out, func() string { return proposalsText(a, out) })
}

// judgedRules has the model that judges propose rules, if there is one and something to look back at, and gives its name. What
// goes wrong with it is a warning: what was found without it stands.
func judgedRules(ctx context.Context, a *term.Run, look *learn.RuleLook) (model string) {
	if look.Objections == 0 {
		return ""
	}
	j, err := learn.OpenJudge(ctx, a.Home)
	if err != nil {
		a.Warn(err)
	}
	if j == nil {
		return ""
	}
	if err := look.Ask(ctx, j); errors.Is(err, learn.ErrAnswer) {
		a.Warn(err)
	} else if err != nil {
		a.Warn(fmt.Errorf("no model looked back: %w", err))
	}
	return j.Preset
}

func proposalsText(a *term.Run, out learned.Proposals) string {
	var lines []string
	waits := false
	for _, p := range out.Proposals {
		lines = append(lines, p.Lines()...)
		waits = waits || p.Ref != "" && (p.New || p.Known == string(review.Pending))
	}
	if len(lines) == 0 {
		const none = "(nothing to propose: %d commands that you refused, changed or took back were looked at)"
		lines = append(lines, fmt.Sprintf(none, out.Outcomes))
	}
	for _, why := range out.Refused {
		lines = append(lines, "not proposed: "+termsafe.Line(why))
	}
	if out.Left > 0 {
		lines = append(lines, fmt.Sprintf("%d older outcomes were left out", out.Left))
	}
	if waits {
		lines = append(lines, "decide: "+a.Verb("rules approve REF")+", or "+a.Verb("review"))
	}
	return strings.Join(lines, "\n")
}

// ruleProposal is what a record that waits would make of the rules.
func ruleProposal(
	ctx context.Context, w *learn.Scale, a *term.Run, s *memory.State, rec memory.Record, why string,
) (learned.Proposal, error) {
	d, err := w.Waiting(ctx, s, rec)
	return learned.Proposal{Difference: d, Why: a.Home.Keys.MaskText(why)}, err
}

// scale holds rules against what was recorded.
func scale(a *term.Run) *learn.Scale { return learn.NewScale(a.Home, a.Env.Getenv("HOME")) }

func rulesApproveCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "approve REF...", Short: "decide on rules that were proposed: keep, refuse, change", Args: cobra.MinimumNArgs(1),
		Long: `Approve shows a rule that waits, with what is checked of it and what it would have meant for
your last commands, and asks: y keeps it, n refuses it for good, e changes its text first,
and then it is shown again. Enter leaves it waiting. It is for you at a terminal.`,
		Annotations: term.Writes{Person: "decides what waits", Look: "review list"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !a.Person.Present() {
				return fault.Refusedf("nobody to decide: not a terminal").WithHint("to read what waits: %s", fault.Command("review --json"))
			}
			for _, ref := range memory.TypedRefs(args...) {
				if err := approveRule(cmd.Context(), a, ref); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// waitingRule finds what waits under a reference.
func waitingRule(ctx context.Context, a *term.Run, ref string) (engine.Waiting, error) {
	e, err := a.Home.Memory.Engine()
	if err != nil {
		return engine.Waiting{}, err
	}
	pending, _, _, err := e.Queue(ctx)
	if err != nil {
		return engine.Waiting{}, err
	}
	for _, w := range pending {
		if w.Ref == strings.TrimPrefix(ref, "#") {
			if rec := &w.Proposal.Record; rec.Kind != memory.KindRule && rec.Kind != memory.KindEdit {
				return w, fault.Usagef("%s is no rule", ref).WithHint("decide on it: %s", fault.Command("review"))
			}
			return w, nil
		}
	}
	return engine.Waiting{}, fault.New(fault.NotFound, fmt.Errorf("%s: %w", ref, review.ErrNotWaiting)).
		WithHint("see what does: %s", fault.Command("review list"))
}

func approveRule(ctx context.Context, a *term.Run, ref string) error {
	w, err := waitingRule(ctx, a, ref)
	if err != nil {
		return err
	}
	answer, on := engine.Answer{}, scale(a)
	for {
		s, err := a.Home.Memory.State(ctx)
		if err != nil {
			return err
		}
		rec := w.Proposal.Record
		if answer.Content != nil {
			d := rec.Details()
			d.Match, d.Unless, d.Raise = nil, "", ""
			rec.Content, rec.Detail = *answer.Content, &d
		}
		p, err := ruleProposal(ctx, on, a, s, rec, w.Proposal.Why)
		if err != nil {
			return err
		}
		p.Ref, p.New = w.Ref, true
		seen, err := a.Person.Pages(ctx, p.Lines(), func(line string) error { return a.Println(line) })
		if err != nil || !seen {
			return err
		}
		said, err := a.Person.Put(ctx, ask.Question{Asks: "keep this rule?", Enter: ask.Next, Choices: []ask.Choice{
			{Answer: ask.Yes, Says: "keep"}, {Answer: ask.No, Says: "refuse"}, {Answer: ask.Edit}, {Answer: ask.Next, Says: "it waits"},
		}})
		if err != nil {
			return err
		}
		switch said {
		case ask.Yes:
			answer.Verdict = review.Yes
		case ask.No:
			answer.Verdict = review.No
		case ask.Edit:
			text, err := a.Person.AskText(ctx, "text: ", rec.Content)
			if err != nil {
				return err
			}
			if text != "" {
				answer.Content = &text
			}
			continue
		default:
			return a.Println(w.Ref + " waits")
		}
		return decideRule(ctx, a, w, answer)
	}
}

func decideRule(ctx context.Context, a *term.Run, w engine.Waiting, answer engine.Answer) error {
	r, err := a.Home.DecideOne(ctx, a.Live, w, answer)
	if queue := (*engine.QueueError)(nil); errors.As(err, &queue) { // it is in force, and the queue does not know
		a.Warn(err)
	} else if err != nil {
		return term.NotSaved(err)
	}
	if answer.Verdict == review.No {
		return a.Println(fmt.Sprintf("refused %s (undo: %s)", w.Ref, a.Verb("review undo "+w.Ref)))
	}
	return a.Println(fmt.Sprintf("kept #%s, in force (undo: %s)", r.IDs[0], a.Verb("undo "+r.Span())))
}
