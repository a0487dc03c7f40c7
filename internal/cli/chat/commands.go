package chat

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/pick"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/repl"
	"ken/internal/session"
	"ken/internal/upkeep"
	"ken/internal/view"
)

// Commands are those that only make sense in a conversation.
func (s *REPL) Commands() []*cobra.Command {
	return []*cobra.Command{
		s.quitCommand(), s.resetCommand(), s.historyCommand(),
		s.resumeCommand(), s.saveCommand(), s.clearCommand(), s.roleCommand(), s.tokensCommand(),
		s.autoCommand(), s.compactCommand(),
		s.retryCommand(), s.editCommand(), s.dropCommand(), s.branchCommand(),
		s.copyCommand(), s.saveBlockCommand(),
	}
}

func (s *REPL) quitCommand() *cobra.Command {
	return &cobra.Command{
		Use: "quit", Aliases: []string{"exit", "q"}, Short: "save and leave (also: exit, Ctrl-D)", Args: cobra.NoArgs,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE:        func(*cobra.Command, []string) error { return repl.ErrQuit },
	}
}

// autoCommand keeps the word, and the key that begins it, for autonomous mode.
func (s *REPL) autoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "auto", Short: "autonomous mode", Hidden: true, DisableFlagParsing: true,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(*cobra.Command, []string) error {
			s.app.Status("autonomous mode is not there yet; nothing was run")
			return nil
		},
	}
}

func (s *REPL) clearCommand() *cobra.Command {
	return &cobra.Command{
		Use: "clear", Short: "clear the screen", Args: cobra.NoArgs,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(*cobra.Command, []string) error {
			if !term.IsTerminal(s.app.Env.Stdout) {
				return nil
			}
			_, err := io.WriteString(s.app.Env.Stdout, "\x1b[H\x1b[2J")
			return err
		},
	}
}

func (s *REPL) resetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reset", Short: "begin anew; what was said stays in the session", Args: cobra.NoArgs,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			n := len(s.conv().Turns())
			s.dialog.Reset(cmd.Context())
			s.app.Status("context cleared (%s); the session keeps them", view.Count(n, "turn"))
			return nil
		},
	}
}

func (s *REPL) historyCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "history [SESSION|TEXT]", Short: "what the model sees now: memory and turns; or an earlier conversation",
		Annotations: term.Writes{Nothing: true}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if all {
				args = []string{s.dialog.Recorder().Name()}
			}
			if len(args) > 0 {
				return s.tree.Run(cmd.Context(), append([]string{"sessions", "show", "--"}, args...))
			}
			if system := s.conv().System(cmd.Context()); system != "" {
				if err := s.app.Println(system); err != nil {
					return err
				}
			}
			turns := s.conv().Going(cmd.Context())
			if len(turns) == 0 {
				err := s.app.Println("(no turns yet)")
				s.tellAside()
				return err
			}
			err := s.app.PrintTurns(turns)
			s.tellAside()
			return err
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all of this conversation, as the session has it")
	return cmd
}

// InjectCommand stands below `memory`.
func (s *REPL) InjectCommand() *cobra.Command {
	return &cobra.Command{
		Use: "inject", Short: "read the memory file again and put it in the prompt", Args: cobra.NoArgs,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !s.app.Home.Settings.MemoryOn() {
				return s.app.MemoryIsOff()
			}
			s.conv().Refresh()
			if len(s.conv().Background(cmd.Context()).Chosen) == 0 {
				s.app.Status("memory: nothing to inject")
				return nil
			}
			s.tellMemory(cmd.Context())
			return nil
		},
	}
}

func (s *REPL) resumeCommand() *cobra.Command {
	var fork bool
	cmd := &cobra.Command{
		Use: "resume SESSION|TEXT", Short: "go on with an earlier conversation", Args: cobra.MinimumNArgs(1),
		Long: `Resume goes on with an earlier conversation: the one of that name, or one of those in
which TEXT was said, which are offered, the nearest first. With --fork it goes on in a copy;
of SESSION:TURN, which a search prints, up to that turn.`,
		Annotations: term.Writes{Own: "the conversation"}.Note(term.LooseText()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.resume(cmd.Context(), strings.Join(args, " "), fork)
		},
	}
	cmd.Flags().BoolVar(&fork, "fork", false, "in a copy of it")
	return cmd
}

// resume continues the session called name. What is live already is not thrown
// away for it: nothing could bring it back.
func (s *REPL) resume(ctx context.Context, name string, fork bool) error {
	a := s.app
	if n := len(s.conv().Turns()); n > 0 {
		if err := pick.HasSession(ctx, a, name); err != nil {
			return err
		}
		return fault.Failuref("this conversation has %s: not resumed over it", view.Count(n, "turn")).
			WithHint(":reset first, then :resume %s", name)
	}
	path, err := pick.Session(ctx, a, name, pick.Options{Verb: "resume", Command: "resume"})
	if err != nil || path == "" {
		return err
	}
	if path == s.dialog.Path() {
		return errors.New("that is this conversation")
	}
	if ref, err := session.ParseRef(pick.Bare(name)); err == nil && fork {
		return s.branch(ctx, path, ref.Turn)
	}
	if err := s.dialog.Resume(path, fork); err != nil {
		return err
	}
	a.Status("going on with %s: %s", s.dialog.Recorder().Name(), view.Count(len(s.conv().Turns()), "turn"))
	s.dialog.After(ctx, upkeep.Parted)
	return nil
}

func (s *REPL) saveCommand() *cobra.Command {
	var duplicate bool
	cmd := &cobra.Command{
		Use: "save [NAME]", Short: "write the session to disk; with NAME, call it so", Args: cobra.MaximumNArgs(1),
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, "")
			save := s.dialog.Recorder().Save
			if duplicate {
				save = s.dialog.Recorder().SaveCopy
			}
			path, err := save(name)
			if err != nil {
				return err
			}
			if err := s.app.Println("saved " + path); err != nil {
				return err
			}
			s.dialog.After(cmd.Context(), upkeep.Saved)
			return nil
		},
	}
	cmd.Flags().BoolVar(&duplicate, "copy", false, "keep a copy called NAME, and go on in this one")
	return cmd
}
