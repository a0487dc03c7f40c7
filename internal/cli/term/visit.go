package term

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"ken/internal/repl"
	"ken/internal/tool/mcp"
	"ken/internal/wrap"
)

// visit has the person sign in at an address: it is shown, opened on a yes, and waited for; the address at which a browser
// on another machine ended is typed. The address is theirs to open and is shown whole, not masked.
func (a *Run) visit(ctx context.Context, v mcp.Visit) (string, error) {
	if v.Wrong != "" {
		a.Say("", "  "+v.Wrong)
	} else if err := a.offerPage(ctx, v); err != nil {
		return "", err
	}
	line, err := a.Person.AskLine(ctx, "  waiting for the browser; if it ended at an error, give the address there (Enter: give up) > ")
	if ctx.Err() != nil { // it came back by itself, or too late
		_ = a.Person.OnTerminal(func(t *repl.Terminal) error { t.EndLine(); return nil })
	}
	return line, err
}

// offerPage shows the address of a visit, and opens it if the person says so.
func (a *Run) offerPage(ctx context.Context, v mcp.Visit) error {
	a.Say("[ken] ", fmt.Sprintf("the server %s (%s) wants you to sign in at %s:", v.Server, v.For, v.At))
	err := a.Person.OnTerminal(func(t *repl.Terminal) error {
		_, err := io.WriteString(t.Err, wrap.List(t.Err, v.URL)+"\n")
		return err
	})
	argv := a.Process.browser()
	if err != nil || argv == nil {
		return err
	}
	yes, err := a.Person.Confirm(ctx, "open it in a browser here?")
	if err != nil || !yes {
		return err
	}
	if err := a.Process.detach(append(argv, v.URL)); err != nil {
		a.Say("", "  "+argv[0]+" does not start: open the address yourself")
	}
	return nil
}

// Browse opens an address in the person's browser, which goes on by itself. Everybody on the machine can read the address meanwhile, as
// that of any process. Errors: there is no browser; it does not start.
func (a *Run) Browse(address string) error {
	argv := a.Process.browser()
	if argv == nil {
		return errors.New("there is no browser here")
	}
	if err := a.Process.detach(append(argv, address)); err != nil {
		return fmt.Errorf("%s does not start: %w", argv[0], err)
	}
	return nil
}

// browser is the command that opens an address: that of $BROWSER, else the system's; nil where there is none.
func (p *Process) browser() []string {
	first, _, _ := strings.Cut(p.env.Getenv("BROWSER"), ":")
	argv := []string{cmp.Or(strings.TrimSpace(first), map[string]string{"darwin": "open", "windows": "rundll32"}[runtime.GOOS], "xdg-open")}
	if _, err := p.FindProgram(argv[0]); err != nil {
		return nil
	}
	if argv[0] == "rundll32" {
		argv = append(argv, "url.dll,FileProtocolHandler")
	}
	return argv
}

// detach starts a program that goes on by itself, without the terminal.
func (p *Process) detach(argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = p.env.Dir
	if p.env.Environ != nil {
		cmd.Env = p.env.Environ()
	}
	apart(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // what it says is between it and the person
	return nil
}
