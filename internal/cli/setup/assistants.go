package setup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/config"
	"ken/internal/connect"
	"ken/internal/fault"
	"ken/internal/hook"
	"ken/internal/redact"
	"ken/internal/repl"
	"ken/internal/termsafe"
	"ken/internal/tool/edit"
	"ken/internal/tool/mcp"
)

func hookCommand(a *term.Run) *cobra.Command {
	return &cobra.Command{
		Use: "hook AGENT [EVENT] [SCOPE]", Short: "for an assistant at its start: what the memory has in front of it",
		Long: `Hook is run by an assistant that ken setup wrote a hook for, at the start of a conversation,
or at each question. It reads from its standard input what the assistant says of that, and
prints rules, pinned memories and what was of use lately, or what the question calls up, in
the form that the assistant takes. It waits for the memory for three seconds at most, prints
nothing else, and its exit code is 0 whatever happens.`,
		Hidden:      true,
		Args:        cobra.ArbitraryArgs,
		Annotations: term.Writes{Own: "what it gave, by reference", Spares: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			RunHook(cmd.Context(), a.Env, args, a.Flags.ReadOnly)
			return nil
		},
	}
}

// RunHook has an assistant be given what the memory has for the event on standard input; onlyRead says that nothing is written.
// It has no outcome.
func RunHook(ctx context.Context, env term.Env, args []string, onlyRead bool) {
	hook.Run(ctx, hook.Env{
		Getenv: env.Getenv, Now: env.Now, Version: term.Version, Dir: env.Dir, Stdin: env.Stdin, Stdout: env.Stdout,
		ReadOnly: onlyRead, Serves: env.Serves,
	}, args)
}

// A wish is what is asked of ken setup.
type wish struct {
	connect.Setup
	a                 *term.Run
	dry, check, noAsk bool
}

func setupCommand(a *term.Run) *cobra.Command {
	s := &wish{a: a}
	cmd := &cobra.Command{
		Use: "setup [AGENT]", Short: "have another assistant use the memory",
		Long: `Setup writes into the settings of another assistant that it starts ken mcp, and, where the
assistant has hooks, ken hook at the start of a conversation. It shows every change and
asks; nothing else in those files changes, and --remove takes it out again. A file that its
own program could not read is left alone. Without a word it lists which assistants are here,
and how each stands.

What ken gives to an assistant goes to the company that runs its model.`,
		Example:   "  ken setup\n  ken setup claude --dry-run\n  ken setup opencode\n  ken setup claude --remove",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: connect.Names(),
		Annotations: term.Writes{
			Nothing: true, Person: "sets up assistants", When: []string{"no --dry-run", "no --check"}, Look: "setup --check",
		}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.BoolVar(&s.dry, "dry-run", false, "show what would change, and change nothing")
	f.BoolVar(&s.check, "check", false, "change nothing; the exit code is 1 if something is not as it would be set up")
	f.BoolVar(&s.Remove, "remove", false, "take out what setup put in")
	f.BoolVar(&s.noAsk, "yes", false, "ask nothing")
	f.StringVar(&s.Hooks, "hooks", "", "when a hook gives what is remembered: never, at the start, at each question too: `none|start|prompt`")
	f.BoolVar(&s.Want.Recall, "allow-recall", false, "let the assistant call recall, and nothing else, without asking you")
	f.StringVar(&s.Want.Scope, "scope", "", "give what holds everywhere, and nothing of the projects it works in: `user`")
	f.BoolVar(&s.Want.Lines, "file", false, "also put three lines about ken into the assistant's file of instructions")
	f.BoolVar(&s.InProject, "project", false, "for this project, and whoever works on it, not for you everywhere")
	f.StringVar(&s.Command, "command", "", "start ken as `PATH`, not as the PATH of the shell finds it")
	return cmd
}

func (s *wish) run(ctx context.Context, args []string) (err error) {
	home := s.a.Env.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return fault.Failuref("there is no home directory: HOME is %q", home)
	}
	if s.Hooks != "" {
		if err := term.OneOf("--hooks", s.Hooks, connect.HooksNone, connect.HooksStart, connect.HooksPrompt); err != nil {
			return err
		}
	}
	if s.Want.Scope != "" {
		if err := term.OneOf("--scope", s.Want.Scope, connect.UserWord); err != nil {
			return err
		}
	}
	s.Place = connect.Place{Home: home, Getenv: s.a.Env.Getenv}
	s.Dir, s.Self, s.Find = s.a.Env.Dir, s.a.Env.Self, s.a.Process.FindProgram
	if s.Setup, err = s.WithCommand(); err != nil {
		return err
	}
	if len(args) == 0 {
		if s.Remove || s.dry || s.InProject || s.Want.Lines || s.Want.Scope != "" {
			return fault.Usagef("of which assistant? %s", strings.Join(connect.Names(), ", "))
		}
		return s.list(ctx)
	}
	if shown, err := s.guide(args[0]); shown || err != nil {
		return err
	}
	agent, ok := connect.Find(args[0])
	if !ok {
		return fault.Usagef("no assistant %q is known: %s", args[0], strings.Join(connect.Names(), ", ")).
			WithHint("for others, add to their list of servers: ken mcp")
	}
	if s.Setup, err = s.For(agent); err != nil {
		return err
	}
	if s.check {
		return s.checkOne(ctx, agent)
	}
	return s.change(ctx, agent)
}

