package working

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/tokens"
	"ken/internal/working/digest"
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

// Read returns what the file says. The error is fs.ErrNotExist if there is none,
// ErrExpired, one that wraps ErrMalformed, or that of reading.
func (f File) Read() (Memory, error) {
	file, err := regular.Open(f.Path)
	if err != nil {
		return Memory{}, fmt.Errorf("read the working memory: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	b, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return Memory{}, fmt.Errorf("read the working memory %s: %w", f.Path, err)
	}
	return f.parse(b)
}

func (f File) parse(b []byte) (Memory, error) {
	m, err := Parse(b, f.Now())
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Path, err)
	}
	return m, err
}

// Write makes text what the file says of the person. known is when what the caller knows of the
// file was updated: if another conversation has written since, its lines stay, as
// Join says. last is what this conversation wrote before, "" if nothing: whatever else
// stands there is another's, and stays as well. Text that says nothing is not written. An account
// of a model stays as it is.
//
// What was written is on the disk when Write returns. A file that is no working
// memory is not replaced: whoever wrote it may miss it. The error wraps
// ErrMalformed then.
func (f File) Write(ctx context.Context, text string, known time.Time, last string) (Memory, error) {
	m := New(Cut(text, f.Tokens), f.Now(), f.Days)
	if m.Text == "" {
		return Memory{}, nil
	}
	err := f.change(ctx, func(was *Memory) {
		if last != "" || was.Updated.After(known) {
			m.Text = Join(m.Text, without(was.Text, last), f.Tokens)
		}
		m.Other, m.Account = was.Other, was.Account
		*was = m
	})
	if err != nil {
		return Memory{}, err
	}
	return m, nil
}

// Drop takes the lines out of the file that say something; its times stay. Without such a
// line, and where there is no file that can be read, nothing is done.
func (f File) Drop(ctx context.Context, says func(line string) bool) error {
	drop := func(m *Memory) {
		m.Text, m.Account.Text = digest.Without(m.Text, says), digest.Without(m.Account.Text, says)
	}
	was, err := f.Read()
	if err != nil {
		return nil //nolint:nilerr // who reads it reports it
	}
	now := was
	if drop(&now); now.Text == was.Text && now.Account == was.Account {
		return nil
	}
	return f.change(ctx, drop)
}

// change replaces the file by what do makes of what it says. One that is missing, empty or has
// expired says nothing, and is left alone if do makes nothing of it.
func (f File) change(ctx context.Context, do func(*Memory)) error {
	e := jsonl.Edit{Path: f.Path, Lock: f.Lock, FS: f.FS}
	var refused error
	_, err := e.Bytes(ctx, func(old []byte) ([]byte, error) {
		m, none := New("", f.Now(), f.Days), true
		if len(old) > 0 { // else there is none, or one that was made and never written to
			was, err := f.parse(old[:min(len(old), MaxBytes+1)])
			switch {
			case errors.Is(err, ErrExpired):
				m.Other = was.Other
			case err != nil:
				refused = fmt.Errorf("not written: %w", err)
				return nil, refused
			default:
				m, none = was, false
			}
		}
		if do(&m); none && m.Text == "" && m.Account.Text == "" {
			return old, nil
		}
		return m.Bytes(max(f.Tokens, tokens.Estimate(m.Text))), nil
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return fmt.Errorf("write the working memory %s: %w", f.Path, err)
	}
	return nil
}

// Exists reports whether err says that there is a file, whatever is wrong with it.
func Exists(err error) bool { return err == nil || !errors.Is(err, os.ErrNotExist) }
