package talk

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/repl"
)

// Path is how a command is named below the root: "memory list".
func Path(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return path
}

// NearCommands are the paths of the visible commands that word, which is none below
// cmd, may be meant for: those of that name elsewhere in the tree, else those here
// that begin so, else the nearest here, else the same of all below. Nil if there
// is none.
func NearCommands(cmd *cobra.Command, word string) []string {
	if near := pick(cmd.Root(), cmd, func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) }); len(near) > 0 {
		return near
	}
	for _, below := range []bool{false, true} {
		var names []string
		each(cmd, below, func(c *cobra.Command) { names = append(names, c.Name()) })
		near := app.Near(word, names)
		if len(near) > 0 {
			return pick(cmd, nil, func(c *cobra.Command) bool { return slices.Contains(near, c.Name()) && (below || c.Parent() == cmd) })
		}
	}
	return nil
}

// pick are the paths of the visible commands below cmd, but for one, that are
// wanted.
func pick(cmd, but *cobra.Command, wanted func(*cobra.Command) bool) []string {
	var paths []string
	each(cmd, true, func(c *cobra.Command) {
		if c != but && wanted(c) {
			paths = append(paths, Path(c))
		}
	})
	return paths
}

// each visits the visible commands right below cmd, or all below it.
func each(cmd *cobra.Command, below bool, visit func(*cobra.Command)) {
	for _, c := range cmd.Commands() {
		if c.Hidden {
			continue
		}
		visit(c)
		if below {
			each(c, below, visit)
		}
	}
}

// notCommand is the error for a line of the shell whose first word names no
// command, or the beginning of several.
func notCommand(root *cobra.Command, line string) error {
	word, rest := cutWord(strings.TrimSpace(line))
	near := NearCommands(root, word)
	switch err := app.Usage("%q is no command", ":"+word); {
	case len(near) > 1 && strings.HasPrefix(near[0], word):
		return app.Usage("%q could be several commands", ":"+word).Hint("%s", ":"+strings.Join(near, ", :"))
	case isProgram(word):
		return err.Hint("to run it with your shell: $%s", strings.TrimSpace(line))
	case len(near) > 0:
		if len(near) == 1 {
			near[0] = strings.TrimSpace(near[0] + " " + rest)
		}
		return err.Hint("did you mean: :%s", strings.Join(near, ", :"))
	default:
		return err.Hint(":help lists the commands")
	}
}

// isProgram reports whether people know the name as that of a program.
func isProgram(name string) bool { return slices.Contains(repl.KnownCommands(), name) }
