package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// Save has everything so far on the disk and returns the file's path. With a
// name, the file is called <name>.jsonl from now on (the suffix may be given);
// the session's id stays. It is an error (fs.ErrExist) if another file has that
// name, errName if it cannot be one, and ErrEmpty if there is no turn yet.
// Discard saves nothing: ErrEmpty.
func (w *Writer) Save(name string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	path := w.path
	if name != "" {
		var err error
		if path, err = w.named(name); err != nil {
			return "", err
		}
	}
	if err := w.saveable(); err != nil {
		return "", err
	}
	w.behind = false
	if err := w.flush(true); err != nil {
		return "", err
	}
	if path != w.path {
		if err := w.dir.locked(w.dir.wait(), func() error { return rename(w.dir.fs(), w.path, path) }); err != nil {
			return "", fmt.Errorf("save session %s: %w", w.header.Session, err)
		}
		w.path, w.dirty = path, true
	}
	return w.path, w.sync()
}

// SaveCopy writes all so far to a new session file <name>.jsonl, with an id of its
// own, and returns its path. This session goes on. Errors are those of Save.
func (w *Writer) SaveCopy(name string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	path, err := w.named(name)
	if err != nil {
		return "", err
	}
	if err := w.saveable(); err != nil {
		return "", err
	}
	c, err := w.dir.copyTo(path, w.header.Session, 0, w.body)
	if err != nil {
		return "", fmt.Errorf("copy session %s: %w", w.header.Session, err)
	}
	return path, c.held.release()
}

// named returns the path of the file that a person calls name.
func (w *Writer) named(name string) (string, error) {
	name = strings.TrimSuffix(name, suffix)
	if name != w.header.Session || w.discard {
		if err := checkName(name); err != nil {
			return "", err
		}
	}
	return filepath.Join(filepath.Dir(w.path), name+suffix), nil
}

// saveable reports why there is nothing to save.
func (w *Writer) saveable() error {
	switch {
	case w.closed:
		return fmt.Errorf("save session %s: %w", w.header.Session, errClosed)
	case w.discard, !w.made && !w.worth:
		return fmt.Errorf("save session: %w", ErrEmpty)
	}
	return nil
}

// body is what the file would hold with all pending lines.
func (w *Writer) body() (_ *io.SectionReader, done func() error, err error) {
	j := joined{more: w.pending}
	done = func() error { return nil }
	if w.made {
		f, err := regular.Open(w.path)
		if err != nil {
			return nil, nil, err
		}
		src, err := section(f)
		if err != nil {
			return nil, nil, errors.Join(err, f.Close())
		}
		j.first, j.size, done = src, src.Size(), f.Close
	}
	switch end := make([]byte, 1); {
	case j.size == 0:
		head, err := w.header.Line()
		if err != nil {
			return nil, nil, errors.Join(err, done())
		}
		j.more = slices.Concat(head, w.pending)
	default:
		if _, err := j.first.ReadAt(end, j.size-1); err != nil {
			return nil, nil, errors.Join(err, done())
		}
		if end[0] != '\n' {
			j.more = slices.Concat([]byte{'\n'}, w.pending)
		}
	}
	return io.NewSectionReader(j, 0, j.size+int64(len(j.more))), done, nil
}

// joined is the first size bytes of a file, and what follows.
type joined struct {
	first io.ReaderAt
	size  int64
	more  []byte
}

// ReadAt reads from both.
func (j joined) ReadAt(b []byte, off int64) (n int, err error) {
	if off < j.size {
		if n, err = j.first.ReadAt(b[:min(int64(len(b)), j.size-off)], off); n == len(b) || off+int64(n) < j.size {
			return n, err
		}
	}
	rest, err := bytes.NewReader(j.more).ReadAt(b[n:], off+int64(n)-j.size)
	return n + rest, err
}

