package run

import (
	"slices"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/undo"
)

// ActCommands are those of a conversation.
func ActCommands(a *term.Run) []*cobra.Command {
	return []*cobra.Command{diffCommand(a), revertCommand(a)}
}

func diffCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "diff [ACT|run]", Short: "show what a tool changed in a file", Args: cobra.MaximumNArgs(1),
		Long: `Diff shows what the newest change of a file in this conversation made of it, or the
change that ACT names, or all changes of the newest run that stand. It is what you were shown
before; the file may have been changed since.`,
		Example:     "  :diff\n  :diff a7k2mq4x\n  :diff run",
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := actsNamed(cmd.Context(), a, onlyWord(args))
			if err != nil {
				return err
			}
			slices.Reverse(list)
			return showActs(a, list...)
		},
	}
}

func revertCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "revert ACT|run", Short: "take back what a tool changed in files", Args: cobra.ExactArgs(1),
		Long: `Revert takes back the change that ACT names, or with run all changes of the newest run
that stand, the newest first: all of them or none. A file that was changed since is left
alone, and the difference is shown three ways. What it does can be undone as well.`,
		Example:     "  :revert a7k2mq4x\n  :revert run",
		Annotations: term.Writes{Person: "takes changes of files back"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := actsNamed(cmd.Context(), a, onlyWord(args))
			if err != nil {
				return err
			}
			return takeBack(cmd.Context(), a, false, list...)
		},
	}
}

func onlyWord(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// AlsoActs has the command undo among commands, which takes lines of the memory back, take changes of files back as well:
// by their ids, and without a name if the newest of them is newer; outside a conversation after a look at it.
func AlsoActs(a *term.Run, commands ...*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		if cmd.Name() != "undo" {
			continue
		}
		lines := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			asJSON, err := cmd.Flags().GetBool("json")
			if err != nil {
				return err
			}
			switch changes := slices.ContainsFunc(args, undo.IsID); {
			case changes && slices.ContainsFunc(args, func(ref string) bool { return !undo.IsID(ref) }):
				return fault.Usagef("undo lines of the memory and changes of files one after the other")
			case changes:
				list, err := findActs(cmd.Context(), a, args...)
				if err != nil {
					return err
				}
				return takeBack(cmd.Context(), a, asJSON, list...)
			case len(args) > 0:
				return linesBack(cmd.Context(), a, args, func() error { return lines(cmd, args) })
			}
			act, line, newer, err := newerAct(cmd.Context(), a)
			if err != nil {
				return err
			}
			if !newer {
				return linesBack(cmd.Context(), a, []string{line}, func() error { return lines(cmd, args) })
			}
			if a.Live == nil {
				if yes, err := askBack(cmd.Context(), a, asJSON, act, line); err != nil {
					return err
				} else if !yes {
					return a.Println("nothing was undone")
				}
			}
			return takeBack(cmd.Context(), a, asJSON, act)
		}
	}
	return commands
}
