package working

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// A File is where a working memory is kept.
type File struct {
	Path   string
	Lock   string // the directory whose lock is held while it is replaced: the data directory
	Days   int    // until what is written expires
	Tokens int    // budget of its text
	Now    func() time.Time
	FS     jsonl.FS // nil: the machine's
}

// wait is how long to wait for others that write.
const wait = 5 * time.Second

// Read is what the file says. The error is fs.ErrNotExist if there is none,
// ErrExpired, one that wraps ErrMalformed, or that of reading.
func (f File) Read() (Memory, error) {
	m, _, err := f.read()
	return m, err
}

func (f File) read() (Memory, fs.FileInfo, error) {
	file, err := regular.Open(f.Path)
	if err != nil {
		return Memory{}, nil, fmt.Errorf("read the working memory: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	fi, err := file.Stat()
	if err != nil {
		return Memory{}, nil, fmt.Errorf("read the working memory: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return Memory{}, nil, fmt.Errorf("read the working memory %s: %w", f.Path, err)
	}
	m, err := Parse(b, f.Now())
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Path, err)
	}
	return m, fi, err
}

// Write makes text what the file says. known is when what the caller knows of the
// file was updated: if another conversation has written since, its lines stay, as
// Join says. Text that says nothing is not written.
//
// What was written is on the disk when Write returns. A file that is no working
// memory is not replaced: whoever wrote it may miss it. The error wraps
// ErrMalformed then.
func (f File) Write(ctx context.Context, text string, known time.Time) (Memory, error) {
	m := New(Cut(text, f.Tokens), f.Now(), f.Days)
	if m.Text == "" {
		return Memory{}, nil
	}
	lock, err := jsonl.LockDir(ctx, f.Lock, wait)
	if err != nil {
		return Memory{}, fmt.Errorf("write the working memory: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	was, old, err := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrExpired):
	case err != nil && old != nil && old.Size() == 0: // a file that was made and never written to
	case err != nil:
		return Memory{}, fmt.Errorf("not written: %w", err)
	case was.Updated.After(known):
		m.Text = Join(m.Text, was.Text, f.Tokens)
	}
	m.Other = was.Other
	sys := f.FS
	if sys == nil {
		sys = jsonl.OS{}
	}
	err = jsonl.Rewrite(sys, f.Path, old, func(w io.Writer) error {
		_, err := w.Write(m.Bytes(f.Tokens))
		return err
	})
	if err != nil {
		return Memory{}, fmt.Errorf("write the working memory %s: %w", f.Path, err)
	}
	return m, nil
}

// Exists reports whether err says that there is a file, whatever is wrong with it.
func Exists(err error) bool { return err == nil || !errors.Is(err, os.ErrNotExist) }
