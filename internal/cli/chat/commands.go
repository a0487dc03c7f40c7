package chat

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/repl"
	"ken/internal/upkeep"
	"ken/internal/verbs"
	"ken/internal/view"
)

// Commands are those that only make sense in a conversation.
func (s *REPL) Commands() []*cobra.Command {
	list := []*cobra.Command{
		s.quitCommand(), s.resetCommand(), s.historyCommand(),
		s.renameCommand(), s.saveCommand(), s.clearCommand(), s.roleCommand(), s.skillCommand(), s.tokensCommand(),
		s.autoCommand(), s.compactCommand(),
		s.retryCommand(), s.editCommand(), s.dropCommand(), s.branchCommand(),
		s.copyCommand(), s.saveBlockCommand(), s.goCommand(), s.outCommand(),
		s.lessonCommand(),
	}
	for _, c := range list { // as the table has it
		v, _ := verbs.Find(verbs.Terminal, c.Use)
		c.Use, c.Aliases, c.Short = v.Usage(), v.Aliases, v.Does
	}
	return list
}

func (s *REPL) quitCommand() *cobra.Command {
	return &cobra.Command{
		Use: "quit", Args: cobra.NoArgs,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE:        func(*cobra.Command, []string) error { return repl.ErrQuit },
	}
}

func (s *REPL) clearCommand() *cobra.Command {
	return &cobra.Command{
		Use: "clear", Args: cobra.NoArgs,
		Annotations: term.Writes{Own: "the conversation"}.Note(),
		RunE: func(*cobra.Command, []string) error {
			if term.IsTerminal(s.app.Env.Stdout) {
				if _, err := io.WriteString(s.app.Env.Stdout, "\x1b[H\x1b[2J"); err != nil {
					return err
				}
			}
			s.app.Status("the screen was cleared, the conversation goes on; to begin a new one: %s", s.app.Verb("new"))
			return nil
		},
	}
}

func (s *REPL) resetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reset", Args: cobra.NoArgs,
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
		Use:         "history",
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
		Use: "inject", Short: "reload the memory file into the prompt", Args: cobra.NoArgs,
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

func (s *REPL) saveCommand() *cobra.Command {
	var duplicate bool
	cmd := &cobra.Command{
		Use: "save", Args: cobra.MaximumNArgs(1),
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
