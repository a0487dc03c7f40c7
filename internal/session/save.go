package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/jsonl"
)

// Save has everything so far on the disk and returns the file's path. With a
// name, the file is called <name>.jsonl from now on (the suffix may be given);
// the session's id stays. It is an error (fs.ErrExist) if another file has that
// name, ErrName if it cannot be one, and ErrEmpty if there is no turn yet.
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
	if err := w.flush(); err != nil {
		return "", err
	}
	if path != w.path {
		if err := w.locked(func() error { return rename(w.dir.fs(), w.path, path) }); err != nil {
			return "", fmt.Errorf("save session %s: %w", w.header.Session, err)
		}
		w.path, w.dirty = path, true
	}
	return w.path, w.sync()
}

// SaveCopy writes all so far to a new session file <name>.jsonl, with an id of
// its own and a header that names this session, and returns its path. This
// session goes on in its own file. Errors are those of Save.
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
	now := w.dir.Now()
	id, held, err := w.dir.reserve(now)
	if err != nil {
		return "", fmt.Errorf("copy session %s: %w", w.header.Session, err)
	}
	err = w.locked(func() error {
		body, err := w.body()
		if err == nil {
			_, err = w.dir.copyTo(path, body, w.header.Session, id, now)
		}
		return err
	})
	if err = errors.Join(err, held.release()); err != nil {
		return "", fmt.Errorf("copy session %s: %w", w.header.Session, err)
	}
	return path, nil
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
		return fmt.Errorf("save session %s: %w", w.header.Session, ErrClosed)
	case w.discard, !w.made && !w.turns:
		return fmt.Errorf("save session: %w", ErrEmpty)
	}
	return nil
}

// body returns what the file would hold if all pending lines were in it.
func (w *Writer) body() ([]byte, error) {
	var b []byte
	if w.made {
		var err error
		if b, err = os.ReadFile(w.path); err != nil {
			return nil, err
		}
	}
	if len(b) == 0 {
		var err error
		if b, err = w.header.line(); err != nil {
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

// copyTo writes a copy of the session file whose bytes are body to path: a
// header of its own, then every line as it stands, unreadable ones too, but for
// a torn tail. name is the id of the session if body has no header. The caller
// holds the data lock.
func (d Dir) copyTo(path string, body []byte, name, id string, now time.Time) (Header, error) {
	t, err := Read(bytes.NewReader(body), name)
	if err != nil {
		return Header{}, err
	}
	if len(t.Turns()) == 0 {
		return Header{}, ErrEmpty
	}
	h := t.Header
	h.CopiedFrom, h.CopiedTo = h.Session, t.last
	h.Format, h.Session, h.Started = Format, id, stamp(now)
	out, err := h.line()
	if err != nil {
		return Header{}, err
	}
	for l, err := range jsonl.Lines(bytes.NewReader(body), len(body)) {
		if err != nil {
			return Header{}, err
		}
		got, err := parseLine(l.Bytes)
		if err == nil && got.header != nil || err != nil && !l.Ended {
			continue
		}
		out = append(append(out, l.Bytes...), '\n')
	}
	if err := createFile(d.fs(), path); err != nil {
		return Header{}, err
	}
	err = jsonl.Append(d.fs(), path, out, true)
	if err == nil {
		err = syncPath(d.fs(), filepath.Dir(path))
	}
	if err != nil {
		return Header{}, errors.Join(err, d.fs().Remove(path))
	}
	return h, nil
}
