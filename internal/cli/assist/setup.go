package assist

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/connect"
	"ken/internal/fault"
	"ken/internal/redact"
	"ken/internal/regular"
	"ken/internal/repl"
	"ken/internal/tool/edit"
)

// Commands are setup and hook.
func Commands(a *term.Run) []*cobra.Command { return []*cobra.Command{setupCommand(a), hookCommand(a)} }

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
			hook(cmd.Context(), a.Env, args, hookWait, a.Flags.ReadOnly)
			return nil
		},
	}
}

// A setup is what is asked of the command.
type setup struct {
	a                      *term.Run
	dry, check, out, noAsk bool
	project                bool
	hooks, command         string
	place                  connect.Place
	want                   connect.Want
}

func setupCommand(a *term.Run) *cobra.Command {
	s := &setup{a: a}
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
		ValidArgs: names(),
		Annotations: term.Writes{
			Nothing: true, Person: "sets up assistants", When: []string{"no --dry-run", "no --check"}, Look: "setup --check",
		}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.BoolVar(&s.dry, "dry-run", false, "show what would change, and change nothing")
	f.BoolVar(&s.check, "check", false, "change nothing; the exit code is 1 if something is not as it would be set up")
	f.BoolVar(&s.out, "remove", false, "take out what setup put in")
	f.BoolVar(&s.noAsk, "yes", false, "ask nothing")
	f.StringVar(&s.hooks, "hooks", "", "when a hook gives what is remembered: never, at the start, at each question too: `none|start|prompt`")
	f.BoolVar(&s.want.Recall, "allow-recall", false, "let the assistant call recall, and nothing else, without asking you")
	f.StringVar(&s.want.Scope, "scope", "", "give what holds everywhere, and nothing of the projects it works in: `user`")
	f.BoolVar(&s.want.Lines, "file", false, "also put three lines about ken into the assistant's file of instructions")
	f.BoolVar(&s.project, "project", false, "for this project, and whoever works on it, not for you everywhere")
	f.StringVar(&s.command, "command", "", "start ken as `PATH`, not as the PATH of the shell finds it")
	return cmd
}

func names() (list []string) {
	for _, a := range connect.Agents() {
		list = append(list, a.Name)
	}
	for _, g := range connect.Guides("") {
		list = append(list, g.Name)
	}
	slices.Sort(list)
	return list
}

func (s *setup) run(ctx context.Context, args []string) error {
	home := s.a.Env.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return fault.Failuref("there is no home directory: HOME is %q", home)
	}
	if s.hooks != "" {
		if err := term.OneOf("--hooks", s.hooks, "none", "start", "prompt"); err != nil {
			return err
		}
	}
	if s.want.Scope != "" {
		if err := term.OneOf("--scope", s.want.Scope, connect.UserWord); err != nil {
			return err
		}
	}
	s.place = connect.Place{Home: home, Getenv: s.a.Env.Getenv}
	if err := s.findCommand(); err != nil {
		return err
	}
	if len(args) == 0 {
		if s.out || s.dry || s.project || s.want.Lines || s.want.Scope != "" {
			return fault.Usagef("of which assistant? %s", strings.Join(names(), ", "))
		}
		return s.list(ctx)
	}
	if shown, err := s.guide(args[0]); shown || err != nil {
		return err
	}
	agent, ok := connect.Find(args[0])
	if !ok {
		return fault.Usagef("no assistant %q is known: %s", args[0], strings.Join(names(), ", ")).
			WithHint("for others, add to their list of servers: ken mcp")
	}
	s.want.Hooks = s.when(agent)
	if err := s.fits(agent); err != nil {
		return err
	}
	if s.check {
		return s.checkOne(ctx, agent)
	}
	return s.change(ctx, agent)
}

// guide prints what a person puts into the settings of an editor themselves; shown is false if it is no such editor.
func (s *setup) guide(name string) (shown bool, err error) {
	for _, g := range connect.Guides(s.want.Command) {
		if g.Name != name {
			continue
		}
		if s.check || s.out {
			return true, fault.Usagef("the settings of %s are a program, which setup does not change", g.Title)
		}
		s.a.Status("%s: put this into its settings; it is what its documentation says, and was not tried", g.Title)
		return true, s.a.Println(strings.TrimSuffix(g.Text, "\n"))
	}
	return false, nil
}

// fits refuses what an assistant does not have, and says where a project is.
func (s *setup) fits(agent connect.Agent) error {
	if s.want.Lines && !agent.HasLines() {
		return fault.Usagef("no file of instructions of %s is known", agent.Title)
	}
	if !s.project {
		return nil
	}
	switch {
	case !agent.InProject():
		return fault.Usagef("%s has no settings in projects", agent.Title)
	case s.want.Scope != "":
		return fault.Usagef("what an assistant is given is each person's choice, and no project's: leave out --scope")
	case s.want.Recall, s.hooks != "" && s.hooks != "none":
		return fault.Usagef("hooks and leave to recall are each person's, and no project's: leave out --hooks and --allow-recall")
	}
	root := projectOf(s.a.Env.Dir)
	if same, err := filepath.EvalSymlinks(s.place.Home); root == s.place.Home || err == nil && root == same {
		return fault.Usagef("this is your home directory, and no project")
	}
	s.want.Project, s.want.Hooks = root, connect.Never
	if s.command == "" {
		s.want.Command = "ken" // as the PATH of each has it
	}
	return nil
}

