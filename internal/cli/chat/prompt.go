package chat

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent/turn"
	"ken/internal/cli/question"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/upkeep"
)

// PromptCommand is a command of the person's own: `ask` in the words of the prompt of that
// name. In the shell, without flags, it is a question of the conversation.
func PromptCommand(a *term.Run, look *upkeep.Upkeep, shell *REPL, name string) *cobra.Command {
	f := &askFlags{}
	cmd := askCommand(a, look, f)
	args := "[TEXT]"
	cmd.Short, cmd.Example = "a command of your own", ""
	if p, err := question.Prompts(a).Load(name); err != nil {
		cmd.Short = "a command of your own whose file cannot be taken: it says why"
	} else {
		args, cmd.Short = cmp.Or(termsafe.Line(p.Args), args), cmp.Or(termsafe.Line(p.About), cmd.Short)
	}
	cmd.Use = name + " [flags] " + args
	maps.Copy(cmd.Annotations, term.OwnCommand())
	cmd.Long = `This is a command of your own: the text of its file is the question. What follows the
name stands in it where the file says so, else behind it; standard input goes along.`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := question.Prompts(a).Load(name)
		if err != nil {
			return err
		}
		if f.model == "" {
			f.model = p.Model
		}
		typed := strings.Join(args, " ")
		if shell == nil || cmd.Flags().NFlag() > 0 {
			return askOnce(cmd.Context(), a, look, *f, &p, typed)
		}
		q, err := question.OfPrompt(cmd.Context(), a, p, typed, nil)
		if err != nil {
			return err
		}
		q.Preset, q.Alone = p.Model, true
		return shell.ask(cmd.Context(), q, nil)
	}
	return cmd
}

// Sends has a question that is not the person's own words answered; nil outside the shell.
func (s *REPL) Sends() func(context.Context, turn.Question) error {
	if s == nil {
		return nil
	}
	return func(ctx context.Context, q turn.Question) error { return s.answered(ctx, s.ask(ctx, q, nil)) }
}

// ofServer makes arguments of a line that has a tool server write a question: alias.prompt arg=value. is is false
// where the line does not begin with the name of one.
func (s *REPL) ofServer(line string) (args []string, is bool, err error) {
	word, rest := cutWord(strings.TrimSpace(line))
	server, name, is := strings.Cut(word, ".")
	if !is || name == "" {
		return nil, false, nil
	}
	servers, err := s.app.Servers()
	if err != nil {
		return nil, true, err
	}
	if !slices.Contains(servers.Names(), server) {
		return nil, false, nil
	}
	words, err := repl.SplitWords(rest)
	return append([]string{"mcp", "prompt", "--", word}, words...), true, err
}

// roleCommand chooses how the model is to answer.
func (s *REPL) roleCommand() *cobra.Command {
	return &cobra.Command{
		Use: "role", Args: cobra.MaximumNArgs(1),
		Long: `Role puts the text of a file of your own, commands/NAME.md, behind the system prompt until you leave
or say :role off. Without a name it says which one is in force. It changes how the model answers, and grants
nothing: nothing of it is remembered, and no rule of yours is weaker for it.`,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(_ *cobra.Command, args []string) error {
			switch name := strings.Join(args, ""); {
			case name == "" && s.role == "":
				return s.app.Println("(no role)")
			case name == "":
				return s.app.Println(s.role)
			case name == "off" && s.role == "":
				return fault.Usagef("no role is in force")
			case name == "off":
				s.app.Status("role: %s is over", s.role)
				s.role = ""
				s.conv().InRole("")
			default:
				text, err := question.Role(s.app, name)
				if err != nil {
					return err
				}
				s.role = name
				s.conv().InRole(text)
				s.app.Status("role: %s (until :role off)", name)
			}
			return nil
		},
	}
}
