package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app/logs"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/skill"
	"ken/internal/termsafe"
	"ken/internal/trust"
	"ken/internal/view"
	"ken/internal/view/learned"
)

// found are all skills, and the drafts.
func found(a *term.Run) (all []logs.Skill, waiting []skill.Draft, err error) {
	d, err := drafts(a)
	if err != nil {
		return nil, nil, err
	}
	if all, err = a.Home.Skills.All(); err != nil {
		return nil, nil, err
	}
	waiting, err = d.List()
	return all, waiting, err
}

func list(ctx context.Context, a *term.Run, asJSON bool) error {
	all, waiting, err := found(a)
	if err != nil {
		return err
	}
	shown := make([]learned.Skill, 0, len(all)+len(waiting))
	for _, k := range all {
		shown = append(shown, ofSkill(a, k))
	}
	unwanted := refused(ctx, a, waiting)
	for _, f := range waiting {
		v := ofDraft(a, f)
		if unwanted[f.Name] && f.Bad == nil {
			v.Status, v.Why = "refused", "you refused it: "+a.Verb("skills remove "+f.Name)
		}
		shown = append(shown, v)
	}
	return term.Answer(a, asJSON, shown, func() string {
		if len(shown) == 0 {
			return "(no skills)"
		}
		return learned.SkillTable(shown, a.Screen.Width())
	})
}

// ofDraft is how a draft is shown.
func ofDraft(a *term.Run, f skill.Draft) learned.Skill {
	v := learned.SkillOf(masked(a, f.Skill))
	v.Name, v.From, v.Status = f.Name, "draft", "draft"
	v.Path, v.Bytes, v.SHA256 = a.Home.Settings.Short(f.Path), int64(len(f.Text)), f.SHA256
	if f.Bad != nil {
		v.Status, v.Why = "skipped", f.Bad.Error()
	}
	return v
}

// ofSkill is how a file is shown that is a skill, or would be.
func ofSkill(a *term.Run, k logs.Skill) learned.Skill {
	v := learned.SkillOf(masked(a, k.Skill))
	v.From, v.Status, v.Path, v.Bytes, v.SHA256 = string(k.Dir.From), "used", termsafe.Line(k.Place(a.Home.Settings.Short)), k.Size, k.SHA256
	if v.Name == "" {
		v.Name = "-"
	}
	switch {
	case k.Bad != nil:
		v.Status, v.Why = "skipped", termsafe.Line(k.Bad.Error())
	case k.Dir.From == skill.Project && k.Verdict != trust.Use:
		v.Status = statusOf(k.Standing)
		if k.Verdict == "" {
			v.Why = "not used before you have seen it: " + a.Verb("skills trust "+k.Name)
		}
	case k.Shadowed != "":
		v.Status, v.Why = "shadowed", "another skill of that name counts: "+termsafe.Line(a.Home.Settings.Short(k.Shadowed))
	}
	return v
}

func statusOf(s trust.Standing) string {
	switch {
	case s.Verdict == trust.Ignore:
		return "ignored"
	case s.Verdict != "":
		return string(s.Verdict)
	case s.Changed:
		return "changed"
	}
	return "new"
}

// masked is what a skill says of itself, without secrets.
func masked(a *term.Run, s skill.Skill) skill.Skill {
	mask := a.Home.Keys.MaskText
	s.Description, s.License = mask(s.Description), mask(s.License)
	for _, words := range []*[]string{&s.Keywords, &s.Tags, &s.Related, &s.AllowedTools} {
		*words = slices.Clone(*words)
		for i, w := range *words {
			(*words)[i] = mask(w)
		}
	}
	return s
}

func showCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show SKILL", Short: "what a skill or a draft says", Args: cobra.ExactArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(_ *cobra.Command, args []string) error { return show(a, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func show(a *term.Run, name string, asJSON bool) error {
	all, waiting, err := found(a)
	if err != nil {
		return err
	}
	if k, ok := pick(all, name); ok {
		v := ofSkill(a, k)
		if k.Bad != nil {
			return fault.Failuref("%s: %w", termsafe.Line(k.Path), k.Bad)
		}
		s, err := k.Load()
		if err != nil {
			return fault.Failuref("%s: %w", termsafe.Line(k.Path), err)
		}
		v.Body = termsafe.Visible(a.Home.Keys.MaskText(s.Body))
		return answer(a, v, asJSON)
	}
	for _, f := range waiting {
		if f.Name == name {
			v := ofDraft(a, f)
			v.Body = termsafe.Visible(a.Home.Keys.MaskText(f.Skill.Body))
			return answer(a, v, asJSON)
		}
	}
	return noSkill(name)
}

// pick is the skill that a person means by a name or a path: the one that counts, else the
// first that is so called.
func pick(all []logs.Skill, arg string) (logs.Skill, bool) {
	best := -1
	for i, k := range all {
		if k.Rel != "" && k.Rel == arg || k.Path == arg {
			return k, true
		}
		if k.Name == arg && (best < 0 || k.Counts() && !all[best].Counts()) {
			best = i
		}
	}
	if best < 0 {
		return logs.Skill{}, false
	}
	return all[best], true
}

func noSkill(name string) error {
	return fault.NotFoundf("there is no skill %q", termsafe.Line(name)).WithHint("%s", fault.Command("skills list"))
}

func answer(a *term.Run, v learned.Skill, asJSON bool) error {
	return term.Answer(a, asJSON, v, func() string {
		lines := []string{v.Name + ": " + v.Description, fmt.Sprintf("%s, %s, %s: %s", v.From, v.Status, v.Trigger, v.Path)}
		for _, l := range []struct {
			what  string
			words []string
		}{{"keywords", v.Keywords}, {"tags", v.Tags}, {"related", v.Related}, {"asks for tools (which allows none)", v.Asks}} {
			if len(l.words) > 0 {
				lines = append(lines, l.what+": "+strings.Join(l.words, ", "))
			}
		}
		if v.Why != "" {
			lines = append(lines, v.Why)
		}
		return strings.Join(lines, "\n") + "\n\n" + v.Body
	})
}

func trustCommand(a *term.Run) *cobra.Command {
	var revoke bool
	cmd := &cobra.Command{
		Use: "trust [SKILL...]", Short: "look at skills of this repository, and let them in",
		Long: `Trust shows skills that this repository brings, and asks about each; without a name, about those
that nobody has decided on. One that you let in counts with the very bytes that you saw: when the
file changes you are asked again, and shown what is new. With --revoke it counts no more.`,
		Example:     "  ken skills trust\n  ken skills trust deploy",
		Annotations: term.Writes{Person: "judges what a repository brings"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if revoke {
				return takeBack(cmd.Context(), a, args)
			}
			return letIn(cmd.Context(), a, args)
		},
	}
	cmd.Flags().BoolVar(&revoke, "revoke", false, "take back what you said of them")
	return cmd
}

// theirs are the skills of the repository that args name; without any, those that wait.
func theirs(a *term.Run, args []string) ([]trust.Brought, error) {
	all, _, err := found(a)
	if err != nil {
		return nil, err
	}
	list, err := a.Home.Skills.Brought()
	if err != nil {
		return nil, err
	}
	byPath := make(map[string]trust.Brought)
	for _, b := range list {
		byPath[b.Path] = b
	}
	var picked []trust.Brought
	if len(args) == 0 {
		for _, b := range list {
			if b.Undecided() {
				picked = append(picked, b)
			}
		}
		if len(picked) == 0 {
			return nil, fault.Failuref("no skill here waits for a decision").WithHint("see what there is: %s", fault.Command("skills list"))
		}
		return picked, nil
	}
	for _, arg := range args {
		found := false
		for _, k := range all {
			if b, ok := byPath[k.Rel]; ok && (k.Name == arg || k.Rel == arg) {
				picked, found = append(picked, b), true
			}
		}
		if !found {
			return nil, fault.NotFoundf("this repository brings no skill %q", termsafe.Line(arg)).WithHint("%s", fault.Command("skills list"))
		}
	}
	return picked, nil
}

