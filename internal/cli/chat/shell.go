package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/agent/carryover"
	"ken/internal/cli/run"
	"ken/internal/cli/term"
	"ken/internal/home"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/repl"
	"ken/internal/repl/edit"
	"ken/internal/session"
	"ken/internal/termsafe"
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
	app  *term.Run
	tree Tree
	term *repl.Terminal
	conv *agent.Conversation
	rec  *session.Writer
	keep *carryover.CarryOver

	file      fs.FileInfo   // of the session, as it was seen last; nil if it was not
	state     *memory.State // as it was seen last; nil if it was not
	maxTurns  int           // that are sent
	compactAt float64       // part of the model's window at which tellFull speaks
	full      bool          // it has spoken
	failed    error         // the first command of a script that should have changed the memory and did not
	alone     bool          // that there is no model was told in full
	offerer   run.Offerer   // of what answers propose
}

// NewREPL returns a REPL whose lines run the commands of tree.
func NewREPL(a *term.Run, tree Tree) *REPL { return &REPL{app: a, tree: tree} }

// Run reads and answers lines until the person leaves. Commands that run meanwhile find
// this REPL in term.Run.Shell.
func (s *REPL) Run(ctx context.Context) error {
	a := s.app
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	s.maxTurns, s.compactAt = cfg.Context.MaxTurns, cfg.Context.CompactAt
	s.term = &repl.Terminal{
		In: a.Env.Stdin, Out: a.Env.Stdout, Err: a.Env.Stderr,
		Asks: term.IsTerminal(a.Env.Stdin) && term.IsTerminal(a.Env.Stderr), Interrupts: a.Env.Signals,
	}
	defer s.openEditor(ctx, cfg)()
	preset, _ := a.Models().Preset("") // greet tells why there is none
	s.keep = carryover.New(a.Home)
	s.keep.CatchUp(ctx)
	s.conv, s.rec, err = agent.Begin(a.Home, agent.SessionOptions{
		Recording: home.Recording{Channel: session.ChannelTerminal, Preset: preset.Name, GoOn: cfg.Session.ResumeOnStart},
		Shape:     s.keep.Shape,
	})
	if err != nil {
		return err
	}
	s.keep.Began(s.rec)
	a.Shell = s
	defer func() { a.Shell = nil }()
	if a.Env.Listen != nil {
		a.Env.Listen(true)
		defer a.Env.Listen(false)
	}
	s.askRepoLogs(ctx)
	a.MeetPlace(ctx, a.Moment())
	s.greet(ctx)
	s.keep.Announce()
	s.notice(ctx)
	err = repl.Run(ctx, s.term, s, a.Env.Now)
	s.keep.Leave(ctx, s.conv, s.rec)
	if cerr := s.rec.Close(); cerr != nil {
		a.Warn(fmt.Errorf("the session was not saved: %w", cerr))
	}
	return errors.Join(err, s.failed)
}

// Terminal implements term.Shell.
func (s *REPL) Terminal() *repl.Terminal { return s.term }

// SessionPath implements term.Shell.
func (s *REPL) SessionPath() string { return s.rec.Path() }

// MemoryChanged implements term.Shell.
func (s *REPL) MemoryChanged() {
	s.conv.Refresh()
	if gone := s.app.Erased; gone != nil {
		s.app.Erased = nil
		s.forgetErased(gone)
	}
}

// Source implements term.Shell: this conversation, and no turn of it. What a command
// states was typed in the command, which is no turn; the newest turn taught nothing
// of it, and would be hidden with it once it is forgotten. A sentence that is a turn
// names it: see teach.
func (s *REPL) Source() *memory.Source {
	if len(s.conv.Turns()) == 0 {
		return nil
	}
	return &memory.Source{Session: s.rec.ID(), Channel: string(session.ChannelTerminal)}
}

// Prompt implements repl.Program: [ken:preset ~/dir]>
func (s *REPL) Prompt() string {
	name := "ken"
	if preset, err := s.app.Models().Preset(""); err == nil {
		name += ":" + termsafe.Line(preset.Name)
	}
	dir := termsafe.Line(s.app.Home.Here.Place().Dir)
	if width := s.app.Width(); width > 0 {
		name = termsafe.Cut(name, width/4)
		dir = repl.ShortDir(dir, width/2-termsafe.Width(name)-len("[ ]> "))
	}
	if dir == "" {
		dir = "?"
	}
	return fmt.Sprintf("[%s %s]> ", name, dir)
}

