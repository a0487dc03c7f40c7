package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/agent/turn"
	"ken/internal/cli/question"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/learn/lessons"
	"ken/internal/memory"
	"ken/internal/repl"
	"ken/internal/repl/edit"
	"ken/internal/session"
	"ken/internal/teach"
	"ken/internal/termsafe"
	"ken/internal/upkeep"
	"ken/internal/verbs"
)

// A Tree is all commands of the program, wired.
type Tree interface {
	// Root builds the tree anew, since a flag that was parsed stays set.
	Root() *cobra.Command
	// Run finds and runs the command that args name.
	Run(ctx context.Context, args []string) error
	// Complete says what can stand at the end of a line of the shell.
	Complete(ctx context.Context, line string) edit.Completion
}

// A REPL is one run of the interactive face. It is the repl.Program that runs
// lines, and the term.Shell that commands ask.
type REPL struct {
	app    *term.Run
	tree   Tree
	term   *repl.Terminal
	look   *upkeep.Upkeep
	dialog *turn.Dialog   // from Run on
	root   *cobra.Command // of tree, which is never run; nil until it is asked for names

	maxTurns int         // that are sent
	role     string      // that was chosen for this conversation; "": none
	skills   []string    // that go with the next question, by their names
	failed   error       // the first line of a script that did not do what it says: change the memory, be sent
	alone    bool        // that there is no model was said in full
	offerer  run.Offerer // of what answers propose
	exit     int         // of the line that ran last; -1: it did not
	lessons  offering
	rounds   int // so often in a row a model went on from what its commands printed
}

// NewREPL returns a REPL whose lines run the commands of tree, over a memory that look
// looks after.
func NewREPL(a *term.Run, look *upkeep.Upkeep, tree Tree) *REPL {
	return &REPL{app: a, look: look, tree: tree, lessons: offering{lines: lessons.FewLines}} // it may go on with a conversation
}

// Run reads and answers lines until the person leaves, in the conversation that st says.
// Commands that run meanwhile find this REPL in term.Run.Shell.
func (s *REPL) Run(ctx context.Context, st Start) error {
	a := s.app
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	st, err := s.found(st)
	if err != nil {
		return err
	}
	s.dialog = turn.New(a.Home, turn.Options{
		Channel: session.ChannelTerminal, Path: st.Path, Fork: st.Fork,
		Pictures: question.Pictures(a), Upkeep: s.look, Erased: s.drop, Loop: run.Loop(a, firstWait),
	})
	s.dialog.After(ctx, upkeep.Begun)
	if !a.Home.Settings.ReadOnly() {
		a.Person.SweepDrafts(ctx)
	}
	err = s.run(ctx, st)
	s.dialog.Ended(ctx, err == nil)
	return err
}

func (s *REPL) run(ctx context.Context, st Start) error {
	a := s.app
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	s.maxTurns = cfg.Context.MaxTurns
	s.term = &repl.Terminal{
		In: a.Env.Stdin, Out: a.Env.Stdout, Err: a.Env.Stderr,
		Asks: term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr), Interrupts: a.Env.Signals,
		Paint: a.Screen.Prompt, ASCII: !a.Screen.Unicode(), Lines: a.Env.Getenv("TERM") == "dumb",
	}
	if st.Model != "" {
		if err := a.Home.Models().Look(ctx); err != nil {
			return err
		}
		if _, err := a.Home.Models().Choose(ctx, st.Model); err != nil {
			return err
		}
	}
	defer s.openEditor(ctx)()
	if err := s.dialog.Begin(ctx); err != nil {
		return heldElsewhere(err, st.Path)
	}
	a.Shell, a.Live, a.Notable = s, s.dialog.Recorder, func(what string) { s.notable(what, "") }
	a.Home.Enter(a.Lane.Actor(), true)
	defer func() {
		a.Shell, a.Live, a.Notable = nil, nil, nil
		a.Home.Enter(a.Lane.Actor(), false)
	}()
	if a.Env.Listen != nil {
		a.Env.Listen(true)
		defer a.Env.Listen(false)
	}
	s.askRepoLogs(ctx)
	s.askRenamed(ctx)
	s.dialog.Meet(ctx, false)
	s.greet(ctx)
	s.tellDocs(ctx)
	s.dialog.Announce(ctx, s.showAccount)
	s.dialog.Notice(ctx)
	if st.Run {
		err = s.goOnRun(ctx)
	}
	if err == nil {
		err = repl.Run(ctx, s.term, s, a.Env.Now)
	}
	s.tellHow()
	s.dialog.End(ctx)
	return errors.Join(err, s.failed)
}

