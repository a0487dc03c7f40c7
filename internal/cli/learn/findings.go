package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/ask"
	reviewing "ken/internal/cli/review"
	"ken/internal/cli/skills"
	"ken/internal/engine"
	"ken/internal/learn"
	"ken/internal/learn/habits"
	"ken/internal/learn/patterns"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/repl"
	"ken/internal/review"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/view/learned"
)

// findings leads through what was found, the most worth first. What cannot be done is told, and is not the end.
func (g *guided) findings(ctx context.Context) error {
	list := g.found.Findings
	if len(list) == 0 {
		g.a.Status(learned.Nothing)
		return nil
	}
	g.a.Say("", fmt.Sprintf("\nfound: %s; the most worth first", counts(list)))
	for i := range list {
		if g.over || ctx.Err() != nil {
			return nil
		}
		if err := g.finding(ctx, &list[i], i+1, len(list)); err != nil && ctx.Err() == nil {
			g.over = g.over || errors.Is(err, repl.ErrInterrupted) || errors.Is(err, repl.ErrNoTerminal)
			if !g.over {
				g.a.Report(err)
			}
		}
	}
	if g.found.More > 0 && !g.over {
		g.a.Status("%d more of less worth: %s", g.found.More, g.a.Verb("retrospect")+" again")
	}
	return nil
}

// counts is "2 corrections, 1 wish".
func counts(list []learn.Finding) string {
	var parts []string
	for _, s := range learn.Sorts() {
		n := 0
		for i := range list {
			if list[i].Sort == s {
				n++
			}
		}
		switch {
		case n > 1 && s == learn.Wish:
			parts = append(parts, fmt.Sprintf("%d wishes", n))
		case n > 0:
			parts = append(parts, view.Count(n, string(s)))
		}
	}
	return strings.Join(parts, ", ")
}

// finding puts one before the person.
func (g *guided) finding(ctx context.Context, f *learn.Finding, nr, of int) error {
	if f.Queues() {
		return g.queued(ctx, f, nr, of)
	}
	scope := cmp.Or(g.scope, f.Scope)
	why := termsafe.Line(f.Why)
	if scope != "" {
		why += "; it holds in " + termsafe.Line(string(scope))
	}
	label := f.Shown(g.a.Env.Now()).Label()
	g.a.Say("", fmt.Sprintf("\n%d of %d  [%s] %s\n  %s\n  goes to: %s", nr, of, label, termsafe.Visible(f.Text), why, f.Goes()))
	switch {
	case f.Draft != "":
		return g.promotion(ctx, f)
	case f.Signal != nil:
		return g.habit(ctx, f.Signal)
	case f.Group != nil:
		return g.group(ctx, f)
	}
	text := g.wanted(ctx, f.Text)
	if f.Ref != "" {
		g.let(ctx, learned.Draft{Kind: string(f.Kind), Text: f.Text, Scope: string(f.Scope), Ref: f.Ref}, text)
		return nil
	}
	return g.remember(ctx, f.Kind, text, scope)
}

// queued has a finding wait, and asks about it as the review does: n refuses it for good, and without an answer it waits.
func (g *guided) queued(ctx context.Context, f *learn.Finding, nr, of int) error {
	ref, known, err := f.Propose(ctx, g.a.Home)
	if err != nil {
		return err
	}
	if ref == "" {
		g.a.Status("%s: it is known already (%s)", termsafe.Line(f.Text), termsafe.Line(known))
		return nil
	}
	g.a.Say("", "")
	return g.decide(ctx, ref, f.Goes(), nr, of)
}

// decide asks about what waits under a reference.
func (g *guided) decide(ctx context.Context, ref, goes string, nr, of int) error {
	g.a.Say("", "goes to: "+goes)
	said, quit, err := reviewing.Ask(ctx, g.a, ref, nr, of)
	g.over = g.over || quit
	switch {
	case err != nil:
		return err
	case said.Verdict == review.Yes && len(said.Lines) > 0:
		r := said.Record
		g.kept = append(g.kept, kept{
			did: "kept", name: "#" + said.Lines[0].String(), kind: r.Kind, text: r.Content,
			undo: g.a.Verb("undo " + said.Lines[len(said.Lines)-1].String()),
		})
	case said.Verdict == "":
		g.a.Status("%s waits (%s)", ref, g.a.Verb("review"))
	}
	return nil
}

