package skills

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

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
What is no skill is not kept, and no draft and no skill is ever overwritten. A skill looks like this:

  ---
  description: what it is for, and when to use it, in a sentence
  trigger: match
  keywords: [words, that, call, it]
  ---
  What is to be done, step by step.

Its name is NAME; trigger is match (by its keywords), auto (by its description) or manual (you name it).`,
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
	there, err := d.Live(name)
	if err != nil {
		return err
	}
	if _, err := d.Get(name); err == nil || there {
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
	if err == nil {
		err = s.Validate()
	}
	if err != nil {
		return notKept(ctx, a, name, text, err)
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

// notKept says what is wrong with a text that is no skill, and what one looks like. What was written in an editor is
// kept in a file, to go on with.
func notKept(ctx context.Context, a *term.Run, name, text string, wrong error) error {
	form := fault.Textf("a skill begins with three lines, ---, description: WHAT IT IS FOR, ---, and what is to be done follows; whole: %s",
		fault.Command("skills new --help"))
	if piped(a) || strings.TrimSpace(text) == "" {
		return fault.Refusedf("it is no skill: %w", wrong).WithHint("%s", form)
	}
	d, err := a.Person.Draft(ctx, name+".md", []byte(text))
	if err != nil {
		return fault.Refusedf("it is no skill: %w", errors.Join(wrong, err)).WithHint("%s", form)
	}
	path, err := d.Keep()
	if err != nil {
		return fault.Refusedf("it is no skill: %w", errors.Join(wrong, err)).WithHint("%s", form)
	}
	a.Say("[ken] ", fmt.Sprintf("what you wrote is in %s", a.Home.Settings.Short(path)))
	return fault.Refusedf("it is no skill: %w", wrong).WithHint("%s", form)
}

// piped reports whether a skill comes from standard input.
func piped(a *term.Run) bool { return a.Shell == nil && !term.IsTerminal(a.Env.Stdin) }

// written is what the person writes, or pipes in.
func written(ctx context.Context, a *term.Run, name string) (string, error) {
	if piped(a) {
		text, err := io.ReadAll(io.LimitReader(a.Env.Stdin, skill.MaxFile+1))
		return string(text), err
	}
	return a.Person.EditText(ctx, string(template(name).Format()))
}
