package chat

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/repl"
)

// ResolveCommand walks the words of a line down the command tree, where a word may be
// a unique beginning of a name. It returns the names, the command they lead
// to, and the rest of the line untouched.
func ResolveCommand(root *cobra.Command, line string) (path []string, cmd *cobra.Command, rest string) {
	cmd, rest = root, strings.TrimSpace(line)
	for rest != "" {
		word, after := cutWord(rest)
		child := lookup(cmd, word)
		if child == nil {
			break
		}
		path, cmd, rest = append(path, child.Name()), child, after
	}
	return path, cmd, rest
}

// IsCommand reports whether word is the name of a command, in full.
func IsCommand(root *cobra.Command, word string) bool {
	for _, c := range root.Commands() {
		if c.Name() == word || c.HasAlias(word) {
			return true
		}
	}
	return false
}

// lookup finds the child of cmd that word names: exactly, by an alias, or as
// the only visible one that begins so.
func lookup(cmd *cobra.Command, word string) *cobra.Command {
	if word == "" || word[0] == '-' {
		return nil
	}
	var near []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.Name() == word || c.HasAlias(word) {
			return c
		}
		if strings.HasPrefix(c.Name(), word) && !c.Hidden {
			near = append(near, c)
		}
	}
	if len(near) == 1 {
		return near[0]
	}
	return nil
}

// ShellArgs makes arguments of what follows a command on a line of the shell. A text is the
// rest of the line as it stands: flags stand before it. One that stands in it is refused, and
// not taken for a word of it; "--" before the text makes all of it text.
func ShellArgs(cmd *cobra.Command, rest string) ([]string, error) {
	if !term.TakesText(cmd.Annotations) {
		words, err := repl.SplitWords(rest)
		if errors.Is(err, repl.ErrQuote) && term.TakesLoose(cmd.Annotations) {
			return strings.Fields(rest), nil
		}
		return words, err
	}
	var args []string
	for strings.HasPrefix(rest, "-") {
		word, after := cutWord(rest)
		if word == "--" {
			return append(args, "--", after), nil
		}
		args = append(args, word)
		rest = after
		if takesValue(cmd, word) && rest != "" {
			value, after, err := repl.CutQuoted(rest)
			if err != nil {
				return nil, err
			}
			args, rest = append(args, value), after
		}
	}
	if rest == "" {
		return args, nil
	}
	if err := RefuseFlagsBehind(cmd, ShellVerb(cmd), strings.Fields(rest)); err != nil {
		return nil, err
	}
	return append(args, "--", rest), nil
}

func cutWord(s string) (word, rest string) {
	word, rest, _ = strings.Cut(s, " ")
	return word, strings.TrimLeft(rest, " \t")
}
