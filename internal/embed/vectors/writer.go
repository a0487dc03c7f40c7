package vectors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// lockWait is how long to wait for another process that adds vectors: not at
// all, it adds the same.
const lockWait = 50 * time.Millisecond

// temporary is the pattern of files that become the file.
const temporary = ".memory.vec.*.new"

// A Writer adds rows to a file. Close it. It is for one goroutine.
type Writer struct {
	path   string
	space  Space
	lock   *jsonl.Lock
	f      *os.File // nil: there is none of this space yet
	length int
	has    map[string]Key // by reference, the newest
	count  int            // rows, and what is damaged
}

// Edit opens the file at path for adding, which need not exist. The error
// wraps jsonl.ErrBusy if another process adds to it.
func Edit(ctx context.Context, path string, space Space) (*Writer, error) {
	lock, err := jsonl.LockDir(ctx, filepath.Dir(path), lockWait)
	if err != nil {
		return nil, fmt.Errorf("add vectors: %w", err)
	}
	w := &Writer{path: path, space: space, lock: lock}
	if err := w.load(ctx); err != nil {
		_ = w.Close()
		return nil, err
	}
	return w, nil
}

// Close closes the file and lets others add.
func (w *Writer) Close() error {
	var errs []error
	if w.f != nil {
		errs = append(errs, w.f.Close())
	}
	return errors.Join(append(errs, w.lock.Unlock())...)
}

// load reads what there is; a file of another space, or a damaged one, is nothing.
func (w *Writer) load(ctx context.Context) error {
	w.has, w.count = make(map[string]Key), 0
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(w.path), temporary)) // the directory's own name is no pattern
	for _, path := range left {
		_ = os.Remove(path) // of a process that was ended
	}
	f, err := regular.OpenFile(w.path, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open vectors: %w", err)
	}
	length, err := readHead(f, w.space)
	if errors.Is(err, ErrNone) {
		return f.Close()
	}
	if err == nil {
		w.f, w.length = f, length
		var bad int
		bad, err = rows(ctx, f, length, func(r *row) {
			w.has[string(r.ref)] = r.key
			w.count++
		})
		w.count += bad
	}
	if err == nil {
		err = w.trim()
	}
	return err
}

// trim cuts off a last row that is not whole.
func (w *Writer) trim() error {
	st, err := w.f.Stat()
	if err != nil {
		return fmt.Errorf("add vectors: %w", err)
	}
	if over := (st.Size() - headBytes) % int64(rowHead+w.length); over != 0 {
		if err := w.f.Truncate(st.Size() - over); err != nil {
			return fmt.Errorf("add vectors: %w", err)
		}
	}
	return nil
}

// Has reports whether the newest row of the item is that of the text.
func (w *Writer) Has(ref string, key Key) bool {
	have, ok := w.has[ref]
	return ok && have == key || len(ref) > maxRef
}

// Rows returns the number of rows, with those that are damaged or of no use.
func (w *Writer) Rows() int { return w.count }

// Ready makes the file ready for vectors of that length: where there is none, it
// was deleted, or has others, it is made anew, and empty. Whoever deletes the file
// after Ready deletes also what the next Add writes.
func (w *Writer) Ready(length int) error {
	if length < 1 || length > mostLength {
		return fmt.Errorf("add vectors: %d numbers", length)
	}
	if w.f != nil && w.length == length {
		there, err := os.Stat(w.path)
		mine, mineErr := w.f.Stat()
		if err == nil && mineErr == nil && os.SameFile(there, mine) {
			return nil
		}
	}
	if w.f != nil {
		_ = w.f.Close()
		w.f = nil
	}
	w.has, w.count, w.length = make(map[string]Key), 0, length
	f, err := w.temp(func(io.Writer) error { return nil })
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), w.path); err != nil {
		_ = f.Close()
		return fmt.Errorf("add vectors: %w", err)
	}
	w.f = f
	return nil
}

// temp makes a file with a header, to be renamed.
func (w *Writer) temp(fill func(io.Writer) error) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(w.path), temporary)
	if err != nil {
		return nil, fmt.Errorf("add vectors: %w", err)
	}
	if _, err = f.Write(head(w.space, w.length)); err == nil {
		err = fill(f)
	}
	if err != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		return nil, fmt.Errorf("add vectors: %w", err)
	}
	return f, nil
}

// Add adds rows, which have vectors of the length of the last Ready.
func (w *Writer) Add(list []Row) error {
	var b []byte
	for _, r := range list {
		if len(r.Vector) != w.length || w.f == nil {
			return fmt.Errorf("add vectors: one of %d numbers to those of %d", len(r.Vector), w.length)
		}
		b = appendRow(b, r)
	}
	if _, err := w.f.Seek(0, io.SeekEnd); err != nil {
		return fmt.Errorf("add vectors: %w", err)
	}
	if _, err := w.f.Write(b); err != nil {
		_ = w.trim()
		return fmt.Errorf("add vectors: %w", err)
	}
	for _, r := range list {
		w.has[r.Ref] = r.Key
		w.count++
	}
	return nil
}

// Compact rewrites the file with only the newest row of each text that wanted
// names, and says how many went. If the file was deleted meanwhile, nothing takes
// its place. swap runs what puts the new file in its place, in a way that
// excludes whoever deletes it.
func (w *Writer) Compact(ctx context.Context, wanted func(ref string, key Key) bool, swap func(func() error) error) (gone int, err error) {
	if w.f == nil {
		return 0, nil
	}
	keep := make(map[string]int64) // the row that is kept, by reference
	n := int64(-1)
	index := func(each func(r *row)) error {
		n = -1
		_, err := rows(ctx, w.f, w.length, func(r *row) { n++; each(r) })
		return err
	}
	if err := index(func(r *row) {
		if wanted(string(r.ref), r.key) {
			keep[string(r.ref)] = n
		}
	}); err != nil {
		return 0, err
	}
	if len(keep) == w.count {
		return 0, nil
	}
	f, err := w.temp(func(out io.Writer) error {
		var werr error
		var batch []byte
		if err := index(func(r *row) {
			if at, ok := keep[string(r.ref)]; !ok || at != n || werr != nil {
				return
			}
			batch = append(batch, r.whole...)
			if len(batch) > 1<<20 {
				_, werr = out.Write(batch)
				batch = batch[:0]
			}
		}); err != nil {
			return err
		}
		if werr == nil {
			_, werr = out.Write(batch)
		}
		return werr
	})
	if err != nil {
		return 0, err
	}
	err = swap(func() error {
		there, err := os.Stat(w.path)
		if err != nil {
			return err
		}
		mine, err := w.f.Stat()
		if err != nil {
			return err
		}
		if !os.SameFile(there, mine) {
			return ErrNone
		}
		return os.Rename(f.Name(), w.path)
	})
	if err != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		return 0, fmt.Errorf("put vectors in order: %w", err)
	}
	gone = w.count - len(keep)
	_ = w.f.Close()
	w.f, w.count = f, len(keep)
	for ref, key := range w.has {
		if !wanted(ref, key) {
			delete(w.has, ref)
		}
	}
	return gone, nil
}
