// Package skills has the commands about skills: which there are, what they say, and how a
// draft becomes one.
package skills

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/skill"
)

// Command is `skills` with all below it.
func Command(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "skills", Short: "instructions for kinds of tasks; without a word: list them",
		Long: `A skill is a directory NAME with a file SKILL.md in it, or a file NAME.md: how a kind of task is done,
in Markdown, with front matter that says its name and what it is for. ken finds them in skills/ beside
your memory and your settings, in ~/.agents/skills and ~/.claude/skills, and in .ken/skills,
.agents/skills and .claude/skills of a repository; those of a repository count once you let them in.
Of two of one name the later one here counts.

A model is shown their names and what they are for, and loads one when it needs it. The text of one
with keywords goes along by itself with a question that has one of them. :skill NAME gives one.

A draft is a skill that nobody has agreed to: drafts/NAME/SKILL.md. No model is shown one. Look
at it, change it as you like, and promote it; promote never overwrites a skill. One that you refused
stays a file until you remove it.`,
		Example:     "  ken skills\n  ken skills promote csv-to-json",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a, asJSON) },
	}
	below := &cobra.Command{
		Use: "list", Short: "all of them, with where each is from", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a, asJSON) },
	}
	for _, c := range []*cobra.Command{cmd, below} {
		c.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	}
	cmd.AddCommand(below, showCommand(a), trustCommand(a), newCommand(a), checkCommand(a))
	cmd.AddCommand(promoteCommand(a), removeCommand(a), evolveCommand(a))
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
