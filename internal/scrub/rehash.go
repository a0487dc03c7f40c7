package scrub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ken/internal/audit"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/tombstone"
	"ken/internal/regular"
	"ken/internal/session"
	"ken/internal/trace"
)

// Rehash seals the sums and hashes of texts that an older version wrote without a key:
// those of the list of what was erased, of the traces of answers and of the audit, and the
// names of lines without id that were erased. From such a sum a short secret is found by trying them all. It returns how many files
// changed, and does nothing where no Seal is given.
func (e *Eraser) Rehash(ctx context.Context) (files int, err error) {
	if e.Seal == nil {
		return 0, nil
	}
	journal := &tombstone.Journal{Path: e.Paths.Erased(), FS: e.FS, Seal: e.Seal}
	changed, err := journal.Rehash(ctx)
	if err != nil {
		return 0, err
	}
	if changed {
		files++
	}
	names, err := e.unsealed(ctx)
	if err != nil {
		return files, err
	}
	if len(names) > 0 {
		if err := e.Engine.Erase(ctx, func(context.Context) error { return nil }, names...); err != nil {
			return files, err
		}
		n, err := e.sealNames(ctx, names)
		if files += 1 + n; err != nil {
			return files, err
		}
	}
	paths, err := e.sessionFiles()
	if err != nil {
		return files, err
	}
	for _, path := range paths {
		changed, err := e.rehashLines(ctx, e.Sessions.Lock, path, maxHashed, trace.Rehash)
		if err != nil {
			return files, err
		}
		if changed {
			files++
		}
	}
	changed, err = e.rehashLines(ctx, e.Paths.Data, e.Paths.Audit(), maxHashed, func(line []byte, seal *memory.Seal) ([]byte, bool) {
		return audit.Rehash(line, seal.Hash)
	})
	if changed {
		files++
	}
	return files, err
}

// unsealed are the names of lines without id that an older version erased and left in
// the log.
func (e *Eraser) unsealed(ctx context.Context) ([]memory.ID, error) {
	s, err := e.Engine.State(ctx)
	if s == nil {
		return nil, err // what is wrong with a replica is reported by whoever reads it
	}
	var ids []memory.ID
	for c := range s.Changes() {
		id := c.Record.Target.In(c.Log)
		foreign := slices.ContainsFunc(e.Logs, func(l Log) bool { return l.Foreign && l.Name == c.Log })
		if c.Record.Kind == memory.KindErased && id.Hash != 0 && id.Log == c.Log && !foreign && !c.Record.Keyed() {
			ids = append(ids, id.From(s.OwnLog()))
		}
	}
	return ids, nil
}

// sealNames seals the names of lines without id wherever ken wrote them, logs left out:
// what names them there names them no more. It returns how many files changed.
func (e *Eraser) sealNames(ctx context.Context, ids []memory.ID) (files int, err error) {
	var names []string
	for _, id := range ids {
		if id.Hash != 0 {
			names = append(names, id.Hash.String())
		}
	}
	if len(names) == 0 || e.Seal == nil {
		return 0, nil
	}
	name := regexp.MustCompile(`\bh(` + strings.Join(names, "|") + `)\b`)
	rename := func(line []byte, seal *memory.Seal) ([]byte, bool) {
		if !name.Match(line) {
			return line, false
		}
		return name.ReplaceAllFunc(line, func(m []byte) []byte { return []byte("h" + seal.Hash(string(m[1:]))) }), true
	}
	for _, f := range e.Paths.Files() {
		if !f.Text || f.Derived || f.Path == e.Paths.Memory() || f.Path == e.Paths.Peers() {
			continue
		}
		err := e.each(f, func(path string) error {
			changed, err := e.rehashLines(ctx, f.Lock, path, session.MaxLine, rename)
			if changed {
				files++
			}
			return err
		})
		if err != nil {
			return files, err
		}
	}
	return files, nil
}

// maxHashed is more than a line has that holds sums: a longer one is no such line.
const maxHashed = 1 << 20

// rehashLines rewrites the lines of a file that rehash changes, under the lock of dir,
// and keeps the time at which the file was written last.
func (e *Eraser) rehashLines(
	ctx context.Context, dir, path string, most int, rehash func([]byte, *memory.Seal) ([]byte, bool),
) (changed bool, err error) {
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
	for line, err := range jsonl.Lines(f, most) {
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
	if _, err := (jsonl.Edit{Path: path, Lock: dir, FS: e.FS, Max: most, KeepTime: true}).Lines(ctx, each); err != nil {
		return false, fmt.Errorf("seal the sums of %s: %w", filepath.Base(path), err)
	}
	return true, nil
}
