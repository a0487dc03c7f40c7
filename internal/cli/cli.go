package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Version is the version of this program.
const Version = "0.1.0-dev"

// Env is all that a run takes from around it.
type Env struct {
	Args   []string // without the program's name
	Stdin  *os.File
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Dir    string // the working directory
	Now    func() time.Time

	signals <-chan os.Signal // Ctrl-C, while listen is on
	listen  func(bool)       // whether the shell takes Ctrl-C itself; nil if nobody delivers it
}

// System is the Env of this process. KEN_NOW, an RFC 3339 time, stops the
// clock there, for tests; an unreadable one is an error.
func System() (Env, error) {
	env := Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now,
	}
	var err error
	if env.Dir, err = os.Getwd(); err != nil {
		env.Dir = ""
	}
	if s := os.Getenv("KEN_NOW"); s != "" {
		fixed, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return env, usage("KEN_NOW: %v", err)
		}
		env.Now = func() time.Time { return fixed }
	}
	return env, nil
}

// Main runs one command line and returns its exit code.
func Main(ctx context.Context, env Env) int {
	a := &app{env: env}
	defer a.close()
	err := a.run(ctx, env.Args)
	if err == nil {
		return 0
	}
	return a.report(err)
}

// app is one run: its flags, and what commands opened so far.
type app struct {
	env   Env
	flags struct {
		config   string
		noMemory bool
		quiet    bool
		verbose  bool
	}
	opened
	shell *shell // set inside the shell
}

// run finds and runs the command that args name.
func (a *app) run(ctx context.Context, args []string) error {
	if len(args) > 0 && (args[0] == "-p" || args[0] == "--print") {
		args = append([]string{"ask"}, args[1:]...)
	}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	err := root.ExecuteContext(ctx)
	var typed *exitError
	if err != nil && !errors.As(err, &typed) && isUsage(err) {
		return usageAs(err)
	}
	return err
}

// root builds the command tree, anew for every line of the shell, since a
// parsed flag stays set.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ken",
		Short: "a terminal assistant whose memory is yours",
		Long: `ken is a terminal assistant whose long-term memory belongs to you: one file of
lines that you can cat, grep and edit. Without a command it starts the shell.`,
		Args:          a.noSuchCommand,
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return a.runShell(cmd.Context()) },
	}
	root.SetVersionTemplate("ken {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageAs(err) })
	f := root.PersistentFlags()
	f.StringVar(&a.flags.config, "config", "", "read settings from `FILE`, which must exist")
	f.BoolVar(&a.flags.noMemory, "no-memory", false, "neither read nor write memory in this conversation")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "no status lines")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "say more about what is done")
	root.AddCommand(
		a.askCommand(), a.rememberCommand(), a.forgetCommand(), a.undoCommand(),
		a.memoryCommand(), a.sessionsCommand(), a.versionCommand(),
	)
	if a.shell != nil {
		root.AddCommand(a.shell.commands()...)
	}
	return root
}

// noSuchCommand refuses words that name no command: a typo is never sent to a
// model.
func (a *app) noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := usage("%q is no command", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return err.hint("did you mean: %s %s", a.verb(near[0]), strings.Join(args[1:], " "))
	}
	return err.hint("to ask a model: ken ask %q; all commands: ken --help", strings.Join(args, " "))
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs, Hidden: true,
		RunE: func(*cobra.Command, []string) error { return a.println("ken " + Version) },
	}
}

// verb is how a command is written where the person is: "ken undo" outside the
// shell, ":undo" inside.
func (a *app) verb(command string) string {
	if a.shell != nil {
		return ":" + command
	}
	return "ken " + command
}

// isTerminal reports whether w is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the number of cells of a line of output: that of the terminal, or
// no limit (0) where the output is none.
func (a *app) width() int {
	f, ok := a.env.Stdout.(*os.File)
	if !ok || !isTerminal(f) {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w < 20 {
		return 80
	}
	return w
}

// home is the person's home directory; "" if there is none.
func (a *app) home() string {
	if h := a.env.Getenv("HOME"); filepath.IsAbs(h) {
		return h
	}
	return ""
}
