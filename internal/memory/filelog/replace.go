package filelog

import (
	"bytes"
	"context"

	"ken/internal/jsonl"
)

// Replace puts what by makes of the bytes of the log in their place, while nobody else
// can append, all or nothing; what by returns unchanged is not written. Cursors
// into what changed are stale. If the file changes between being read and being
// replaced the error wraps jsonl.ErrChanged, and nothing was done.
func (l *Log) Replace(ctx context.Context, by func(data []byte) ([]byte, error)) error {
	unlock, err := l.lock(ctx, "mask")
	if err != nil {
		return err
	}
	defer unlock()
	_, err = jsonl.Edit{Path: l.path, FS: l.o.FS}.Bytes(ctx, func(data []byte) ([]byte, error) {
		if data == nil {
			return nil, nil
		}
		now, err := by(data)
		if err == nil && !bytes.Equal(now, data) {
			l.know(head{})
			l.dropHead()
			l.dropSketches()
		}
		return now, err
	})
	return err
}
