package shellinit

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
)

// completionCommand prints what teaches a shell to ask ken for words.
func completionCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use:   "completion [bash|zsh|fish|powershell]",
		Short: "make Tab complete ken's commands in your shell",
		Long: `Completion prints a script for the shell named. With it Tab completes commands,
flags, memories by number, conversations, models, kinds and scopes. To have it in
every shell from now on:

  bash (with the package bash-completion; make the directory first)
    ken completion bash > ~/.local/share/bash-completion/completions/ken
  zsh, as a line of ~/.zshrc
    eval "$(ken completion zsh)"
  fish
    ken completion fish > ~/.config/fish/completions/ken.fish
  powershell, as a line of $PROFILE
    ken completion powershell | Out-String | Invoke-Expression

Without a name it is for the shell of $SHELL; the script of ken init has it as well.
For this shell alone: eval "$(ken completion bash)", in fish: ken completion fish | source`,
		Example:     `  eval "$(ken completion bash)"`,
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := shellOf(a, args)
			if err != nil {
				return err
			}
			return writeCompletion(a.Env.Stdout, cmd.Root(), name)
		},
	}
}

// writeCompletion writes the script that has Tab ask ken.
func writeCompletion(out io.Writer, root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		if err := root.GenBashCompletionV2(out, true); err != nil {
			return err
		}
		_, err := io.WriteString(out, bareBash)
		return err
	case "zsh":
		var b strings.Builder
		if err := root.GenZshCompletion(&b); err != nil {
			return err
		}
		_, err := io.WriteString(out, strings.Replace(b.String(), cobraCompdef, zshCompinit+cobraCompdef[1:], 1))
		return err
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	}
	return fault.Usagef("no completion for %q: bash, zsh, fish or powershell", shell)
}

// shellOf is the name of the shell that is meant: the one named, else that of $SHELL.
func shellOf(a *term.Run, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	if name := filepath.Base(a.Env.Getenv("SHELL")); name != "." {
		return name, nil
	}
	return "", fault.Usagef("for which shell? $SHELL names none").WithHint("bash, zsh or fish, as in: ken init zsh")
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

// completion is the script of writeCompletion as a part of that of ken init. In zsh what
// completes may begin after ken: it is made known at the first prompt, and begun there if nothing did.
func completion(root *cobra.Command, shell string) (string, error) {
	var b strings.Builder
	if err := writeCompletion(&b, root, shell); err != nil {
		return "", err
	}
	text := strings.TrimSpace(b.String())
	switch shell {
	case "bash":
		return "if [[ $- == *i* ]]; then\n" + text + "\nfi\n", nil
	case "zsh":
		text = strings.Replace(text, zshCompinit+cobraCompdef[1:], "", 1)
		return text + zshCompdef, nil
	}
	return text + "\n", nil
}

const (
	// cobraCompdef is the line of the library's script that needs what completes to have begun.
	cobraCompdef = "\ncompdef _ken ken\n"
	// zshCompinit begins what completes, where nobody did: without it there is no Tab. Directories
	// that others may write to are left out, and nobody is asked about them.
	zshCompinit = "\n(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }\n"
)

const zshCompdef = `
_ken_compdef() {
  add-zsh-hook -d precmd _ken_compdef
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _ken ken
}
if [[ -o interactive ]]; then
  if (( $+functions[compdef] )); then compdef _ken ken; else add-zsh-hook precmd _ken_compdef; fi
fi
`
