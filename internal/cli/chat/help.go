package chat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A chapter of the list of commands, with the names of those that stand in it, in
// this order.
type chapter struct{ title, names string }

// chapters are the parts of the list, what a new person needs first. A command
// that none of them names stands in the last.
func chapters() []chapter {
	return []chapter{
		{"memory", "remember recall forget erase undo review memory export import"},
		{"conversation", "why why-not model tokens reset save resume history sessions ask clear help quit"},
		{"commands of yours", "exec"},
		{"the rest", ""},
	}
}

// printHelp lists every command with one line each.
func (s *REPL) printHelp(root *cobra.Command) error {
	parts := make([][][2]string, len(chapters()))
	wide := 0
	add := func(part int, c *cobra.Command, name string) {
		_, operands, _ := strings.Cut(c.Use, " ")
		operands = strings.TrimPrefix(operands, "[flags] ")
		if c.HasSubCommands() {
			operands = "..."
		}
		use := strings.TrimSpace(":" + name + " " + operands)
		parts[part] = append(parts[part], [2]string{use, c.Short})
		wide = max(wide, len(use))
	}
	var walk func(part int, cmd *cobra.Command, prefix string)
	walk = func(part int, cmd *cobra.Command, prefix string) {
		for _, c := range listed(cmd) {
			add(part, c, prefix+c.Name())
			walk(part, c, prefix+c.Name()+" ")
		}
	}
	all := listed(root)
	for part, ch := range chapters() {
		names := strings.Fields(ch.names)
		if ch.names == "" {
			for _, c := range all {
				names = append(names, c.Name())
			}
		}
		for _, name := range names {
			i := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == name })
			if i < 0 {
				continue // it is not part of this build, or stood before
			}
			add(part, all[i], name)
			walk(part, all[i], name+" ")
			all = slices.Delete(all, i, i+1)
		}
	}
	lines := []string{
		"A line goes to the model; $COMMAND runs with your shell, and known commands (git,",
		"ls, cd, ...) need no dollar. A unique beginning of a command is enough, :help",
		"COMMAND says more, and what a line changes it also says how to undo.",
	}
	for part, ch := range chapters() {
		if len(parts[part]) == 0 {
			continue
		}
		lines = append(lines, "", ch.title)
		for _, r := range parts[part] {
			lines = append(lines, fmt.Sprintf("%-*s  %s", wide, r[0], r[1]))
		}
	}
	return s.app.Println(strings.Join(lines, "\n"))
}

// listed are the commands right below cmd that people are shown.
func listed(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool {
		return c.Hidden || !cmd.HasParent() && c.Name() == "completion"
	})
}
