//go:build !linux && !darwin

package repl

import (
	"context"
	"os"
	"time"
)

// timesKeys says that nothing here tells when a key came: lines answer.
const timesKeys = false

// arrived is not called here.
func arrived(context.Context, *os.File, []byte, time.Duration) (n int, over bool, err error) {
	return 0, true, nil
}

// drain knows no way here to see what was typed without waiting for it.
func drain(context.Context, *os.File, time.Duration) (typed []byte, over bool, err error) {
	return nil, false, nil
}

// await does not wait: reading does.
func await(context.Context, *os.File) error { return nil }
