package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/agent"
	"ken/internal/memory"
	"ken/internal/place"
	"ken/internal/repl"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// shell is one run of the interactive face.
type shell struct {
	app  *app
	term *repl.Terminal
	conv *agent.Conversation
	rec  *session.Writer
}

// runShell reads and answers lines until the person leaves.
func (a *app) runShell(ctx context.Context) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	term := &repl.Terminal{
		In: a.env.Stdin, Out: a.env.Stdout, Err: a.env.Stderr,
		Asks: isTerminal(a.env.Stdin) && isTerminal(a.env.Stderr), Interrupts: a.env.signals,
	}
	s := &shell{app: a, term: term}
	_, name, modelErr := a.preset("")
	s.conv, s.rec, err = a.begin(beginning{channel: session.ChannelTerminal, preset: name, goOn: cfg.Session.ResumeOnStart})
	if err != nil {
		return err
	}
	a.shell = s
	s.greet(ctx, name, modelErr)
	if a.env.listen != nil {
		a.env.listen(true)
		defer a.env.listen(false)
	}
	err = repl.Run(ctx, term, s, a.env.Now)
	if cerr := s.rec.Close(); cerr != nil {
		a.warn(fmt.Errorf("the session was not saved: %w", cerr))
	}
	return err
}

// greet says what answers, what is remembered, and how to get help.
func (s *shell) greet(ctx context.Context, preset string, modelErr error) {
	a := s.app
	if modelErr == nil {
		a.status("model: %s", preset)
	} else {
		a.status("%v: memory works without one; to have answers, %s", modelErr, nextStep(modelErr))
	}
	if n := len(s.conv.Turns()); n > 0 {
		a.status("going on with %s: %s", s.rec.Name(), count(n, "turn"))
	}
	s.tellMemory(ctx)
	if s.term.Asks {
		a.status(":help lists the commands; Ctrl-D leaves")
	}
}

// tellMemory says what of the memory stands in the prompt. Without a memory
// there is nothing to say.
func (s *shell) tellMemory(ctx context.Context) {
	c := s.conv.Background(ctx)
	left := 0
	for _, p := range c.Passed {
		if !p.Reason.Elsewhere() {
			left++
		}
	}
	switch {
	case len(c.Chosen) > 0 && left > 0:
		s.app.status("memory: %s injected, %d more in %s", count(len(c.Chosen), "item"), left, s.app.paths.Memory())
	case len(c.Chosen) > 0:
		s.app.status("memory: %s injected", count(len(c.Chosen), "item"))
	case left > 0:
		s.app.status("memory: nothing injected, %s in %s", count(left, "item"), s.app.paths.Memory())
	}
}

func nextStep(err error) string {
	_, next, _ := verdict(err)
	return next
}

// Prompt implements repl.Program: [ken:preset ~/dir]>
func (s *shell) Prompt() string {
	name := "ken"
	if _, preset, err := s.app.preset(""); err == nil {
		name += ":" + termsafe.Line(preset)
	}
	here := s.app.place()
	return fmt.Sprintf("[%s %s]> ", name, termsafe.Line(shortDir(here)))
}

func shortDir(p place.Place) string {
	if p.Dir == "" {
		return "?"
	}
	return p.Dir
}

// IsCommand implements repl.Program.
func (s *shell) IsCommand(word string) bool {
	for _, c := range s.app.root().Commands() {
		if c.Name() == word || c.HasAlias(word) {
			return true
		}
	}
	return false
}

// Command implements repl.Program: the same commands as outside.
func (s *shell) Command(ctx context.Context, line string) error {
	a := s.app
	path, cmd, rest := resolve(a.root(), line)
	args, err := lineArgs(cmd, rest)
	if err == nil && len(path) == 0 {
		word, _ := cutWord(line)
		unknown := usage("%q is no command", ":"+word)
		if near := a.root().SuggestionsFor(word); len(near) > 0 {
			err = unknown.hint("did you mean :%s", near[0])
		} else {
			err = unknown.hint(":help lists the commands")
		}
	}
	if err == nil {
		kept := a.flags
		err = a.run(ctx, append(path, args...))
		a.flags = kept
	}
	if err == nil || errors.Is(err, repl.ErrQuit) {
		return err
	}
	a.report(err)
	return nil
}

