package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/skill"
	"ken/internal/termsafe"
)

func promoteCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "promote DRAFT", Short: "look at a draft, and make it a skill", Args: cobra.ExactArgs(1),
		Long: `Promote shows a draft and asks. With a yes drafts/NAME becomes the skill NAME, with the very
bytes that were shown. It fails if there is a skill of that name: none is overwritten.`,
		Example:     "  ken skills promote csv-to-json",
		Annotations: term.Writes{Person: "makes a skill of a draft", Look: "skills list"}.Note(),
		RunE:        func(cmd *cobra.Command, args []string) error { return promote(cmd.Context(), a, args[0]) },
	}
}

func promote(ctx context.Context, a *term.Run, name string) error {
	d, err := drafts(a)
	if err != nil {
		return err
	}
	d.Mend()
	f, err := d.Get(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.NotFoundf("there is no draft %q", termsafe.Line(name)).WithHint("%s", fault.Command("skills list"))
	case err != nil:
		return fault.New(fault.Usage, err)
	case f.Bad != nil:
		return fault.Refusedf("%s is no skill: %w", a.Home.Settings.Short(f.Path), f.Bad)
	case a.Home.Settings.ReadOnly():
		return term.OnlyRead()
	case !a.Person.Present():
		return fault.Refusedf("a draft is made a skill at a terminal only").WithHint("type the command on a terminal")
	}
	a.Status("the draft %s, %s:", name, a.Home.Settings.Short(f.Path))
	text := termsafe.Visible(strings.TrimRight(a.Home.Keys.MaskText(string(f.Text)), "\n"))
	yes, err := a.Person.Pages(ctx, strings.Split(text, "\n"), func(line string) error { return a.Println(line) })
	if yes {
		yes, err = a.Person.Confirm(ctx, "make it a skill?")
	}
	if err != nil {
		return err
	}
	if !yes {
		return a.Println(name + " stays a draft")
	}
	path, err := d.Promote(ctx, name, f.SHA256)
	switch {
	case errors.Is(err, skill.ErrExists), errors.Is(err, skill.ErrChanged):
		return fault.New(fault.Refused, err)
	case err != nil:
		return err
	}
	return a.Println(fmt.Sprintf("%s is a skill now: %s (take it back: remove that directory)", name, a.Home.Settings.Short(path)))
}
