// Package near finds the commands that a word which is none may be meant for.
package near

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// Path is how a command is named below the root: "memory list".
func Path(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return path
}

// Commands are the paths of the visible commands that word, which is none below
// cmd, may be meant for: those of that name elsewhere in the tree, else those here
// that begin so, else the nearest here, else the same of all below. Nil if there
// is none.
func Commands(cmd *cobra.Command, word string) []string {
	if word == "search" && cmd.Name() != "sessions" { // as it is called elsewhere
		return pick(cmd.Root(), nil, func(c *cobra.Command) bool { return Path(c) == "recall" })
	}
	if near := pick(cmd.Root(), cmd, func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) }); len(near) > 0 {
		return near
	}
	for _, below := range []bool{false, true} {
		var names []string
		each(cmd, below, func(c *cobra.Command) { names = append(names, c.Name()) })
		near := term.Near(word, names)
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
