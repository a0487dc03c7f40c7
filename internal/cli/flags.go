package cli

import (
	"slices"
	"strings"

	"ken/internal/cli/chat"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// printFlag has -p and --print, before or behind other flags of ken itself and of ask, mean
// ask, which then stands in front.
func printFlag(ask *cobra.Command, args []string) []string {
	for i, word := range args {
		switch n := chat.FirstText(ask, append(slices.Clone(args[:i]), "text")); {
		case n < i:
			return args // text stands before it
		case n > i:
			continue // it is the value of a flag
		}
		letters, short := strings.CutPrefix(word, "-")
		switch {
		case word == "--explain-context": // which ask alone has
			return append([]string{"ask"}, args...)
		case word == "--print":
			return slices.Concat([]string{"ask"}, args[:i], args[i+1:])
		case !short || letters == "" || strings.Trim(letters, "pqvc") != "":
			continue
		}
		if before, after, ok := strings.Cut(letters, "p"); ok {
			line := slices.Concat([]string{"ask"}, args[:i])
			if before+after != "" {
				line = append(line, "-"+before+after)
			}
			return append(line, args[i+1:]...)
		}
	}
	return args
}

// lineWords has what looks like a flag in the command line of another program be that
// program's: its words follow a "--". A flag of ken's own there could be meant either way,
// and is refused. One argument with blanks is a line of its own, and flags may follow it.
func (p *program) lineWords(root *cobra.Command, args []string) ([]string, error) {
	cmd, rest, err := root.Find(args)
	if err != nil || !term.TakesLine(cmd.Annotations) || p.shell != nil && term.TakesText(cmd.Annotations) {
		return args, nil // what is wrong is reported where it is run
	}
	n := chat.FirstText(cmd, rest)
	if n == len(rest) || rest[n] == "--" || strings.ContainsAny(rest[n], " \t\n") {
		return args, nil
	}
	if err := chat.RefuseFlagsBehind(cmd, p.verb(cmd), rest[n:]); err != nil {
		return nil, err
	}
	return slices.Concat(strings.Fields(chat.CommandPath(cmd)), rest[:n], []string{"--"}, rest[n:]), nil
}
