package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
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
func (w *Writer) body() ([]byte, error) {
	var b []byte
	if w.made {
		f, err := regular.Open(w.path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		if b, err = io.ReadAll(f); err != nil {
			return nil, err
		}
	}
	if len(b) == 0 {
		var err error
		if b, err = w.header.Line(); err != nil {
			return nil, err
		}
	}
	if b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	return append(b, w.pending...), nil
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
// that is "", in one named by its id. body gives the bytes of the other's file,
// called name, and is called under the data lock. It ends behind turn upTo; 0: it is whole.
func (d Dir) copyTo(path, name string, upTo int, body func() ([]byte, error)) (w *Writer, err error) {
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
		b, err := body()
		if err != nil {
			return err
		}
		out, err := w.copied(b, name, upTo, Header{Session: id, Started: stamp(now)})
		if err != nil {
			return err
		}
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
		_, err = jsonl.AppendAfter(d.fs(), path, nil, out)
		if err != nil && !errors.Is(err, jsonl.ErrChanged) && !errors.Is(err, jsonl.ErrReplaced) {
			_ = d.fs().Remove(path) // what a failed append leaves would take the name
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, held.release())
	}
	// What cannot be copied is not there, as all of it will not be one day.
	_ = d.OutputsOf(w.header.CopiedFrom).CopyTo(d.OutputsOf(id), w.header.CopiedTo)
	return w, nil
}

// copied returns the lines of a copy of the session file b: a header of its own,
// then every line as it stands up to turn upTo, unreadable ones too, but for a torn tail. It
// sets the header and the last number of w, the id and time of which are those of is.
func (w *Writer) copied(b []byte, name string, upTo int, is Header) ([]byte, error) {
	t, err := Read(bytes.NewReader(b), name)
	if err != nil {
		return nil, err
	}
	if len(t.Turns()) == 0 {
		return nil, ErrEmpty
	}
	w.last, w.header = t.last, t.Header
	lines := math.MaxInt
	if upTo > 0 {
		if lines = t.through(upTo); lines == 0 {
			return nil, fmt.Errorf("%s has no turn %d", t.Header.Session, upTo)
		}
		w.last = upTo
	}
	w.header.CopiedFrom, w.header.CopiedTo = t.Header.Session, w.last
	w.header.Format, w.header.Session, w.header.Started = Format, is.Session, is.Started
	out, err := w.header.Line()
	for l, lerr := range jsonl.Lines(bytes.NewReader(b), len(b)) {
		if err = cmp.Or(err, lerr); err != nil {
			return nil, err
		}
		if l.Number > lines {
			break
		}
		got, bad := parseLine(l.Bytes)
		if bad == nil && got.header != nil || bad != nil && !l.Ended {
			continue
		}
		out = append(append(out, l.Bytes...), '\n')
	}
	return out, err
}

// through is the line that a copy ends with which holds what the session did right behind turn
// n: the turn, and what is recorded of it. 0: there is no such turn.
func (t *Transcript) through(n int) (line int) {
	for _, e := range t.Entries {
		switch {
		case e.Turn != nil && e.Turn.N == n:
			line = e.Line
		case line > 0 && (e.Turn != nil || e.Event.Name != EventWhy || e.Event.Int("n") != n):
			return line
		case line > 0:
			line = e.Line
		}
	}
	return line
}