// showAccount shows what a model wrote of the last conversation, to a person who reads before they type.
func (s *REPL) showAccount(head fault.Text, body string) bool {
	a := s.app
	if !s.term.Asks || a.Quiet() {
		return false
	}
	a.Status("%s", head.In(func(c fault.Command) string { return a.Verb(string(c)) }))
	a.Say("    ", body)
	return true
}

// Terminal implements term.Shell.
func (s *REPL) Terminal() *repl.Terminal { return s.term }

// conv is what the model is sent.
func (s *REPL) conv() *agent.Conversation { return s.dialog.Conversation() }

// Source implements term.Shell.
func (s *REPL) Source() *memory.Source { return s.dialog.Source() }

// SessionPath implements term.Shell.
func (s *REPL) SessionPath() string { return s.dialog.Path() }

// Ran implements term.Shell.
func (s *REPL) Ran() []string { return s.dialog.Ran() }

// MemoryChanged implements term.Shell.
func (s *REPL) MemoryChanged() {
	gone := s.app.Erased
	s.app.Erased = nil
	s.dialog.Changed(gone)
}

// WorkingChanged implements term.Shell.
func (s *REPL) WorkingChanged() { s.conv().Reread() }

// drop takes what was erased out of what was typed.
func (s *REPL) drop(says func(string) bool) {
	if e, ok := s.term.Editor.(*lineEditor); ok {
		e.Drop(says)
	}
}

// Prompt implements repl.Program: [ken:model ~/dir]>
func (s *REPL) Prompt() string {
	name := "ken"
	if preset, err := s.app.Home.Models().Preset(""); err == nil {
		name += ":" + termsafe.Line(preset.Short())
	}
	dir := termsafe.Line(s.app.Home.Here.Place().Dir)
	if width := s.app.Screen.Width(); width > 0 {
		name = s.app.Screen.Cut(name, width/4)
		dir = repl.ShortDir(dir, width/2-termsafe.Width(name)-len("[ ]> "), termsafe.Sign(!s.app.Screen.Unicode()))
	}
	if dir == "" {
		dir = "?"
	}
	return fmt.Sprintf("[%s %s]> ", name, dir)
}

// LineContext implements repl.Program.
func (s *REPL) LineContext() repl.LineContext {
	w := s.app.Process.LineContext()
	w.IsCommand, w.IsNear = s.isCommand, s.isNear
	return w
}

func (s *REPL) isCommand(word string) bool { return IsCommand(s.names(), word) }

// isNear reports whether word is one edit or two from the name of a command.
func (s *REPL) isNear(word string) bool {
	var names []string
	for _, c := range s.names().Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return len(term.Near(word, names)) > 0
}

// names are all commands, for whoever looks for their names and flags and runs none.
func (s *REPL) names() *cobra.Command {
	if s.root == nil {
		s.root = s.tree.Root()
	}
	return s.root
}

// Do implements repl.Program.
func (s *REPL) Do(ctx context.Context, intent repl.Intent, text string) error {
	switch intent {
	case repl.Command:
		s.dialog.Notice(ctx)
		s.lessons.lines = lessons.FewLines
		return s.command(ctx, text)
	case repl.Exec:
		s.exit = -1
		err := s.exec(ctx, text)
		if s.exit >= 0 {
			if lesson := s.offerer.Typed(text, s.exit); lesson != "" {
				s.notable("corrected", lesson)
			}
			s.otherwise(ctx)
		}
		if ctx.Err() != nil || errors.Is(err, syscall.EPIPE) {
			return err // ken is ending, or nobody reads what is printed
		}
		if err != nil {
			s.app.Report(err)
		}
		return nil
	}
	s.lessons.lines = lessons.FewLines
	return s.answered(ctx, s.say(ctx, text))
}

// answered is what follows an answer, whichever line asked for it, unless err says that none came.
func (s *REPL) answered(ctx context.Context, err error) error {
	if a := s.app; err == nil && s.term.Asks && a.Screen.Watched() {
		a.Say("", "") // what comes next is apart from the answer
	}
	if err == nil && ctx.Err() == nil {
		s.dialog.After(ctx, upkeep.Answered)
	}
	return err
}

