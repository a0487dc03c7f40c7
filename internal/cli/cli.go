package cli

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/cli/distillcmd"
	"ken/internal/cli/lifecmd"
	"ken/internal/cli/talk"
	"ken/internal/fault"
	"ken/internal/home"
)

// Env is all that a run takes from around it.
type Env = app.Env

// System is the Env of this process. KEN_NOW, an RFC 3339 time, stops the
// clock there, and KEN_INDEX says when the index is kept, both for tests; an
// unreadable one is an error.
func System() (Env, error) {
	env := Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now, Clock: time.Now,
		Input: &os.Stdin, Output: &os.Stdout, Environ: os.Environ, Setenv: os.Setenv, Unsetenv: os.Unsetenv, Chdir: os.Chdir,
	}
	var err error
	if env.Dir, err = os.Getwd(); err != nil {
		env.Dir = ""
	}
	if s := os.Getenv("KEN_NOW"); s != "" {
		fixed, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return env, fault.Usagef("KEN_NOW: %v", err)
		}
		env.Now = func() time.Time { return fixed }
	}
	switch env.Index = os.Getenv("KEN_INDEX"); env.Index {
	case "", home.IndexAlways, home.IndexNever:
	default:
		return env, fault.Usagef("KEN_INDEX: want %s or %s, not %q", home.IndexAlways, home.IndexNever, env.Index)
	}
	return env, nil
}

// Main runs one command line and returns its exit code.
func Main(ctx context.Context, env Env) int {
	p := &program{app: app.New(env), read: make(map[string]distillcmd.Progress)}
	p.app.OnChange = func() { lifecmd.Follow(ctx, p.app) }
	p.app.OnSummedUp = func() {
		lifecmd.Sweep(ctx, p.app)
		p.shorter = true
	}
	p.app.OnAnswered = func(ctx context.Context) {
		if p.shorter && p.shell != nil {
			p.extract(ctx, p.shell.SessionPath())
		}
		p.shorter = false
	}
	err := p.Run(ctx, env.Args)
	p.app.Beside.Rest()
	if ctx.Err() == nil {
		p.app.Tend(ctx) // behind the answer
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
	app   *app.App
	shell *talk.Shell
	read  map[string]distillcmd.Progress // by the path of a conversation: how far it was read for candidates
	// shorter: turns were summed up on the way to an answer, and are read behind it.
	shorter bool
}

// Run implements talk.Tree.
func (p *program) Run(ctx context.Context, args []string) error {
	if p.shell == nil && len(args) > 0 && strings.HasPrefix(args[0], "-") {
		args = printFlag(p.bare(), args)
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
	root.SetArgs(args)
	root.SetIn(p.app.Env.Stdin)
	root.SetOut(p.app.Env.Stdout)
	root.SetErr(p.app.Env.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !app.HasVerdict(err) && isUsage(err) {
		return p.misused(cmd, err)
	}
	if err == nil && p.shell != nil && cmd.Name() == "save" {
		lifecmd.Sweep(ctx, p.app)
	}
	return err
}

// runShell starts the shell.
func (p *program) runShell(ctx context.Context) error {
	p.shell = talk.NewShell(p.app, p)
	lifecmd.Prune(ctx, p.app)
	err := p.shell.Run(ctx)
	if err == nil {
		p.extract(ctx, p.shell.SessionPath())
	}
	p.shell = nil
	if ctx.Err() == nil {
		lifecmd.Sweep(ctx, p.app) // the conversation is on the disk by now
	}
	return err
}

// extract reads what of a conversation was not read yet for candidates, if the settings want that.
func (p *program) extract(ctx context.Context, path string) {
	p.read[path] = distillcmd.Automatic(ctx, p.app, path, p.read[path])
}

// extracting has the commands of the shell that save, sum up or leave a conversation read it as
// well, if the settings want that.
func (p *program) extracting(commands []*cobra.Command) []*cobra.Command {
	for _, c := range commands {
		switch c.Name() {
		case "save", "compact":
			c.PostRun = func(c *cobra.Command, _ []string) {
				p.shorter = false
				p.extract(c.Context(), p.shell.SessionPath())
			}
		case "resume":
			var left string
			c.PreRun = func(*cobra.Command, []string) { left = p.shell.SessionPath() }
			c.PostRun = func(c *cobra.Command, _ []string) {
				if left != p.shell.SessionPath() { // another one is live now
					p.extract(c.Context(), left)
				}
			}
		}
	}
	return commands
}
