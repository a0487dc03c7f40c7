package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/cli/memcmd"
	"ken/internal/cli/search"
	"ken/internal/cli/setup"
	"ken/internal/cli/talk"
)

// near is how many letters apart a typo and a command may be for the command
// to be suggested.
const near = 2

// Root implements talk.Tree.
func (p *program) Root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ken",
		Short: "a terminal assistant whose memory is yours",
		Long: `ken is a terminal assistant whose long-term memory belongs to you: one file of
lines that you can cat, grep and edit. Without a command it starts the shell.`,
		Args:          p.noSuchCommand,
		Version:       app.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.runShell(cmd.Context()) },

		SuggestionsMinimumDistance: near,
	}
	root.SetVersionTemplate("ken {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misused(err) })
	// What was given at the start is the default of every later line.
	f, flags := root.PersistentFlags(), &p.app.Flags
	f.StringVar(&flags.Config, "config", flags.Config, "read settings from `FILE`, which must exist")
	f.BoolVar(&flags.NoMemory, "no-memory", flags.NoMemory, "neither read nor write memory in this conversation")
	f.BoolVarP(&flags.Quiet, "quiet", "q", flags.Quiet, "no status lines")
	f.BoolVarP(&flags.Verbose, "verbose", "v", flags.Verbose, "say more about what is done")

	var inMemory []*cobra.Command
	if p.shell != nil {
		root.AddCommand(p.shell.Commands()...)
		if help, _, err := root.Find([]string{"help"}); err == nil {
			root.SetHelpCommand(help) // instead of one of cobra's own
		}
		inMemory = append(inMemory, p.shell.InjectCommand())
	}
	root.AddCommand(talk.Commands(p.app, p.shell, search.SessionsCommand(p.app))...)
	root.AddCommand(search.Commands(p.app)...)
	root.AddCommand(memcmd.Commands(p.app, inMemory...)...)
	root.AddCommand(setup.Commands(p.app)...)
	for _, c := range root.Commands() {
		if c.HasSubCommands() {
			c.Args, c.SuggestionsMinimumDistance = noSubcommand, near
		}
	}
	root.AddCommand(p.versionCommand())
	return root
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs, Hidden: true,
		RunE: func(*cobra.Command, []string) error { return p.app.Println("ken " + app.Version) },
	}
}

// noSuchCommand refuses words that name no command: a typo is never sent to a
// model.
func (p *program) noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := app.Usage("%q is no command", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return err.Hint("did you mean: %s %s", p.app.Verb(near[0]), strings.Join(args[1:], " "))
	}
	return err.Hint("to ask a model: ken ask %q; all commands: ken --help", strings.Join(args, " "))
}

// noSubcommand refuses words after a command that only groups others.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := app.Usage("%q is no command of %s", args[0], cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return err.Hint("did you mean: %s %s", cmd.CommandPath(), near[0])
	}
	return err.Hint("see %s --help", cmd.CommandPath())
}

func misused(err error) error { return app.Fail(app.ExitUsage, err).Hint("see ken --help") }

// isUsage recognises what cobra says of a command line that it cannot take; it
// has no type for it.
func isUsage(err error) bool {
	s := err.Error()
	for _, p := range []string{"unknown command", "unknown flag", "unknown shorthand", "accepts ", "requires ", "flag needs"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
