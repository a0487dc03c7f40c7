package memcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/cli/find"
	"ken/internal/memory"
)

// meant are the memories that args mean: references, or else words that they are
// found by. None is the person's answer.
func meant(a *app.App, cmd *cobra.Command, args []string, c find.Choice) ([]memory.ID, error) {
	words := strings.Fields(strings.Join(args, " "))
	ids, err := parseRefs(words)
	if err == nil || allNumbers(words) {
		return ids, err
	}
	return find.Memories(cmd.Context(), a, strings.Join(words, " "), c)
}

// meantOne is meant for a command that only shows something: what can hardly mean
// anything else is not asked about. "" is the person's answer: none.
func meantOne(a *app.App, cmd *cobra.Command, args []string, command string) (string, error) {
	if len(args) == 1 {
		if _, err := memory.ParseID(args[0]); err == nil || allNumbers(args) {
			return args[0], nil
		}
	}
	ids, err := find.Memories(cmd.Context(), a, strings.Join(args, " "), find.Choice{Verb: "show", Command: command, One: true, Clear: true})
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0].String(), nil
}

// allNumbers reports whether words were meant for references, right or wrong: each
// begins as a number does.
func allNumbers(words []string) bool {
	for _, w := range words {
		if w = strings.TrimPrefix(w, "#"); w == "" || w[0] < '0' || w[0] > '9' {
			return false
		}
	}
	return true
}

// nothing answers that the person chose none.
func nothing(a *app.App, asJSON bool, text string) error {
	if asJSON {
		return tell(a, asJSON)
	}
	return a.Println(text)
}
