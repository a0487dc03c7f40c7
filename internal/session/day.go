package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// Note appends an event to the session of the day for whoever h says that it is of: its channel and its agent. All processes that
// note for the same of these on one day (UTC) have one file, which nobody holds. It waits for the data lock as Wait says, and no
// longer than ctx lasts; what cannot be written then is lost.
func (d Dir) Note(ctx context.Context, h Header, e Event) error {
	now := d.Now()
	day := now.UTC().Truncate(24 * time.Hour)
	sum := sha256.Sum256([]byte(string(h.Channel) + "\n" + h.Agent))
	h.Format, h.Session, h.Started = Format, day.Format(idTime)+"-"+hex.EncodeToString(sum[:2]), stamp(now)
	if e.Time.IsZero() {
		e.Time = now
	}
	e.Time = stamp(e.Time)
	line, err := e.line()
	if err != nil {
		return fmt.Errorf("note in session %s: %w", h.Session, err)
	}
	path := d.file(h.Session)
	err = d.lockedBy(ctx, d.wait(), func() error {
		fi, err := regular.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			fi, err = nil, nil
		}
		if err != nil {
			return err
		}
		if fi == nil || fi.Size() == 0 {
			head, err := h.Line()
			if err != nil {
				return err
			}
			line = append(head, line...)
		}
		return jsonl.Append(d.fs(), path, line, d.SyncLines)
	})
	if err != nil {
		return fmt.Errorf("note in session %s: %w", h.Session, err)
	}
	return nil
}
