package memory

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/pick"
)

// meantOne is which.Meant for a command that only shows something: what can hardly mean
// anything else is not asked about. "" is the person's answer: none.
func meantOne(a *term.Run, cmd *cobra.Command, args []string, command string) (string, error) {
	if len(args) == 1 {
		if _, err := pick.Ref(args[0]); err == nil || pick.AllNumbers(args) {
			return args[0], nil
		}
	}
	ids, err := which.Memories(cmd.Context(), a, strings.Join(args, " "),
		which.Options{Verb: "show", Command: command, One: true, Clear: true})
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0].String(), nil
}

// nothing answers that the person chose none.
func nothing(a *term.Run, asJSON bool, text string) error {
	if asJSON {
		return tell(a, asJSON)
	}
	return a.Println(text)
}
