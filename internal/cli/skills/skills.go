// Package skills has the commands about skills: which there are, what they say, and how a
// draft becomes one.
package skills

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/skill"
	view "ken/internal/view/skills"
)

// Command is `skills` with all below it.
func Command(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "skills", Short: "instructions for kinds of tasks; without a word: list them",
		Long: `A skill is a directory NAME with a file SKILL.md in it, in skills/ beside your memory: how a kind of
task is done, in Markdown, with front matter that says its name and what it is for.

A draft is a skill that nobody has agreed to: drafts/NAME/SKILL.md. No model is shown one. Look
at it, change it as you like, and promote it; promote never overwrites a skill.`,
		Example:     "  ken skills\n  ken skills promote csv-to-json",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return list(a, asJSON) },
	}
	below := &cobra.Command{
		Use: "list", Short: "all of them, with where each is from", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return list(a, asJSON) },
	}
	for _, c := range []*cobra.Command{cmd, below} {
		c.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	}
	cmd.AddCommand(below, promoteCommand(a), evolveCommand(a))
	return cmd
}

// drafts are the person's.
func drafts(a *term.Run) (skill.Drafts, error) {
	if _, err := a.Home.Settings.Read(); err != nil {
		return skill.Drafts{}, err
	}
	p := a.Home.Settings.Paths()
	return skill.Drafts{Dir: p.Skills(), Lock: p.Data, Mask: a.Home.Keys.MaskText}, nil
}

func list(a *term.Run, asJSON bool) error {
	d, err := drafts(a)
	if err != nil {
		return err
	}
	all, err := d.List()
	if err != nil {
		return err
	}
	shown := make([]view.Skill, 0, len(all))
	for _, f := range all {
		shown = append(shown, ofDraft(a, f))
	}
	return term.Answer(a, asJSON, shown, func() string {
		if len(shown) == 0 {
			return "(no skills)"
		}
		return view.Table(shown, a.Screen.Width())
	})
}

// ofDraft is how a draft is shown.
func ofDraft(a *term.Run, f skill.Draft) view.Skill {
	v := view.Of(f.Skill)
	v.Name, v.From, v.Status = f.Name, "draft", "draft"
	v.Path, v.Bytes, v.SHA256 = a.Home.Settings.Short(f.Path), int64(len(f.Text)), f.SHA256
	if f.Bad != nil {
		v.Status, v.Why = "skipped", f.Bad.Error()
	}
	return v
}
