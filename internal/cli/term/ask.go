package term

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"

	"ken/internal/config"
	"ken/internal/draft"
	"ken/internal/fault"
	"ken/internal/repl"
)

// A Person is who a run may ask, at the terminal that it was started from or that the
// shell has. Questions go there whatever standard input is.
type Person struct {
	env   *Env
	shell func() Shell // nil outside the shell
	lane  *Lane
	say   func(prefix, text string) // to standard error
	ascii func() bool               // the terminal shows no more than ASCII

	places func() (config.Paths, error)
}

// OnTerminal does something where the person is. Without one the error is
// repl.ErrNoTerminal.
func (p *Person) OnTerminal(do func(*repl.Terminal) error) error {
	if p.shell() != nil {
		return do(p.shell().Terminal())
	}
	tty, err := openTerminal()
	if err != nil {
		return repl.ErrNoTerminal
	}
	t := &repl.Terminal{In: tty, Out: tty, Err: tty, Asks: true, ASCII: p.ascii(), Lines: p.Lines()}
	err = do(t)
	_ = tty.Close() // nothing is lost with it
	return err
}

// Lines reports whether the terminal hands over whole lines alone.
func (p *Person) Lines() bool { return p.env.Getenv("TERM") == "dumb" }

// Present reports whether a person is there to be asked.
func (p *Person) Present() bool {
	if p.shell() != nil {
		return p.shell().Terminal().Asks
	}
	tty, err := openTerminal()
	if err != nil {
		return false
	}
	return tty.Close() == nil
}

// openTerminal opens the terminal that this process was started from.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

// EditText lets a person change a text in their editor: VISUAL, else EDITOR,
// else vi. An editor that fails is an error; without a person to use it the
// answer is a refusal.
func (p *Person) EditText(ctx context.Context, text string) (string, error) {
	if !p.Present() {
		return "", fault.New(fault.Refused, errors.New("no terminal for an editor")).
			WithHint("give the new text: %s", fault.Command("memory edit REF TEXT"))
	}
	d, err := p.Draft(ctx, "text.txt", []byte(text+"\n"))
	if err != nil {
		return "", err
	}
	b, err := p.editDraft(ctx, d)
	if err != nil {
		return "", errors.Join(err, d.Done())
	}
	if err := d.Done(); err != nil {
		p.say("ken: warning: ", err.Error())
	}
	return strings.TrimRight(string(b), "\n"), nil
}

// editDraft is what a draft says when its editor is closed.
func (p *Person) editDraft(ctx context.Context, d *draft.Draft) ([]byte, error) {
	if err := p.EditFile(ctx, d.Path()); err != nil {
		return nil, err
	}
	b, err := d.Text()
	if err != nil {
		return nil, fmt.Errorf("edit: %w", err)
	}
	return b, nil
}

// Draft writes a text to a private file called name, for an editor or for the person to
// have again.
func (p *Person) Draft(ctx context.Context, name string, text []byte) (*draft.Draft, error) {
	dir, err := p.drafts()
	if err != nil {
		return nil, err
	}
	return dir.New(ctx, name, text)
}

// SweepDrafts takes away the drafts that nobody comes back for: see package draft.
func (p *Person) SweepDrafts(ctx context.Context) {
	if dir, err := p.drafts(); err == nil { // else there are none
		dir.Sweep(ctx)
	}
}

func (p *Person) drafts() (draft.Dir, error) {
	paths, err := p.places()
	return draft.Dir{Path: config.DraftsIn(paths), Now: p.env.Clock}, err
}

// EditFile opens a file in the person's editor, and waits until it is closed.
func (p *Person) EditFile(ctx context.Context, path string) error {
	editor := cmp.Or(p.env.Getenv("VISUAL"), p.env.Getenv("EDITOR"), "vi")
	// EDITOR may hold arguments, and is a line for the shell everywhere else.
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", editor+` "$1"`, "sh", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.env.Stdin, p.env.Stdout, p.env.Stderr
	back := p.Lend()
	err := cmd.Run()
	back()
	if err != nil {
		return fmt.Errorf("editor %s: %w", editor, err)
	}
	return nil
}

// Lend gives the terminal of the shell, if this is one, to a program until back is
// called.
func (p *Person) Lend() (back func()) {
	if p.shell() == nil {
		return func() {}
	}
	return p.shell().Terminal().Lend()
}

// Size is the size of the terminal at which the person is asked, in cells: 80 by 24
// where it does not say.
func (p *Person) Size() (wide, high int) {
	tty, done, err := p.terminal()
	if err != nil {
		return 80, 24
	}
	defer done()
	wide, high, err = term.GetSize(int(tty.Fd()))
	if err != nil || wide < 20 || high < 5 {
		return 80, 24
	}
	return wide, high
}
