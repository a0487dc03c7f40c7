package parse

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/cli/near"
	"ken/internal/repl"
)

// NotCommand is the error for a line of the shell whose first word names no
// command, or the beginning of several.
func NotCommand(root *cobra.Command, line string) error {
	word, rest := cutWord(strings.TrimSpace(line))
	names := near.Commands(root, word)
	switch err := app.Usage("%q is no command", ":"+word); {
	case len(names) > 1 && strings.HasPrefix(names[0], word):
		return app.Usage("%q could be several commands", ":"+word).Hint("%s", ":"+strings.Join(names, ", :"))
	case isProgram(word):
		return err.Hint("to run it with your shell: $%s", strings.TrimSpace(line))
	case len(names) > 0:
		if len(names) == 1 {
			names[0] = strings.TrimSpace(names[0] + " " + rest)
		}
		return err.Hint("did you mean: :%s", strings.Join(names, ", :"))
	default:
		return err.Hint(":help lists the commands")
	}
}

// isProgram reports whether people know the name as that of a program.
func isProgram(name string) bool { return slices.Contains(repl.KnownCommands(), name) }
