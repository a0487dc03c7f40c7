package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/learn"
	"ken/internal/review"
	"ken/internal/skill"
	"ken/internal/termsafe"
	"ken/internal/view"
)

func removeCommand(a *term.Run) *cobra.Command {
	var ofRefused, dryRun bool
	cmd := &cobra.Command{
		Use: "remove DRAFT...", Short: "delete drafts for good; --refused: those that you refused",
		Long: `Remove deletes the files of drafts, and asks first: there is no way back. One that waits in the
queue is refused with it. With --refused it is about each draft that you refused and that is
still what you refused. A skill is no draft: "skills promote --undo" makes it one.`,
		Example:     "  ken skills remove csv-to-json\n  ken skills remove --refused --dry-run",
		Annotations: term.Writes{Person: "deletes drafts of skills", Look: "skills list", When: []string{"no --dry-run"}}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ofRefused == (len(args) > 0) {
				return fault.Usagef("remove takes names of drafts, or --refused").WithHint("see them: %s", fault.Command("skills list"))
			}
			return remove(cmd.Context(), a, args, dryRun)
		},
	}
	cmd.Flags().BoolVar(&ofRefused, "refused", false, "each draft that you refused")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only show what it would delete")
	return cmd
}

// refused are those of drafts that the person refused. Without a memory nobody knows.
func refused(ctx context.Context, a *term.Run, list []skill.Draft) map[string]bool {
	unwanted, err := learn.UnwantedDrafts(ctx, a.Home, list)
	if err != nil {
		a.Warn(err)
	}
	return unwanted
}

// remove deletes the drafts of those names; without any, those that were refused.
func remove(ctx context.Context, a *term.Run, names []string, dryRun bool) error {
	d, err := drafts(a)
	if err != nil {
		return err
	}
	list, err := meant(ctx, a, d, names)
	if err != nil {
		return err
	}
	switch {
	case len(list) == 0:
		return a.Println("(no drafts)")
	case !dryRun && a.Home.Settings.ReadOnly():
		return term.OnlyRead()
	case !dryRun && !a.Person.Present():
		return fault.Refusedf("a draft is deleted at a terminal only").WithHint("type the command on a terminal")
	}
	var lines []string
	for _, f := range list {
		lines = append(lines, "- "+f.Name+": "+a.Home.Settings.Short(f.Path))
	}
	if err := a.Println(strings.Join(lines, "\n")); err != nil || dryRun {
		return err
	}
	yes, err := a.Person.Confirm(ctx, "delete "+view.Count(len(list), "draft")+" for good?")
	if err != nil {
		return err
	}
	if !yes {
		return a.Println("nothing was deleted")
	}
	for _, f := range list {
		err := d.Remove(ctx, f.Name, f.SHA256)
		switch {
		case errors.Is(err, skill.ErrChanged):
			return fault.New(fault.Refused, err)
		case err != nil:
			return err
		}
		account(ctx, a, "remove-draft", f)
		if err := tellQueue(ctx, a, f, engine.Answer{Verdict: review.No}); err != nil {
			a.Warn(fmt.Errorf("the queue does not know of it: %w", err))
		}
	}
	return a.Println("deleted " + view.Count(len(list), "draft"))
}

// meant are the drafts of those names; without any, those that were refused.
func meant(ctx context.Context, a *term.Run, d skill.Drafts, names []string) (list []skill.Draft, err error) {
	for _, name := range names {
		f, err := d.Get(name)
		gone := errors.Is(err, fs.ErrNotExist)
		live := false
		if gone {
			live, err = d.Live(name)
		}
		switch {
		case live:
			return nil, fault.Refusedf("%s is a skill, and no draft", termsafe.Line(name)).
				WithHint("make it one first: %s", fault.Command("skills promote --undo "+name))
		case gone && err == nil:
			return nil, fault.NotFoundf("there is no draft %q", termsafe.Line(name)).WithHint("%s", fault.Command("skills list"))
		case err != nil:
			return nil, fault.New(fault.Usage, err)
		}
		list = append(list, f)
	}
	if len(names) > 0 {
		return list, nil
	}
	all, err := d.List()
	if err != nil {
		return nil, err
	}
	unwanted, err := learn.UnwantedDrafts(ctx, a.Home, all)
	for _, f := range all {
		if unwanted[f.Name] {
			list = append(list, f)
		}
	}
	return list, err
}
