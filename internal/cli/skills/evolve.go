package skills

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/learn/habits"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/skill"
	"ken/internal/termsafe"
	"ken/internal/view/learned"
)

// lastMade is how many drafts the log shows.
const lastMade = 10

// evolution are the flags of `skills evolve`.
type evolution struct {
	dryRun, byHand, asJSON bool
}

func evolveCommand(a *term.Run) *cobra.Command {
	var f evolution
	cmd := &cobra.Command{
		Use: "evolve", Short: "draft a skill for what comes again and again", Args: cobra.NoArgs,
		Long: `Evolve looks at your newest conversations for what costs you the same effort again and again: wishes
in nearly the same words, a tool that fails over and over on one thing, commands that you correct by hand the same way.
No model is needed for that.

The model of models.strong then writes one draft, which is checked and waits for you: no model is shown it
before you promote it. Without a model, or with --by-hand, you write it in your editor.`,
		Example:     "  ken skills evolve --dry-run\n  ken skills evolve\n  ken skills evolve log",
		Annotations: term.Writes{Person: "has drafts of skills made", When: []string{"no --dry-run"}, Look: "skills evolve --dry-run"}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), a) },
	}
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what comes again; ask no model and write nothing")
	cmd.Flags().BoolVar(&f.byHand, "by-hand", false, "write the draft yourself, in your editor")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "as JSON")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "by-hand")
	cmd.AddCommand(promoteCommand(a), madeCommand(a, "log", "the last ten drafts that were made, and what became of them", lastMade, ""),
		madeCommand(a, "list", "drafts that were made and wait", 0, learn.Waits))
	return cmd
}

// Evolve is `skills evolve` under its other name.
func Evolve(a *term.Run) *cobra.Command { return evolveCommand(a) }

func (f evolution) run(ctx context.Context, a *term.Run) error {
	live, err := InForce(a)
	if err != nil {
		return err
	}
	if f.dryRun {
		_, shown, err := f.look(ctx, a, live)
		if err != nil {
			return err
		}
		return f.end(a, shown)
	}
	if a.Home.Settings.ReadOnly() {
		return term.OnlyRead()
	}
	r, err := learn.BeginSkill(ctx, a.Home, live)
	if err != nil {
		return err
	}
	return errors.Join(f.draft(ctx, a, r, live), r.Close())
}

// look takes the look, and how it is shown.
func (f evolution) look(ctx context.Context, a *term.Run, live []skill.Skill) (learn.Habits, learned.Evolution, error) {
	l, err := learn.ReadHabits(ctx, a.Home, live)
	shown := learned.Evolution{
		Read: l.Read, Signals: signalsOf(l.Signals, a.Home.Keys.MaskText), Covered: l.Covered, Known: l.Known, Flags: []string{},
	}
	switch {
	case l.Read < habits.Fewest:
		shown.Why = fmt.Sprintf("nothing is looked for in less than %d conversations", habits.Fewest)
	case len(l.Signals) == 0:
		shown.Why = "nothing comes again and again"
	case f.dryRun:
		shown.Why = "it was a dry run"
	}
	return l, shown, err
}

// signalsOf is how signals are shown.
func signalsOf(list []habits.Signal, mask func(string) string) []learned.Signal {
	shown := make([]learned.Signal, 0, len(list))
	for _, s := range list {
		s.Text = mask(termsafe.Line(s.Text))
		v := learned.Signal{Kind: string(s.Kind), Text: s.Text, Says: s.Line(), Count: s.Count, Sessions: s.Sessions, Seen: []string{}}
		for _, at := range s.At {
			v.Seen = append(v.Seen, at.String())
		}
		shown = append(shown, v)
	}
	return shown
}

// end shows what came of it.
func (f evolution) end(a *term.Run, shown learned.Evolution) error {
	if f.asJSON {
		return a.PrintJSON(shown)
	}
	if shown.Draft == nil {
		return a.Println(shown.Text() + "\nno draft: " + shown.Why)
	}
	says := fmt.Sprintf("%s is a draft now: %s\n%s", shown.Draft.Name, shown.Draft.Path, shown.Draft.Description)
	if len(shown.Flags) > 0 {
		says += "\nlook twice: " + strings.Join(shown.Flags, ", ")
	}
	return a.Println(fmt.Sprintf("%s\n(read it and make it a skill: %s; refuse it: %s)",
		says, fault.Command("skills promote "+shown.Draft.Name), fault.Command("review")))
}