// LineContext implements repl.Program.
func (s *REPL) LineContext() repl.LineContext {
	w := s.app.LineContext()
	w.IsCommand = s.isCommand
	return w
}

func (s *REPL) isCommand(word string) bool { return IsCommand(s.tree.Root(), word) }

// Do implements repl.Program.
func (s *REPL) Do(ctx context.Context, intent repl.Intent, text string) error {
	if intent != repl.Exec {
		s.notice(ctx)
	}
	switch intent {
	case repl.Command:
		return s.command(ctx, text)
	case repl.Exec:
		err := s.exec(ctx, text)
		if ctx.Err() != nil || errors.Is(err, syscall.EPIPE) {
			return err // ken is ending, or nobody reads what is printed
		}
		if err != nil {
			s.app.Report(err)
		}
		return nil
	}
	err := s.say(ctx, text)
	if err == nil && ctx.Err() == nil && s.app.OnAnswered != nil {
		s.app.OnAnswered(ctx)
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
		if s.failed == nil && writes(args) {
			s.failed = term.Told(term.Exit(code, fmt.Errorf("%s: %w", args[0], err)))
		}
	}
	return nil
}

// writes reports whether a command is one that changes the memory: a script in which
// one of them failed has failed.
func writes(args []string) bool {
	if len(args) > 1 && args[0] == "memory" {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	switch args[0] {
	case "remember", "forget", "erase", "undo", "import", "add", "edit", "pin", "clear", "reset", "review":
		return true
	}
	return false
}

// words makes arguments of a line.
func (s *REPL) words(line string) ([]string, error) {
	root := s.tree.Root()
	path, cmd, rest := ResolveCommand(root, line)
	if len(path) == 0 {
		return nil, NoSuchCommand(root, line)
	}
	args, err := ShellArgs(cmd, rest)
	return append(path, args...), err
}

// window is the size of the window of a model, in tokens; 0 if it is not known.
func window(a *term.Run, preset string) int {
	p, err := a.Models().Preset(preset)
	if err != nil {
		return 0
	}
	return p.ContextTokens
}

// say asks the model one question.
func (s *REPL) say(ctx context.Context, line string) error {
	a := s.app
	if repl.Unclear(line, s.LineContext()) {
		a.Status("taken for words; to run it: $%s", termsafe.Line(strings.TrimSpace(line)))
	}
	model, name, err := a.Models().Ask(ctx, "", models.QuestionAlone)
	if err != nil && ctx.Err() != nil {
		return nil // stopped while a model was looked for
	}
	if s.act(ctx, line, err == nil) {
		return nil
	}
	if errors.Is(err, models.ErrNone) {
		return s.answerAlone(ctx, line, err)
	}
	if err != nil {
		a.Report(err)
		return nil
	}
	if a.VouchModel(ctx, s.conv.Earlier()) {
		s.conv.Refresh()
	}
	out := newPrinter(a, name, false)
	ans, err := s.conv.Ask(ctx, agent.Question{
		Text: line, Model: model, Name: name, Scope: a.Home.Here.Place().Scope(), Window: window(a, name), SumsUp: s.keep.SumsUp(ctx, s.rec.ID()),
	}, out.show)
	if perr := out.end(); perr != nil {
		return perr
	}
	tellAnswer(a, ans, s.maxTurns)
	answered(ctx, a, s.rec.ID(), line, ans)
	if ans.N > 0 {
		a.Models().Spend(ans.Answer)
		s.tellFull(ctx)
	}
	err = ended(ans, err)
	switch {
	case errors.Is(err, repl.ErrInterrupted):
		if ans.N > 0 {
			a.Status("stopped; what came is kept, marked as cancelled")
		} else {
			a.Status("stopped")
		}
	case err != nil:
		a.Report(err)
	default:
		return s.offer(ctx, ans)
	}
	return nil
}
