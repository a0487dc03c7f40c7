//go:build !linux && !darwin

package choose

import (
	"context"
	"io"
	"os"
)

// Pick cannot draw here: the error is ErrUnable.
func Pick(context.Context, *os.File, io.Writer, Options) (Choice, error) {
	return Choice{}, ErrUnable
}
