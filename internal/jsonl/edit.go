package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"ken/internal/regular"
)

// An Edit changes a file in place: it reads the file, and puts new content in its place as Rewrite
// does, whole or not at all. If somebody else changed the file since it was read, the error is
// ErrChanged, and nothing was done. Unchanged content is not written. A missing file has no lines.
type Edit struct {
	Path string
	Lock string        // the directory whose lock is held meanwhile; "": the caller holds it
	Wait time.Duration // for that lock; 0: 5 s
	FS   FS            // nil: the machine's
	Max  int           // the longest line that is read, in bytes; 0: any
	Most int64         // the largest file that is read, in bytes; 0: any. A larger one is regular.ErrTooLong
	// KeepTime says that the file keeps the time at which it was last written to.
	KeepTime bool
}

// A Swap puts Text in the place of the bytes of a file from From to To.
type Swap struct {
	From, To int64
	Text     []byte
}

// Bytes replaces the content of the file by what by returns. old is nil if there is no file. If by
// returns nil then, the file stays missing; anything else makes it.
func (e Edit) Bytes(ctx context.Context, by func(old []byte) ([]byte, error)) (changed bool, err error) {
	err = e.do(ctx, func(f *os.File, stat fs.FileInfo) (func(io.Writer) error, error) {
		var old []byte
		if f != nil {
			text, err := io.ReadAll(io.NewSectionReader(f, 0, stat.Size()))
			if err != nil {
				return nil, err
			}
			old = text
		}
		now, err := by(old)
		if err != nil || f == nil && now == nil || f != nil && bytes.Equal(old, now) {
			return nil, err
		}
		changed = true
		return func(w io.Writer) error { _, err := w.Write(now); return err }, nil
	})
	return changed && err == nil, err
}

// An EachLine returns what is to stand in the place of a line. line has its number, without its end
// and without a byte order mark. If the line is longer than the limit, its bytes are in within. The
// line stays unless changed is true; a nil now then removes it with its end.
type EachLine func(line Line, within *io.SectionReader) (now []byte, changed bool, err error)

// Lines calls to for each line, and returns how many lines changed. It holds one line at a time.
func (e Edit) Lines(ctx context.Context, to EachLine) (changed int, err error) {
	return e.Swaps(ctx, func(r *io.SectionReader) iter.Seq2[Swap, error] { return e.swaps(r, to) })
}

// swaps are those that do to each line of r what to says.
func (e Edit) swaps(r *io.SectionReader, to EachLine) iter.Seq2[Swap, error] {
	limit := e.Max
	if limit == 0 {
		limit = int(r.Size()) + 1
	}
	return func(yield func(Swap, error) bool) {
		for line, err := range Lines(io.NewSectionReader(r, 0, r.Size()), limit) {
			var now []byte
			var changed bool
			if err == nil {
				now, changed, err = to(line, io.NewSectionReader(r, line.Offset, line.Len))
			}
			if err != nil {
				yield(Swap{}, err)
				return
			}
			if !changed {
				continue
			}
			s := Swap{line.Offset, line.Offset + line.Len, now}
			switch {
			case now == nil:
				s.To = line.End.Offset
			case line.Bytes != nil:
				s.From = s.To - int64(len(line.Bytes))
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

// Swaps makes the swaps that find yields for the file, and returns how many there were. They are in order and
// do not overlap. Each is written before the next is asked for; without any, nothing is written.
func (e Edit) Swaps(ctx context.Context, find func(r *io.SectionReader) iter.Seq2[Swap, error]) (done int, err error) {
	stop := func() {}
	defer func() { stop() }()
	err = e.do(ctx, func(f *os.File, stat fs.FileInfo) (func(io.Writer) error, error) {
		if f == nil {
			return nil, nil
		}
		r := io.NewSectionReader(f, 0, stat.Size())
		next, end := iter.Pull2(find(r))
		stop = end
		s, err, more := next()
		if err != nil || !more {
			return nil, err
		}
		return func(w io.Writer) error {
			from := int64(0)
			for ; more; s, err, more = next() {
				if err != nil {
					return err
				}
				if _, err := io.Copy(w, io.NewSectionReader(r, from, s.From-from)); err != nil {
					return err
				}
				if _, err := w.Write(s.Text); err != nil {
					return err
				}
				from = s.To
				done++
			}
			_, err := io.Copy(w, io.NewSectionReader(r, from, r.Size()-from))
			return err
		}, nil
	})
	if err != nil {
		return 0, err
	}
	return done, nil
}

// do rewrites the file by what change makes of it; nil: it stays. f is nil if there
// is no file.
func (e Edit) do(ctx context.Context, change func(f *os.File, stat fs.FileInfo) (func(io.Writer) error, error)) (err error) {
	if e.Lock != "" {
		wait := e.Wait
		if wait == 0 {
			wait = 5 * time.Second
		}
		lock, err := LockDir(ctx, e.Lock, wait)
		if err != nil {
			return err
		}
		// What was done under the lock is done, whether or not giving it back succeeds.
		defer func() { _ = lock.Unlock() }()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	f, stat, err := openStat(e.Path)
	if err != nil {
		return err
	}
	if f != nil {
		defer func() { _ = f.Close() }() // it was only read
		if e.Most > 0 && stat.Size() > e.Most {
			return fmt.Errorf("%s: %w: more than %d bytes", e.Path, regular.ErrTooLong, e.Most)
		}
	}
	write, err := change(f, stat)
	if err != nil || write == nil {
		return err
	}
	if err := Rewrite(orOS(e.FS), e.Path, stat, write); err != nil {
		return err
	}
	if e.KeepTime && stat != nil {
		if err := os.Chtimes(e.Path, stat.ModTime(), stat.ModTime()); err != nil {
			return fmt.Errorf("keep the time of %s: %w", e.Path, err)
		}
	}
	return nil
}

// openStat opens the file at path for reading, with what is known of what was opened;
// both are nil if there is none.
func openStat(path string) (*os.File, fs.FileInfo, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	stat, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, stat, nil
}
