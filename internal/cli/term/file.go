package term

import (
	"context"
	"errors"
	"fmt"
	"io"
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
		flag = os.O_WRONLY
	}
	f, err := regular.OpenFile(path, flag, 0o666) // as any program of theirs would make it
	if err != nil {
		return notWritten(err)
	}
	size := int64(0)
	if fi, err = f.Stat(); err == nil {
		size = fi.Size()
		err = replace(f, size, text)
	}
	err = errors.Join(err, f.Close())
	switch {
	case errors.Is(err, errTorn):
		return fault.Failuref("%s was not written whole: %s", name, termsafe.Line(err.Error()))
	case err != nil && flag&os.O_EXCL != 0:
		return notWritten(errors.Join(err, os.Remove(path))) // it is of this run
	case err != nil:
		return notWritten(err)
	}
	return nil
}

// errTorn says that a file has neither its old text nor the new one.
var errTorn = errors.New("part of it is written")

// A replaced is a file whose text is replaced.
type replaced interface {
	io.WriterAt
	Truncate(size int64) error
}

// replace makes text the text of a file of a size. What needs room on the disk is written first,
// behind the old text, so that a full disk takes nothing of it.
func replace(f replaced, size int64, text string) error {
	long := int64(len(text))
	if long > size {
		if _, err := f.WriteAt([]byte(text[size:]), size); err != nil {
			return errors.Join(err, f.Truncate(size))
		}
	}
	if _, err := f.WriteAt([]byte(text[:min(long, size)]), 0); err != nil {
		return fmt.Errorf("%w: %w", errTorn, err)
	}
	if long < size {
		if err := f.Truncate(long); err != nil {
			return fmt.Errorf("%w: %w", errTorn, err)
		}
	}
	return nil
}