func letIn(ctx context.Context, a *term.Run, args []string) error {
	list, err := theirs(a, args)
	if err != nil {
		return err
	}
	for _, b := range list {
		switch {
		case b.Refused != nil:
			return fault.Failuref("%s: %w", termsafe.Line(b.Path), b.Refused)
		case b.Verdict == trust.Use:
			if err := a.Println(b.Path + " is used already"); err != nil {
				return err
			}
			continue
		case !a.Person.Present():
			return fault.New(fault.Refused, errors.New("what a repository brings is let in at a terminal only")).
				WithHint("type the command on a terminal")
		}
		yes, err := a.Person.ShowRepoLog(ctx, b)
		if yes {
			yes, err = a.Person.Confirm(ctx, "use it in this repository?")
		}
		if err != nil {
			return err
		}
		said := b.Path + " is not used"
		if yes {
			if err := a.Home.RepoLogs.Decide(ctx, trust.Use, b); err != nil {
				return err
			}
			said = fmt.Sprintf("%s is used (take it back: %s)", b.Path, a.Verb("skills trust --revoke "+b.Path))
		}
		if err := a.Println(said); err != nil {
			return err
		}
	}
	return nil
}

// takeBack works for those that were let in, ignored or refused for good.
func takeBack(ctx context.Context, a *term.Run, args []string) error {
	if len(args) == 0 {
		return fault.Usagef("revoke takes the name of a skill")
	}
	list, err := theirs(a, args)
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.Verdict == "" && !b.Changed {
			return fault.Failuref("%s: you said nothing about it", termsafe.Line(b.Path))
		}
		if err := a.Home.RepoLogs.Decide(ctx, trust.Revoke, b); err != nil {
			return err
		}
		if err := a.Println(b.Path + " is not used any more, and is asked about again"); err != nil {
			return err
		}
	}
	return nil
}

func checkCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "check", Short: "read all of every skill and draft, and say what is wrong", Args: cobra.NoArgs,
		Long: `Check reads every skill whole and says what would not be read as it is meant: front matter that
cannot be read, no description, a keyword that is none, a body that opens a block of a prompt or has
control characters. What is wrong with one of yours, or with a draft, makes the exit code 1; what is
wrong with one of others is told and no more.`,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return check(a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

func check(a *term.Run, asJSON bool) error {
	all, waiting, err := found(a)
	if err != nil {
		return err
	}
	shown, wrong := make([]learned.Skill, 0), 0
	for _, k := range all {
		v := ofSkill(a, k)
		why := k.Bad
		if why == nil {
			s, err := k.Load()
			if why = err; err == nil && (k.Description != "" || k.Trigger != skill.Manual) { // without front matter there is less to say
				why = s.Validate()
			}
		}
		if why == nil || errors.Is(why, fs.ErrNotExist) {
			continue
		}
		v.Why = termsafe.Line(strings.ReplaceAll(why.Error(), "\n", "; "))
		if k.Dir.From == skill.Own {
			wrong++
		}
		shown = append(shown, v)
	}
	for _, f := range waiting {
		if f.Bad != nil {
			v := ofDraft(a, f)
			v.Why = termsafe.Line(strings.ReplaceAll(f.Bad.Error(), "\n", "; "))
			shown = append(shown, v)
			wrong++
		}
	}
	err = term.Answer(a, asJSON, shown, func() string {
		if len(shown) == 0 {
			return "nothing is wrong with " + view.Count(len(all)+len(waiting), "skill")
		}
		var lines []string
		for _, v := range shown {
			lines = append(lines, v.Path+": "+v.Why)
		}
		return strings.Join(lines, "\n")
	})
	if err == nil && wrong > 0 {
		err = term.Reported(fault.Failuref("something is wrong with %s", view.Count(wrong, "skill")))
	}
	return err
}
