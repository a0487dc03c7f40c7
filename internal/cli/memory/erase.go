package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/pick"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/view"
)

// eraseFlags are those of the command.
type eraseFlags struct {
	pick.Selector
	keepSessions, dryRun, yes, asJSON, rehash bool
}

// eraseCommand is the command `erase`.
func eraseCommand(a *term.Run) *cobra.Command {
	var f eraseFlags
	f.Erase = true
	cmd := &cobra.Command{
		Use:   "erase REF...|TEXT",
		Short: "remove the text of memories from every file, for good",
		Long: `Erase takes the text of each memory named out of the memory file and its replicas,
the review queue, conversations (a turn keeps its line, number and time, and says
"[erased]"), what was typed at the prompt, and what is derived. What remains is a line
that says nothing but its number. Then every file is read again, and the answer says
what was found. There is no undo.

It says what it would do and asks. What only resembles the text is asked about one by
one on a terminal, and left alone with --yes; turns that share a rare word with it are
named. A REF may be that of a turn, as SESSION:3. Of a TEXT that is no memory's whole text
the memories and turns that say it are offered, by number. What a memory replaced goes
along. Backups, the history of git and what a model's operator keeps are not
reached.

With --rehash it erases nothing: it seals the check sums of older versions under your
key, so that no text can be tried against them. Each erasing does that too.`,
		Example:     "  ken erase 3\n  ken erase 3 --dry-run\n  ken erase --scope repo:example.org/me/tea --yes",
		Annotations: term.Writes{Person: "erases"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.rehash {
				return rehash(a, cmd, args, f)
			}
			f.Args, f.Scoped, f.Keyed = args, cmd.Flags().Changed("scope"), cmd.Flags().Changed("key")
			return eraseMeant(a, cmd, f)
		},
	}
	cmd.Flags().StringVar(&f.Scope, "scope", "", "all of `SCOPE`, and what was said there: user, here, repo, dir, or a full one")
	cmd.Flags().StringVar(&f.Key, "key", "", "all that has the `KEY`, older ones too")
	cmd.Flags().BoolVar(&f.keepSessions, "keep-sessions", false, "leave conversations as they are")
	cmd.Flags().BoolVar(&f.rehash, "rehash", false, "only seal the check sums that older versions wrote")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only say what would be erased")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "what was done and found, as a JSON object")
	return cmd
}

func eraseMeant(a *term.Run, cmd *cobra.Command, f eraseFlags) error {
	_, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	turns := turnsOf(a, f)
	var t pick.Target
	if turns == nil {
		if t, err = f.Find(cmd.Context(), a.Home); err != nil {
			return err
		}
	}
	e, err := a.Home.Memory.Eraser()
	if err != nil {
		return err
	}
	want := scrub.Want{Scope: t.Scope, KeepSessions: f.keepSessions, Turns: turns}
	for _, it := range t.Items {
		want.IDs = append(want.IDs, it.ID)
	}
	switch {
	case t.Text == "":
	case len(t.Items) > 0 || t.Scope != nil || app.Small(t.Text) && !app.SmallName(t.Text):
		want.Texts = []string{t.Text}
	default: // nothing is remembered that is just that
		switch goOn, err := f.eraseSaid(a, cmd, &want, t.Text); {
		case err != nil:
			return err
		case !goOn:
			return nothingErased(a, f.asJSON)
		}
	}
	plan, err := e.Plan(cmd.Context(), want)
	if err != nil {
		return err
	}
	if len(t.Items) == 0 && t.Scope == nil && turns == nil {
		if err := e.Anywhere(cmd.Context(), plan); err != nil {
			return err
		}
	}
	if f.dryRun {
		return tellPlan(a, plan.Says(), f.asJSON)
	}
	if !f.yes {
		plan, err = askErase(a, cmd, e, plan, want)
		if err != nil {
			return err
		}
		if plan == nil {
			return nothingErased(a, f.asJSON)
		}
	}
	if err := a.Home.Memory.Erase(cmd.Context(), e, plan); err != nil {
		return err
	}
	a.Erased = plan.Takes
	proof, err := e.Verify(cmd.Context(), plan)
	if err != nil {
		return err
	}
	return tellProof(a, plan, proof, f)
}

