package talk

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/app"
)

// MemoryCommands are those below `memory` that are about the live conversation;
// shell is nil outside of one, where they say how to set it for good.
func MemoryCommands(a *app.App, shell *Shell) []*cobra.Command {
	cmds := []*cobra.Command{switchCommand(a, shell, true), switchCommand(a, shell, false)}
	if shell != nil {
		cmds = append(cmds, shell.injectCommand())
	}
	return cmds
}

func switchCommand(a *app.App, shell *Shell, on bool) *cobra.Command {
	cmd := &cobra.Command{Use: "off", Short: "leave memory out of this conversation", Args: cobra.NoArgs, Hidden: shell == nil}
	if on {
		cmd.Use, cmd.Short = "on", "use memory in this conversation again"
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if shell == nil {
			return app.Usage("memory can be switched %s for one conversation, in the shell", cmd.Use).
				Hint("for good: ken config set memory.enabled=%t; for one command: --no-memory", on)
		}
		shell.memory = &on
		a.SetMemory(on)
		shell.conv.Refresh()
		if !on {
			a.Status("memory is off: nothing of it is sent, and nothing new is kept; :memory on brings it back")
			return nil
		}
		a.Status("memory is on")
		shell.tellMemory(cmd.Context())
		return nil
	}
	return cmd
}

func (s *Shell) injectCommand() *cobra.Command {
	return &cobra.Command{
		Use: "inject", Short: "read the memory file again and put it in the prompt", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !s.app.MemoryOn() {
				return s.app.MemoryIsOff()
			}
			s.conv.Refresh()
			if len(s.conv.Background(cmd.Context()).Chosen) == 0 {
				s.app.Status("memory: nothing to inject")
				return nil
			}
			s.tellMemory(cmd.Context())
			return nil
		},
	}
}