// Say implements repl.Program: one question to the model.
func (s *shell) Say(ctx context.Context, line string) error {
	a := s.app
	model, name, err := a.preset("")
	if err != nil {
		a.report(err)
		return nil
	}
	out := &printer{w: a.env.Stdout, tell: a.status}
	ans, err := s.conv.Ask(ctx, agent.Question{Text: line, Model: model, Name: name}, out.show)
	if perr := out.end(); perr != nil {
		return perr
	}
	a.tellAnswer(ans)
	err = a.ended(ans, err)
	switch {
	case errors.Is(err, context.Canceled):
		if ans.N > 0 {
			a.status("stopped; what came is kept, marked as cancelled")
		} else {
			a.status("stopped")
		}
	case err != nil:
		a.report(err)
	}
	return nil
}

// source is where a memory stated now was said.
func (s *shell) source() *memory.Source {
	if len(s.conv.Turns()) == 0 {
		return nil
	}
	turns := s.conv.Turns()
	return &memory.Source{Session: s.rec.ID(), Turn: turns[len(turns)-1].N, Channel: string(session.ChannelTerminal)}
}

// memoryChanged makes the live conversation see what was just written.
func (a *app) memoryChanged() {
	if a.shell != nil {
		a.shell.conv.Refresh()
	}
}

// commands are those that only make sense in a conversation.
func (s *shell) commands() []*cobra.Command {
	return []*cobra.Command{
		s.helpCommand(), s.quitCommand(), s.resetCommand(), s.historyCommand(),
		s.resumeCommand(), s.saveCommand(), s.clearCommand(),
	}
}

func (s *shell) quitCommand() *cobra.Command {
	return &cobra.Command{
		Use: "quit", Aliases: []string{"exit", "q"}, Short: "save and leave (also: exit, Ctrl-D)", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return repl.ErrQuit },
	}
}

func (s *shell) clearCommand() *cobra.Command {
	return &cobra.Command{
		Use: "clear", Short: "clear the screen", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !isTerminal(s.app.env.Stdout) {
				return nil
			}
			_, err := io.WriteString(s.app.env.Stdout, "\x1b[H\x1b[2J")
			return err
		},
	}
}

func (s *shell) resetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reset", Short: "begin anew; what was said stays in the session", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n := len(s.conv.Turns())
			s.conv.Reset()
			s.app.status("context cleared (%s); the session keeps them", count(n, "turn"))
			return nil
		},
	}
}

func (s *shell) historyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "history", Short: "what the model sees now: memory and turns", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if block := s.conv.Background(cmd.Context()).Block(); block != "" {
				if err := s.app.println(s.app.maskText(block)); err != nil {
					return err
				}
			}
			turns := s.conv.Turns()
			if len(turns) == 0 {
				return s.app.println("(no turns yet)")
			}
			return s.app.printTurns(turns)
		},
	}
}

func (s *shell) injectCommand() *cobra.Command {
	return &cobra.Command{
		Use: "inject", Short: "read the memory file again and put it in the prompt", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !s.app.memoryOn() {
				return errors.New("memory is off in this conversation")
			}
			s.conv.Refresh()
			if len(s.conv.Background(cmd.Context()).Chosen) == 0 {
				s.app.status("memory: nothing to inject")
				return nil
			}
			s.tellMemory(cmd.Context())
			return nil
		},
	}
}

func (s *shell) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "this list, or one command in full",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) > 0 {
				_, found, rest := resolve(root, strings.Join(args, " "))
				if found == root || rest != "" {
					return usage("%q is no command", strings.Join(args, " ")).hint(":help lists the commands")
				}
				return found.Help()
			}
			return s.printHelp(root)
		},
	}
}

// printHelp lists every command with one line each.
func (s *shell) printHelp(root *cobra.Command) error {
	var rows [][2]string
	var walk func(cmd *cobra.Command, prefix string)
	walk = func(cmd *cobra.Command, prefix string) {
		for _, c := range cmd.Commands() {
			if c.Hidden || c.Name() == "completion" {
				continue
			}
			name := prefix + c.Name()
			_, operands, _ := strings.Cut(c.Use, " ")
			operands = strings.TrimPrefix(operands, "[flags] ")
			if c.HasSubCommands() {
				operands = "..."
			}
			rows = append(rows, [2]string{strings.TrimSpace(":" + name + " " + operands), c.Short})
			walk(c, name+" ")
		}
	}
	walk(root, "")
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(r[0]))
	}
	for _, r := range rows {
		if err := s.app.println(fmt.Sprintf("%-*s  %s", wide, r[0], r[1])); err != nil {
			return err
		}
	}
	return s.app.println("anything else goes to the model; a unique beginning of a command is enough")
}
