package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/audit"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/review"
	"ken/internal/skill"
	"ken/internal/termsafe"
)

func promoteCommand(a *term.Run) *cobra.Command {
	var undo bool
	cmd := &cobra.Command{
		Use: "promote DRAFT", Short: "look at a draft, and make it a skill", Args: cobra.ExactArgs(1),
		Long: `Promote shows a draft and asks. With a yes drafts/NAME becomes the skill NAME, with the very
bytes that were shown. It fails if there is a skill of that name: none is overwritten. With --undo
the skill NAME is a draft again.`,
		Example:     "  ken skills promote csv-to-json\n  ken skills promote --undo csv-to-json",
		Annotations: term.Writes{Person: "makes a skill of a draft", Look: "skills list"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if undo {
				return withdraw(cmd.Context(), a, args[0])
			}
			return Promote(cmd.Context(), a, args[0])
		},
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "make the skill a draft again")
	return cmd
}

// withdraw makes a skill a draft again, which waits as it did.
func withdraw(ctx context.Context, a *term.Run, name string) error {
	d, err := drafts(a)
	switch {
	case err != nil:
		return err
	case a.Home.Settings.ReadOnly():
		return term.OnlyRead()
	}
	err = d.Withdraw(ctx, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.NotFoundf("there is no skill %q in %s", termsafe.Line(name), a.Home.Settings.Short(d.Dir)).
			WithHint("%s", fault.Command("skills list"))
	case errors.Is(err, skill.ErrExists):
		return fault.New(fault.Refused, err)
	case err != nil:
		return err
	}
	if f, err := d.Get(name); err == nil {
		account(ctx, a, "withdraw-skill", f)
	}
	return a.Println(name + " is a draft again, which no model is shown")
}

// account notes what was done in the account of such acts: by reference, without a text.
func account(ctx context.Context, a *term.Run, act string, f skill.Draft) {
	p := a.Home.Settings.Paths()
	log := audit.Log{Path: p.Audit(), Dir: p.Data, Now: a.Home.Now, Wait: accountWait}
	if err := log.Append(ctx, audit.Entry{Act: act, By: "user", Hash: f.SHA256, Refs: []string{f.Ref()}}); err != nil {
		a.Warn(err)
	}
}

// accountWait is how long the account waits for the lock.
const accountWait = 5 * time.Second

// tellQueue answers a draft in the queue, if it waits there: that it became a skill, or is refused.
func tellQueue(ctx context.Context, a *term.Run, f skill.Draft, answer engine.Answer) error {
	e, err := a.Home.Memory.Engine()
	if err != nil {
		return nil // without a memory there is no queue
	}
	waiting, _, _, err := e.Queue(ctx)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		if w.Proposal == nil || w.Proposal.Of != review.OfSkill {
			continue
		}
		if name, sum, ok := skill.Proposed(&w.Proposal.Record); !ok || name != f.Name || sum != f.SHA256 {
			continue
		}
		by, err := a.Home.Memory.Writer()
		if err == nil {
			_, err = by.Decide(ctx, w.Ref, answer)
		}
		return err
	}
	return nil
}

// Promote shows a draft, asks, and makes it a skill after a yes.
func Promote(ctx context.Context, a *term.Run, name string) error {
	d, err := drafts(a)
	if err == nil && !a.Home.Settings.ReadOnly() {
		err = d.Mend(ctx)
	}
	if err != nil {
		return err
	}
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
	account(ctx, a, "promote-skill", f)
	if err := tellQueue(ctx, a, f, engine.Answer{Verdict: review.Yes, Done: true}); err != nil {
		a.Warn(fmt.Errorf("the queue does not know of it: %w", err))
	}
	back := a.Verb("skills promote --undo " + name)
	return a.Println(fmt.Sprintf("%s is a skill now: %s (take it back: %s)", name, a.Home.Settings.Short(path), back))
}
