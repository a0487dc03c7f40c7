package cli

import (
	"context"
	"strings"

	"ken/internal/cli/chat"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/repl"
	"ken/internal/repl/edit"
)

// Complete implements chat.Tree.
func (p *program) Complete(ctx context.Context, line string) edit.Completion {
	text := strings.TrimLeft(line, " \t")
	from := len(line) - len(text)
	first, _, more := strings.Cut(text, " ")
	world := p.app.Process.LineContext()
	switch {
	case text == "":
		return edit.Completion{From: len(line)}
	case text[0] == '$':
		return p.files().Complete(line, from+1)
	}
	if c, ok := p.mentions(ctx).Mention(line); ok {
		return c
	}
	switch {
	case text[0] == ':':
		return p.commandWords(ctx, line, from+1)
	case text[0] == '/' && more && chat.IsCommand(p.Root(), first[1:]):
		return p.commandWords(ctx, line, from+1)
	case more && world.IsProgram(first), strings.ContainsRune(first, '/'):
		return p.files().Complete(line, from)
	case more:
		return edit.Completion{From: len(line)}
	}
	c := edit.Completion{From: from}
	for _, name := range world.ProgramsLike(first) {
		c.Words = append(c.Words, edit.Word{Text: name + " "})
	}
	return c
}

// files are those that a command line can name here.
func (p *program) files() repl.Files {
	e := p.app.Env
	return repl.Files{Dir: e.Dir, Home: e.Getenv("HOME"), Path: e.Getenv("PATH")}
}

// mentions are the files that a question can name behind "@", and the resources of tool servers.
func (p *program) mentions(ctx context.Context) repl.Files {
	f, w := p.files(), words{p.app}
	f.Servers = w.servers()
	f.Resources = func(server string) []edit.Word { return w.resources(ctx, server) }
	return f
}

// commandWords are what the last word can be of a line that is a command of ken
// from byte from on.
func (p *program) commandWords(ctx context.Context, line string, from int) edit.Completion {
	at := strings.LastIndexAny(line, " \t") + 1
	at = max(at, from)
	word := line[at:]
	root := p.Root()
	path, cmd, rest := chat.ResolveCommand(root, line[from:at])
	c := edit.Completion{From: at}
	if len(path) > 0 && path[0] == "exec" {
		return p.files().Complete(line, len(line)-len(word)-len(rest))
	}
	add := func(text, about string) {
		if strings.HasPrefix(text, word) {
			c.Words = append(c.Words, edit.Word{Text: text, About: about})
		}
	}
	switch {
	case rest == "" && cmd.HasSubCommands() && !strings.HasPrefix(word, "-"):
		for _, sub := range cmd.Commands() {
			if !sub.Hidden {
				add(sub.Name()+" ", sub.Short)
			}
		}
		if at == from { // what stands before the word belongs to it
			c.Words = append(c.Words, (words{p.app}).served(ctx, word)...)
			c.From--
			for i := range c.Words {
				c.Words[i].Text = line[from-1:from] + c.Words[i].Text
			}
		}
		return c
	case len(path) == 0:
		return edit.Completion{From: at, Words: (words{p.app}).arguments(ctx, line[from:at], word)}
	case strings.HasPrefix(word, "-") && !strings.Contains(word, "="):
		each := func(f *pflag.Flag) {
			if !f.Hidden {
				_, about := pflag.UnquoteUsage(f)
				add("--"+f.Name+" ", about)
			}
		}
		cmd.LocalFlags().VisitAll(each)
		cmd.InheritedFlags().VisitAll(each)
		return c
	}
	what, head, taken := operand(cmd, rest, word)
	if what == "FILE" || what == "DIR" {
		return p.files().Names(line, at+len(head))
	}
	words, _ := p.offer(ctx, what, word[len(head):], taken)
	if cmd.ValidArgsFunction != nil && head == "" {
		words, _ = cmd.ValidArgsFunction(cmd, taken, word)
	}
	for _, w := range words {
		text, about, _ := strings.Cut(w, "\t")
		add(head+text+" ", about)
	}
	return c
}

// operand says what stands at word, which follows rest behind a command: the name
// of the operand or of the flag's value as on the usage line. head is what of
// word is no part of it; taken are the operands before it.
func operand(cmd *cobra.Command, rest, word string) (what, head string, taken []string) {
	flagOf := func(arg string) *pflag.Flag {
		name := strings.TrimLeft(arg, "-")
		if f := cmd.Flag(name); f != nil {
			return f
		}
		if len(name) == 1 {
			return cmd.Flags().ShorthandLookup(name)
		}
		return nil
	}
	if name, _, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
		if f := flagOf(name); f != nil {
			what, _ = pflag.UnquoteUsage(f)
		}
		return what, name + "=", nil
	}
	var waits *pflag.Flag // for its value
	for _, arg := range strings.Fields(rest) {
		switch {
		case waits != nil:
			waits = nil
		case strings.HasPrefix(arg, "-"):
			if f := flagOf(arg); f != nil && f.NoOptDefVal == "" {
				waits = f
			}
		default:
			taken = append(taken, arg)
		}
	}
	if waits != nil {
		what, _ = pflag.UnquoteUsage(waits)
		return what, "", nil
	}
	return operandName(cmd.Use, len(taken)), "", taken
}
