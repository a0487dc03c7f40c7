package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/chat"
	"ken/internal/cli/help"
	"ken/internal/cli/term"
)

// sheet writes pages of help about a tree, for the screen that there is.
func (p *program) sheet(root *cobra.Command) help.Sheet {
	return help.Sheet{Root: root, Shell: p.shell != nil, Width: p.app.Screen.Width()}
}

// helpCommand shows pages of help, in and outside the shell.
func (p *program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [TOPIC|COMMAND...]", Short: "what can be done: in short, of a topic, or all",
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if !root.HasSubCommands() || p.shell == nil {
				root = p.Root()
			}
			text, err := p.sheet(root).On(args, func(name string) *cobra.Command { return p.named(root, name) })
			if err != nil {
				return err
			}
			return p.app.Println(text)
		},
	}
}

// named is the command that a name stands for, in the shell by its beginning as well; nil
// if there is none.
func (p *program) named(root *cobra.Command, name string) *cobra.Command {
	if p.shell != nil {
		if _, cmd, rest := chat.ResolveCommand(root, name); cmd != root && rest == "" {
			return cmd
		}
		return nil
	}
	cmd, rest, err := root.Find(strings.Fields(name))
	if err != nil || cmd == root || len(rest) > 0 {
		return nil
	}
	return cmd
}
