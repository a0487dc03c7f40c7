package chat

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/auto"
	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/fault"
	"ken/internal/pick"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/upkeep"
	"ken/internal/view"
)

// A Start says with which conversation a shell begins: a new one for the zero Start.
type Start struct {
	GoOn bool   // with the last one held here, else the last one of all
	Path string // with the one in this file
	Fork bool   // in a copy of it
	Run  bool   // with the run in it that did not reach its goal
	// Model is what answers, by a name that models.Set.Named understands; "": the one in force.
	Model string
}

// resumeCommand goes on with an earlier conversation: in the shell it takes the place of
// the one that is held, outside run begins a shell with it.
func resumeCommand(a *term.Run, shell *REPL, run func(context.Context, Start) error) *cobra.Command {
	var fork, unfinished bool
	cmd := &cobra.Command{
		Use: "resume [SESSION|TEXT]", Short: "go on with an earlier conversation",
		Long: `Resume goes on with an earlier conversation: the one of that name, or the one in which
TEXT was said. Of several, and without a word, it shows a list: type words to find one
by its title or by what was said in it, Tab goes from those of this directory to all,
Enter takes one. A conversation that is under way is kept and left, and can be resumed
in its turn. What was imported from another program is continued in a copy. With --fork it
goes on in a copy; of SESSION:TURN, which a search prints, up to that turn. With --run it
shows what its last run by itself did (:auto), if that was killed or ended short of its goal,
and asks whether to go on with that; without a name, of the newest one held here.`,
		Example:     "  ken resume\n  ken resume kettle\n  ken resume --run\n  ken -c",
		Annotations: term.Writes{Own: "the conversation"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.Home.Settings.Read(); err != nil {
				return err
			}
			name := strings.Join(args, " ")
			if unfinished {
				return resumeRun(cmd.Context(), a, shell, run, name)
			}
			ref, referr := session.ParseRef(pick.Bare(name))
			if referr == nil && fork && shell == nil {
				return fault.Usagef("a copy that ends behind a turn is made in the shell").WithHint("start it with ken, then :resume --fork %s", name)
			}
			path, err := which.Session(cmd.Context(), a, name, which.Options{Verb: "resume", Command: "resume"})
			switch {
			case err != nil || path == "":
				return err
			case shell != nil && referr == nil && fork:
				return shell.branch(cmd.Context(), path, ref.Turn)
			case shell != nil:
				return shell.resume(cmd.Context(), path, fork)
			}
			return run(cmd.Context(), Start{Path: path, Fork: fork})
		},
	}
	cmd.Flags().BoolVar(&fork, "fork", false, "in a copy of it")
	cmd.Flags().BoolVar(&unfinished, "run", false, "with its last run by itself, which did not reach its goal")
	cmd.MarkFlagsMutuallyExclusive("fork", "run")
	return cmd
}

// resumeRun goes on with the run of a conversation that did not reach its goal.
func resumeRun(ctx context.Context, a *term.Run, shell *REPL, run func(context.Context, Start) error, name string) (err error) {
	var path string
	switch {
	case name != "":
		path, err = which.Session(ctx, a, name, which.Options{Verb: "resume", Command: "resume --run"})
	case shell != nil && auto.Has(shell.dialog.Path()):
		path = shell.dialog.Path()
	default:
		path, err = auto.Find(a)
	}
	if err != nil || path == "" {
		return err
	}
	if shell == nil {
		if !atTerminal(a) {
			return fault.Refusedf("a run by itself begins at a terminal, where it can halt").
				WithHint("see what it did: %s", fault.Command("sessions account "+termsafe.Line(strings.TrimSuffix(filepath.Base(path), ".jsonl"))))
		}
		return run(ctx, Start{Path: path, Run: true})
	}
	if path != shell.dialog.Path() {
		if err := shell.resume(ctx, path, false); err != nil {
			return err
		}
	}
	return shell.auto(ctx, "", false)
}

// resume goes on with the conversation in the file at path, in the place of the one that
// is held, which is kept.
func (s *REPL) resume(ctx context.Context, path string, fork bool) error {
	if path == s.dialog.Path() && !fork {
		return errors.New("that is this conversation")
	}
	turns := len(s.conv().Turns())
	if turns > 0 && !s.dialog.Kept() {
		return fault.Failuref("this conversation is in no file: it would be lost").
			WithHint(":save it, or :reset to let it go, and resume then")
	}
	was, name := s.dialog.Title(ctx), s.dialog.Recorder().Name()
	if err := s.dialog.Resume(ctx, path, fork); err != nil {
		return heldElsewhere(err, path)
	}
	if turns > 0 {
		s.app.Status("kept %s; back with :resume %s", calledTalk(was, turns), termsafe.Line(name))
	}
	s.tellResumed(ctx)
	s.dialog.After(ctx, upkeep.Parted)
	return nil
}

// heldElsewhere hints at a copy where a conversation is open in another process.
func heldElsewhere(err error, path string) error {
	if !errors.Is(err, session.ErrHeld) {
		return err
	}
	name := termsafe.Line(strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	return fault.New(fault.Failure, err).WithHint("go on with a copy: %s", fault.Command("resume --fork "+name))
}

// calledTalk is a conversation in a line: what it is called, and how long it is.
func calledTalk(title string, turns int) string {
	if title == "" {
		return view.Count(turns, "turn")
	}
	return fmt.Sprintf("%s, %q", view.Count(turns, "turn"), termsafe.Cut(termsafe.Line(title), 50))
}

// tellResumed says which conversation it goes on with.
func (s *REPL) tellResumed(ctx context.Context) {
	name, turns := s.dialog.Recorder().Name(), len(s.conv().Turns())
	if name == "" { // it is only read
		name = "what was said"
	}
	s.app.Status("going on with %s: %s", termsafe.Line(name), calledTalk(s.dialog.Title(ctx), turns))
	if s.term.Asks {
		auto.TellKilled(s.app, s.dialog.Path())
	}
}

// found is the Start with the conversation that it asks for, which it says if it is not of
// this place.
func (s *REPL) found(st Start) (Start, error) {
	if !st.GoOn {
		return st, nil
	}
	path, here, err := s.app.Home.Conversations.Last()
	switch {
	case errors.Is(err, session.ErrNone):
		s.app.Status("no earlier conversation; this is the first")
		return Start{}, nil
	case err != nil:
		return st, err
	case !here:
		s.app.Status("none was held here; going on with the last one of all")
	}
	st.Path = path
	return st, nil
}

// tellHow says how to come back to the conversation that is being left, if there is
// something to come back to.
func (s *REPL) tellHow() {
	if s.term.Asks && len(s.conv().Turns()) > 0 && s.dialog.Kept() && s.dialog.Path() != "" {
		s.app.Status("come back with: ken -c")
	}
}
