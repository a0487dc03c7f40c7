package parse

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/near"
	"ken/internal/fault"
	"ken/internal/repl"
)

// NotCommand is the error for a line of the shell whose first word names no
// command, or the beginning of several.
func NotCommand(root *cobra.Command, line string) error {
	word, rest := cutWord(strings.TrimSpace(line))
	names := near.Commands(root, word)
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
	default:
		return err.WithHint(":help lists the commands")
	}
}

// isProgram reports whether people know the name as that of a program.
func isProgram(name string) bool { return slices.Contains(repl.KnownCommands(), name) }
