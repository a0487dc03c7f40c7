package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"ken/internal/config"
	"ken/internal/jsonl"
	"ken/internal/regular"
)

// lockWait is how long a change of the settings, or of what is derived from memories, waits for another one.
const lockWait = 5 * time.Second

// A SettingsFile is the file of settings as it was read.
type SettingsFile struct {
	Path string
	Text []byte
	Stat fs.FileInfo // nil if there is no file
}

// Read reads the file at Path. A missing one is empty.
func (f *SettingsFile) Read() error {
	f.Text, f.Stat = nil, nil
	stat, err := regular.Stat(f.Path)
	if err == nil && stat == nil {
		return nil
	}
	if err == nil {
		f.Stat = stat
		f.Text, err = regular.Read(f.Path, config.MaxFile)
	}
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	return nil
}

// Change reads the file and writes what change makes of it, with no other ken in between, and returns what it
// is then. If change returns the text that it got, nothing is written. The lock is in the directory lock, not in that of
// the settings, which may be a repository of dotfiles. Errors: that of change; what would be no settings.
func (f *SettingsFile) Change(ctx context.Context, lock string, change func(SettingsFile) ([]byte, error)) (after SettingsFile, err error) {
	e := jsonl.Edit{Path: f.Path, Lock: lock, Wait: lockWait, Most: config.MaxFile}
	_, err = e.Bytes(ctx, func(old []byte) ([]byte, error) {
		if err := f.Read(); err != nil {
			return nil, err
		}
		after = *f
		text, err := change(*f)
		if err != nil || f.Stat != nil && bytes.Equal(text, f.Text) {
			return old, err
		}
		if _, err := config.Parse(text, f.Path); err != nil {
			return nil, err
		}
		after.Text = text
		return append([]byte{}, text...), nil // a file, also of no text
	})
	if errors.Is(err, jsonl.ErrBusy) {
		err = fmt.Errorf("change settings: %w", err)
	}
	return after, err
}
