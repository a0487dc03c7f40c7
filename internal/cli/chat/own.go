package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"ken/internal/cli/run"
	"ken/internal/fault"
	"ken/internal/repl"
)

// own does what a line says about ken itself: cd, export and unset. A shell
// that ran them would take the change with it when it ends. did is false if line
// is none of them.
func (s *REPL) own(ctx context.Context, line string) (did bool, err error) {
	o, ok := repl.ParseOwn(line)
	if !ok {
		return false, nil
	}
	cfg := s.expansion(ctx)
	if o.Name == "export" {
		return true, s.export(cfg, o.Assigns)
	}
	args, err := expand.Fields(cfg, o.Args...)
	switch {
	case err != nil:
		return true, fmt.Errorf("%s: %w", o.Name, err)
	case o.Name == "cd":
		return true, s.cd(ctx, args)
	}
	return true, s.unset(args)
}

// expansion is how words of such a line are expanded: as shells do, with ken's own
// variables. A command substitution is run by the person's shell.
func (s *REPL) expansion(ctx context.Context) *expand.Config {
	a := s.app
	return &expand.Config{
		Env: expand.FuncEnviron(func(name string) string {
			if name == "PWD" {
				return a.Env.Dir
			}
			return a.Env.Getenv(name)
		}),
		ReadDir2: os.ReadDir,
		CmdSubst: func(w io.Writer, c *syntax.CmdSubst) error {
			var line strings.Builder
			for _, stmt := range c.Stmts {
				if err := syntax.NewPrinter().Print(&line, stmt); err != nil {
					return err
				}
				line.WriteByte('\n')
			}
			r, err := run.Bare(ctx, a, line.String(), w)
			if err == nil && r.Code != 0 {
				err = fmt.Errorf("%s: exit code %d", strings.TrimSpace(line.String()), r.Code)
			}
			return err
		},
	}
}

// cd changes the directory in which ken, and every command after this one, is.
func (s *REPL) cd(ctx context.Context, args []string) error {
	a := s.app
	for len(args) > 0 && (args[0] == "--" || args[0] == "-L") {
		args = args[1:]
	}
	was := a.Home.Here.Spot()
	switch {
	case len(args) > 1:
		return fault.Usagef("cd: one directory, not %d", len(args)).WithHint("quote a name with blanks: cd %q", strings.Join(args, " "))
	case len(args) == 0:
		args = []string{a.Env.Getenv("HOME")}
		if args[0] == "" {
			return errors.New("cd: HOME is not set")
		}
	case args[0] == "-":
		args = []string{a.Env.Getenv("OLDPWD")}
		if args[0] == "" {
			return errors.New("cd -: there is no directory to go back to")
		}
		defer func() { a.Status("%s", a.Home.Here.Place().Dir) }()
	}
	if err := a.Process.Chdir(args[0]); err != nil {
		return err
	}
	if a.Home.Here.Spot() != was {
		s.dialog.Meet(ctx, true)
		s.tellRepoLogs(ctx)
	}
	s.tellDocs(ctx)
	return nil
}

// export sets variables of ken, which every command after this one inherits. All
// of ken's variables are exported already, so a bare name changes nothing.
func (s *REPL) export(cfg *expand.Config, args []*syntax.Assign) error {
	values := make([]string, len(args)) // all are expanded before the first is set
	for i, as := range args {
		if as.Value == nil {
			continue
		}
		var err error
		if values[i], err = expand.Literal(cfg, as.Value); err != nil {
			return fmt.Errorf("export %s: %w", as.Name.Value, err)
		}
	}
	for i, as := range args {
		if as.Naked {
			continue
		}
		if err := s.app.Process.Setenv(as.Name.Value, values[i]); err != nil {
			return fmt.Errorf("export %s: %w", as.Name.Value, err)
		}
	}
	return nil
}

// unset removes variables of ken.
func (s *REPL) unset(names []string) error {
	for _, name := range names {
		if name == "-v" || name == "--" {
			continue
		}
		if !syntax.ValidName(name) {
			return fault.Usagef("unset: %q is no name of a variable", name)
		}
		if err := s.app.Process.Unsetenv(name); err != nil {
			return fmt.Errorf("unset %s: %w", name, err)
		}
	}
	return nil
}
