package app

import (
	"fmt"

	"github.com/spf13/cobra"
)

// InLane reports whether ken runs in the lane of a model or a tool (KEN_ORIGIN): what
// it is told there is not the person's word, also where there is a terminal, since
// such a lane has one.
func (a *App) InLane() bool { return a.Origin().Rank() > 0 }

// OnlyPerson refuses, in such a lane, what is not even proposed there.
func (a *App) OnlyPerson(what string) error {
	if !a.InLane() {
		return nil
	}
	return Fail(ExitRefused, fmt.Errorf("only a person %s: not in the lane of %s", what, a.Origin())).
		Hint("at a terminal of your own it is allowed")
}

// ByPerson makes a command refuse in such a lane, and returns it.
func (a *App) ByPerson(what string, cmd *cobra.Command) *cobra.Command {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := a.OnlyPerson(what); err != nil {
			return err
		}
		return run(cmd, args)
	}
	return cmd
}