// draft makes the draft of a run.
func (f evolution) draft(ctx context.Context, a *term.Run, r *learn.SkillRun, live []skill.Skill) error {
	l, shown, err := f.look(ctx, a, live)
	if err != nil {
		return err
	}
	if shown.Why != "" {
		return f.end(a, shown)
	}
	if !f.asJSON {
		if err := a.Println(shown.Text()); err != nil {
			return err
		}
	}
	var j *models.Once
	if !f.byHand {
		if j, err = learn.OpenJudge(ctx, a.Home); err != nil {
			return err
		}
	}
	made := learn.Made{}
	switch {
	case j != nil:
		made, shown.Why, err = judged(ctx, a, r, j, l.Signals)
	case a.Person.Present():
		made, shown.Why, err = byHand(ctx, a, r, l.Signals)
	default:
		shown.Why = "no model judges it, and there is no terminal at which you could write it"
	}
	if err != nil {
		return err
	}
	if made.Name != "" {
		v := ofDraft(a, made.Draft)
		shown.Draft, shown.Proposal, shown.Flags = &v, fmt.Sprintf("p%d", made.Proposal), append(shown.Flags, made.Flags...)
	}
	if shown.Draft == nil && !f.asJSON {
		return a.Println("no draft: " + shown.Why)
	}
	return f.end(a, shown)
}

// Draft has a draft made of signals: by the model that judges, or, where j is nil, by the person in their editor. why says why there
// is none.
func Draft(ctx context.Context, a *term.Run, j *models.Once, signals []habits.Signal) (m learn.Made, why string, err error) {
	live, err := InForce(a)
	if err != nil {
		return m, "", err
	}
	r, err := learn.BeginSkill(ctx, a.Home, live)
	if err != nil {
		return m, "", err
	}
	if j != nil {
		m, why, err = judged(ctx, a, r, j, signals)
	} else {
		m, why, err = byHand(ctx, a, r, signals)
	}
	return m, why, errors.Join(err, r.Close())
}

// judged has the model write the draft; why says why there is none.
func judged(
	ctx context.Context, a *term.Run, r *learn.SkillRun, j *models.Once, signals []habits.Signal,
) (m learn.Made, why string, err error) {
	names, err := r.Names()
	if err != nil {
		return m, "", err
	}
	p, err := learn.AskSkill(ctx, j, signals, names, a.Home.Keys.MaskText)
	if err != nil {
		return m, "", err
	}
	if p.None != "" {
		return m, "the model found none that would help: " + termsafe.Cut(a.Home.Keys.MaskText(p.None), 200), nil
	}
	m, err = r.Make(ctx, p, signals, memory.OriginModel)
	return m, "", err
}

// byHand has the person write the draft, from what was seen; why says why there is none.
func byHand(ctx context.Context, a *term.Run, r *learn.SkillRun, signals []habits.Signal) (m learn.Made, why string, err error) {
	begin := a.Home.Keys.MaskText(string(skeleton(signals).Format()))
	for text := begin; ; {
		if text, err = a.Person.EditText(ctx, text); err != nil {
			return m, "", err
		}
		if strings.TrimSpace(text) == strings.TrimSpace(begin) || strings.TrimSpace(text) == "" {
			return m, "nothing was written", nil
		}
		s, err := skill.Parse([]byte(text), "draft")
		if err == nil {
			err = s.Validate()
		}
		if err == nil {
			m, err = r.Make(ctx, learn.SkillProposal{Skill: s, Rationale: "written by hand"}, signals, "")
			return m, "", err
		}
		a.Warn(err)
		again, asked := a.Person.Confirm(ctx, "edit it again?")
		if asked != nil || !again {
			return m, "what was written is no skill", asked
		}
	}
}

// skeleton is a draft to be filled in.
func skeleton(signals []habits.Signal) skill.Skill {
	words := slices.DeleteFunc(slices.Clone(signals[0].Words), func(w string) bool { return !skill.ValidName(w) })
	s := skill.Skill{
		Name: strings.Join(words[:min(3, len(words))], "-"), Description: "say here what it is for",
		Trigger: skill.Match, Keywords: signals[0].Words,
		Body: "Write here how it is done, and take away what was seen:\n\n" + habits.Evidence(signals),
	}
	if s.Name == "" {
		s.Name = "new-skill"
	}
	return s
}

// InForce are the skills of all directories, whose names are taken; of one that does not count no keywords.
func InForce(a *term.Run) (list []skill.Skill, err error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return nil, err
	}
	all, err := a.Home.Skills.All()
	for _, k := range all {
		s := k.File.Skill
		if !k.Counts() {
			s.Keywords = nil
		}
		list = append(list, s)
	}
	return list, err
}

// madeCommand lists drafts that were made, the newest most of them, those that became so; "" is all.
func madeCommand(a *term.Run, name, short string, most int, became string) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			steps, err := learn.SkillHistory(cmd.Context(), a.Home, most)
			if err != nil {
				return err
			}
			list := make([]learned.Made, 0, len(steps))
			for _, s := range steps {
				if became == "" || s.Became == became {
					list = append(list, learned.Made{Time: s.Time, Name: s.Name, SHA256: s.SHA256, Became: s.Became, Seen: s.Seen})
				}
			}
			return term.Answer(a, asJSON, list, func() string {
				if len(list) == 0 {
					return "(no drafts)"
				}
				return learned.MadeTable(list, func(t time.Time) string { return t.Local().Format(time.DateOnly) }, a.Screen.Width())
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}
