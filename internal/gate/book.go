package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// An Approval is a pattern that the person said always to.
type Approval struct {
	ID      int64 // from 1, never used again
	Time    time.Time
	Pattern Pattern
}

// A Book is the file of approvals, read.
type Book struct {
	Stand []Approval // those that were not revoked, oldest first
	last  int64      // the largest number
}

// maxApproval is the longest line of the file, in bytes.
const maxApproval = 64 << 10

// lockWait is how long a write waits for another process that writes.
const lockWait = 5 * time.Second

// ErrNoApproval says that no approval has that number, or not any more.
var ErrNoApproval = errors.New("no such approval")

// A DamagedError says that the file of approvals cannot be trusted, and so counts
// for nothing.
type DamagedError struct {
	Path string
	Line int // 0: the file as a whole
	Err  error
}

func (e *DamagedError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s counts for nothing: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s counts for nothing: line %d: %v", e.Path, e.Line, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Hint is the next step.
func (e *DamagedError) Hint() string {
	return "put the file right or delete it; until then nothing in it is approved"
}

// Load reads the file of approvals at path; a missing one is empty. An error is a
// *DamagedError, and then nothing is approved.
func Load(path string) (Book, error) {
	damaged := func(line int, err error) (Book, error) { return Book{}, &DamagedError{path, line, err} }
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Book{}, nil
	}
	if err != nil {
		return damaged(0, err)
	}
	defer f.Close()
	fi, err := f.Stat()
	switch {
	case err != nil:
		return damaged(0, err)
	case othersWrite(fi.Mode()):
		return damaged(0, fmt.Errorf("others may write to it (mode %04o)", fi.Mode().Perm()))
	}
	var b Book
	for line, err := range jsonl.Lines(f, maxApproval) {
		if err != nil {
			return damaged(line.Number, err)
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		if err := b.take(line.Bytes); err != nil {
			return damaged(line.Number, err)
		}
	}
	return b, nil
}

// take reads one line.
func (b *Book) take(line []byte) error {
	if line == nil {
		return errors.New("too long")
	}
	var (
		a               Approval
		pattern         string
		seen            []string
		revoke          int64
		hasID, hasOther bool
	)
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return err
		}
		ok := true
		switch value := jsonl.Value(f.Value); string(f.Name) {
		case "id":
			a.ID, ok = value.Int()
			hasID = true
		case "ts":
			a.Time, ok = value.Time()
		case "pattern":
			pattern, ok = value.Text()
		case "seen":
			seen, ok = value.Texts()
		case "revoke":
			revoke, ok = value.Int()
			hasOther = true
		}
		if !ok {
			return fmt.Errorf("%s: a value of the wrong type", f.Name)
		}
	}
	switch {
	case hasOther && !hasID && pattern == "":
		for i := range b.Stand {
			if b.Stand[i].ID == revoke {
				b.Stand = append(b.Stand[:i:i], b.Stand[i+1:]...)
				break
			}
		}
		return nil
	case hasOther || a.ID <= b.last:
		return errors.New("no approval: its number is not above the earlier ones")
	}
	var err error
	if a.Pattern, err = ParsePattern(pattern); err != nil {
		return err
	}
	if len(a.Pattern.words) == 0 {
		return errors.New("a pattern that is everything")
	}
	if a.Pattern.open {
		if a.Pattern.seen = seen; seen == nil {
			seen = a.Pattern.shape()
		}
		if len(seen) < len(a.Pattern.words) || !slices.Equal(seen[:len(a.Pattern.words)], a.Pattern.words) {
			return errors.New("seen: not a command that the pattern is about")
		}
		a.Pattern.seen = seen
	}
	b.last = a.ID
	b.Stand = append(b.Stand, a)
	return nil
}

// Approve appends an approval of p to the file at path, durably. The caller has
// shown p to a person, who said always. A pattern that stands is not appended again.
func Approve(ctx context.Context, path string, p Pattern, now time.Time) (Approval, error) {
	a := Approval{Time: now.UTC().Truncate(time.Second), Pattern: p}
	err := change(ctx, path, func(b Book) []byte {
		for _, old := range b.Stand {
			if old.Pattern.String() == p.String() && slices.Equal(old.Pattern.seen, p.shape()) {
				a = old
				return nil
			}
		}
		a.ID = b.last + 1
		text := p.String()
		if p.seen == nil {
			return object("id", &a.ID, "ts", &a.Time, "pattern", &text)
		}
		return object("id", &a.ID, "ts", &a.Time, "pattern", &text, "seen", &p.seen)
	})
	return a, err
}

// Revoke takes approvals back by their numbers: all of them or, with an error that
// is ErrNoApproval, none.
func Revoke(ctx context.Context, path string, now time.Time, ids ...int64) error {
	now = now.UTC().Truncate(time.Second)
	var missing error
	err := change(ctx, path, func(b Book) []byte {
		var data []byte
		for _, id := range ids {
			stands := false
			for _, a := range b.Stand {
				stands = stands || a.ID == id
			}
			if !stands {
				missing = fmt.Errorf("%d: %w", id, ErrNoApproval)
				return nil
			}
			data = append(data, object("ts", &now, "revoke", &id)...)
		}
		return data
	})
	return errors.Join(err, missing)
}

// change appends what lines makes of the book, under the lock.
func change(ctx context.Context, path string, lines func(Book) []byte) error {
	lock, err := jsonl.LockDir(ctx, filepath.Dir(path), lockWait)
	if err != nil {
		return fmt.Errorf("keep approvals: %w", err)
	}
	b, err := Load(path)
	if err == nil {
		if data := lines(b); len(data) > 0 {
			err = jsonl.Append(jsonl.OS{}, path, data, true)
		}
	}
	if uerr := lock.Unlock(); err == nil {
		err = uerr
	}
	if err != nil {
		return fmt.Errorf("keep approvals: %w", err)
	}
	return nil
}

// object is a line of names and places, with its end.
func object(fields ...any) []byte {
	line := []byte{'{'}
	for i := 0; i+1 < len(fields); i += 2 {
		name, _ := fields[i].(string)
		line = jsonl.AppendField(line, name, fields[i+1])
	}
	return append(line, '}', '\n')
}
