package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"ken/internal/cli/chat"
	"ken/internal/cli/help"
	"ken/internal/cli/learn"
	"ken/internal/cli/memory"
	"ken/internal/cli/run"
	"ken/internal/cli/setup"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/upkeep"
	"ken/internal/wrap"
)

// Env is all that a run takes from around it.
type Env = term.Env

// System is the Env of this process. KEN_NOW, an RFC 3339 time, stops the
// clock there, and KEN_INDEX says when the index is kept, both for tests; an
// unreadable one is an error.
func System() (Env, error) {
	if err := run.Enter(os.Args); err != nil { // a child that shuts itself in, or ends with us what a model started
		return Env{}, err
	}
	env := Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now, Clock: time.Now,
		Input: &os.Stdin, Output: &os.Stdout, Environ: os.Environ, Setenv: os.Setenv, Unsetenv: os.Unsetenv, Chdir: os.Chdir,
	}
	var err error
	if env.Dir, err = os.Getwd(); err != nil {
		env.Dir = ""
	}
	if env.Self, err = os.Executable(); err != nil {
		env.Self = ""
	}
	if NeverFails(env.Args) {
		return env, nil
	}
	if s := os.Getenv("KEN_NOW"); s != "" {
		fixed, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return env, fault.Usagef("KEN_NOW: %v", err)
		}
		env.Now = func() time.Time { return fixed }
	}
	env.Index = os.Getenv("KEN_INDEX")
	return env, term.CheckIndex(env.Index)
}

// NeverFails reports whether a command line is one whose exit code is 0 whatever is wrong, with the environment as
// with anything else.
func NeverFails(args []string) bool {
	return len(args) > 0 && args[0] == "hook" && !slices.Contains(args, "--help") && !slices.Contains(args, "-h")
}

// Main runs one command line and returns its exit code.
func Main(ctx context.Context, env Env) int {
	if NeverFails(env.Args) { // before anything that could fail
		setup.RunHook(ctx, env, env.Args[1:], false)
		return 0
	}
	p := &program{app: term.New(env)}
	p.app.Relaxing = learn.Relaxing(p.app)
	p.upkeep = upkeep.New(p.app.Home, func(ctx context.Context, what string) bool { return memory.Begins(ctx, p.app, what) })
	p.app.Home.App().Subscribe(upkeep.Follow)
	err := p.Run(ctx, env.Args)
	p.app.CloseServers()
	p.app.Home.Beside.Rest()
	if ctx.Err() == nil {
		p.app.Home.Memory.Rebuild(ctx) // behind the answer
	}
	if err == nil {
		return 0
	}
	if by := (*signalError)(nil); errors.As(err, &by) {
		return by.code() // whoever sent the signal knows
	}
	return p.app.Report(err)
}

// program is one run: what commands stand on, and the shell if it runs.
type program struct {
	app    *term.Run
	shell  *chat.REPL
	upkeep *upkeep.Upkeep
}

// Run implements chat.Tree.
func (p *program) Run(ctx context.Context, args []string) error {
	if p.shell == nil && len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "--version" {
		args = p.printed(args)
	}
	if help.MayRespell(args) {
		args = p.respelled(args)
	}
	root := p.branch(args)
	if root == nil {
		root = p.Root()
	}
	if asksForWords(args) {
		p.offerWords(root)
	} else if line, err := p.lineWords(root, args); err != nil {
		return err
	} else {
		args = line
	}
	if !asksForWords(args) {
		p.tellTaken(root, args)
	}
	root.SetArgs(args)
	root.SetIn(p.app.Env.Stdin)
	helps, complaints := wrap.NewWriter(p.app.Env.Stdout), wrap.NewWriter(p.app.Env.Stderr)
	root.SetOut(helps)
	root.SetErr(complaints)
	cmd, err := root.ExecuteContextC(ctx)
	if flushed := errors.Join(helps.Flush(), complaints.Flush()); err == nil {
		err = flushed
	}
	if err != nil && !term.HasVerdict(err) && isUsage(err) {
		return p.misused(cmd, err)
	}
	return err
}

// printed is a line in which -p is the word ask.
func (p *program) printed(args []string) []string {
	root := p.branch([]string{"ask"})
	ask, _, err := root.Find([]string{"ask"})
	if err != nil {
		return args
	}
	return printFlag(ask, args)
}

// respelled is a line in which no flag stands for an older name of a command any more. In
// a question for words the last one is not there yet.
func (p *program) respelled(args []string) []string {
	if !asksForWords(args) {
		return help.Respell(p.Root(), args)
	}
	last := len(args) - 1
	return slices.Concat(args[:1], help.Respell(p.Root(), args[1:last]), args[last:])
}

// runShell starts the shell in the conversation that st says.
func (p *program) runShell(ctx context.Context, st chat.Start) error {
	p.shell = chat.NewREPL(p.app, p.upkeep, p)
	defer func() { p.shell = nil }()
	return p.shell.Run(ctx, st)
}
