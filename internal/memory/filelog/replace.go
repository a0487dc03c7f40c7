package filelog

import (
	"context"
	"fmt"
	"io"

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
	r, err := l.open("")
	if err != nil || r.f == nil {
		return err
	}
	defer r.close()
	data, err := io.ReadAll(io.NewSectionReader(r.f, 0, r.stat.Size()))
	if err != nil {
		return fmt.Errorf("mask %s: %w", l.path, err)
	}
	now, err := by(data)
	if err != nil || string(now) == string(data) {
		return err
	}
	l.know(head{})
	l.dropHead()
	l.dropSketches()
	return jsonl.Rewrite(l.o.FS, l.path, r.stat, func(w io.Writer) error {
		_, err := w.Write(now)
		return err
	})
}