// draft asks who writes what a finding has no text of yet: ask.Yes is the model that judges, where there is one, and ask.Edit the
// person. Nobody is asked anything by it.
func (g *guided) draft(ctx context.Context, what string) ask.Answer {
	q := ask.Question{Asks: "draft " + what + "?", Enter: ask.Next, Choices: []ask.Choice{
		{Answer: ask.Edit, Says: "by hand"}, {Answer: ask.Stop}, {Answer: ask.Next},
	}}
	if cfg, err := g.a.Home.Models().Settings(); err == nil {
		if _, err := g.a.Home.Models().Preset(cfg.Judge()); err == nil {
			q.Choices = append([]ask.Choice{{Answer: ask.Yes, Says: "by a model"}}, q.Choices...)
		}
	}
	return g.put(ctx, q)
}

// judged is the model that judges, opened once; nil where there is none.
func (g *guided) judged(ctx context.Context) (*models.Once, error) {
	if g.judge != nil {
		return g.judge, nil
	}
	j, err := learn.OpenJudge(ctx, g.a.Home)
	g.judge = j
	return j, err
}

// habit has a draft of a skill made of what comes again, by the model or by the person.
func (g *guided) habit(ctx context.Context, s *habits.Signal) error {
	var j *models.Once
	switch g.draft(ctx, "a skill") {
	case ask.Yes:
		var err error
		if j, err = g.judged(ctx); err != nil || j == nil {
			return err
		}
	case ask.Edit:
	default:
		return nil
	}
	m, why, err := skills.Draft(ctx, g.a, j, []habits.Signal{*s})
	if err != nil {
		return err
	}
	if m.Name == "" {
		g.a.Status("no draft: %s", termsafe.Line(why))
		return nil
	}
	ref := fmt.Sprintf("p%d", m.Proposal)
	k := kept{did: "drafted", name: m.Name, text: m.Skill.Description, undo: g.a.Verb("review no " + ref)}
	g.kept = append(g.kept, k)
	if len(m.Flags) > 0 {
		g.a.Status("look twice: %s", strings.Join(m.Flags, ", "))
	}
	g.a.Status("%s is a draft now (read it and make it a skill: %s; undo: %s)", m.Name, g.a.Verb("skills promote "+m.Name), k.undo)
	return nil
}

// promotion has the person look at a draft that waits; promoting shows it whole, and asks.
func (g *guided) promotion(ctx context.Context, f *learn.Finding) error {
	q := ask.Question{Asks: "look at it?", Enter: ask.Next, Choices: []ask.Choice{
		{Answer: ask.Yes, Says: "show it and ask"}, {Answer: ask.No, Says: "refuse"}, {Answer: ask.Stop}, {Answer: ask.Next},
	}}
	switch said := g.put(ctx, q); {
	case g.over:
	case said == ask.Yes:
		return skills.Promote(ctx, g.a, f.Draft)
	case said == ask.No:
		return reviewing.Refuse(ctx, g.a, f.Ref)
	}
	return nil
}

// group has a model, or the person, say what some memories come to.
func (g *guided) group(ctx context.Context, f *learn.Finding) error {
	for _, it := range f.Group.Items {
		g.a.Say("", "  #"+it.Ref()+" "+view.Excerpt(g.a.Home.Keys.MaskText(it.Record.Content), shownWidth))
	}
	look := g.found.Groups(f)
	switch g.draft(ctx, "a pattern") {
	case ask.Yes:
		j, err := g.judged(ctx)
		if err != nil || j == nil {
			return err
		}
		found, err := look.Ask(ctx, j)
		if err != nil {
			return err
		}
		out, err := look.Propose(ctx, g.a.Home, &found)
		if err != nil {
			return err
		}
		for _, r := range found.Rejected {
			g.a.Status("not proposed: %s (%s)", termsafe.Line(r.Content), termsafe.Line(r.Why))
		}
		if len(out) == 0 {
			g.a.Status("the model sees nothing that they have in common")
		}
		for i, p := range out {
			if g.over || p.ID == 0 {
				continue
			}
			if err := g.decide(ctx, fmt.Sprintf("p%d", p.ID), f.Goes(), i+1, len(out)); err != nil {
				return err
			}
		}
	case ask.Edit:
		text := g.text(ctx, "pattern: ", strings.Join(f.Group.Common, " "))
		if text == "" {
			return nil
		}
		return g.own(ctx, look, f.Group, text)
	}
	return nil
}

// own keeps what the person wrote of a group.
func (g *guided) own(ctx context.Context, look *learn.Groups, c *patterns.Cluster, text string) error {
	r, known, err := look.Own(ctx, g.a.Home, *c, text)
	if known != "" {
		g.a.Status("not kept, it is known: %s", termsafe.Line(known))
		return nil
	}
	if queue := (*engine.QueueError)(nil); errors.As(err, &queue) { // it is kept, and the queue does not know
		g.a.Warn(err)
	} else if err != nil {
		return err
	}
	g.did("kept", r.IDs[0], memory.KindPattern, text, r, true, c.Scope)
	return nil
}
