package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/cli/help"
)

// asksForWords reports whether a command line is a shell's question for what
// could stand next on it.
func asksForWords(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// offerWords says of every command below cmd what its operands and the values of
// its flags can be, by the names that they have on the usage line, so that help
// and completion agree. It is done only where somebody asks: cobra keeps what it
// learns of flags for good.
func (p *program) offerWords(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		p.offerWords(c)
	}
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return p.offer(cmd.Context(), operandName(cmd.Use, len(args)), prefix, args)
		}
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		what, about := pflag.UnquoteUsage(f)
		f.Usage = about // a shell shows it as it stands
		if f.NoOptDefVal != "" {
			return // it takes no value
		}
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if f.Value.Type() == "stringSlice" {
				return p.offerMore(cmd.Context(), what, prefix)
			}
			return p.offer(cmd.Context(), what, prefix, nil)
		}) // fails only for a flag that is known already
	})
}

// offer are the words for what, but for those that stand there already.
func (p *program) offer(ctx context.Context, what, prefix string, taken []string) ([]cobra.Completion, cobra.ShellCompDirective) {
	switch what {
	case "FILE", "FILE|-", "DIR", "COMMAND":
		return nil, cobra.ShellCompDirectiveDefault
	case "TOPIC|COMMAND":
		return p.subjects(prefix, taken), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	var offered []cobra.Completion
	for _, w := range (words{p.app}).complete(ctx, what, prefix) {
		if strings.HasPrefix(w.text, prefix) && !slices.Contains(taken, w.text) {
			offered = append(offered, cobra.CompletionWithDesc(w.text, w.about))
		}
	}
	return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// subjects are what there is help on: topics first, then commands below what is named.
func (p *program) subjects(prefix string, taken []string) []cobra.Completion {
	var list []cobra.Completion
	add := func(name, about string) {
		if strings.HasPrefix(name, prefix) {
			list = append(list, cobra.CompletionWithDesc(name, about))
		}
	}
	at := p.Root()
	if len(taken) > 0 {
		if at = p.named(at, strings.Join(taken, " ")); at == nil {
			return nil
		}
	} else {
		for _, t := range help.Topics() {
			add(t.Use, t.About)
		}
	}
	for _, c := range at.Commands() {
		if !c.Hidden && (len(taken) > 0 || !help.IsTopic(c.Name())) {
			add(c.Name(), c.Short)
		}
	}
	return list
}

// offerMore is offer for the last value of a list with commas.
func (p *program) offerMore(ctx context.Context, what, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	i := strings.LastIndexByte(prefix, ',') + 1
	words, directive := p.offer(ctx, what, prefix[i:], strings.Split(prefix[:i], ","))
	for j := range words {
		words[j] = prefix[:i] + words[j]
	}
	return words, directive
}