// guide prints what a person puts into the settings of an editor themselves; shown is false if it is no such editor.
func (s *wish) guide(name string) (shown bool, err error) {
	for _, g := range connect.Guides(s.Want.Command) {
		if g.Name != name {
			continue
		}
		if s.check || s.Remove {
			return true, fault.Usagef("the settings of %s are a program, which setup does not change", g.Title)
		}
		s.a.Status("%s: put this into its settings; it is what its documentation says, and was not tried", g.Title)
		return true, s.a.Println(strings.TrimSuffix(g.Text, "\n"))
	}
	return false, nil
}

// where is the flag for where it is set up.
func (s *wish) where() string {
	if s.InProject {
		return " --project"
	}
	return ""
}

// list prints how each assistant stands.
func (s *wish) list(ctx context.Context) error {
	wrong := 0
	for _, agent := range connect.Agents() {
		of := *s
		of.Setup, _ = s.For(agent) // all is asked of all: none of it can be refused
		is, why := of.standing(ctx, agent)
		if is == connect.Differs || is == connect.Refused || is == connect.Mute {
			wrong++
		}
		line := fmt.Sprintf("%-14s %-14s %s", agent.Name, agent.Title, is)
		if why != "" {
			line += ": " + why
		}
		if err := s.a.Println(line); err != nil {
			return err
		}
	}
	if s.check && wrong > 0 {
		return term.Reported(fault.Failuref("not all are as they would be set up"))
	}
	return nil
}

// standing is how an assistant stands. For --check what is in its settings is started, as it would start it: no assistant tells its
// person that it does not answer. That is for a person only.
func (s *wish) standing(ctx context.Context, agent connect.Agent) (is connect.Standing, why string) {
	is, why = s.Standing(agent)
	if is == connect.Differs {
		why = "see: " + s.a.Verb("setup "+agent.Name+s.where()+" --dry-run")
	}
	if !s.check || is != connect.IsSet && is != connect.Differs || s.InProject || s.a.Lane.In() {
		return is, why
	}
	server, there, err := agent.Registered(s.Place)
	if err == nil && there {
		_, err = mcp.Probe(ctx, server, s.a.Starter())
	}
	if err != nil {
		return connect.Mute, termsafe.Line(err.Error())
	}
	return is, why
}

// checkOne says how an assistant stands; it is a failure unless it is set up.
func (s *wish) checkOne(ctx context.Context, agent connect.Agent) error {
	is, why := s.standing(ctx, agent)
	says := agent.Name + ": " + string(is)
	if why != "" {
		says += ": " + why
	}
	if is == connect.IsSet {
		return s.a.Println(says)
	}
	return fault.Failuref("%s", says)
}