// command runs the same commands as outside.
func (s *REPL) command(ctx context.Context, line string) error {
	args, err := s.words(line)
	if err == nil {
		kept := s.app.Flags // those of this line are its own
		err = s.tree.Run(ctx, args)
		s.app.KeepFlags(kept)
	}
	if err == nil || errors.Is(err, repl.ErrQuit) {
		return err
	}
	code := s.app.Report(err)
	if !s.term.Asks {
		if code == term.ExitRefused {
			s.term.Unasked()
		}
		if s.failed == nil && verbs.Writes(args) {
			s.failed = term.Reported(term.Exit(code, fmt.Errorf("%s: %w", args[0], err)))
		}
	}
	return nil
}

// words makes arguments of a line.
func (s *REPL) words(line string) ([]string, error) {
	root := s.names()
	path, cmd, rest := ResolveCommand(root, line)
	if len(path) == 0 {
		if args, is, err := s.ofServer(line); is {
			return args, err
		}
		return nil, NoSuchCommand(root, line)
	}
	args, err := ShellArgs(cmd, rest)
	return append(path, args...), err
}

// say asks one question.
func (s *REPL) say(ctx context.Context, line string) error {
	a := s.app
	if repl.Unclear(line, s.LineContext()) {
		a.Status("taken for words; to run it: $%s", termsafe.Line(strings.TrimSpace(line)))
	}
	q, err := question.Line(ctx, a, line)
	if err != nil {
		a.Report(err)
		return nil
	}
	q.Alone = teach.Read(line).Act != teach.Keep
	return s.ask(ctx, q, func(ctx context.Context, asked bool) bool { return s.act(ctx, line, asked) })
}

// unsent takes note of a question that a script could not send because it was too large: who runs the script
// learns of it by its exit code.
func (s *REPL) unsent(code int, err error) {
	if s.failed == nil && code == term.ExitLimit && !s.app.Person.Present() {
		s.failed = term.Reported(term.Exit(code, err))
	}
}

// ask has a question answered, shows the answer and offers what it proposes. act is
// Events.Act; nil: nothing. What went wrong is reported; the error is that of printing.
func (s *REPL) ask(ctx context.Context, q turn.Question, act func(context.Context, bool) bool) error {
	s.offerer.Passed()
	s.rounds = 0
	return s.asks(ctx, q, act)
}

// asks is ask for a question that the person, or the model's own commands, came to.
func (s *REPL) asks(ctx context.Context, q turn.Question, act func(context.Context, bool) bool) error {
	a := s.app
	out := &printer{a: a}
	defer out.over()
	q.Skills = append(q.Skills, s.skills...)
	ev := turn.Events{Act: act, Sends: out.begin, Delta: out.show, Paused: out.end, Tools: run.Tools(a), More: s.more}
	ev = question.Size{}.Events(a, q, ev)
	ev.Fits = out.asks(ev.Fits)
	ans, err := s.dialog.Ask(ctx, q, ev)
	if !ans.Done && ans.Model != "" {
		s.skills = nil
	}
	switch {
	case ans.Done:
		return nil
	case ans.NoModel != nil:
		return s.tellAlone(ans)
	case ans.Model == "" && ctx.Err() != nil:
		return nil // stopped while a model was looked for
	case ans.Model == "":
		err = s.noModel(err)
		s.unsent(a.Report(err), err)
		return nil
	}
	if perr := out.end(); perr != nil {
		return perr
	}
	tellAnswer(a, ans.Answer, s.maxTurns)
	answered(ctx, a, s.dialog, ans)
	if ans.N > 0 {
		s.tellFull(ctx)
	}
	switch {
	case errors.Is(err, turn.ErrStopped):
		a.Status("%v", turn.ErrStopped)
	case errors.Is(err, repl.ErrInterrupted):
		if ans.N > 0 {
			a.Status("stopped; what came is kept, marked as cancelled")
		} else {
			a.Status("stopped")
		}
	case err != nil:
		if code := a.Report(err); ans.N == 0 {
			s.unsent(code, err)
		}
	default:
		return s.offer(ctx, ans)
	}
	return nil
}
