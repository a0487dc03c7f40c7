package chat

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/fault"
)

// lookupFlag is the flag of cmd, or of what it is below, that a word gives by its
// name or, in a group, by its letters; nil if it gives none.
func lookupFlag(cmd *cobra.Command, word string) *pflag.Flag {
	sets := []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags(), cmd.InheritedFlags()}
	first := func(find func(*pflag.FlagSet) *pflag.Flag) *pflag.Flag {
		for _, set := range sets {
			if f := find(set); f != nil {
				return f
			}
		}
		return nil
	}
	if name, long := strings.CutPrefix(word, "--"); long {
		name, _, _ = strings.Cut(name, "=")
		if name == "help" {
			return &pflag.Flag{Name: name, NoOptDefVal: "true"} // cobra adds it when it runs
		}
		return first(func(set *pflag.FlagSet) *pflag.Flag { return set.Lookup(name) })
	}
	letters, short := strings.CutPrefix(word, "-")
	if !short {
		return nil
	}
	var last *pflag.Flag
	for _, r := range letters {
		letter := string(r)
		if letter == "=" && last != nil {
			return last // a value
		}
		f := first(func(set *pflag.FlagSet) *pflag.Flag { return set.ShorthandLookup(letter) })
		if f == nil && letter == "h" {
			f = &pflag.Flag{Name: "help", Shorthand: letter, NoOptDefVal: "true"}
		}
		if last = f; f == nil || f.NoOptDefVal == "" { // what follows is its value
			return f
		}
	}
	return last
}

// takesValue reports whether a word that gives a flag wants its value as the next one.
func takesValue(cmd *cobra.Command, word string) bool {
	f := lookupFlag(cmd, word)
	switch {
	case f == nil || f.NoOptDefVal != "" || strings.Contains(word, "="):
		return false
	case strings.HasPrefix(word, "--"):
		return true
	}
	return strings.HasSuffix(word, f.Shorthand) // else it follows its letter
}

// FirstText is where the first word stands that is no flag of cmd and no value of one; a "--"
// counts as such a word. len(args) if there is none.
func FirstText(cmd *cobra.Command, args []string) int {
	for i := 0; i < len(args); i++ {
		switch word := args[i]; {
		case word == "--", word == "-", !strings.HasPrefix(word, "-"):
			return i
		case takesValue(cmd, word):
			i++
		}
	}
	return len(args)
}

// RefuseFlagsBehind refuses a text in which a flag of cmd stands, which is then neither the text that
// was meant nor counts as a flag: said to be the one or the other, it is. Behind a "--"
// all is text. The command is written as verb.
func RefuseFlagsBehind(cmd *cobra.Command, verb string, words []string) error {
	var flags, text []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			text = append(text, words[i:]...)
			break
		}
		if lookupFlag(cmd, word) == nil {
			text = append(text, word)
			continue
		}
		flags = append(flags, word)
		if takesValue(cmd, word) && i+1 < len(words) {
			i++
			flags = append(flags, words[i])
		}
	}
	if len(flags) == 0 {
		return nil
	}
	return fault.Usagef("%s stands behind the text, and %s is a flag of this command: nothing was done", flags[0], flags[0]).
		WithHint("flags stand first: %s %s %s; or say that all is text: %s -- %s", verb, strings.Join(flags, " "), strings.Join(text, " "), verb, strings.Join(words, " "))
}

// ShellVerb is how a command is written in the shell.
func ShellVerb(cmd *cobra.Command) string { return ":" + CommandPath(cmd) }
