package scrub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	// A seal is made only where there is something to seal: it may make the key.
	seal, found := memory.NewSeal([]byte{0}), false
	each := func(line jsonl.Line, _ *io.SectionReader) ([]byte, bool, error) {
		if line.Bytes == nil {
			return nil, false, ctx.Err()
		}
		to, ok := rehash(line.Bytes, seal)
		found = found || ok
		return to, ok, ctx.Err()
	}
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("seal sums: %w", err)
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, maxHashed) {
		if err == nil {
			_, _, err = each(line, nil)
		}
		if err != nil {
			return false, err
		}
		if found {
			break
		}
	}
	if !found {
		return false, nil
	}
	if seal, err = e.Seal(); err != nil {
		return false, fmt.Errorf("seal sums: %w", err)
	}
	if _, err := (jsonl.Edit{Path: path, Lock: dir, FS: e.FS, Max: maxHashed, KeepTime: true}).Lines(ctx, each); err != nil {
		return false, fmt.Errorf("seal the sums of %s: %w", filepath.Base(path), err)
	}
	return true, nil
}
