package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/chat"
	"ken/internal/cli/help"
	"ken/internal/cli/learn"
	"ken/internal/cli/memory"
	"ken/internal/cli/pipe"
	"ken/internal/cli/question"
	"ken/internal/cli/review"
	"ken/internal/cli/run"
	"ken/internal/cli/search"
	"ken/internal/cli/serve"
	"ken/internal/cli/setup"
	"ken/internal/cli/shellinit"
	"ken/internal/cli/skills"
	"ken/internal/cli/term"
)

// bare is the root of the tree without commands.
func (p *program) bare() *cobra.Command {
	var st chat.Start
	root := &cobra.Command{
		Use:   "ken",
		Short: "a terminal assistant whose memory is yours",
		Long: `ken is a terminal assistant whose long-term memory belongs to you: one file of
lines that you can cat, grep and edit. Without a command it starts the shell.`,
		Args:          p.noSuchCommand,
		Version:       term.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Annotations:   term.Writes{Own: "the conversation"}.Note(),
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.runShell(cmd.Context(), st) },

		PersistentPreRunE: p.mayRun,
	}
	root.SetVersionTemplate("ken {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true // there is one of our own
	root.SetFlagErrorFunc(p.misused)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _ = p.app.Println(p.sheet(cmd.Root()).Command(cmd)) })
	// What was given at the start is the default of every later line.
	f, flags := root.PersistentFlags(), &p.app.Flags
	f.StringVar(&flags.Config, "config", flags.Config, "read settings from `FILE`, which must exist")
	f.BoolVar(&flags.NoMemory, "no-memory", flags.NoMemory, "neither read nor write memory")
	f.BoolVar(&flags.ReadOnly, "read-only", flags.ReadOnly, "read the memory, and write nothing to it")
	f.BoolVarP(&flags.Quiet, "quiet", "q", flags.Quiet, "no status lines")
	f.BoolVarP(&flags.Verbose, "verbose", "v", flags.Verbose, "say more about what is done")
	if p.shell == nil {
		root.Flags().BoolP("print", "p", false, "print one answer: the same as ask") // printFlag makes it that
		root.Flags().StringVarP(&st.Model, "model", "m", "", "have `MODEL` answer: a preset, or a name that its server lists")
		root.Flags().BoolVarP(&st.GoOn, "continue", "c", false, "go on with the last conversation of this directory, else the last of all")
	}
	return root
}

// branch is the tree with as much as a command line needs that begins with a command
// which programs call by the thousand, and people most often; nil if it needs all. Making
// all commands with their flags takes a tenth of a short command's time. What programs start
// and talk with is one too, but for the words below it.
func (p *program) branch(args []string) *cobra.Command {
	if len(args) == 0 || help.MayRespell(args) || slices.Contains(args, "-h") || slices.Contains(args, "--help") {
		return nil
	}
	var commands []*cobra.Command
	switch args[0] {
	case "--version":
	case "ask":
		commands = without(chat.Commands(p.app, p.upkeep, p.shell, p.runShell)...)
	case "recall":
		commands = using(search.Commands(p.app)...)
	case "why", "why-not":
		commands = using(memory.WhyCommands(p.app)...)
	case "redact", "clean":
		commands = without(pipe.Commands(p.app)...)
	case "remember", "forget", "undo":
		commands = using(run.AlsoActs(p.app, memory.WriteCommands(p.app)...)...)
	case "mcp", "serve", "telegram", "acp":
		if p.shell != nil || len(args) > 1 && !strings.HasPrefix(args[1], "-") {
			return nil
		}
		commands = without(p.served(args[0]))
	default:
		return nil
	}
	root := p.bare()
	root.AddCommand(commands...)
	p.refuseOthers(root)
	help.Adopt(root)
	return root
}

// served is a command that holds the standard streams or the terminal while it serves others.
func (p *program) served(name string) *cobra.Command {
	switch name {
	case "mcp":
		return serve.ServersCommand(p.app, nil)
	case "serve":
		return serve.Command(p.app, setup.Doctor{Run: p.app})
	case "telegram":
		return serve.TelegramCommand(p.app)
	default:
		return serve.ACPCommand(p.app)
	}
}

