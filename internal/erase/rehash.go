package erase

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/audit"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/erased"
	"ken/internal/regular"
	"ken/internal/trace"
)

// Rehash seals the sums and hashes of texts that an older version wrote without a key:
// those of the list of what was erased, of the traces of answers and of the audit. From
// such a sum a short secret is found by trying them all. It returns how many files
// changed, and does nothing where no Seal is given.
func (e *Eraser) Rehash(ctx context.Context) (files int, err error) {
	if e.Seal == nil {
		return 0, nil
	}
	journal := &erased.Journal{Path: e.Paths.Erased(), FS: e.FS, Seal: e.Seal}
	changed, err := journal.Rehash(ctx)
	if err != nil {
		return 0, err
	}
	if changed {
		files++
	}
	paths, err := e.sessionFiles()
	if err != nil {
		return files, err
	}
	for _, path := range paths {
		changed, err := e.rehashLines(ctx, e.Sessions.Lock, path, trace.Rehash)
		if err != nil {
			return files, err
		}
		if changed {
			files++
		}
	}
	changed, err = e.rehashLines(ctx, e.Paths.Data, e.Paths.Audit(), func(line []byte, seal *memory.Seal) ([]byte, bool) { return audit.Rehash(line, seal.Hash) })
	if changed {
		files++
	}
	return files, err
}

// maxHashed is more than a line has that holds sums: a longer one is no such line.
const maxHashed = 1 << 20

// rehashLines rewrites the lines of a file that rehash changes, under the lock of dir,
// and keeps the time at which the file was written last.
func (e *Eraser) rehashLines(ctx context.Context, dir, path string, rehash func([]byte, *memory.Seal) ([]byte, bool)) (changed bool, err error) {
	var seal *memory.Seal
	// each calls do for the lines of f: what stands there, or what is to.
	each := func(f io.Reader, do func(line jsonl.Line, to []byte) error) error {
		for line, err := range jsonl.Lines(f, maxHashed) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if line.Bytes == nil {
				continue
			}
			if to, ok := rehash(line.Bytes, seal); ok {
				if err := do(line, to); err != nil {
					return err
				}
			}
		}
		return nil
	}
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("seal sums: %w", err)
	}
	defer f.Close()
	// A seal is made only where there is something to seal: it may make the key.
	seal = memory.NewSeal([]byte{0})
	found := errors.New("found")
	if err := each(f, func(jsonl.Line, []byte) error { return found }); !errors.Is(err, found) {
		return false, err
	}
	if seal, err = e.Seal(); err != nil {
		return false, fmt.Errorf("seal sums: %w", err)
	}
	err = locked(ctx, dir, func() error {
		f, err := regular.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		stat, err := f.Stat()
		if err != nil {
			return err
		}
		err = jsonl.Rewrite(e.fs(), path, stat, func(w io.Writer) error {
			at := int64(0)
			err := each(io.NewSectionReader(f, 0, stat.Size()), func(line jsonl.Line, to []byte) error {
				from := line.Offset + line.Len - int64(len(line.Bytes)) // behind a byte order mark
				if _, err := io.Copy(w, io.NewSectionReader(f, at, from-at)); err != nil {
					return err
				}
				at = line.Offset + line.Len
				_, err := w.Write(to)
				return err
			})
			if err == nil {
				_, err = io.Copy(w, io.NewSectionReader(f, at, stat.Size()-at))
			}
			return err
		})
		if err != nil {
			return err
		}
		return os.Chtimes(path, stat.ModTime(), stat.ModTime())
	})
	if err != nil {
		return false, fmt.Errorf("seal the sums of %s: %w", filepath.Base(path), err)
	}
	return true, nil
}
