package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ken/internal/jsonl"
)

// Remove deletes the session file at path for good, and what tools printed in it: its name is gone from the disk when
// it returns. If another writer has the session open the error is ErrHeld, and nothing
// was done.
func (d Dir) Remove(path string) error {
	head, err := readHeader(path)
	if err != nil {
		return err
	}
	held, err := holdSession(d.Run, head.Session)
	if err != nil {
		return err
	}
	err = d.locked(d.wait(), func() error {
		if err := d.OutputsOf(head.Session).Remove(); err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(d.Run, partName(head.Session))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete session: %w", err)
		}
		if err := d.fs().Remove(path); err != nil {
			return fmt.Errorf("delete session: %w", err)
		}
		return jsonl.SyncDir(d.fs(), filepath.Dir(path))
	})
	return errors.Join(err, held.release())
}

// Free reports, as ErrHeld, that another writer has the session at path open.
func (d Dir) Free(path string) error {
	head, err := readHeader(path)
	if err != nil {
		return err
	}
	held, err := holdSession(d.Run, head.Session)
	if err != nil {
		return err
	}
	return held.release()
}
