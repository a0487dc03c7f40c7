//go:build !linux && !darwin

package repl

import (
	"context"
	"os"
	"time"
)

// drain knows no way here to see what was typed without waiting for it.
func drain(context.Context, *os.File, time.Duration) (typed []byte, over bool, err error) {
	return nil, false, nil
}

// await does not wait: reading does.
func await(context.Context, *os.File) error { return nil }
