package memory

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/app"
	"ken/internal/cli/pick"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/scrub"
	"ken/internal/session"
	"ken/internal/termsafe"
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
		if t, err = f.Find(cmd.Context(), a, pick.Options{Verb: "erase"}); err != nil {
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
		return tellPlan(a, plan, f.asJSON)
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
	if err := e.Run(cmd.Context(), plan); err != nil {
		var r *engine.RelaxError
		if errors.As(err, &r) { // this is seen before anything is done
			return fault.New(fault.Refused, fmt.Errorf("nothing was erased: %w", err)).WithHint("%s", r.Hint())
		}
		return fault.New(fault.Failure, fmt.Errorf("not all was erased: %w", err)).
			WithHint("what was done is done; the same command does the rest")
	}
	a.Erased = plan.Takes
	a.Home.Memory.Changed()
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
	for _, line := range erasureLines(a, plan) {
		a.Say("  ", line)
	}
	more := false
	const most = 20
	for i, s := range plan.Similar {
		if i == most {
			a.Say("  ", fmt.Sprintf("%d more resemble it and are left alone", len(plan.Similar)-most))
			break
		}
		yes, err := a.Person.Confirm(cmd.Context(), "also erase "+similarText(s)+"?")
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
	yes, err := a.Person.Confirm(cmd.Context(), fmt.Sprintf("erase for good: %s?", planSum(plan)))
	if err != nil || !yes {
		return nil, err
	}
	return plan, nil
}

func similarText(s view.Similar) string {
	what := "#" + s.Ref
	if s.ID.IsZero() {
		what = "turn " + termsafe.Line(s.Ref)
	}
	return fmt.Sprintf("%s (%s)", what, view.ExcerptSaid(s.Text, 60))
}

// planSum is the plan in a few words.
func planSum(p *scrub.Plan) string {
	var parts []string
	for _, c := range []struct {
		n    int
		noun string
	}{{p.Lines, "line"}, {len(p.Turns), "turn"}, {p.Proposals, "proposal"}} {
		if c.n > 0 {
			parts = append(parts, view.Count(c.n, c.noun))
		}
	}
	if len(parts) == 0 {
		return "what other files hold of it"
	}
	return strings.Join(parts, ", ")
}

// erasureLines is the plan for a person.
func erasureLines(a *term.Run, p *scrub.Plan) []string {
	var lines []string
	for i, it := range p.Memories {
		if i == mostListed {
			lines = append(lines, fmt.Sprintf("... and %d more", len(p.Memories)-i))
			break
		}
		line := "#" + it.Ref + ": " + view.ExcerptSaid(it.Text, 60)
		if it.Text == "" {
			line = "#" + it.Ref + ": erased before; its text is not known any more"
		}
		switch {
		case it.Same:
			line += " (says the same)"
		case it.Replaced:
			line += " (was replaced)"
		}
		lines = append(lines, line)
	}
	if p.Lines > 0 {
		lines = append(lines, view.Count(p.Lines, "line")+" of the memory")
	}
	if len(p.Turns) > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s: %s", view.Count(len(p.Turns), "turn"), view.Count(p.Sessions, "conversation"), turnsText(p.Turns)))
	} else if p.Sessions > 0 {
		lines = append(lines, "what "+view.Count(p.Sessions, "conversation")+" note besides turns")
	}
	if p.Proposals > 0 {
		lines = append(lines, view.Count(p.Proposals, "proposal")+" of the review queue")
	}
	return append(lines, planNotes(a, p)...)
}

// planNotes say what a person should know of what stays.
func planNotes(a *term.Run, p *scrub.Plan) []string {
	var notes []string
	if len(p.CitedBy) > 0 {
		note := "rests on it, and stays: #" + strings.Join(p.CitedBy, " #")
		notes = append(notes, note+" (to have that go too: "+a.Verb("forget "+strings.Join(p.CitedBy, " "))+")")
	}
	if p.Untouched > 0 {
		notes = append(notes, fmt.Sprintf("the text is short: %s that have it among other words stay (%s)",
			view.Count(p.Untouched, "turn"), a.Verb("sessions search")))
	}
	for _, g := range p.Given {
		notes = append(notes, g.Text())
	}
	notes = append(notes, sharedNotes(a, p.Shared)...)
	if p.Unsearched {
		notes = append(notes, "so many texts were not compared with what only resembles them")
	}
	return notes
}

