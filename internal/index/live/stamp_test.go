package live

import (
	"testing"
	"time"

	"ken/internal/jsonl"
)

// TestSettled: the times of a file are believed only when a change after them would
// show, on file systems that count in whole or in two seconds as well.
func TestSettled(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	for _, c := range []struct {
		changed, now int64 // nanoseconds
		want         bool
	}{
		{10*second + 7, 10*second + 7 + int64(Settling), false},
		{10*second + 7, 10*second + 8 + int64(Settling), true},
		{10 * second, 10*second + int64(Settling) + 1, false},
		{10 * second, 12*second + int64(Settling), false},
		{10 * second, 12*second + int64(Settling) + 1, true},
	} {
		s := jsonl.Stamp{Ino: 1, Mtime: c.changed, Ctime: c.changed}
		if got := settled(s, time.Unix(0, c.now)); got != c.want {
			t.Errorf("changed at %d, now %d: %v", c.changed, c.now, got)
		}
	}
}
