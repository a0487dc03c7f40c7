package help

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command is the page of one command.
func (s Sheet) Command(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return s.Overview()
	}
	w := s.width()
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	out := prose(text, w)
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			out = append(append(append(out, ""), broken(title, w, 2)...), lines...)
		}
	}
	_, operands, _ := strings.Cut(cmd.Use, " ")
	if !strings.Contains(operands, "[flags]") && cmd.HasAvailableLocalFlags() && !cmd.DisableFlagsInUseLine {
		operands = strings.TrimSpace(operands + " [flags]")
	}
	uses := []Row{{Use: strings.TrimSpace(s.verb(path) + " " + operands)}}
	if cmd.HasAvailableSubCommands() {
		uses = append(uses, Row{Use: s.verb(path) + " COMMAND"})
	}
	section("usage", rows(uses, 2, w))
	if cmd.Example != "" {
		section("examples", prose(strings.TrimRight(cmd.Example, "\n"), w))
	}
	var below []Row
	for _, c := range listed(cmd) {
		below = append(below, Row{c.Name(), c.Short})
	}
	section("commands", rows(below, 2, w))
	section("flags", s.flags(cmd, w))
	if !s.Shell {
		section("flags of every command", flagRows(cmd.InheritedFlags(), w))
	}
	for _, o := range Names() {
		if o.Name == path {
			out = append(out, "")
			out = append(out, prose("The same, as it is written now: "+s.verb(o.Now()), w)...)
		}
	}
	return strings.Join(out, "\n")
}

// flags are the flags of a command itself.
func (s Sheet) flags(cmd *cobra.Command, width int) []string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	return flagRows(cmd.LocalFlags(), width)
}

func flagRows(set *pflag.FlagSet, width int) []string {
	var list []Row
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, about := pflag.UnquoteUsage(f)
		use := "    --" + f.Name
		if f.Shorthand != "" {
			use = "-" + f.Shorthand + ", --" + f.Name
		}
		if value != "" {
			use += " " + value
		}
		if f.Name == "help" {
			about = "this page"
		}
		list = append(list, Row{use, about + unlessZero(f)})
	})
	return rows(list, 2, width)
}

// unlessZero says what a flag is without being given, where that says something.
func unlessZero(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "false", "[]", "0s":
		return ""
	}
	if f.Value.Type() == "bool" {
		return "" // it was given at the start
	}
	return " (without it: " + f.DefValue + ")"
}
