package term

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ken/internal/fault"
	"ken/internal/regular"
	"ken/internal/repl"
	"ken/internal/termsafe"
)

// WriteFile writes a text to a file that the person named. They are asked before it takes the place of
// one that is there; where nobody can be asked that is refused. What is no regular file is an error,
// a link to one is followed. Of a fault nothing but its words is shown.
func (p *Person) WriteFile(ctx context.Context, path, text string) error {
	name := termsafe.Line(filepath.Base(path))
	notWritten := func(err error) error {
		return fault.Failuref("nothing was written: %s", termsafe.Line(err.Error()))
	}
	fi, err := regular.Stat(path)
	if err != nil {
		return notWritten(err)
	}
	flag := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if fi != nil {
		yes, err := p.Confirm(ctx, fmt.Sprintf("%s is there (%d bytes): write over it?", name, fi.Size()))
		switch {
		case errors.Is(err, repl.ErrNoTerminal), err == nil && !yes:
			return fault.Refusedf("%s is there: nothing was written", name).WithHint("give another name")
		case err != nil:
			return err
		}
		flag = os.O_WRONLY | os.O_TRUNC
	}
	f, err := regular.OpenFile(path, flag, 0o666) // as any program of theirs would make it
	if err != nil {
		return notWritten(err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return notWritten(err)
	}
	return nil
}
