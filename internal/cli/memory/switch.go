package memory

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
)

// switchCommand switches memory off, or on again, in the live conversation.
// Outside of one it says how to do so for good.
func switchCommand(a *term.Run, on bool) *cobra.Command {
	cmd := &cobra.Command{
		Use: "off", Short: "leave memory out of this conversation", Args: cobra.NoArgs, Hidden: a.Shell == nil,
		Annotations: term.Writes{Own: "whether the conversation has memory"}.Note(term.WithoutMemory()),
	}
	said := "memory is off: nothing of it is sent, and nothing new is kept; :memory on brings it back"
	if on {
		cmd.Use, cmd.Short, said = "on", "use memory in this conversation again", "memory is on"
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if a.Shell == nil {
			return fault.Usagef("memory can be switched %s for one conversation, in the shell", cmd.Use).
				WithHint("for good: ken config set memory.enabled=%t; for one command: --no-memory", on)
		}
		a.SetMemory(on)
		a.Home.Memory.Changed()
		a.Status("%s", said)
		return nil
	}
	return cmd
}
