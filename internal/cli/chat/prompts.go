package chat

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/question"
	"ken/internal/cli/term"
	"ken/internal/view"
)

// PromptsCommand is `commands` with what stands below it. taken says of a name that it is one of
// a command of ken's, which is the one that runs.
func PromptsCommand(a *term.Run, taken func(name string) bool) *cobra.Command {
	var asJSON bool
	list := func() error { return listPrompts(a, taken, asJSON) }
	cmd := &cobra.Command{
		Use: "commands", Short: "commands and roles of your own; without a word: list them",
		Long: `A file commands/NAME.md in the directory of settings is a command: ken NAME TEXT, and in the
shell :NAME TEXT. Its text is the question. In it $ARGUMENTS and {{args}} stand for TEXT, $1 to $9 for a word
of it each; where none stands, TEXT comes behind. A head between two lines --- may have description, args
and model. A file without places for arguments is a role as well: ken ask --role NAME, and :role NAME.

A file is text and no more: what it names is not opened, and what looks like a command in it is not run.
A command of ken's own comes first; a file of that name is a role alone.`,
		Example:     "  ken commands\n  ken commands show review\n  git diff | ken review",
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return list() },
	}
	below := &cobra.Command{
		Use: "list", Short: "all of them, with what is wrong with a file", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return list() },
	}
	for _, c := range []*cobra.Command{cmd, below} {
		c.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	}
	cmd.AddCommand(below, showPromptCommand(a))
	return cmd
}

// Taken says why a file is no command.
const Taken = "the name is that of a command of ken's, which runs in its place; it is a role alone"

func listPrompts(a *term.Run, taken func(string) bool, asJSON bool) error {
	names, others := question.Prompts(a).Names()
	shown := make([]view.Prompt, 0, len(names)+len(others))
	for _, name := range names {
		p, err := question.Prompts(a).Load(name)
		unused := ""
		switch {
		case err != nil:
			unused = strings.TrimPrefix(err.Error(), p.Path+": ")
		case taken(name):
			unused = Taken
		}
		shown = append(shown, view.PromptOf(p, unused))
	}
	for _, name := range others {
		shown = append(shown, view.PromptOf(question.Prompt{Name: name}, "a name is of small letters, digits, - and _"))
	}
	return term.Answer(a, asJSON, shown, func() string {
		if len(shown) == 0 {
			return "(no commands of your own: a file NAME.md in " + a.Home.Settings.Short(string(question.Prompts(a))) + " is one)"
		}
		return view.PromptTable(shown, a.Screen.Width())
	})
}

func showPromptCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show PROMPT", Short: "the text of one", Args: cobra.ExactArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := question.Prompts(a).Load(args[0])
			if err != nil {
				return err
			}
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			v := view.PromptOf(p, "")
			v.Text = a.Home.Keys.MaskText(p.Text)
			return term.Answer(a, asJSON, v, func() string { return v.Text })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}