// where is the flag for where it is set up.
func (s *setup) where() string {
	if s.project {
		return " --project"
	}
	return ""
}

// projectOf is the top of the repository that a directory is in, or the directory itself.
func projectOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// when is when a hook of an assistant is to run.
func (s *setup) when(agent connect.Agent) connect.When {
	switch s.hooks {
	case "none":
		return connect.Never
	case "start":
		return connect.AtStart
	case "prompt":
		return connect.AtPrompt
	}
	return agent.Usual
}

// findCommand finds the path under which assistants start ken. Links in it stay: what they lead to moves when
// ken is updated.
func (s *setup) findCommand() error {
	path := s.command
	if path == "" {
		if found, err := s.a.Process.FindProgram("ken"); err == nil {
			path = found
		} else {
			path = s.a.Env.Self
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.a.Env.Dir, path)
	}
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return fault.Usagef("no program to start: %v", err)
	case !fi.Mode().IsRegular():
		return fault.Usagef("%s is no program", path)
	case strings.TrimSuffix(filepath.Base(path), ".exe") != "ken":
		return fault.Usagef("%s: the program must be called ken, or nobody would know its entry again", path)
	}
	s.want.Command = path
	return nil
}

// plan is what changes for an assistant.
func (s *setup) plan(agent connect.Agent, want connect.Want) (list []connect.Change, err error) {
	for _, f := range agent.Files(s.place, want) {
		c, err := connect.Plan(f, s.out)
		if err != nil {
			return nil, err
		}
		if c.Changes() {
			list = append(list, c)
		}
	}
	return list, nil
}

// change sets an assistant up, or takes out what is there.
func (s *setup) change(ctx context.Context, agent connect.Agent) error {
	changes, err := s.plan(agent, s.want)
	if err != nil {
		return s.byHand(agent, err)
	}
	if s.want.Recall && !agent.Asks {
		s.a.Status("%s needs no leave: it calls recall without asking", agent.Title)
	}
	if s.project && !s.out {
		s.a.Status("whoever works on this project with %s starts what is called ken on their machine, some without being asked", agent.Title)
	}
	if s.want.Hooks != connect.Never && !agent.Hooks && s.hooks != "" {
		s.a.Status("%s has no hooks: what is remembered stands in the greeting of the server", agent.Title)
	}
	if len(changes) == 0 {
		if s.out {
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
	if agent.Untried && !s.out {
		s.a.Status("%s: this is what its documentation says; it was not tried with the program itself", agent.Title)
	}
	switch {
	case s.out || agent.IsEditor:
	case s.want.Scope != "":
		s.a.Status("what ken gives to %s goes to the company that runs its model: what holds everywhere", agent.Title)
	default:
		s.a.Status("what ken gives to %s goes to the company that runs its model (--scope user: nothing of projects)", agent.Title)
	}
	if !s.noAsk {
		yes, err := s.a.Person.Confirm(ctx, "change this?")
		switch {
		case errors.Is(err, repl.ErrNoTerminal):
			return fault.Refusedf("nobody is there to be asked: nothing was changed").WithHint("say yes beforehand: add --yes")
		case err != nil:
			return err
		case !yes:
			return fault.Refusedf("nothing was changed")
		}
	}
	for _, c := range changes {
		missing := c.Missing()
		if err := c.Apply(ctx, s.keep(ctx, agent, c)); err != nil {
			return s.byHand(agent, err)
		}
		if !s.out {
			s.note(ctx, func(made []string) []string { return append(made, missing...) })
		}
		if err := s.a.Println("setup: changed " + regular.Short(c.Path, s.place.Home)); err != nil {
			return err
		}
	}
	if s.out {
		s.note(ctx, func(made []string) []string { return connect.Clear(made, changes) })
		s.a.Status("%s: removed; it is in force when it starts next", agent.Name)
		return nil
	}
	if agent.Trust && s.want.Hooks != connect.Never {
		s.a.Status("%s runs the hook only once you said so in it: start it, and trust its hooks", agent.Title)
	}
	undo := s.a.Verb("setup " + agent.Name + s.where() + " --remove")
	s.a.Status("%s: set up; it is in force when it starts next (to undo it: %s)", agent.Name, undo)
	return nil
}

// show prints what changes, with what is secret in the files masked.
func (s *setup) show(changes []connect.Change) error {
	m := redact.New(nil)
	for _, c := range changes {
		name := regular.Short(c.Path, s.place.Home)
		text, _ := m.Mask(edit.Diff(name, string(c.Old), string(c.New)))
		if err := s.a.Println(strings.TrimSuffix(text, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// byHand says why nothing can be written, and what to put where.
func (s *setup) byHand(agent connect.Agent, err error) error {
	f := fault.Failuref("%s was not changed: %w", agent.Name, err)
	foreign, rejected := (*connect.ForeignError)(nil), (*connect.RejectedError)(nil)
	switch {
	case errors.As(err, &foreign):
		return f.WithHint("look at it; to have ken there, take it out first")
	case errors.As(err, &rejected):
		return f.WithHint("mend the file: its own program does not read it either")
	case s.out:
		return f.WithHint("take out by hand what names ken")
	}
	for _, file := range agent.Files(s.place, s.want) {
		if text := file.Snippet(); text != "" {
			if err := s.a.Println(fmt.Sprintf("in %s:\n%s", regular.Short(file.Path, s.place.Home), strings.TrimSuffix(text, "\n"))); err != nil {
				return err
			}
		}
	}
	return f.WithHint("put in by hand what is printed above")
}