// sharedNotes name the turns that share a rare word with the text: they may say the same
// in other words, and nothing but a person can know.
func sharedNotes(a *term.Run, shared []view.Shared) []string {
	if len(shared) == 0 {
		return nil
	}
	const most = 5
	var notes, refs []string
	for i, s := range shared {
		if i == most {
			notes = append(notes, fmt.Sprintf("... and %s more that share a rare word with it (--json lists them)", view.Count(len(shared)-i, "turn")))
			break
		}
		notes = append(notes, fmt.Sprintf("stays, and shares the word %q with it: turn %s (%s)", view.Excerpt(s.Word, 24), termsafe.Line(s.Ref), view.Excerpt(s.Text, 60)))
		refs = append(refs, termsafe.Line(s.Ref))
	}
	return append(notes, "to erase such turns too: "+a.Verb("forget --for-good "+strings.Join(refs, " ")))
}

// turnsText lists turns by why they go.
func turnsText(turns []view.ErasedTurn) string {
	const most = 5
	var list []string
	for i, t := range turns {
		if i == most {
			list = append(list, "...")
			break
		}
		list = append(list, fmt.Sprintf("%s (%s)", termsafe.Line(t.Ref), t.Why))
	}
	return strings.Join(list, ", ")
}

func tellPlan(a *term.Run, p *scrub.Plan, asJSON bool) error {
	if asJSON {
		v := p.Report()
		v.DryRun = true
		return a.PrintJSON(v)
	}
	lines := append([]string{"would erase"}, erasureLines(a, p)...)
	for _, s := range p.Similar {
		lines = append(lines, "resembles it, and would be asked about: "+similarText(s))
	}
	return a.Println(strings.Join(lines, "\n  "))
}

// tellProof says what was erased, and what a look into every file found
// afterwards. Text that is left is an error, printed on standard output all the same.
func tellProof(a *term.Run, p *scrub.Plan, proof view.Proof, f eraseFlags) error {
	var err error
	if f.asJSON {
		v := p.Report()
		v.Proof = &proof
		err = a.PrintJSON(v)
	} else {
		err = a.Println(strings.Join(proofLines(a, p, proof), "\n"))
	}
	return errors.Join(err, p.Err(proof))
}

// proofLines is what was done and found, for a person.
func proofLines(a *term.Run, p *scrub.Plan, proof view.Proof) []string {
	var refs []string
	for _, it := range p.Memories {
		id, err := memory.ParseID(it.Ref)
		if err == nil {
			refs = append(refs, "#"+id.String())
		}
	}
	lines := []string{strings.TrimSpace("erased "+listedRefs(refs)) + ": " + planSum(p)}
	for _, s := range p.Similar {
		if len(lines) > mostListed {
			break
		}
		lines = append(lines, "left alone, though it resembles it: "+similarText(s))
	}
	lines = append(lines, planNotes(a, p)...)
	looked := fmt.Sprintf("looked into %s, %s", view.Count(proof.Files, "file"), size(proof.Bytes))
	if p.Known() {
		looked += ": " + view.Count(proof.Hits, "hit")
	} else {
		looked += "; its text is not known any more: give it as TEXT to look for it"
	}
	lines = append(lines, looked)
	if proof.Kept > 0 {
		lines = append(lines, fmt.Sprintf("kept in conversations, as you wished: %s", view.Count(proof.Kept, "hit")))
	}
	for _, l := range proof.Left {
		lines = append(lines, "  "+leftText(l))
	}
	for _, u := range proof.Unread {
		lines = append(lines, "  not read: "+termsafe.Line(u))
	}
	for _, b := range proof.Beyond {
		lines = append(lines, "not reached: what was committed to "+termsafe.Line(filepath.Clean(b)))
	}
	return lines
}

func listedRefs(refs []string) string {
	if len(refs) > mostListed {
		refs = append(refs[:mostListed:mostListed], "...")
	}
	return strings.Join(refs, " ")
}

func leftText(l view.LeftOver) string {
	text := termsafe.Line(l.Path)
	switch {
	case l.Name:
		return text + ": the name of the file says it"
	case len(l.Lines) > 0:
		numbers := make([]string, len(l.Lines))
		for i, n := range l.Lines {
			numbers[i] = fmt.Sprint(n)
		}
		return fmt.Sprintf("%s: %s, line %s", text, view.Count(l.Hits, "hit"), strings.Join(numbers, ", "))
	}
	return fmt.Sprintf("%s: %s", text, view.Count(l.Hits, "hit"))
}

// size is so many bytes, for a person.
func size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
