//go:build !unix

package battery

import (
	"context"
	"errors"
)

// walled is for systems with modes.
func walled(context.Context, string, uint64, int) error { return errors.ErrUnsupported }
