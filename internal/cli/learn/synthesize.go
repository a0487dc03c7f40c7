package learn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/ask"
	reviewing "ken/internal/cli/review"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/learn/patterns"
	"ken/internal/review"
	"ken/internal/view"
	"ken/internal/view/learned"
)

// synthesize is what --synthesize does: with a model what recent memories come to is
// proposed and, at a terminal, asked about; without one the person may write it.
func synthesize(ctx context.Context, a *term.Run, f flags) error {
	look, err := learn.ReadGroups(ctx, a.Home)
	if err != nil {
		return err
	}
	v := learned.Synthesis{
		DryRun: f.dryRun, Known: look.Known,
		Clusters: []learned.Cluster{}, Patterns: []learned.Pattern{}, Rejected: []learned.Refused{},
	}
	for _, c := range look.Clusters {
		v.Clusters = append(v.Clusters, learned.ClusterOf(c))
	}
	if len(look.Clusters) == 0 {
		return term.Answer(a, f.asJSON, v, func() string { return noPatterns(look.Known) })
	}
	j, err := learn.OpenJudge(ctx, a.Home)
	if err != nil {
		return err
	}
	if j == nil {
		return patternsByHand(ctx, a, f, look, v)
	}
	v.Model = j.Preset
	found, err := look.Ask(ctx, j)
	var garbage *patterns.AnswerError
	if errors.As(err, &garbage) {
		return fault.New(fault.Failure, err).
			WithHint("nothing was written; a stronger model may do better: %s", fault.Command("config set models.strong NAME"))
	}
	if err != nil {
		return err
	}
	var out []engine.Proposed
	if !f.dryRun {
		if out, err = look.Propose(ctx, a.Home, &found); err != nil {
			return term.NotSaved(err)
		}
	}
	for i, p := range found.Patterns {
		v.Patterns = append(v.Patterns, learned.PatternOf(p, look.Impact(p)))
		if !f.dryRun {
			v.Patterns[i].Became(out[i])
		}
	}
	for _, r := range found.Rejected {
		v.Rejected = append(v.Rejected, learned.Refused(r))
	}
	if f.asJSON {
		return a.PrintJSON(v)
	}
	return answerEach(ctx, a, v)
}

// noPatterns says why there is nothing to make patterns of.
func noPatterns(known int) string {
	if known > 0 {
		return fmt.Sprintf("nothing new: what %s come to is known, waits or was refused", view.Count(known, "group of memories"))
	}
	const none = "nothing to make patterns of: no %d recent memories from %d sources speak of one matter"
	return fmt.Sprintf(none, patterns.Least, patterns.LeastSources)
}

// called names a scope as the person calls it.
func called(a *term.Run) func(string) string {
	return func(scope string) string { return a.Home.Here.Names(scope).Of(scope) }
}

// answerEach shows what was found, and asks about what waits where somebody is to be asked.
func answerEach(ctx context.Context, a *term.Run, v learned.Synthesis) error {
	if len(v.Patterns)+len(v.Rejected) == 0 {
		return a.Println(fmt.Sprintf("%s looked at; the model sees nothing that they have in common", view.Count(len(v.Clusters), "group")))
	}
	if err := a.Println(v.Text(called(a))); err != nil {
		return err
	}
	var waiting []string
	for _, p := range v.Patterns {
		if p.Waits() {
			waiting = append(waiting, p.Ref)
		}
	}
	switch {
	case v.DryRun:
		a.Status("nothing was written (--dry-run)")
	case len(waiting) == 0:
		a.Status("nothing was written")
	case !a.Person.Present():
		a.Status("%s: %s", waits(len(waiting)), a.Verb("review"))
	default:
		return askEach(ctx, a, waiting)
	}
	return nil
}

func waits(n int) string {
	if n == 1 {
		return "1 pattern waits"
	}
	return view.Count(n, "pattern") + " wait"
}

// askEach asks about each proposal until it is answered or left.
func askEach(ctx context.Context, a *term.Run, refs []string) error {
	left := 0
	for i, ref := range refs {
		said, quit, err := reviewing.Ask(ctx, a, ref, i+1, len(refs))
		if err != nil {
			return err
		}
		if said.Verdict != review.Yes && said.Verdict != review.No {
			left++
		}
		if quit {
			left += len(refs) - i - 1
			break
		}
	}
	if left > 0 {
		a.Status("%s: %s", waits(left), a.Verb("review"))
	}
	return nil
}

// patternsByHand shows the groups, and lets the person write what each comes to.
func patternsByHand(ctx context.Context, a *term.Run, f flags, look *learn.Groups, v learned.Synthesis) error {
	if f.asJSON {
		return a.PrintJSON(v)
	}
	asks := !f.dryRun && a.Person.Present()
	for i, c := range v.Clusters {
		if err := a.Println(fmt.Sprintf("%d of %d  %s", i+1, len(v.Clusters), c.Text(called(a)))); err != nil {
			return err
		}
		for _, it := range look.Clusters[i].Items {
			if err := a.Println("  #" + it.Ref() + " " + view.Excerpt(a.Home.Keys.MaskText(it.Record.Content), shownWidth)); err != nil {
				return err
			}
		}
		if !asks {
			continue
		}
		said, err := a.Person.Put(ctx, ask.Question{Asks: "what do they come to?", Enter: ask.Next, Choices: []ask.Choice{
			{Answer: ask.Edit, Says: "write it"}, {Answer: ask.Stop}, {Answer: ask.Next},
		}})
		if err != nil || said == ask.Stop {
			return err
		}
		if said != ask.Edit {
			continue
		}
		if err := writePattern(ctx, a, look, i); err != nil {
			return err
		}
	}
	a.Status("no model judges: what they come to is yours to say (%s)", a.Verb("config set models.strong NAME"))
	return nil
}

const shownWidth = 90

// writePattern has the person write what a group comes to, from its common words.
func writePattern(ctx context.Context, a *term.Run, look *learn.Groups, i int) error {
	c := look.Clusters[i]
	text, err := a.Person.AskText(ctx, "pattern: ", strings.Join(c.Common, " "))
	if err != nil {
		return err
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	r, known, err := look.Own(ctx, a.Home, c, text)
	if known != "" {
		return a.Println("not kept, it is known: " + known)
	}
	return reviewing.Report(a, "the pattern", review.Yes, r, err)
}
