package cli

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
)

// mayRun refuses what uses memory in a run without it, and what only a person does in
// the lane of a model or a tool.
func (p *program) mayRun(cmd *cobra.Command, args []string) error {
	if err := p.memoryAllowed(cmd, args); err != nil {
		return err
	}
	if err := p.laneAllows(cmd); err != nil {
		return err
	}
	return p.onlyRead(cmd)
}

// onlyRead refuses what writes where the memory is only read.
func (p *program) onlyRead(cmd *cobra.Command) error {
	if isCompletion(cmd) {
		return nil
	}
	flag := p.app.Flags.ReadOnly
	w, _ := term.WritesOf(cmd.Annotations)
	given := func(flag string) bool { return isOn(cmd, flag) }
	if w.Nothing && w.Person == "" || !p.app.Home.Settings.SaysReadOnly() || w.InOnlyRead(!flag, given) {
		return nil
	}
	return term.OnlyRead()
}

// laneAllows refuses, in the lane of a model or a tool, what states that only a person
// does it, and what states nothing about what it writes.
func (p *program) laneAllows(cmd *cobra.Command) error {
	if isCompletion(cmd) {
		return nil
	}
	w, stated := term.WritesOf(cmd.Annotations)
	if !stated {
		return p.app.Lane.OnlyPerson("runs " + cmd.CommandPath())
	}
	if what := w.ByPerson(func(flag string) bool { return isOn(cmd, flag) }); what != "" {
		if w.Look != "" {
			return p.app.Lane.OnlyPerson(what, fault.Command(w.Look))
		}
		return p.app.Lane.OnlyPerson(what)
	}
	return nil
}

// isOn reports whether a flag is given, and not as false.
func isOn(cmd *cobra.Command, flag string) bool {
	f := cmd.Flags().Lookup(flag)
	return f != nil && f.Changed && f.Value.String() != "false"
}

// isCompletion reports whether cmd is how shells ask for words, which cobra adds itself.
func isCompletion(cmd *cobra.Command) bool {
	return cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd
}
