package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/syntax"

	"ken/internal/cli/chat"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/termsafe"
)

// noSuchCommand refuses words that name no command: a typo is never sent to a
// model.
func (p *program) noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word, rest := args[0], strings.Join(args[1:], " ")
	err := fault.Usagef("%q is no command", word)
	names := p.takers(root, chat.NearCommands(root, word), args)
	inside := p.insideOnly(word)
	// What is called so in the shell is meant sooner than what is called nearly so here.
	if inside != "" && !slices.ContainsFunc(names, func(path string) bool { return path[strings.LastIndexByte(path, ' ')+1:] == word }) {
		return err.WithHint("in the shell it is one: start it with ken, then :%s", strings.TrimSpace(inside+" "+rest))
	}
	if len(names) > 0 {
		return err.WithHint("did you mean: %s", p.meant(names, rest))
	}
	return err.WithHint("to ask a model: %s; all commands: ken --help", askLine(p.app.Env.Getenv("SHELL"), strings.Join(args, " ")))
}

// insideOnly is the command of the shell that is called so, or "".
func (p *program) insideOnly(word string) string {
	for _, c := range chat.NewREPL(p.app, p.upkeep, nil).Commands() {
		if c.Name() == word || c.HasAlias(word) {
			return c.Name()
		}
	}
	return ""
}

// takers are the commands of names that can be meant by these words. Who writes a sentence means none that
// cannot take its words, nor one below another command, unless there is but one of exactly that name that stands as high.
func (p *program) takers(root *cobra.Command, names, words []string) []string {
	if len(words) < fewWords {
		return names
	}
	least, only := 0, 0 // what stands higher is meant sooner
	for _, path := range names {
		switch depth := 1 + strings.Count(path, " "); {
		case only == 0 || depth < least:
			least, only = depth, 1
		case depth == least:
			only++
		}
	}
	return slices.DeleteFunc(names, func(path string) bool {
		if 1+strings.Count(path, " ") > least {
			return true
		}
		cmd, _, err := root.Find(strings.Fields(path))
		return err != nil || cmd.ValidateArgs(words[1:]) != nil || cmd.Parent() != root && (only != 1 || cmd.Name() != words[0])
	})
}

// fewWords is how many words a sentence has at least, where a line may be one.
const fewWords = 3

// askLine is the line that asks a question, as it can be typed into the person's shell: in quotes that
// leave every character as it is.
func askLine(shell, question string) string {
	quoted, err := syntax.Quote(question, syntax.LangBash)
	plain := err == nil && quoted == question // not even quotes are needed
	switch control := strings.ContainsFunc(question, unicode.IsControl); {
	case err == nil && control:
		question = quoted
	case control:
		question = "'" + strings.ReplaceAll(termsafe.Line(question), "'", `'\''`) + "'"
	case plain && !strings.HasPrefix(question, "-"):
	case filepath.Base(shell) == "fish":
		question = "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(question) + "'"
	default:
		question = "'" + strings.ReplaceAll(question, "'", `'\''`) + "'"
	}
	if strings.HasPrefix(question, "'-") {
		return "ken ask -- " + question
	}
	return "ken ask " + question
}

// noSubcommand refuses words after a command that only groups others.
func (p *program) noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fault.Usagef("%q is no command of %s", args[0], p.verb(cmd))
	if names := chat.NearCommands(cmd, args[0]); len(names) > 0 {
		return err.WithHint("did you mean: %s", p.meant(names, strings.Join(args[1:], " ")))
	}
	return err.WithHint("%s", p.seeHelp(cmd))
}

// meant writes the commands that may have been meant; one of them with what else
// was typed.
func (p *program) meant(names []string, rest string) string {
	lines := make([]string, len(names))
	for i, path := range names {
		lines[i] = p.app.Verb(path)
	}
	if len(lines) == 1 {
		lines[0] = strings.TrimSpace(lines[0] + " " + rest)
	}
	return strings.Join(lines, ", ")
}

