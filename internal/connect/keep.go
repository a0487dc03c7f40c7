package connect

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/jsonl"
)

// lockWait is how long to wait for others that change files of the state.
const lockWait = 5 * time.Second

// keptCopies is how many old texts of a file are kept.
const keptCopies = 3

// A Writer makes changes, and keeps what the files held before: it may hold secrets of others, so nobody else may read it.
type Writer struct {
	Dir  string           // where old texts are kept
	Lock string           // the directory whose lock holds back an erasing, which might miss them
	Now  func() time.Time // for their names
}

// Apply makes the changes of an assistant in their order. done are those that were made, also beside an error. unnoted is why
// directories that were made for it will stay when it is removed; nil: they will go.
func (w Writer) Apply(ctx context.Context, agent Agent, changes []Change) (done []Change, unnoted, err error) {
	note := func(change func(made []string) []string) {
		if err := w.note(ctx, change); err != nil {
			unnoted = err
		}
	}
	for _, c := range changes {
		missing := c.Missing()
		if err := c.Apply(ctx, w.keep(ctx, agent, c)); err != nil {
			return done, unnoted, err
		}
		done = append(done, c)
		if !c.Remove {
			note(func(made []string) []string { return append(made, missing...) })
		}
	}
	if len(changes) > 0 && changes[0].Remove {
		note(func(made []string) []string { return Clear(made, changes) })
	}
	return done, unnoted, nil
}

// keep returns what keeps the old text of a file.
func (w Writer) keep(ctx context.Context, agent Agent, c Change) func(old []byte) error {
	return func(old []byte) error {
		return w.locked(ctx, func() error {
			of := agent.Name + "-" + strings.TrimPrefix(filepath.Base(c.Path), ".") + "-"
			entries, err := os.ReadDir(w.Dir)
			if err != nil {
				return err
			}
			var kept []string
			for _, e := range entries {
				if strings.HasPrefix(e.Name(), of) {
					kept = append(kept, e.Name())
				}
			}
			slices.Sort(kept) // by time
			for len(kept) >= keptCopies {
				if err := os.Remove(filepath.Join(w.Dir, kept[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
				kept = kept[1:]
			}
			path := filepath.Join(w.Dir, of+w.Now().UTC().Format("20060102T150405.000000000Z"))
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
			if err != nil {
				return err
			}
			_, err = f.Write(old)
			return errors.Join(err, f.Sync(), f.Close())
		})
	}
}

// note changes what is noted of the directories that were made for files of assistants, so that they go with those.
func (w Writer) note(ctx context.Context, change func(made []string) []string) error {
	return w.locked(ctx, func() error {
		path := filepath.Join(w.Dir, "directories")
		var made []string
		b, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_ = json.Unmarshal(b, &made) // what cannot be read says of none
		now := change(slices.Clone(made))
		if slices.Equal(now, made) {
			return nil
		}
		if len(now) == 0 {
			return os.Remove(path)
		}
		if b, err = json.Marshal(now); err != nil {
			return err
		}
		return os.WriteFile(path, append(b, '\n'), 0o600)
	})
}

// locked has do use the directory of old texts, alone.
func (w Writer) locked(ctx context.Context, do func() error) (err error) {
	if err := jsonl.MakeDir(jsonl.OS{}, w.Dir); err != nil {
		return err
	}
	lock, err := jsonl.LockDir(ctx, w.Lock, lockWait)
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}
