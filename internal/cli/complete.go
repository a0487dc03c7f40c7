package cli

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/cli/term"
	"ken/internal/fault"
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
	case "FILE", "DIR", "COMMAND":
		return nil, cobra.ShellCompDirectiveDefault
	}
	var offered []cobra.Completion
	for _, w := range (words{p.app}).complete(ctx, what, prefix) {
		if strings.HasPrefix(w.text, prefix) && !slices.Contains(taken, w.text) {
			offered = append(offered, cobra.CompletionWithDesc(w.text, w.about))
		}
	}
	return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
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

// completionCommand prints what teaches a shell to ask ken for words.
func (p *program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "make Tab complete ken's commands in your shell",
		Long: `Completion prints a script for the shell named. With it Tab completes commands,
flags, memories by number, conversations, models, kinds and scopes. To have it in
every shell from now on:

  bash        ken completion bash > ~/.local/share/bash-completion/completions/ken
              (needs the package bash-completion; make the directory first)
  zsh         ken completion zsh > "${fpath[1]}/_ken"
              (with "autoload -U compinit; compinit" in ~/.zshrc)
  fish        ken completion fish > ~/.config/fish/completions/ken.fish
  powershell  ken completion powershell | Out-String | Invoke-Expression
              (as a line of $PROFILE)

For this shell alone: eval "$(ken completion bash)", in fish: ken completion fish | source`,
		Example: `  eval "$(ken completion bash)"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return fault.Usagef("completion for which shell? bash, zsh, fish or powershell").
				WithHint("%s --help says where it belongs", fault.Command("completion"))
		},
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, root := p.app.Env.Stdout, cmd.Root()
			switch shell := args[0]; shell {
			case "bash":
				if err := root.GenBashCompletionV2(out, true); err != nil {
					return err
				}
				_, err := io.WriteString(out, bareBash)
				return err
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			default:
				return fault.Usagef("no completion for %q: bash, zsh, fish or powershell", shell)
			}
		},
	}
}

// bareBash lets the script for bash do without the package bash-completion, of
// which it needs the words of the line: as bash parts them, but for "=" and ":",
// which stand inside words here.
const bareBash = `
if ! declare -F _init_completion >/dev/null && ! declare -F _get_comp_words_by_ref >/dev/null; then
    __ken_init_completion() {
        COMPREPLY=()
        words=()
        cword=0
        local i word glued=""
        for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
            word=${COMP_WORDS[i]}
            if [[ i -gt 1 && ( -n $glued || $word == [=:]* ) ]]; then
                words[${#words[@]}-1]+=$word
            else
                words+=("$word")
            fi
            glued=""
            [[ $word == *[=:] ]] && glued=yes
            ((i == COMP_CWORD)) && cword=$((${#words[@]} - 1))
        done
        cur=${words[cword]}
        prev=${words[cword-1]}
    }
fi
`