// Root implements chat.Tree.
func (p *program) Root() *cobra.Command {
	root := p.bare()
	inMemory := []*cobra.Command{search.MemorySearch(p.app)} // below `memory`
	if p.shell != nil {
		root.AddCommand(without(p.shell.Commands()...)...)
		root.AddCommand(without(chat.ModelCommand(p.app, p.shell))...)
		root.AddCommand(without(run.ActCommands(p.app)...)...)
		inMemory = append(inMemory, p.shell.InjectCommand())
	}
	root.AddCommand(without(chat.Commands(p.app, p.upkeep, p.shell, p.runShell)...)...)
	root.AddCommand(without(search.SessionsCommand(p.app, chat.RenameCommand(p.app, p.shell), memory.DeleteCommand(p.app),
		chat.AccountCommand(p.app)))...)
	root.AddCommand(using(search.Commands(p.app)...)...)
	root.AddCommand(without(pipe.Commands(p.app)...)...)
	root.AddCommand(without(shellinit.Commands(p.app)...)...)
	root.AddCommand(using(run.AlsoActs(p.app, memory.Commands(p.app, inMemory...)...)...)...)
	root.AddCommand(using(pipe.PortCommand(p.app))...)
	root.AddCommand(using(review.Command(p.app))...)
	root.AddCommand(using(learn.Commands(p.app)...)...)
	root.AddCommand(without(run.RehearseCommand(p.app), run.SafetyCommand(p.app), serve.ServersCommand(p.app, p.shell.Sends()))...)
	if p.shell == nil { // a server holds its terminal
		root.AddCommand(without(p.served("serve"), p.served("telegram"), p.served("acp"))...)
	}
	root.AddCommand(without(setup.Commands(p.app)...)...)
	root.AddCommand(without(skills.Command(p.app), skills.Evolve(p.app))...)
	page := without(p.helpCommand())[0]
	root.SetHelpCommand(page) // instead of one of cobra's own
	root.AddCommand(page)
	root.AddCommand(without(p.manCommand(), p.versionCommand())...)
	p.addOwn(root)
	p.refuseOthers(root)
	help.Adopt(root)
	return root
}

// addOwn adds the commands of the person's own, and the list of them. One that has the name
// of another command, in or outside the shell, is none.
func (p *program) addOwn(root *cobra.Command) {
	inside := &cobra.Command{}
	inside.AddCommand(chat.NewREPL(p.app, p.upkeep, nil).Commands()...)
	taken := func(name string) bool {
		for _, c := range slices.Concat(root.Commands(), inside.Commands()) {
			if (c.Name() == name || c.HasAlias(name)) && !term.IsOwnCommand(c.Annotations) {
				return true
			}
		}
		return false
	}
	root.AddCommand(without(chat.PromptsCommand(p.app, taken))...)
	names, _ := question.Prompts(p.app).Names()
	for _, name := range names {
		if !taken(name) {
			root.AddCommand(without(chat.PromptCommand(p.app, p.upkeep, p.shell, name))...)
		}
	}
}

// tellTaken says that a command runs in the place of one of the person's own.
func (p *program) tellTaken(root *cobra.Command, args []string) {
	if len(args) == 0 || !question.Prompts(p.app).Has(args[0]) {
		return
	}
	if c, _, err := root.Find(args[:1]); err == nil && c.HasParent() && !term.IsOwnCommand(c.Annotations) {
		p.app.WarnOnce(fmt.Errorf("commands/%s.md is not run: %s", args[0], chat.Taken))
	}
}

// refuseOthers has each command below root that groups others refuse words that are none.
func (p *program) refuseOthers(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.HasSubCommands() {
			c.Args = p.noSubcommand
			p.refuseOthers(c)
		}
	}
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs, Hidden: true,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(*cobra.Command, []string) error { return p.app.Println("ken " + term.Version) },
	}
}