// rename gives the file from the name to, which no other file may have. The
// caller holds the data lock, so that no other ken makes one in between.
func rename(f jsonl.FS, from, to string) error {
	there, err := os.Lstat(to)
	if err == nil {
		// Where case does not count, a new spelling is the same file.
		if now, serr := os.Lstat(from); serr != nil || !os.SameFile(there, now) {
			return &fs.PathError{Op: "rename to", Path: to, Err: fs.ErrExist}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return f.Rename(from, to)
}

// copyTo begins a session with a copy of another one, in the file at path; if
// that is "", in one named by its id. body opens the bytes of the other's file,
// called name, and is called under the data lock. It ends behind turn upTo; 0: it is whole.
func (d Dir) copyTo(path, name string, upTo int, body func() (*io.SectionReader, func() error, error)) (w *Writer, err error) {
	now := d.Now()
	id, held, err := d.reserve(now)
	if err != nil {
		return nil, err
	}
	if path == "" {
		path = d.file(id)
	}
	w = &Writer{dir: d, path: path, held: held, made: true}
	err = d.locked(d.wait(), func() error {
		src, done, err := body()
		if err != nil {
			return err
		}
		defer func() { _ = done() }() // it was only read
		lines, err := w.copies(src, name, upTo)
		if err != nil {
			return err
		}
		w.header.Format, w.header.Session, w.header.Started = Format, id, stamp(now)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
		return jsonl.Make(d.fs(), path, func(to io.Writer) error { return w.copyLines(to, src, lines) })
	})
	if err != nil {
		return nil, errors.Join(err, held.release())
	}
	// What cannot be copied is not there, as all of it will not be one day.
	_ = d.OutputsOf(w.header.CopiedFrom).CopyTo(d.OutputsOf(id), w.header.CopiedTo)
	return w, nil
}

// copies sets the header of w, but for what is its own, and the last number, for a copy of the session called name in src up
// to turn upTo; 0: of all. It returns how many lines of src that takes.
func (w *Writer) copies(src *io.SectionReader, name string, upTo int) (lines int, err error) {
	said, end := false, through{n: upTo}
	for l, err := range Lines(src, name) {
		if err != nil {
			return 0, err
		}
		w.header, w.last = l.Header, l.last
		if l.Turn != nil || l.Event != nil {
			end.add(l.Entry)
		}
		said = said || l.Turn != nil
	}
	if !said {
		return 0, ErrEmpty
	}
	lines = math.MaxInt
	if upTo > 0 {
		if w.last, lines = upTo, end.line; lines == 0 {
			return 0, fmt.Errorf("%s has no turn %d", w.header.Session, upTo)
		}
	}
	w.header.CopiedFrom, w.header.CopiedTo = w.header.Session, w.last
	return lines, nil
}

// copyLines writes a copy of the session in src: the header of w, then every line as it stands, unreadable ones too, but for a
// torn tail.
func (w *Writer) copyLines(to io.Writer, src *io.SectionReader, lines int) error {
	head, err := w.header.Line()
	if err != nil {
		return err
	}
	if _, err := to.Write(head); err != nil {
		return err
	}
	for l, err := range Lines(src, "") {
		if err != nil {
			return err
		}
		if l.Line > lines {
			break
		}
		header := !l.Bad && l.Turn == nil && l.Event == nil && len(bytes.TrimSpace(l.Text)) > 0
		if header || l.Bad && !l.Ended {
			continue
		}
		text := io.Reader(bytes.NewReader(l.Text))
		if l.Text == nil {
			text = io.NewSectionReader(src, l.Offset, l.Len)
		}
		if _, err := io.Copy(to, text); err != nil {
			return err
		}
		if _, err := to.Write([]byte{'\n'}); err != nil {
			return err
		}
	}
	return nil
}

// A through finds the line that a copy ends with which holds what the session did right behind turn n: the turn, and what is
// recorded of it.
type through struct {
	n    int
	line int // 0: there is no such turn yet
	over bool
}

// add takes the next entry.
func (t *through) add(e Entry) {
	switch {
	case t.over:
	case e.Turn != nil && e.Turn.N == t.n:
		t.line = e.Line
	case t.line > 0 && (e.Turn != nil || e.Event.Name != EventWhy || e.Event.Int("n") != t.n):
		t.over = true
	case t.line > 0:
		t.line = e.Line
	}
}