// turnsOf are the turns that are named, if nothing else is: each word is the reference
// of a turn of a conversation that there is.
func turnsOf(a *term.Run, f eraseFlags) []memory.Turn {
	if f.Scoped || f.Keyed || f.keepSessions {
		return nil
	}
	var turns []memory.Turn
	for _, arg := range f.Args {
		ref, err := session.ParseRef(arg)
		if err != nil || ref.Turn < 1 {
			return nil
		}
		if _, err := a.Home.Conversations.Dir().Find(ref.Session); err != nil {
			return nil
		}
		turns = append(turns, memory.Turn{Session: ref.Session, N: ref.Turn})
	}
	return turns
}

// rehash seals the sums that older versions wrote.
func rehash(a *term.Run, cmd *cobra.Command, args []string, f eraseFlags) error {
	if len(args) > 0 || f.Scope != "" || f.Key != "" || f.dryRun || f.keepSessions {
		return fault.Usagef("--rehash takes nothing else: it erases nothing").WithHint("%s", fault.Command("forget --for-good --rehash"))
	}
	e, err := a.Home.Memory.Eraser()
	if err != nil {
		return err
	}
	files, err := e.Rehash(cmd.Context())
	if err != nil {
		return fault.New(fault.Failure, err)
	}
	if f.asJSON {
		return a.PrintJSON(view.Sealed{Files: files})
	}
	return a.Println("sealed the sums of " + view.Count(files, "file"))
}

func nothingErased(a *term.Run, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(view.EraseReport{}.Filled())
	}
	return a.Println("nothing was erased")
}

// askErase shows the plan and asks; nil is no. What resembles the text and the
// person names goes along.
func askErase(a *term.Run, cmd *cobra.Command, e *scrub.Eraser, plan *scrub.Plan, want scrub.Want) (*scrub.Plan, error) {
	for _, line := range plan.Says().Plan(a.Verb) {
		a.Say("  ", line)
	}
	more := false
	const most = 20
	for i, s := range plan.Similar {
		if i == most {
			a.Say("  ", fmt.Sprintf("%d more resemble it and are left alone", len(plan.Similar)-most))
			break
		}
		yes, err := a.Person.Confirm(cmd.Context(), "also erase "+s.Line()+"?")
		if err != nil {
			return nil, err
		}
		switch {
		case !yes:
		case s.ID.IsZero():
			want.Turns, more = append(want.Turns, s.Turn), true
		default:
			want.IDs, more = append(want.IDs, s.ID), true
		}
	}
	if more {
		var err error
		if plan, err = e.Plan(cmd.Context(), want); err != nil {
			return nil, err
		}
	}
	yes, err := a.Person.Confirm(cmd.Context(), fmt.Sprintf("erase for good: %s?", plan.Says().Sum()))
	if err != nil || !yes {
		return nil, err
	}
	return plan, nil
}

func tellPlan(a *term.Run, r view.EraseReport, asJSON bool) error {
	if asJSON {
		r.DryRun = true
		return a.PrintJSON(r)
	}
	lines := append([]string{"would erase"}, r.Plan(a.Verb)...)
	for _, s := range r.Similar {
		lines = append(lines, "resembles it, and would be asked about: "+s.Line())
	}
	return a.Println(strings.Join(lines, "\n  "))
}

// tellProof says what was erased, and what a look into every file found
// afterwards. Text that is left is an error, printed on standard output all the same.
func tellProof(a *term.Run, p *scrub.Plan, proof view.Proof, f eraseFlags) error {
	r := p.Says()
	r.Proof = &proof
	return errors.Join(term.Answer(a, f.asJSON, r, func() string { return strings.Join(r.Done(a.Verb), "\n") }), p.Err(proof))
}