// misused is err about how cmd was called, with what to do instead.
func (p *program) misused(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	hint := p.seeHelp(cmd)
	if errors.As(err, &unknown) {
		if name := nearFlag(cmd, unknown); name != "" {
			hint = fmt.Sprintf("did you mean --%s? %s", name, hint)
		}
		if _, operands, _ := strings.Cut(strings.Replace(cmd.Use, "[flags] ", "", 1), " "); operands != "" && p.shell == nil {
			hint = fmt.Sprintf("%s; to take it as text: %s -- %s", hint, p.verb(cmd), operands)
		}
	}
	if plain := p.wantedWords(cmd, err); plain != "" {
		err = errors.New(plain)
		if list := listOf(cmd); list != "" && len(cmd.Flags().Args()) == 0 {
			hint = "what there is: " + p.app.Verb(list) + "; " + hint
		}
	}
	if words := cmd.Flags().Args(); p.shell == nil && cmd.Parent() == cmd.Root() && len(words) >= fewWords && cmd.ValidateArgs(words) != nil {
		line := cmd.CalledAs() + " " + strings.Join(words, " ")
		hint = "to ask a model: " + askLine(p.app.Env.Getenv("SHELL"), line) + "; " + hint
	}
	return fault.New(fault.Usage, err).WithHint("%s", hint)
}

// wantedWords says in plain words that there were too few or too many of them; ""
// if err is about something else.
func (p *program) wantedWords(cmd *cobra.Command, err error) string {
	says := func(prefix string) bool { return strings.HasPrefix(err.Error(), prefix) }
	_, operands, _ := strings.Cut(cmd.Use, " ")
	switch args := cmd.Flags().Args(); {
	case says("unknown command") && len(args) > 0:
		return fmt.Sprintf("%s takes no further words: %q", p.verb(cmd), args[0])
	case says("accepts ") || says("requires "):
		return fmt.Sprintf("want %s %s", p.verb(cmd), operands)
	}
	return ""
}

// listOf is the command that lists what the first operand of cmd names; "" if there is none.
func listOf(cmd *cobra.Command) string {
	_, operands, _ := strings.Cut(strings.Replace(cmd.Use, "[flags] ", "", 1), " ")
	for _, c := range [...][2]string{
		{"REF", "memory list"},
		{"SESSION", "sessions list"},
		{"LOG", "memory trust list"},
		{"WHO", "memory trust met"},
		{"N...", "safety list"},
		{"KEY", "config show"},
	} {
		if strings.HasPrefix(operands, c[0]) {
			if path := chat.CommandPath(cmd); strings.HasPrefix(path, "review ") {
				return "review list"
			}
			return c[1]
		}
	}
	return ""
}

// nearFlag is the flag of cmd that an unknown one may be meant for; "" if none is
// near. "-json" counts as "--json".
func nearFlag(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name := unknown.GetSpecifiedName()
	if group := unknown.GetSpecifiedShortnames(); len(group) > 1 {
		name = group
	} else if group != "" {
		return ""
	}
	if f := cmd.Flags().Lookup(name); f != nil {
		return name
	}
	if meant := term.Near(name, names); len(meant) > 0 {
		return meant[0]
	}
	return ""
}

// seeHelp says where the whole of a command is described.
func (p *program) seeHelp(cmd *cobra.Command) string {
	switch {
	case p.shell == nil:
		return "see " + cmd.CommandPath() + " --help"
	case cmd.HasParent():
		return "see " + strings.TrimSpace(":help "+chat.CommandPath(cmd))
	}
	return "see :help"
}

// verb is how cmd is written where the person is.
func (p *program) verb(cmd *cobra.Command) string { return p.app.Verb(chat.CommandPath(cmd)) }

// isUsage recognises what cobra says of a command line that it cannot take; it
// has no type for it.
func isUsage(err error) bool {
	s := err.Error()
	for _, p := range []string{"unknown command", "unknown flag", "unknown shorthand", "accepts ", "requires ", "flag needs"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
