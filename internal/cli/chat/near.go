package chat

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/repl"
)

// NoSuchCommand is the error for a line of the shell whose first word names no
// command, or the beginning of several.
func NoSuchCommand(root *cobra.Command, line string) error {
	word, rest := cutWord(strings.TrimSpace(line))
	names := NearCommands(root, word)
	switch err := fault.Usagef("%q is no command", ":"+word); {
	case len(names) > 1 && strings.HasPrefix(names[0], word):
		return fault.Usagef("%q could be several commands", ":"+word).WithHint("%s", ":"+strings.Join(names, ", :"))
	case isProgram(word):
		return err.WithHint("to run it with your shell: $%s", strings.TrimSpace(line))
	case len(names) > 0:
		if len(names) == 1 {
			names[0] = strings.TrimSpace(names[0] + " " + rest)
		}
		return err.WithHint("did you mean: :%s", strings.Join(names, ", :"))
	case strings.Contains(word, "."):
		return err.WithHint("what tool servers have: :mcp prompts")
	default:
		return err.WithHint(":help lists the commands")
	}
}

// isProgram reports whether people know the name as that of a program.
func isProgram(name string) bool { return slices.Contains(repl.KnownCommands(), name) }

// CommandPath is how a command is named below the root: "memory list".
func CommandPath(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return path
}

// NearCommands are the paths of the visible commands that word, which is none below
// cmd, may be meant for: those of that name elsewhere in the tree, else those here
// that begin so, else the nearest here, else the same of all below. Nil if there
// is none.
func NearCommands(cmd *cobra.Command, word string) []string {
	if word == "search" && cmd.Name() != "sessions" { // as it is called elsewhere
		return pickPaths(cmd.Root(), nil, func(c *cobra.Command) bool { return CommandPath(c) == "recall" })
	}
	if near := pickPaths(cmd.Root(), cmd, func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) }); len(near) > 0 {
		return near
	}
	for _, below := range []bool{false, true} {
		var names []string
		eachCommand(cmd, below, func(c *cobra.Command) { names = append(names, c.Name()) })
		near := term.Near(word, names)
		if len(near) > 0 {
			return pickPaths(cmd, nil, func(c *cobra.Command) bool { return slices.Contains(near, c.Name()) && (below || c.Parent() == cmd) })
		}
	}
	return nil
}

// pickPaths are the paths of the visible commands below cmd, but for one, that are
// wanted.
func pickPaths(cmd, but *cobra.Command, wanted func(*cobra.Command) bool) []string {
	var paths []string
	eachCommand(cmd, true, func(c *cobra.Command) {
		if c != but && wanted(c) {
			paths = append(paths, CommandPath(c))
		}
	})
	return paths
}

// eachCommand visits the visible commands and the older names right below cmd, or all below it.
func eachCommand(cmd *cobra.Command, below bool, visit func(*cobra.Command)) {
	for _, c := range cmd.Commands() {
		if c.Hidden && !term.IsOlderName(c.Annotations) {
			continue
		}
		visit(c)
		if below {
			eachCommand(c, below, visit)
		}
	}
}
