package learn

import (
	"context"
	"slices"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/learn/extract"
	"ken/internal/memory"
	"ken/internal/rules"
)

// A RuleLook is what the person objected to, and which rules that speaks for.
type RuleLook struct {
	Drafts     []RuleDraft // less those that are like one that the person refused; those of a model are last
	Objections int         // that were looked at
	Left       int         // older outcomes, and lines for a model, that were left out
	Refused    []string    // what a model wrote that is not proposed, with why not, a line each

	home    *app.View
	state   *memory.State
	judge   rules.Judge
	list    []Objection
	known   []string // texts of rules that the person refused
	readily string   // how readily rules are proposed, as the settings have it
}

// ReadRuleLook looks back at the newest objections. No model is asked. Errors: those of the settings and the memory.
func ReadRuleLook(ctx context.Context, h *app.View) (*RuleLook, error) {
	cfg, err := h.Settings.Read()
	if err != nil {
		return nil, err
	}
	l := &RuleLook{home: h, judge: CommandJudge(h.Settings.UserDir()), readily: cfg.Rules.Aggressiveness}
	if l.state, err = h.Memory.State(ctx); err != nil {
		return nil, err
	}
	if l.list, l.Left, err = Objections(ctx, h); err != nil {
		return nil, err
	}
	q, err := readQueue(ctx, h)
	if err != nil {
		return nil, err
	}
	for _, w := range q.refused {
		if w.Proposal.Record.Kind == memory.KindRule {
			l.known = append(l.known, w.Proposal.Record.Content)
		}
	}
	l.Objections = len(l.list)
	drafts := ruleDrafts(l.list, rules.Of(l.state), l.judge, EnoughObjections(l.readily), h)
	l.Drafts = slices.DeleteFunc(drafts, func(d RuleDraft) bool { return isNear(d.Record.Content, l.known) })
	return l, nil
}

// Ask has a model propose more rules. What it says is no draft before it passed ReadRules. Errors: those of the model and of ReadRules;
// the drafts are what they were then.
func (l *RuleLook) Ask(ctx context.Context, m extract.Model) error {
	material, left := ruleMaterial(l.home, rules.Of(l.state), l.list)
	l.Left += left
	answer, err := m.Answer(ctx, ruleInstructions, material)
	if err != nil {
		return err
	}
	known := slices.Clone(l.known)
	for _, d := range l.Drafts {
		known = append(known, d.Record.Content)
	}
	more, refused, err := ReadRules(answer, l.state, known, MostRules(l.readily), l.home.Now())
	if err != nil {
		return err
	}
	for _, g := range more {
		l.Drafts = append(l.Drafts, RuleDraft{Suggestion: g})
	}
	for _, why := range refused {
		l.Refused = append(l.Refused, l.home.Keys.MaskText(why))
	}
	return nil
}

// Propose has the drafts wait, and gives what became of each. Errors: those of engine.Writer.Propose; then nothing was written.
func (l *RuleLook) Propose(ctx context.Context) ([]engine.Proposed, error) {
	list := make([]engine.Suggestion, len(l.Drafts))
	for i, d := range l.Drafts {
		list[i] = d.Suggestion
	}
	return propose(ctx, l.home, as(list...))
}