// change sets an assistant up, or takes out what is there.
func (s *wish) change(ctx context.Context, agent connect.Agent) error {
	changes, err := s.Plan(agent)
	if err != nil {
		return s.byHand(agent, err)
	}
	s.tellLimits(agent)
	if len(changes) == 0 {
		if s.Remove {
			s.a.Status("%s: nothing of ken's is there", agent.Name)
		} else {
			s.a.Status("%s: it is set up, nothing changes", agent.Name)
		}
		return nil
	}
	if err := s.show(changes); err != nil {
		return err
	}
	if s.dry {
		s.a.Status("%s: nothing was changed (--dry-run)", agent.Name)
		return nil
	}
	s.tellWhere(agent)
	if err := s.ask(ctx); err != nil {
		return err
	}
	paths, err := s.a.Home.Settings.Places()
	if err != nil && paths == (config.Paths{}) {
		return s.byHand(agent, err)
	}
	writer := connect.Writer{Dir: config.SetupIn(paths), Lock: paths.State, Now: s.a.Env.Now}
	done, unnoted, err := writer.Apply(ctx, agent, changes)
	if unnoted != nil {
		s.a.Warn(fmt.Errorf("directories that were made for it will stay when it is removed: %w", unnoted))
	}
	for _, c := range done {
		if err := s.a.Println("setup: changed " + s.a.Home.Settings.Short(c.Path)); err != nil {
			return err
		}
	}
	if err != nil {
		return s.byHand(agent, err)
	}
	if s.Remove {
		s.a.Status("%s: removed; it is in force when it starts next", agent.Name)
		return nil
	}
	if agent.Trust && s.Want.Hooks != connect.Never {
		s.a.Status("%s runs the hook only once you said so in it: start it, and trust its hooks", agent.Title)
	}
	undo := s.a.Verb("setup " + agent.Name + s.where() + " --remove")
	s.a.Status("%s: set up; it is in force when it starts next (to undo it: %s)", agent.Name, undo)
	return nil
}

// tellLimits says what of that which is asked for an assistant does not need or have.
func (s *wish) tellLimits(agent connect.Agent) {
	if s.Want.Recall && !agent.Asks {
		s.a.Status("%s needs no leave: it calls recall without asking", agent.Title)
	}
	if s.InProject && !s.Remove {
		s.a.Status("whoever works on this project with %s starts what is called ken on their machine, some without being asked", agent.Title)
	}
	if s.Want.Hooks != connect.Never && !agent.Hooks && s.Hooks != "" {
		s.a.Status("%s has no hooks: what is remembered stands in the greeting of the server", agent.Title)
	}
}

// tellWhere says where what an assistant is given goes.
func (s *wish) tellWhere(agent connect.Agent) {
	if agent.Untried && !s.Remove {
		s.a.Status("%s: this is what its documentation says; it was not tried with the program itself", agent.Title)
	}
	switch {
	case s.Remove || agent.IsEditor:
	case s.Want.Scope != "":
		s.a.Status("what ken gives to %s goes to the company that runs its model: what holds everywhere", agent.Title)
	default:
		s.a.Status("what ken gives to %s goes to the company that runs its model (--scope user: nothing of projects)", agent.Title)
	}
}

// ask asks whether the change is wanted; nil: it is.
func (s *wish) ask(ctx context.Context) error {
	if s.noAsk {
		return nil
	}
	yes, err := s.a.Person.Confirm(ctx, "change this?")
	switch {
	case errors.Is(err, repl.ErrNoTerminal):
		return fault.Refusedf("nobody is there to be asked: nothing was changed").WithHint("say yes beforehand: add --yes")
	case err != nil:
		return err
	case !yes:
		return fault.Refusedf("nothing was changed")
	}
	return nil
}

// show prints what changes, with what is secret in the files masked.
func (s *wish) show(changes []connect.Change) error {
	m := redact.New(nil)
	for _, c := range changes {
		name := s.a.Home.Settings.Short(c.Path)
		text, _ := m.Mask(edit.Diff(name, string(c.Old), string(c.New)))
		if err := s.a.Println(strings.TrimSuffix(text, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// byHand says why nothing can be written, and what to put where.
func (s *wish) byHand(agent connect.Agent, err error) error {
	f := fault.Failuref("%s was not changed: %w", agent.Name, err)
	foreign, rejected := (*connect.ForeignError)(nil), (*connect.RejectedError)(nil)
	switch {
	case errors.As(err, &foreign):
		return f.WithHint("look at it; to have ken there, take it out first")
	case errors.As(err, &rejected):
		return f.WithHint("mend the file: its own program does not read it either")
	case s.Remove:
		return f.WithHint("take out by hand what names ken")
	}
	for _, text := range s.ByHand(agent, s.a.Home.Settings.Short) {
		if err := s.a.Println(text); err != nil {
			return err
		}
	}
	return f.WithHint("put in by hand what is printed above")
}
