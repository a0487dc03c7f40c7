package skills

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/skill"
)

func newCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "new NAME", Short: "begin a draft in your editor, or of what is piped in", Args: cobra.ExactArgs(1),
		Long: `New opens a skill that says where what belongs in your editor ($VISUAL, else $EDITOR), and keeps what
you write as the draft NAME. Outside the shell what is piped in is taken instead, and no editor opens.
What is no skill is not kept, and no draft and no skill is ever overwritten.`,
		Example:     "  ken skills new release\n  ken skills new release <SKILL.md",
		Annotations: term.Writes{Person: "writes drafts of skills", Look: "skills list"}.Note(),
		RunE:        func(cmd *cobra.Command, args []string) error { return begin(cmd.Context(), a, args[0]) },
	}
}

// template is a skill to be written on.
func template(name string) skill.Skill {
	return skill.Skill{
		Name: name, Description: "what it is for, and when to use it, in a sentence", Trigger: skill.Match, Keywords: []string{name},
		Body: "# " + name + "\n\n1. what is done first\n2. what follows\n\nWhat goes wrong, and what to do then.",
	}
}

func begin(ctx context.Context, a *term.Run, name string) error {
	d, err := drafts(a)
	switch {
	case err != nil:
		return err
	case a.Home.Settings.ReadOnly():
		return term.OnlyRead()
	case !skill.ValidName(name):
		return fault.Usagef("a skill's name is 1 to %d of letters, digits, - and _", skill.MaxName)
	}
	if _, err := d.Get(name); err == nil || d.Live(name) {
		return fault.Refusedf("there is a skill or a draft %s already", name).WithHint("%s", fault.Command("skills show "+name))
	}
	text, err := written(ctx, a, name)
	if err != nil {
		return err
	}
	s, err := skill.Parse([]byte(text), name)
	if err == nil && s.Name != name {
		err = fmt.Errorf("it calls itself %s", s.Name)
	}
	if err != nil {
		return fault.Refusedf("it is not kept: %w", err)
	}
	made, err := d.Create(ctx, s)
	if err != nil {
		if errors.Is(err, skill.ErrExists) {
			return fault.New(fault.Refused, err)
		}
		return err
	}
	next := a.Verb("skills promote " + name)
	return a.Println(fmt.Sprintf("%s is a draft: %s (make it a skill: %s)", name, a.Home.Settings.Short(made.Path), next))
}

// written is what the person writes, or pipes in.
func written(ctx context.Context, a *term.Run, name string) (string, error) {
	if a.Shell == nil && !term.IsTerminal(a.Env.Stdin) {
		text, err := io.ReadAll(io.LimitReader(a.Env.Stdin, skill.MaxFile+1))
		return string(text), err
	}
	return a.Person.EditText(ctx, string(template(name).Format()))
}
